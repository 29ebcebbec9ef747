import type { Audit } from '#server/db/audit.ts'
import { isSamePlace, piecesText, readBooks, type Books, type Payment } from './books.ts'
import type { Diary } from './shopper.ts'

/**
 * Judges a run by rules of its own. It reads what an auditor of a live shop has, too: the audit views, the providers'
 * own account of what happened (here their event file), and the mails; what shoppers were told stands in their diaries.
 * None of the shop's rules is used: what a cart costs, what a state may become and how money is written is reckoned anew.
 */
export type Evidence = {
  audit: Audit
  witness: string
  mails: readonly { subject: string; text: string; to: string }[]
  diaries: readonly Diary[]
  killedAt: readonly Date[]
  traces: ReadonlyMap<string, readonly string[]>
  forged: readonly string[]
  /** The catalog's price of each variant in cents, and what is added a piece in some countries. */
  catalog: ReadonlyMap<number, { price: number; surcharge: number; countries: readonly string[] }>
}

export type Verdict = { id: string; says: string; checked: number; violations: string[] }

type Row = Record<string, unknown>
type Case = readonly [name: string, wrong: string | false | undefined]

const n = (value: unknown): number => Number(value)
const t = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value) : ''
const add = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)

/** Where an order may come to, from where; later ones are further on. */
const furtherOn = ['paid', 'submitted', 'in_production', 'partially_shipped', 'shipped', 'delivered']

/** A mail may be sent again only when its sender was killed in this time: after it was taken, before that was written down. */
const MARK_MS = 15_000
/** Who notes a kill and who notes a mail do so in two processes. */
const NOTED_APART_MS = 1000

/** Whether each mail after the first has a kill of its own between it and the one before. */
function areExcused(mails: readonly string[], killedAt: readonly Date[]): boolean {
  const sentAt = mails.map((at) => Date.parse(at)).toSorted((a, b) => a - b)
  const unspent = killedAt.map((at) => at.getTime()).toSorted((a, b) => a - b)
  return sentAt.slice(1).every((again, index) => {
    const before = sentAt[index] ?? 0
    const kill = unspent.findIndex((at) => at >= before - NOTED_APART_MS && at <= Math.min(again, before + MARK_MS))
    return kill >= 0 && unspent.splice(kill, 1).length === 1
  })
}

/** Cents as people read them, by digits alone. */
function dollars(cents: number): string {
  const digits = String(cents).padStart(3, '0')
  return `$${digits.slice(0, -2).replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${digits.slice(-2)}`
}

/** Jobs that a clock makes, ahead for their hour or every few seconds for as long as the shop lives: there may be one at any moment. */
const ofTheClock = new Set(['examine-setup', 'watch-books'])

/** What is still to be done, in words; nothing once a run has settled (I24). */
export function stragglersIn(
  { audit }: Pick<Evidence, 'audit'>,
  { payments, parcels, partnerOrders }: Books,
): string[] {
  const known = new Set(audit.audit_payments.map((row) => t(row['payment_key'])))
  const isOpen = new Set(audit.audit_checkouts.filter((row) => row['state'] === 'open').map((row) => t(row['id'])))
  const shipped = new Map<string, number>()
  for (const row of audit.audit_mails)
    if (row['kind'] === 'shipped' && row['state'] === 'sent')
      shipped.set(t(row['order_id']), (shipped.get(t(row['order_id'])) ?? 0) + 1)
  return [
    ...audit.audit_jobs
      .filter((row) => ['created', 'retry', 'active', 'failed'].includes(t(row['state'])))
      .filter((row) => !['created', 'active'].includes(t(row['state'])) || !ofTheClock.has(t(row['name'])))
      .map((row) => `job ${t(row['name'])} is ${t(row['state'])} after ${t(row['attempts'])} retries`),
    ...[...payments.values()]
      .filter((one) => one.state === 'taken' && !known.has(one.key))
      .map(({ key }) => `${key} was paid and is unknown`),
    ...[...payments.values()]
      .filter((one) => one.state === 'approved' && one.checkoutId && isOpen.has(one.checkoutId))
      .map(({ key }) => `${key} was approved and not taken`),
    ...audit.audit_orders
      .filter((row) => ['waiting', 'needs_attention'].includes(t(row['fulfilment_status'])))
      .map((row) => `order ${t(row['order_number'])} is ${t(row['fulfilment_status'])}`),
    ...audit.audit_mails
      .filter((row) => row['state'] === 'queued')
      .map((row) => `a mail (${t(row['kind'])}) is not sent`),
    ...audit.audit_refunds
      .filter((row) => row['status'] === 'requested')
      .map((row) => `refund ${t(row['id'])} was not made`),
    ...audit.audit_orders.flatMap((row) => {
      const theirs = new Set(
        partnerOrders.filter(({ externalId }) => externalId === t(row['external_id'])).map(({ id }) => id),
      )
      const left = parcels.filter(({ orderId }) => theirs.has(orderId)).length - (shipped.get(t(row['id'])) ?? 0)
      return left > 0 ? [`${left} parcels of ${t(row['order_number'])} were not told of`] : []
    }),
  ]
}

