import { demoProducts } from '#sandbox/catalog/products.ts'
import { seedProducts } from '#sandbox/printful/products.ts'
import { centsFromDecimal } from '#shared/money.ts'

// What happened at the providers, from their event file: a JSON object per line, written before each answer.

/** An address in fields that all providers share; missing fields are ''. */
export type PostalAddress = { name: string; line1: string; city: string; postalCode: string; country: string }

export type Payment = {
  key: string
  /** Cents received so far. */
  taken: number
  returned: number
  currency: string
  /** The shipping address last sent to the provider. */
  to: PostalAddress | undefined
  /** The checkout id last sent to the provider. */
  checkoutId: string | undefined
  state: 'open' | 'approved' | 'held' | 'taken' | 'closed'
}

/** A tax calculation. */
type TaxRequest = {
  line1: string
  /** As `linesText` writes them. */
  lines: string
  /** The answer; undefined without one. */
  tax: number | undefined
  /** A fault was injected: the answer may not have arrived. */
  isDoubtful: boolean
}

type Draft = { to: PostalAddress; pieces: string; value: number; shipping: number; tax: number }

export type Books = {
  payments: ReadonlyMap<string, Payment>
  taxes: readonly TaxRequest[]
  /** Every order request to the printer, by external id. */
  drafts: ReadonlyMap<string, readonly Draft[]>
  partnerOrders: readonly { id: string; externalId: string; status: string; pieces: string }[]
  parcels: readonly { id: string; orderId: string }[]
  mails: readonly { at: string; to: string; subject: string }[]
  /** Every delivery of an event and the shop's answer; `lost` if dropped. The shop may still find it in the provider's list. */
  deliveries: readonly { provider: string; event: string; answer: number | string }[]
  /** Calls to endpoints that the simulators do not have. */
  notSimulated: readonly string[]
}

type Line = { at: string; provider: string; kind: string; data: Record<string, unknown> }
type Form = Record<string, string | undefined>
type CallLine = { method: string; path: string; request: unknown; answer: unknown; rule?: object; notSimulated?: true }

/** The same text for the same items in any order. */
export const piecesText = (pieces: readonly { id: unknown; quantity: unknown }[]): string =>
  pieces
    .map(({ id, quantity }) => `${Number(id)}×${Number(quantity)}`)
    .toSorted()
    .join(' ')

/** The same with prices in cents. */
export const linesText = (lines: readonly { id: unknown; quantity: unknown; price: unknown }[]): string =>
  lines
    .map(({ id, quantity, price }) => `${Number(id)}×${Number(quantity)}=${Number(quantity) * Number(price)}`)
    .toSorted()
    .join(' ')

const centsOf = (text: unknown): number => centsFromDecimal(String(text)) ?? Number.NaN

