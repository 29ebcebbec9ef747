import type { Audit } from '#server/db/audit.ts'
import type { ProviderLedger } from '#sandbox/kit/types.ts'
import type { Offer, Pieces, Visit } from './shoppers.ts'

/**
 * Judges a run by what an auditor can see: the audit views, the providers' records, the calls to the providers, the emails,
 * and what the shoppers saw. It uses none of the shop's code: cart totals, allowed statuses and money formats are implemented
 * here a second time.
 */

/** The relevant calls to the providers that were carried out, even if their answer was lost. */
export type WireRecord = {
  /** Calculated taxes: for which street, which lines and how much. */
  taxes: { line1: string; lines: string[]; tax: number }[]
  /** The delivery address of a payment, by payment; the last one counts. */
  shipping: Map<string, PostalAddress>
  /** Orders requested from the printer, by external id. */
  drafts: Map<string, { to: PostalAddress; pieces: string[]; value: number; shipping: number; tax: number }>
}

/** An address in the fields all providers share; missing ones are ''. */
export type PostalAddress = { name: string; line1: string; city: string; postalCode: string; country: string }

export type Evidence = {
  audit: Audit
  ledger: ProviderLedger
  wire: WireRecord
  visits: readonly Visit[]
  /** Each shopper's cart at the end, by shopper. */
  carts: ReadonlyMap<number, Pieces>
  /** Every delivery of an event and the shop's answer; `lost` if it never arrived. The shop may find it in the provider's list. */
  deliveries: readonly { provider: string; event: string; answer: number | string }[]
  /** Ids of forged events. */
  forged: readonly string[]
  mails: readonly { to: string; subject: string; text: string }[]
  /** Every price a variant had during the run. */
  prices: ReadonlyMap<number, ReadonlySet<number>>
  /** Surcharged variants and the extra cents per item in some countries. */
  surcharges: ReadonlyMap<number, { cents: number; countries: readonly string[] }>
  /** The statuses of an order, in order of time. */
  traces: ReadonlyMap<number, readonly string[]>
}

export type Verdict = { id: string; says: string; checked: number; violations: string[] }

type Row = Record<string, unknown>

const n = (value: unknown): number => Number(value)
const t = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value) : ''
const add = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

/** Each provider's statuses of a received payment. A refund later changes the wallet's. */
const receivedStatuses = new Set(['succeeded', 'COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED'])
const refundedStatuses = new Set(['succeeded', 'pending', 'COMPLETED', 'PENDING'])

/** In the order that an order passes through them; it may skip some. */
const statusOrder = [
  'paid',
  'on_hold',
  'submitted',
  'in_production',
  'partially_shipped',
  'shipped',
  'delivered',
  'returned',
]

/** Cents as decimal text, without arithmetic. */
function dollars(cents: number): string {
  const digits = String(cents).padStart(3, '0')
  return `$${digits.slice(0, -2).replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${digits.slice(-2)}`
}