export function check(evidence: Evidence): Verdict[] {
  const { audit, diaries, killedAt, catalog } = evidence
  const books = readBooks(evidence.witness)
  const orders = audit.audit_orders
  const checkouts = new Map(audit.audit_checkouts.map((row) => [t(row['id']), row]))
  const linesOf = Map.groupBy(audit.audit_lines, (row) => t(row['order_id']))
  const ordersOfKey = Map.groupBy(orders, (row) => t(row['payment_key']))
  const exceptionsOfKey = Map.groupBy(audit.audit_exceptions, (row) => t(row['payment_key']))
  const taken = [...books.payments.values()].filter((one) => one.state === 'taken')
  const paymentOf = (order: Row): Payment | undefined => books.payments.get(t(order['payment_key']))
  const numberOf = (order: Row) => t(order['order_number'])

  const verdicts: Verdict[] = []
  function law(id: string, says: string, cases: Iterable<Case>): void {
    const seen = [...cases]
    const violations = seen.flatMap(([name, wrong]) => (wrong ? [`${name}: ${wrong}`] : []))
    verdicts.push({ id, says, checked: seen.length, violations })
  }

  law(
    'I1',
    'every payment that succeeded made one order or one exception',
    taken.map(({ key }): Case => {
      const [made, excepted] = [ordersOfKey.get(key)?.length ?? 0, exceptionsOfKey.get(key)?.length ?? 0]
      return [key, made + excepted !== 1 && `${made} orders and ${excepted} exceptions`]
    }),
  )

  law(
    'I2',
    'every order has a payment of its own, of its very total',
    orders.map((order): Case => {
      const payment = paymentOf(order)
      const ours = audit.audit_payments.filter((row) => row['payment_key'] === order['payment_key'])
      const fits =
        payment?.state === 'taken' &&
        payment.taken === n(order['total_cents']) &&
        payment.currency === t(order['currency']) &&
        payment.checkoutId === t(order['checkout_id']) &&
        ordersOfKey.get(payment.key)?.length === 1 &&
        ours.length === 1 &&
        n(ours[0]?.['amount_cents']) === payment.taken &&
        ours[0]?.['live'] === false
      return [numberOf(order), !fits && `total ${n(order['total_cents'])}, payment ${JSON.stringify(payment ?? null)}`]
    }),
  )

  const known = new Map(orders.map((order) => [t(order['external_id']), order]))
  const partnerOrders = Map.groupBy(books.partnerOrders, ({ externalId }) => externalId)
  law('I3', 'the printer makes each paid order once, and nothing else', [
    ...orders.map((order): Case => {
      const theirs = (partnerOrders.get(t(order['external_id'])) ?? []).filter(({ status }) => status !== 'canceled')
      const paid = piecesOf(linesOf.get(t(order['id'])))
      const wrong =
        theirs.length !== 1
          ? `${theirs.length} orders at the printer`
          : theirs[0]?.status === 'draft'
            ? 'still a draft'
            : theirs[0]?.pieces !== paid && `paid ${paid}, printed ${theirs[0]?.pieces}`
      return [numberOf(order), wrong]
    }),
    ...books.partnerOrders.map(({ externalId }): Case => [
      externalId,
      !known.has(externalId) && 'printed without a paid order',
    ]),
  ])

  law(
    'I4',
    'every total is the catalog’s prices, the surcharges and the tax that was worked out',
    orders.map((order): Case => {
      const lines = linesOf.get(t(order['id'])) ?? []
      const to = paymentOf(order)?.to
      const subtotal = add(lines.map((line) => n(line['quantity']) * (catalog.get(n(line['variant_id']))?.price ?? 0)))
      const shipping = add(
        lines.map((line) => {
          const asked = catalog.get(n(line['variant_id']))
          return asked?.countries.includes(to?.country ?? '') ? asked.surcharge * n(line['quantity']) : 0
        }),
      )
      const pieces = piecesOf(lines)
      const asked = books.taxes.filter(({ line1, lines: of }) => line1 === to?.line1 && of === pieces)
      const tax = n(order['tax_cents'])
      // 0 stands in only where the tax source was kept from answering.
      const isTax = asked.some((one) => one.tax === tax || (one.isDoubtful && tax === 0))
      const wrong =
        (lines.length === 0 && 'no lines') ||
        (subtotal !== n(order['subtotal_cents']) && `subtotal ${n(order['subtotal_cents'])}, not ${subtotal}`) ||
        (shipping !== n(order['shipping_cents']) && `shipping ${n(order['shipping_cents'])}, not ${shipping}`) ||
        (!isTax && `tax ${tax} was never worked out`) ||
        (subtotal + shipping + tax + n(order['vat_protection_cents']) !== n(order['total_cents']) &&
          `total ${n(order['total_cents'])}`)
      return [numberOf(order), wrong]
    }),
  )

  law(
    'I5',
    'no more goes back than came in, and the books know of all of it',
    taken.map(({ key, taken: came, returned }): Case => {
      const ours = add(
        audit.audit_refunds
          .filter((row) => t(row['payment_key']) === key && ['succeeded', 'pending'].includes(t(row['status'])))
          .map((row) => n(row['amount_cents'])),
      )
      return [
        key,
        (returned > came || ours !== returned) && `${came} came, ${returned} went back, ${ours} in the books`,
      ]
    }),
  )

  const entriesOf = Map.groupBy(
    audit.audit_ledger.filter((row) => row['order_id'] !== null),
    (row) => t(row['order_id']),
  )
  law(
    'I6',
    'what an order earned and owes stands in the books to the cent',
    orders.map((order): Case => {
      const sold = add(
        (entriesOf.get(t(order['id'])) ?? [])
          .filter((row) => /^revenue:|^liability:(?:tax|vat_protection)$/.test(t(row['account'])))
          .map((row) => n(row['amount_cents'])),
      )
      const kept = n(order['total_cents']) - (paymentOf(order)?.returned ?? 0)
      return [numberOf(order), sold !== -kept && `${-sold} in the books, ${kept} kept`]
    }),
  )

  law(
    'I7',
    'what is asked again is answered the same',
    diaries.flatMap(({ shopper, told }) =>
      [...Map.groupBy(told, ({ paymentId }) => paymentId)].map(([paymentId, answers]): Case => {
        const numbers = new Set(
          answers.flatMap(({ success, orderNumber }) => (success && orderNumber !== undefined ? [orderNumber] : [])),
        )
        return [`shopper ${shopper}, ${paymentId}`, numbers.size > 1 && [...numbers].join(' and ')]
      }),
    ),
  )

  law(
    'I8',
    'a checkout is charged once: a second payment goes back',
    [...Map.groupBy(taken, ({ checkoutId }) => checkoutId ?? 'none')].map(([id, paid]): Case => {
      const kept = add(paid.map((one) => one.taken - one.returned))
      const total = n(checkouts.get(id)?.['total_cents'])
      return [id, kept !== total && kept !== 0 && `${kept} of ${total} kept`]
    }),
  )

  law(
    'I9',
    'states go forward only',
    [...evidence.traces].map(([id, trace]): Case => {
      const ranks = trace.map((status) => furtherOn.indexOf(status))
      const isBack = ranks.some((rank, index) => index > 0 && rank < (ranks[index - 1] ?? 0))
      return [`order ${id}`, (isBack || ranks.includes(-1)) && trace.join(' → ')]
    }),
  )

  const stored = Map.groupBy(audit.audit_events, (row) => `${t(row['provider'])} ${t(row['event_id'])}`)
  const sent = new Set(books.deliveries.map(({ provider, event }) => `${provider} ${event}`))
  law('I10', 'events are genuine, stored once, and durable before they are acknowledged', [
    ...[...stored].map(([id, rows]): Case => [
      id,
      // The partner's events have no id of their own; the shop names them by their text.
      rows.length > 1 ? 'stored twice' : !id.startsWith('printful ') && !sent.has(id) && 'nobody sent it',
    ]),
    ...books.deliveries
      .filter(({ provider, answer }) => provider !== 'printful' && answer === 200)
      .map(({ provider, event }): Case => [
        event,
        !stored.has(`${provider} ${event}`) && 'acknowledged and not stored',
      ]),
    ...evidence.forged.map((event): Case => [event, stored.has(`stripe ${event}`) && 'a forgery was stored']),
  ])

  law(
    'I13',
    'every order is confirmed by one mail, by another only each time its sender was killed meanwhile',
    orders.map((order): Case => {
      const confirmations = books.mails.filter(
        ({ subject, to }) =>
          subject.includes('Order Confirmation') &&
          subject.includes(numberOf(order)) &&
          to === t(order['customer_email']),
      )
      const isOne =
        confirmations.length > 0 &&
        areExcused(
          confirmations.map(({ at }) => at),
          killedAt,
        )
      return [
        numberOf(order),
        !isOne && `${confirmations.length} confirmations ${confirmations.map(({ at }) => at).join(', ')}`,
      ]
    }),
  )

  law(
    'I14',
    'success is told when, and only when, the money came',
    diaries.flatMap(({ shopper, told }) =>
      told.map(({ paymentId, success, orderNumber, afterPaying }): Case => {
        const payment = taken.find(({ key }) => key.endsWith(`:${paymentId}`))
        const made = payment && ordersOfKey.get(payment.key)?.[0]
        const wrong =
          (success && !payment && 'told of success without money') ||
          (success &&
            orderNumber !== undefined &&
            made &&
            orderNumber !== numberOf(made) &&
            `told of ${orderNumber}`) ||
          (!success && afterPaying && 'told of failure although the money had come')
        return [`shopper ${shopper}, ${paymentId}`, wrong]
      }),
    ),
  )

  const postings = Map.groupBy(audit.audit_ledger, (row) => t(row['posting_id']))
  const entriesOfKey = Map.groupBy(audit.audit_ledger, (row) => t(row['payment_key']))
  law('I15', 'the books balance, and hold of each payment what the provider holds and its fee', [
    ...[...postings].map(([id, rows]): Case => {
      const sum = add(rows.map((row) => n(row['amount_cents'])))
      return [`posting ${id}`, sum !== 0 && `sums to ${sum}`]
    }),
    ...taken.map(({ key, taken: came, returned }): Case => {
      const booked = add(
        (entriesOfKey.get(key) ?? [])
          .filter((row) => /^provider:|^expense:provider_fees$/.test(t(row['account'])))
          .map((row) => n(row['amount_cents'])),
      )
      return [key, booked !== came - returned && `${booked} booked, ${came - returned} held`]
    }),
  ])

  law(
    'I16',
    'what was acknowledged is there after every kill',
    diaries.map(({ shopper, outrages }): Case => [
      `shopper ${shopper}`,
      outrages.filter((one) => one.startsWith('I16')).join('; ') || false,
    ]),
  )

  law(
    'I17',
    'the address that was taxed and charged for is the one that it was sent to',
    orders.map((order): Case => {
      const to = paymentOf(order)?.to
      const drafts = books.drafts.get(t(order['external_id'])) ?? []
      const wrong =
        (!to && 'charged for nowhere') ||
        (drafts.length === 0 && 'sent nowhere') ||
        (to && drafts.some((draft) => !isSamePlace(draft.to, to)) && `sent to ${JSON.stringify(drafts)}`)
      return [numberOf(order), wrong]
    }),
  )

  law(
    'I18',
    'what the checkout promised is what was charged',
    orders.map((order): Case => {
      const promised = n(checkouts.get(t(order['checkout_id']))?.['total_cents'])
      return [numberOf(order), promised !== n(order['total_cents']) && `promised ${promised}`]
    }),
  )

  law(
    'I23',
    'the mail and the printer are told the same cents',
    orders.map((order): Case => {
      const mail = evidence.mails.find(
        ({ subject }) => subject.includes('Order Confirmation') && subject.includes(numberOf(order)),
      )
      const [draft] = books.drafts.get(t(order['external_id'])) ?? []
      const amounts = ['subtotal_cents', 'shipping_cents', 'tax_cents', 'total_cents'].map((name) => n(order[name]))
      const wrong =
        (amounts.some((amount) => !Number.isSafeInteger(amount)) && 'not whole cents') ||
        (!mail?.text.includes(dollars(n(order['total_cents']))) &&
          `no ${dollars(n(order['total_cents']))} in the mail`) ||
        (draft?.value !== n(order['subtotal_cents']) && `the printer was told ${draft?.value}`) ||
        (draft?.shipping !== n(order['shipping_cents']) && `the printer was told shipping ${draft?.shipping}`) ||
        (draft?.tax !== n(order['tax_cents']) && `the printer was told tax ${draft?.tax}`)
      return [numberOf(order), wrong]
    }),
  )

  law('I24', 'nothing is left lying once the faults are gone', [
    ...orders.map((order): Case => [numberOf(order), false]),
    ...stragglersIn(evidence, books).map((one): Case => ['left', one]),
  ])

  law(
    'shoppers',
    'no shopper was answered with a mistake of the shop, or given up on',
    diaries.map(({ shopper, habit, outrages }): Case => [
      `shopper ${shopper} (${habit})`,
      outrages.filter((one) => !one.startsWith('I16')).join('; ') || false,
    ]),
  )
  law(
    'witness',
    'nothing was asked that the simulators do not have',
    books.notSimulated.map((one): Case => [one, 'is not simulated']),
  )
  return verdicts
}

const piecesOf = (lines: readonly Row[] = []): string =>
  piecesText(lines.map((line) => ({ id: line['variant_id'], quantity: line['quantity'] })))