export function readBooks(witness: string): Books {
  const payments = new Map<string, Payment>()
  const chargeOf = new Map<string, string>()
  const taxes: TaxRequest[] = []
  const drafts = new Map<string, Draft[]>()
  const partnerOrders = new Map<string, Books['partnerOrders'][number]>()
  const parcels: Books['parcels'][number][] = []
  const mails: Books['mails'][number][] = []
  const deliveries: Books['deliveries'][number][] = []
  const notSimulated: string[] = []

  const payment = (key: string): Payment => {
    const known = payments.get(key)
    if (known) return known
    const made: Payment = {
      key,
      taken: 0,
      returned: 0,
      currency: '',
      to: undefined,
      checkoutId: undefined,
      state: 'open',
    }
    payments.set(key, made)
    return made
  }

  function readCall(
    provider: string,
    { method, path, request, answer, rule, notSimulated: isUnknown }: CallLine,
  ): void {
    if (isUnknown) notSimulated.push(`${provider} ${method} ${path}`)
    if (provider === 'stripe' && path === '/v1/tax/calculations' && method === 'POST')
      taxes.push({ ...taxRequestOf(request as Form, answer), isDoubtful: rule !== undefined })
    if (provider === 'printful' && path === '/orders' && method === 'POST') {
      const wanted = request as { external_id?: string }
      if (wanted.external_id)
        drafts.set(wanted.external_id, [...(drafts.get(wanted.external_id) ?? []), draftOf(request)])
    }
    if (typeof answer !== 'object' || answer === null) return
    if (provider === 'stripe' && 'object' in answer && answer.object === 'payment_intent')
      readIntent(answer as unknown as Intent)
    if (provider === 'paypal' && method === 'POST' && path === '/v2/checkout/orders' && 'id' in answer)
      readWalletOrder(String(answer.id), request as WalletRequest)
  }

  function readIntent({ id, currency, metadata, shipping, status }: Intent): void {
    const entry = payment(`stripe:${id}`)
    entry.currency = currency
    if (shipping)
      entry.to = postal({
        name: shipping.name,
        line1: shipping.address.line1,
        city: shipping.address.city,
        postalCode: shipping.address.postal_code,
        country: shipping.address.country,
      })
    if (metadata?.checkout_id) entry.checkoutId = metadata.checkout_id
    if (status === 'canceled') entry.state = 'closed'
  }

  function readWalletOrder(id: string, { purchase_units: [unit] }: WalletRequest): void {
    const entry = payment(`paypal:${id}`)
    entry.currency = unit.amount.currency_code.toLowerCase()
    entry.to = postal({
      name: unit.shipping.name.full_name,
      line1: unit.shipping.address.address_line_1,
      city: unit.shipping.address.admin_area_2,
      postalCode: unit.shipping.address.postal_code,
      country: unit.shipping.address.country_code,
    })
    // Set by the shop: checkout id, then version.
    entry.checkoutId = unit.custom_id.split(':')[0]
  }

  const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
  /** By the kind of the event. */
  const read: Record<string, (data: Record<string, unknown>, at: string, provider: string) => void> = {
    paid: (data) => {
      const key = `stripe:${text(data['payment_intent'])}`
      chargeOf.set(text(data['charge']), key)
      Object.assign(payment(key), { taken: Number(data['amount']), state: 'taken' } satisfies Partial<Payment>)
    },
    approved: (data) => {
      const entry = payment(`paypal:${text(data['order'])}`)
      if (entry.state === 'open') entry.state = 'approved'
    },
    captured: (data) => {
      const key = `paypal:${text(data['order'])}`
      chargeOf.set(text(data['capture']), key)
      const isTaken = data['status'] === 'COMPLETED'
      Object.assign(payment(key), {
        taken: isTaken ? Number(data['amount']) : 0,
        state: isTaken ? 'taken' : data['status'] === 'PENDING' ? 'held' : 'closed',
      } satisfies Partial<Payment>)
      if (data['status'] === 'PENDING') heldAmounts.set(key, Number(data['amount']))
    },
    hold_ended: (data) => {
      const key = chargeOf.get(text(data['capture'])) ?? ''
      const isTaken = data['outcome'] === 'COMPLETED'
      Object.assign(payment(key), {
        taken: isTaken ? (heldAmounts.get(key) ?? 0) : 0,
        state: isTaken ? 'taken' : 'closed',
      } satisfies Partial<Payment>)
    },
    refunded: (data) => {
      const key = chargeOf.get(text(data['charge'] ?? data['capture'])) ?? ''
      payment(key).returned += Number(data['amount'])
    },
    order: (data) => {
      const items = (data['items'] as { sync_variant_id: number; quantity: number }[]).map((item) => ({
        id: item.sync_variant_id,
        quantity: item.quantity,
      }))
      const id = text(data['id'])
      partnerOrders.set(id, {
        id,
        externalId: text(data['external_id']),
        status: text(data['status']),
        pieces: piecesText(items),
      })
    },
    shipment: (data) => void parcels.push({ id: text(data['id']), orderId: text(data['order_id']) }),
    mail: (data, at) => void mails.push({ at, to: text(data['to']), subject: text(data['subject']) }),
    webhook: (data, _, provider) =>
      void deliveries.push({ provider, event: text(data['event']), answer: data['answer'] as number | string }),
    webhook_dropped: (data, _, provider) =>
      void deliveries.push({ provider, event: text(data['event']), answer: 'lost' }),
    call: (data, _, provider) => readCall(provider, data as unknown as CallLine),
  }
  const heldAmounts = new Map<string, number>()
  for (const line of witness.split('\n')) {
    if (line === '') continue
    const { at, provider, kind, data } = JSON.parse(line) as Line
    read[kind]?.(data, at, provider)
  }
  return {
    payments,
    taxes,
    drafts,
    partnerOrders: [...partnerOrders.values()],
    parcels,
    mails,
    deliveries,
    notSimulated,
  }
}