export function judgeRun(evidence: Evidence): Verdict[] {
  const { audit, ledger, visits, wire } = evidence
  const orders = audit.audit_orders
  const checkouts = new Map(audit.audit_checkouts.map((row) => [t(row['id']), row]))
  const linesOf = Map.groupBy(audit.audit_lines, (row) => t(row['order_id']))
  const orderOfKey = Map.groupBy(orders, (row) => t(row['payment_key']))
  const exceptionOfKey = Map.groupBy(audit.audit_exceptions, (row) => t(row['payment_key']))
  const payments = new Map(ledger.payments.map((payment) => [`${payment.provider}:${payment.id}`, payment]))
  const taken = ledger.payments.filter(({ status }) => receivedStatuses.has(status))
  const takenKeys = new Set(taken.map(({ provider, id }) => `${provider}:${id}`))
  const returnedOf = (key: string) =>
    ledger.refunds
      .filter((refund) => `${refund.provider}:${refund.payment_id}` === key && refundedStatuses.has(refund.status))
      .map((refund) => refund.amount_cents)
  const partnerOrders = Map.groupBy(ledger.partner_orders, (order) => order.external_id)
  const offersOf = Map.groupBy(
    visits.flatMap(({ offers }) => offers),
    ({ paymentId }) => paymentId,
  )
  /** The shopper's last offer of a payment; after a double click, any of the answers. */
  const lastOffers = (paymentId: string): Offer[] => {
    const offers = offersOf.get(paymentId) ?? []
    return offers.filter(({ press }) => press === offers.at(-1)?.press)
  }
  const idOf = (order: Row) => t(order['payment_key']).replace(/^\w+:/, '')

  const verdicts: Verdict[] = []
  function law(id: string, says: string, cases: Iterable<readonly [name: string, wrong: string | false]>): void {
    const seen = [...cases]
    const violations = seen.flatMap(([name, wrong]) => (wrong === false ? [] : [`${name}: ${wrong}`]))
    verdicts.push({ id, says, checked: seen.length, violations })
  }

  law(
    'I1',
    'every payment that succeeded made one order or one exception',
    taken.map(({ provider, id }) => {
      const key = `${provider}:${id}`
      const [made, exceptionCount] = [orderOfKey.get(key)?.length ?? 0, exceptionOfKey.get(key)?.length ?? 0]
      return [key, made + exceptionCount !== 1 && `${made} orders and ${exceptionCount} exceptions`]
    }),
  )

  law(
    'I2',
    'every order has a payment of its own, of its very total',
    orders.map((order) => {
      const key = t(order['payment_key'])
      const payment = payments.get(key)
      const ours = audit.audit_payments.filter((row) => t(row['payment_key']) === key)
      const total = n(order['total_cents'])
      const fits =
        payment !== undefined &&
        takenKeys.has(key) &&
        payment.amount_cents === total &&
        payment.currency.toLowerCase() === t(order['currency']) &&
        orderOfKey.get(key)?.length === 1 &&
        ours.length === 1 &&
        n(ours[0]?.['amount_cents']) === total &&
        ours[0]?.['live'] === false
      return [t(order['order_number']), !fits && `total ${total}, payment ${JSON.stringify(payment ?? null)}`]
    }),
  )

  const ordered = new Map(orders.map((order) => [t(order['external_id']), order]))
  law('I3', 'the printer makes each paid order once, and nothing else', [
    ...orders.map((order): [string, string | false] => {
      const theirs = (partnerOrders.get(t(order['external_id'])) ?? []).filter(({ status }) => status !== 'canceled')
      const pieces = (linesOf.get(t(order['id'])) ?? []).map(
        (line) => `${t(line['variant_id'])}×${n(line['quantity'])}`,
      )
      const printed = (theirs[0]?.items ?? []).map((item) => `${item.sync_variant_id}×${item.quantity}`)
      const isSame = pieces.toSorted().join() === printed.toSorted().join()
      const wrong =
        theirs.length !== 1
          ? `${theirs.length} orders at the printer`
          : theirs[0]?.status === 'draft'
            ? 'still a draft'
            : !isSame && `paid ${pieces.join()}, printed ${printed.join()}`
      return [t(order['order_number']), wrong]
    }),
    ...ledger.partner_orders.map((order): [string, string | false] => [
      order.external_id,
      !ordered.has(order.external_id) && 'printed without a paid order',
    ]),
  ])

  law(
    'I4',
    'every total is the catalog’s prices, the surcharges and the tax that was worked out',
    orders.map((order) => {
      const lines = linesOf.get(t(order['id'])) ?? []
      const country = t(checkouts.get(t(order['checkout_id']))?.['country'])
      const subtotal = add(lines.map((line) => n(line['unit_price_cents']) * n(line['quantity'])))
      const shipping = add(
        lines.map((line) => {
          const surcharge = evidence.surcharges.get(n(line['variant_id']))
          return surcharge?.countries.includes(country) ? surcharge.cents * n(line['quantity']) : 0
        }),
      )
      const street = lastOffers(idOf(order))[0]?.to.line1 ?? ''
      const taxed = lines.map(
        (line) =>
          `${t(line['variant_id'])}×${n(line['quantity'])}=${n(line['unit_price_cents']) * n(line['quantity'])}`,
      )
      const wanted = taxed.toSorted().join()
      const answers = wire.taxes.filter(({ line1, lines: of }) => line1 === street && of.toSorted().join() === wanted)
      const tax = n(order['tax_cents'])
      const dear = lines.find((line) => !evidence.prices.get(n(line['variant_id']))?.has(n(line['unit_price_cents'])))
      const wrong =
        (dear && `variant ${t(dear['variant_id'])} never cost ${n(dear['unit_price_cents'])}`) ||
        (lines.length === 0 && 'no lines') ||
        (subtotal !== n(order['subtotal_cents']) && `subtotal ${n(order['subtotal_cents'])}, not ${subtotal}`) ||
        (shipping !== n(order['shipping_cents']) && `shipping ${n(order['shipping_cents'])}, not ${shipping}`) ||
        (!answers.some((calculation) => calculation.tax === tax) &&
          !(tax === 0 && lastOffers(idOf(order)).some(({ isUntaxed }) => isUntaxed)) &&
          `tax ${tax} was never worked out`) ||
        (subtotal + shipping + tax + n(order['vat_protection_cents']) !== n(order['total_cents']) &&
          `total ${n(order['total_cents'])}`)
      return [t(order['order_number']), wrong]
    }),
  )

  law(
    'I5',
    'no more goes back than came in',
    taken.map(({ provider, id, amount_cents: amount }) => {
      const key = `${provider}:${id}`
      const back = add(returnedOf(key))
      const ours = add(
        audit.audit_refunds
          .filter((row) => t(row['payment_key']) === key && refundedStatuses.has(t(row['status'])))
          .map((row) => n(row['amount_cents'])),
      )
      return [key, (back > amount || ours !== back) && `${amount} came, ${back} went back, ${ours} in the books`]
    }),
  )

  law(
    'I7',
    'what is asked again is answered the same',
    visits.flatMap(({ shopper, returned }) =>
      [...Map.groupBy(returned, ({ paymentId }) => paymentId)].map(([paymentId, answers]): [string, string | false] => {
        const numbers = new Set(answers.filter(({ success }) => success).map(({ orderId }) => orderId ?? 'none'))
        return [`shopper ${shopper}, ${paymentId}`, numbers.size > 1 && [...numbers].join(' and ')]
      }),
    ),
  )

  const paymentsOfCheckout = Map.groupBy(
    audit.audit_payments.filter((row) => row['checkout_id'] !== null),
    (row) => t(row['checkout_id']),
  )
  law('I8', 'a checkout is charged once', [
    ...[...paymentsOfCheckout].map(([id, rows]): [string, string | false] => {
      const received = add(rows.map((row) => n(row['amount_cents']) - add(returnedOf(t(row['payment_key'])))))
      const total = n(checkouts.get(id)?.['total_cents'])
      return [id, received !== total && received !== 0 && `${received} of ${total}`]
    }),
    ...ledger.payments
      .filter(({ provider, id }) => provider === 'stripe' && offersOf.has(id))
      .map(({ id }): [string, string | false] => {
        const owners = audit.audit_checkouts.filter((row) => t(row['provider_payment_id']) === id)
        return [id, owners.length > 1 && `${owners.length} checkouts`]
      }),
  ])

  law(
    'I9',
    'states go forward only',
    [...evidence.traces].map(([id, trace]) => {
      const ranks = trace.map((status) => statusOrder.indexOf(status))
      const back = ranks.findIndex((rank, index) => index > 0 && rank < (ranks[index - 1] ?? 0))
      return [`order ${id}`, (back > 0 || ranks.includes(-1)) && trace.join(' → ')]
    }),
  )

  const stored = Map.groupBy(audit.audit_events, (row) => `${t(row['provider'])} ${t(row['event_id'])}`)
  const sent = new Set(evidence.deliveries.map(({ provider, event }) => `${provider} ${event}`))
  law('I10', 'events are believed when they are genuine, and stored once before they are acknowledged', [
    ...[...stored].map(([id, rows]): [string, string | false] => [
      id,
      rows.length > 1 ? 'stored twice' : !id.startsWith('printful ') && !sent.has(id) && 'nobody sent it',
    ]),
    ...evidence.deliveries
      // The printer's events have no id of their own; the shop identifies them by their text.
      .filter(({ provider, answer }) => provider !== 'printful' && answer === 200)
      .map(({ provider, event }): [string, string | false] => [
        `${provider} ${event}`,
        !stored.has(`${provider} ${event}`) && 'acknowledged and not stored',
      ]),
    ...evidence.forged.map((event): [string, string | false] => [
      event,
      audit.audit_events.some((row) => t(row['event_id']) === event) && 'a forgery was stored',
    ]),
  ])

  law('I13', 'every order is confirmed by one email, every parcel announced by one', [
    ...orders.map((order): [string, string | false] => {
      const mails = evidence.mails.filter(
        ({ subject, to }) => subject.includes(`PF${t(order['order_number'])}`) && to === t(order['customer_email']),
      )
      const confirmations = mails.filter(({ subject }) => subject.includes('Order Confirmation'))
      const parcels = new Set(
        ledger.shipments.filter(({ order_id: id }) => id === t(order['printful_order_id'])).map(({ id }) => id),
      )
      const shipmentMails = audit.audit_mails.filter(
        (row) => t(row['kind']) === 'shipped' && t(row['order_id']) === t(order['id']) && t(row['state']) === 'sent',
      )
      const wrong =
        (confirmations.length !== 1 && `${confirmations.length} confirmations`) ||
        (shipmentMails.length !== parcels.size && `${shipmentMails.length} mails about ${parcels.size} parcels`)
      return [t(order['order_number']), wrong]
    }),
  ])

  law(
    'I14',
    'success is told when, and only when, the money came',
    visits.flatMap(({ shopper, returned }) =>
      returned.map(({ paymentId, success, orderId, afterPaying }): [string, string | false] => {
        const key = [...takenKeys].find((known) => known.endsWith(`:${paymentId}`))
        const order = key === undefined ? undefined : orderOfKey.get(key)?.[0]
        const wrong =
          (success && key === undefined && 'told of success without money') ||
          (success && orderId !== undefined && orderId !== t(order?.['order_number']) && `told of order ${orderId}`) ||
          (!success && afterPaying && 'told of failure although the money had come')
        return [`shopper ${shopper}, ${paymentId}`, wrong]
      }),
    ),
  )

  const postings = Map.groupBy(audit.audit_ledger, (row) => t(row['posting_id']))
  law('I15', 'the books balance, and agree with the providers', [
    ...[...postings].map(([id, rows]): [string, string | false] => {
      const sum = add(rows.map((row) => n(row['amount_cents'])))
      return [`posting ${id}`, sum !== 0 && `sums to ${sum}`]
    }),
    ...['stripe', 'paypal'].map((provider): [string, string | false] => {
      const booked = add(
        audit.audit_ledger
          .filter((row) => t(row['account']) === `provider:${provider}`)
          .map((row) => n(row['amount_cents'])),
      )
      const held =
        add(
          taken
            .filter((payment) => payment.provider === provider)
            .map((payment) => payment.amount_cents - (payment.fee_cents ?? 0)),
        ) -
        add(
          ledger.refunds
            .filter((refund) => refund.provider === provider && refundedStatuses.has(refund.status))
            .map((refund) => refund.amount_cents),
        )
      return [provider, booked !== held && `${booked} booked, ${held} held`]
    }),
  ])

  law(
    'I17',
    'the address that was priced is the one that was charged for and sent to',
    orders.map((order) => {
      const charged = wire.shipping.get(idOf(order))
      const draft = wire.drafts.get(t(order['external_id']))
      const name = visits.find(({ email }) => email === t(order['customer_email']))?.email
      const chosen = lastOffers(idOf(order)).map(({ to }) => postalOf(to))
      const isOne = (found: PostalAddress | undefined) =>
        found !== undefined && chosen.some((to) => place(to) === place(found)) && found.name === charged?.name
      const wrong =
        (name === undefined && 'the mail address of nobody') ||
        (!isOne(charged) && `charged for ${JSON.stringify(charged ?? null)}`) ||
        (!isOne(draft?.to) && `sent to ${JSON.stringify(draft?.to ?? null)}`)
      return [t(order['order_number']), wrong]
    }),
  )

  law(
    'I18',
    'what was shown is what was charged',
    orders.map((order) => {
      const pieces = (linesOf.get(t(order['id'])) ?? []).map(
        (line) => `${t(line['variant_id'])}×${n(line['quantity'])}`,
      )
      const fits = lastOffers(idOf(order)).some(
        (offer) =>
          offer.total === n(order['total_cents']) &&
          offer.subtotal === n(order['subtotal_cents']) &&
          offer.shipping === n(order['shipping_cents']) &&
          offer.tax === n(order['tax_cents']) &&
          offer.vatProtection === n(order['vat_protection_cents']) &&
          offer.pieces
            .map(({ variantId, quantity }) => `${variantId}×${quantity}`)
            .toSorted()
            .join() === pieces.toSorted().join(),
      )
      const shownTotals = lastOffers(idOf(order)).map(({ total }) => total)
      return [
        t(order['order_number']),
        !fits && `shown ${shownTotals.join(' or ')}, charged ${n(order['total_cents'])}`,
      ]
    }),
  )

  law(
    'I23',
    'the mail and the printer are told the same cents',
    orders.map((order) => {
      const mail = evidence.mails.find(
        ({ subject }) => subject.includes('Order Confirmation') && subject.includes(`PF${t(order['order_number'])}`),
      )
      const draft = wire.drafts.get(t(order['external_id']))
      const amounts = ['subtotal_cents', 'shipping_cents', 'tax_cents', 'total_cents'].map((name) => n(order[name]))
      const wrong =
        (amounts.some((amount) => !Number.isSafeInteger(amount)) && 'not whole cents') ||
        (!mail?.text.includes(dollars(n(order['total_cents']))) &&
          `no ${dollars(n(order['total_cents']))} in the mail`) ||
        (draft?.value !== n(order['subtotal_cents']) && `the printer was told ${draft?.value}`) ||
        (draft?.shipping !== n(order['shipping_cents']) && `the printer was told shipping ${draft?.shipping}`) ||
        (draft?.tax !== n(order['tax_cents']) && `the printer was told tax ${draft?.tax}`)
      return [t(order['order_number']), wrong]
    }),
  )

  law('I24', 'nothing is left lying', [
    ...audit.audit_jobs.map((row): [string, string | false] => [
      t(row['name']),
      ['created', 'retry', 'active', 'failed'].includes(t(row['state'])) && `a job is ${t(row['state'])}`,
    ]),
    ...orders.map((order): [string, string | false] => [
      t(order['order_number']),
      ['waiting', 'needs_attention'].includes(t(order['fulfilment_status'])) && t(order['fulfilment_status']),
    ]),
    ...ledger.payments
      // If the secret was lost on the way to the shop, nobody can pay.
      .filter(({ id }) => offersOf.has(id))
      .map(({ id, status }): [string, string | false] => [
        id,
        /^requires_|^processing$/.test(status) && `can still be paid a day later: ${status}`,
      ]),
  ])

  law(
    'cart',
    'what was bought left the cart, and nothing else did',
    visits.map(({ shopper, left, habit }) => {
      const there = evidence.carts.get(shopper) ?? new Map()
      const text = (pieces: Pieces) =>
        [...pieces]
          .map(([variant, quantity]) => `${variant}×${quantity}`)
          .toSorted()
          .join(', ') || 'nothing'
      return [`shopper ${shopper} (${habit})`, text(there) !== text(left) && `${text(there)} instead of ${text(left)}`]
    }),
  )

  law(
    'shoppers',
    'no shopper was answered with a mistake of the shop',
    visits.map(({ shopper, habit, outrages }) => [
      `shopper ${shopper} (${habit})`,
      outrages.length > 0 && outrages.join('; '),
    ]),
  )
  return verdicts
}

const place = ({ line1, city, postalCode, country }: PostalAddress) => [line1, city, postalCode, country].join(' | ')

const postalOf = (to: Offer['to']): PostalAddress => ({
  name: '',
  line1: to.line1,
  city: to.city,
  postalCode: to.postal_code ?? '',
  country: to.country,
})