type Intent = {
  id: string
  currency: string
  status: string
  metadata?: { checkout_id?: string }
  shipping?: { name: string; address: { line1: string; city: string; postal_code?: string | null; country: string } }
}

type WalletRequest = {
  purchase_units: [
    {
      custom_id: string
      amount: { currency_code: string }
      shipping: {
        name: { full_name: string }
        address: { address_line_1: string; admin_area_2: string; postal_code?: string; country_code: string }
      }
    },
  ]
}

type DraftRequest = {
  recipient: { name: string; address1: string; city: string; zip?: string | null; country_code: string }
  items: { sync_variant_id: number; quantity: number; retail_price: string }[]
  retail_costs: { shipping: string; tax: string }
}

function draftOf(request: unknown): Draft {
  const { recipient, items, retail_costs: costs } = request as DraftRequest
  return {
    to: postal({
      name: recipient.name,
      line1: recipient.address1,
      city: recipient.city,
      postalCode: recipient.zip,
      country: recipient.country_code,
    }),
    pieces: piecesText(items.map((item) => ({ id: item.sync_variant_id, quantity: item.quantity }))),
    value: items.reduce((sum, item) => sum + centsOf(item.retail_price) * item.quantity, 0),
    shipping: centsOf(costs.shipping),
    tax: centsOf(costs.tax),
  }
}

function taxRequestOf(form: Form, answer: unknown): Omit<TaxRequest, 'isDoubtful'> {
  const lines: string[] = []
  for (let at = 0; form[`line_items[${at}][reference]`] !== undefined; at += 1) {
    // A line that a discount split has `-2` after its variant.
    const line = (field: string) => Number.parseInt(form[`line_items[${at}][${field}]`] ?? '', 10)
    lines.push(`${line('reference')}×${line('quantity')}=${line('amount')}`)
  }
  const tax =
    typeof answer === 'object' && answer !== null && 'tax_amount_exclusive' in answer
      ? Number(answer.tax_amount_exclusive)
      : undefined
  return { line1: form['customer_details[address][line1]'] ?? '', lines: lines.toSorted().join(' '), tax }
}

const postal = ({
  postalCode,
  ...rest
}: Omit<PostalAddress, 'postalCode'> & { postalCode?: string | null | undefined }): PostalAddress => ({
  ...rest,
  postalCode: postalCode ?? '',
})

/** Prices from the printer's store and surcharges from the catalog, for every variant of the demo shop. */
export const readCatalog = () =>
  new Map(
    seedProducts(demoProducts).flatMap(({ external_id: slug, variants }) => {
      const rule = demoProducts.find((product) => product.slug === slug)?.metadata?.shipping_surcharge
      return variants.map(({ id, retail_price }) => [
        id,
        {
          prices: new Set([centsOf(retail_price)]),
          surcharge: rule ? Math.round(rule.amount * 100) : 0,
          countries: rule?.regions ?? [],
        },
      ])
    }),
  )

/** Whether all fields are equal. */
export const isSamePlace = (a: PostalAddress, b: PostalAddress): boolean =>
  [a.name, a.line1, a.city, a.postalCode, a.country].join('\n') ===
  [b.name, b.line1, b.city, b.postalCode, b.country].join('\n')
