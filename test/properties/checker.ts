import type { Audit } from '#server/db/audit.ts'
import { isSamePlace, linesText, piecesText, readBooks, type Books, type Payment, type PostalAddress } from './books.ts'
import type { Diary, Offer, Pieces } from './shopper.ts'

/**
 * Judges a run by separate rules. It reads what an auditor of a live shop can read: the audit views, the providers' records (here
 * their event file) and the emails, plus the diaries of what shoppers were shown. It uses none of the shop's rules: prices, states
 * and money formats are computed here again.
 */
export type Evidence = {
  audit: Audit
  witness: string
  mails: readonly { subject: string; text: string; to: string }[]
  diaries: readonly Diary[]
  killedAt: readonly Date[]
  traces: ReadonlyMap<string, readonly string[]>
  forged: readonly string[]
  /** Every price of each variant during the run in cents, and the surcharge per item in some countries. */
  catalog: ReadonlyMap<number, { prices: ReadonlySet<number>; surcharge: number; countries: readonly string[] }>
  /** After a quiet run: more is settled then, and exact. */
  aDayLater?: {
    /** Each shopper's cart. */
    carts: ReadonlyMap<number, Pieces>
    /** The provider's fee in cents, by payment. */
    fees: ReadonlyMap<string, number>
  }
}

export type Verdict = { id: string; title: string; checked: number; violations: string[] }

type Row = Record<string, unknown>
type Case = readonly [name: string, wrong: string | false | undefined]

const n = (value: unknown): number => Number(value)
const t = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value) : ''
const add = (numbers: readonly number[]): number => numbers.reduce((sum, value) => sum + value, 0)

/** An order's statuses, in the only allowed direction; some may be skipped. */
const statusOrder = [
  ...['paid', 'on_hold', 'submitted', 'in_production', 'partially_shipped', 'shipped', 'delivered', 'returned'],
]

/** An email may be sent twice only when its sender was killed within this time: after sending, before recording it. */
const MARK_MS = 15_000
/** Kills and emails are timestamped in different processes. */
const TIMESTAMP_TOLERANCE_MS = 1000

/** Whether each repeated email has its own kill between it and the previous email. */
function areExcused(mails: readonly string[], killedAt: readonly Date[]): boolean {
  const sentAt = mails.map((at) => Date.parse(at)).toSorted((a, b) => a - b)
  const unspent = killedAt.map((at) => at.getTime()).toSorted((a, b) => a - b)
  return sentAt.slice(1).every((again, index) => {
    const before = sentAt[index] ?? 0
    const kill = unspent.findIndex(
      (at) => at >= before - TIMESTAMP_TOLERANCE_MS && at <= Math.min(again, before + MARK_MS),
    )
    return kill >= 0 && unspent.splice(kill, 1).length === 1
  })
}

/** Formats cents without arithmetic: `$1,234.56`. */
function dollars(cents: number): string {
  const digits = String(cents).padStart(3, '0')
  return `$${digits.slice(0, -2).replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${digits.slice(-2)}`
}

/** Scheduled jobs: some may exist at any time. */
const scheduledJobs = new Set(['examine-setup', 'watch-books', 'check-exceptions', 'watch-messages'])

function parcelsOf(order: Row, { partnerOrders, parcels }: Books): number {
  const theirs = partnerOrders.filter(({ externalId }) => externalId === t(order['external_id'])).map(({ id }) => id)
  return parcels.filter(({ orderId }) => theirs.includes(orderId)).length
}

const shipmentMailsOf = (order: Row, { audit_mails: mails }: Audit): number =>
  mails.filter((row) => row['kind'] === 'shipped' && row['state'] === 'sent' && t(row['order_id']) === t(order['id']))
    .length

/** @returns a sentence per piece of unfinished work; none once a run has settled (I24) */
export function stragglersIn({ audit }: Pick<Evidence, 'audit'>, books: Books): string[] {
  const { payments } = books
  const known = new Set(audit.audit_payments.map((row) => t(row['payment_key'])))
  const isOpen = new Set(audit.audit_checkouts.filter((row) => row['state'] === 'open').map((row) => t(row['id'])))
  return [
    ...audit.audit_jobs
      .filter((row) => ['created', 'retry', 'active', 'failed'].includes(t(row['state'])))
      .filter((row) => !['created', 'active'].includes(t(row['state'])) || !scheduledJobs.has(t(row['name'])))
      .map((row) => `job ${t(row['name'])} is ${t(row['state'])} after ${t(row['attempts'])} retries`),
    ...[...payments.values()]
      .filter((payment) => payment.state === 'taken' && !known.has(payment.key))
      .map(({ key }) => `${key} was paid, but the shop does not know it`),
    ...[...payments.values()]
      .filter((payment) => payment.state === 'approved' && payment.checkoutId && isOpen.has(payment.checkoutId))
      .map(({ key }) => `${key} was approved, but not captured`),
    ...audit.audit_orders
      .filter((row) => ['waiting', 'needs_attention'].includes(t(row['fulfilment_status'])))
      .map((row) => `order ${t(row['order_number'])} is ${t(row['fulfilment_status'])}`),
    ...audit.audit_mails
      .filter((row) => row['state'] === 'queued')
      .map((row) => `an email (${t(row['kind'])}) is not sent`),
    ...audit.audit_refunds
      .filter((row) => row['status'] === 'requested')
      .map((row) => `refund ${t(row['id'])} was not sent`),
    ...audit.audit_orders.flatMap((row) => {
      const left = parcelsOf(row, books) - shipmentMailsOf(row, audit)
      return left > 0 ? [`no email about ${left} parcels of ${t(row['order_number'])}`] : []
    }),
  ]
}

/** What a code of a percentage of everything takes off, with half a cent rounded up; undefined for other codes. */
function percentOff(code: Row | undefined, goods: number): number | undefined {
  const { benefit, ...rule } = (code?.['rule'] ?? {}) as Record<string, unknown>
  const { kind, basisPoints } = (benefit ?? {}) as Row
  const isForAll = ['products', 'types', 'collections'].every(
    (name) => (rule[name] as unknown[] | undefined)?.length === 0,
  )
  if (kind !== 'percent' || !isForAll) return undefined
  return Math.min(Math.floor((goods * n(basisPoints) + 5000) / 10_000), Math.max(0, goods - 50))
}

/** The part of an order that a gift card paid. */
const byGiftCard = (order: Row): number => n(order['gift_card_cents'] ?? 0)

export function check(evidence: Evidence): Verdict[] {
  const { audit, diaries, killedAt, catalog, aDayLater } = evidence
  const books = readBooks(evidence.witness)
  const orders = audit.audit_orders
  const checkouts = new Map(audit.audit_checkouts.map((row) => [t(row['id']), row]))
  const linesOf = Map.groupBy(audit.audit_lines, (row) => t(row['order_id']))
  const usesOf = Map.groupBy(audit.audit_code_uses, (row) => t(row['order_id']))
  const ordersOfKey = Map.groupBy(orders, (row) => t(row['payment_key']))
  const exceptionsOfKey = Map.groupBy(audit.audit_exceptions, (row) => t(row['payment_key']))
  const taken = [...books.payments.values()].filter((payment) => payment.state === 'taken')
  const paymentOf = (order: Row): Payment | undefined => books.payments.get(t(order['payment_key']))
  const numberOf = (order: Row) => t(order['order_number'])
  const offersOf = Map.groupBy(
    diaries.flatMap(({ offers }) => offers),
    ({ paymentId }) => paymentId,
  )
  /** The shopper's last offer of a payment; after a double click, any of the answers. Empty for payments without a shopper. */
  const lastOffersOf = (order: Row): Offer[] => {
    const offers = offersOf.get(t(order['payment_key']).replace(/^\w+:/, '')) ?? []
    return offers.filter(({ press }) => press === offers.at(-1)?.press)
  }

  const verdicts: Verdict[] = []
  function law(id: string, title: string, cases: Iterable<Case>): void {
    const seen = [...cases]
    const violations = seen.flatMap(([name, wrong]) => (wrong ? [`${name}: ${wrong}`] : []))
    verdicts.push({ id, title, checked: seen.length, violations })
  }

  law(
    'I1',
    'every payment that succeeded made one order, one gift card or one exception',
    taken.map(({ key }): Case => {
      const [made, excepted] = [ordersOfKey.get(key)?.length ?? 0, exceptionsOfKey.get(key)?.length ?? 0]
      const cards = audit.audit_gift_cards.filter((card) => card['payment_key'] === key).length
      return [key, made + cards + excepted !== 1 && `${made} orders, ${cards} gift cards and ${excepted} exceptions`]
    }),
  )

  law(
    'I2',
    'every order has its own payment, of exactly its total less what a gift card paid, or none and a total of zero',
    orders.map((order): Case => {
      if (order['payment_key'] === null) {
        const isFree = order['payment_status'] === 'no_charge' && n(order['total_cents']) === 0
        return [numberOf(order), !isFree && 'it has no payment, and is not without charge']
      }
      const payment = paymentOf(order)
      const ours = audit.audit_payments.filter((row) => row['payment_key'] === order['payment_key'])
      const fits =
        payment?.state === 'taken' &&
        payment.taken === n(order['total_cents']) - byGiftCard(order) &&
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
    'every total is catalog prices less discounts plus surcharges plus calculated tax',
    orders.map((order): Case => {
      const lines = linesOf.get(t(order['id'])) ?? []
      const to = paymentOf(order)?.to
      const subtotal = add(lines.map((line) => n(line['quantity']) * n(line['unit_price_cents'])))
      const listPriceOf = (line: Row) => n(line['list_price_cents'] ?? line['unit_price_cents'])
      const never = lines.find((line) => !catalog.get(n(line['variant_id']))?.prices.has(listPriceOf(line)))
      const shipping = add(
        lines.map((line) => {
          const entry = catalog.get(n(line['variant_id']))
          return entry?.countries.includes(to?.country ?? '') ? entry.surcharge * n(line['quantity']) : 0
        }),
      )
      const taxed = linesText(
        lines.map((line) => ({ id: line['variant_id'], quantity: line['quantity'], price: line['unit_price_cents'] })),
      )
      const requests = books.taxes.filter(({ line1, lines: of }) => line1 === to?.line1 && of === taxed)
      const tax = n(order['tax_cents'])
      const offers = lastOffersOf(order)
      // 0 is allowed only if the shopper was told why or, without a shopper, the provider’s answer may have been lost.
      const mayBeUntaxed =
        offers.length > 0 ? offers.some(({ isUntaxed }) => isUntaxed) : requests.some(({ isDoubtful }) => isDoubtful)
      const isTax = requests.some((request) => request.tax === tax) || (tax === 0 && mayBeUntaxed)
      const off = add(lines.map((line) => n(line['quantity']) * (listPriceOf(line) - n(line['unit_price_cents']))))
      const uses = usesOf.get(t(order['id'])) ?? []
      const codes = uses.map((use) => audit.audit_codes.find((code) => code['id'] === use['code_id']))
      const allowed = codes.length === 1 ? percentOff(codes[0], subtotal + off) : undefined
      const wrong =
        (lines.length === 0 && 'no lines') ||
        (off !== add(uses.map((use) => n(use['amount_cents']))) && `${off} off, which its codes do not explain`) ||
        (allowed !== undefined && off !== allowed && `${off} off, not ${allowed}`) ||
        (never && `variant ${t(never['variant_id'])} never cost ${n(never['unit_price_cents'])}`) ||
        (subtotal !== n(order['subtotal_cents']) && `subtotal ${n(order['subtotal_cents'])}, not ${subtotal}`) ||
        (shipping !== n(order['shipping_cents']) && `shipping ${n(order['shipping_cents'])}, not ${shipping}`) ||
        (!isTax && `tax ${tax} was never calculated`) ||
        (subtotal + shipping + tax + n(order['vat_protection_cents']) !== n(order['total_cents']) &&
          `total ${n(order['total_cents'])}`)
      return [numberOf(order), wrong]
    }),
  )

  law(
    'I5',
    'refunds never exceed the payment, and all of them are in the books',
    taken.map(({ key, taken: came, returned }): Case => {
      const ours = add(
        audit.audit_refunds
          .filter(
            (row) =>
              t(row['payment_key']) === key &&
              !row['gift_card_id'] &&
              ['succeeded', 'pending'].includes(t(row['status'])),
          )
          .map((row) => n(row['amount_cents'])),
      )
      return [key, (returned > came || ours !== returned) && `${came} paid, ${returned} refunded, ${ours} in the books`]
    }),
  )

  const entriesOf = Map.groupBy(
    audit.audit_ledger.filter((row) => row['order_id'] !== null),
    (row) => t(row['order_id']),
  )
  law(
    'I6',
    'revenue and liabilities of every order are in the books to the cent',
    orders.map((order): Case => {
      const sold = add(
        (entriesOf.get(t(order['id'])) ?? [])
          .filter((row) => /^revenue:|^liability:(?:tax|vat_protection)$/.test(t(row['account'])))
          .map((row) => n(row['amount_cents'])),
      )
      const toGiftCards = add(
        audit.audit_refunds
          .filter((row) => row['gift_card_id'] && row['payment_key'] === order['payment_key'])
          .map((row) => n(row['amount_cents'])),
      )
      const kept = n(order['total_cents']) - (paymentOf(order)?.returned ?? 0) - toGiftCards
      return [numberOf(order), sold !== -kept && `${-sold} in the books, ${kept} kept`]
    }),
  )

  law(
    'I7',
    'a repeated request gets the same answer',
    diaries.flatMap(({ shopper, outcomes }) =>
      [...Map.groupBy(outcomes, ({ paymentId }) => paymentId)].map(([paymentId, answers]): Case => {
        const numbers = new Set(
          answers.flatMap(({ success, orderNumber }) => (success && orderNumber !== undefined ? [orderNumber] : [])),
        )
        return [`shopper ${shopper}, ${paymentId}`, numbers.size > 1 && [...numbers].join(' and ')]
      }),
    ),
  )

  law('I8', 'a checkout is charged once: a second payment is refunded', [
    ...[...Map.groupBy(taken, ({ checkoutId }) => checkoutId ?? 'none')].map(([id, paid]): Case => {
      const kept = add(paid.map((payment) => payment.taken - payment.returned))
      const made = orders.find((order) => t(order['checkout_id']) === id)
      const total = n(checkouts.get(id)?.['total_cents']) - (made ? byGiftCard(made) : 0)
      return [id, kept !== total && kept !== 0 && `${kept} of ${total} kept`]
    }),
    ...[...Map.groupBy(audit.audit_checkouts, (row) => t(row['provider_payment_id']))].map(([id, owners]): Case => [
      id,
      id.startsWith('pi_') && owners.length > 1 && `${owners.length} checkouts`,
    ]),
  ])

  law(
    'I9',
    'an order’s status only moves forward',
    [...evidence.traces].map(([id, trace]): Case => {
      const ranks = trace.map((status) => statusOrder.indexOf(status))
      const isBack = ranks.some((rank, index) => index > 0 && rank < (ranks[index - 1] ?? 0))
      return [`order ${id}`, (isBack || ranks.includes(-1)) && trace.join(' → ')]
    }),
  )

  const stored = Map.groupBy(audit.audit_events, (row) => `${t(row['provider'])} ${t(row['event_id'])}`)
  const sent = new Set(books.deliveries.map(({ provider, event }) => `${provider} ${event}`))
  law('I10', 'events are genuine, stored once, and durable before they are acknowledged', [
    ...[...stored].map(([id, rows]): Case => [
      id,
      // Printful's events have no id; the shop derives it from their content.
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
    'every order gets one confirmation email, repeated only after a kill, and one email for each parcel',
    orders.map((order): Case => {
      const sentAt = books.mails
        .filter(
          ({ subject, to }) =>
            subject.includes('Order Confirmation') &&
            subject.includes(numberOf(order)) &&
            to === t(order['customer_email']),
        )
        .map(({ at }) => at)
      const parcels = parcelsOf(order, books)
      const announced = shipmentMailsOf(order, audit)
      const wrong =
        ((sentAt.length === 0 || !areExcused(sentAt, killedAt)) &&
          `${sentAt.length} confirmations ${sentAt.join(', ')}`) ||
        (announced !== parcels && `${announced} emails about ${parcels} parcels`)
      return [numberOf(order), wrong]
    }),
  )

  law(
    'I14',
    'the shop reports success only, and always, after the money arrived',
    diaries.flatMap(({ shopper, outcomes }) =>
      outcomes.map(({ paymentId, success, orderNumber, afterPaying }): Case => {
        const payment = taken.find(({ key }) => key.endsWith(`:${paymentId}`))
        const made = payment && ordersOfKey.get(payment.key)?.[0]
        const wrong =
          (success && !payment && 'reported success without money') ||
          (success &&
            orderNumber !== undefined &&
            (!made || orderNumber !== numberOf(made)) &&
            `reported order ${orderNumber}`) ||
          (!success && afterPaying && 'reported failure although the money had arrived')
        return [`shopper ${shopper}, ${paymentId}`, wrong]
      }),
    ),
  )

  const postings = Map.groupBy(audit.audit_ledger, (row) => t(row['posting_id']))
  const entriesOfKey = Map.groupBy(audit.audit_ledger, (row) => t(row['payment_key']))
  law('I15', 'the books balance, and match the provider’s balance and fee of each payment', [
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
    ...taken.map(({ key, taken: came, returned }): Case => {
      const fee = aDayLater?.fees.get(key)
      const booked = add(
        (entriesOfKey.get(key) ?? [])
          .filter((row) => t(row['account']).startsWith('provider:'))
          .map((row) => n(row['amount_cents'])),
      )
      return [key, fee !== undefined && booked !== came - fee - returned && `${booked} booked after a fee of ${fee}`]
    }),
  ])

  law('I25', 'gift cards are worth what the books owe, and never less than nothing', [
    ...audit.audit_gift_cards.map((card): Case => [
      `gift card ${t(card['id'])}`,
      (n(card['balance_cents']) !== n(card['moved_cents']) || n(card['balance_cents']) < 0) &&
        `${n(card['balance_cents'])} left, ${n(card['moved_cents'])} moved`,
    ]),
    ((): Case => {
      const worth = add(audit.audit_gift_cards.map((card) => n(card['balance_cents'])))
      const entries = audit.audit_ledger.filter((row) => row['account'] === 'liability:gift_cards')
      const owed = -add(entries.map((row) => n(row['amount_cents'])))
      return ['all gift cards', worth !== owed && `worth ${worth}, ${owed} owed`]
    })(),
  ])

  law(
    'I16',
    'acknowledged writes survive every kill',
    diaries.map(({ shopper, violations }): Case => [
      `shopper ${shopper}`,
      violations.filter((violation) => violation.startsWith('I16')).join('; ') || false,
    ]),
  )

  law(
    'I17',
    'an order ships to the address it was taxed and charged for',
    orders.map((order): Case => {
      const to = paymentOf(order)?.to
      const drafts = books.drafts.get(t(order['external_id'])) ?? []
      const wrong =
        (!to && 'no address in the payment') ||
        (to && !isChosen(to, diaries, order, lastOffersOf(order)) && `charged for ${JSON.stringify(to)}`) ||
        (drafts.length === 0 && 'no address at the printer') ||
        (to && drafts.some((draft) => !isSamePlace(draft.to, to)) && `sent to ${JSON.stringify(drafts)}`)
      return [numberOf(order), wrong]
    }),
  )

  law(
    'I18',
    'the charge is what the checkout promised and the shopper saw',
    orders.map((order): Case => {
      const promised = n(checkouts.get(t(order['checkout_id']))?.['total_cents'])
      const offers = lastOffersOf(order)
      const wasShown = offers.some(
        (offer) =>
          offer.total === n(order['total_cents']) &&
          offer.subtotal === n(order['subtotal_cents']) &&
          offer.shipping === n(order['shipping_cents']) &&
          offer.tax === n(order['tax_cents']) &&
          offer.vatProtection === n(order['vat_protection_cents']) &&
          // A kill may have put an item into the cart twice.
          (!aDayLater ||
            piecesText(offer.pieces.map(({ variantId: id, quantity }) => ({ id, quantity }))) ===
              piecesOf(linesOf.get(t(order['id'])))),
      )
      const wrong =
        (promised !== n(order['total_cents']) && `promised ${promised}`) ||
        (diaries.length > 0 && !wasShown && `shown ${offers.map(({ total }) => total).join(' or ') || 'nothing'}`)
      return [numberOf(order), wrong]
    }),
  )

  law(
    'I23',
    'the email and the printer have the same amounts',
    orders.map((order): Case => {
      const mail = evidence.mails.find(
        ({ subject }) => subject.includes('Order Confirmation') && subject.includes(numberOf(order)),
      )
      const [draft] = books.drafts.get(t(order['external_id'])) ?? []
      const amounts = ['subtotal_cents', 'shipping_cents', 'tax_cents', 'total_cents'].map((name) => n(order[name]))
      const wrong =
        (amounts.some((amount) => !Number.isSafeInteger(amount)) && 'not whole cents') ||
        (!mail?.text.includes(dollars(n(order['total_cents']))) &&
          `no ${dollars(n(order['total_cents']))} in the email`) ||
        (draft?.value !== n(order['subtotal_cents']) && `the printer got ${draft?.value}`) ||
        (draft?.shipping !== n(order['shipping_cents']) && `the printer got shipping ${draft?.shipping}`) ||
        (draft?.tax !== n(order['tax_cents']) && `the printer got tax ${draft?.tax}`)
      return [numberOf(order), wrong]
    }),
  )

  law('I24', 'nothing is left unfinished after the faults end', [
    ...orders.map((order): Case => [numberOf(order), false]),
    ...stragglersIn(evidence, books).map((straggler): Case => ['left', straggler]),
    ...[...books.payments.values()].map(({ key, state }): Case => [
      key,
      aDayLater && state === 'open' && offersOf.has(key.replace(/^stripe:/, '')) && 'can still be paid a day later',
    ]),
  ])

  law(
    'cart',
    'what was bought left the cart, and nothing else did',
    diaries.map(({ shopper, habit, left }): Case => {
      const text = (pieces: Pieces) => piecesText([...pieces].map(([id, quantity]) => ({ id, quantity }))) || 'nothing'
      const there = aDayLater && text(aDayLater.carts.get(shopper) ?? new Map())
      return [
        `shopper ${shopper} (${habit})`,
        there !== undefined && there !== text(left) && `${there} instead of ${text(left)}`,
      ]
    }),
  )

  law(
    'shoppers',
    'no shopper got a server error or no answer at all',
    diaries.map(({ shopper, habit, violations }): Case => [
      `shopper ${shopper} (${habit})`,
      violations.filter((violation) => !violation.startsWith('I16')).join('; ') || false,
    ]),
  )
  law('witness', 'every provider call is one that the simulators support', [
    ['calls', books.notSimulated.length > 0 && `${books.notSimulated.join(', ')} not simulated`],
  ])
  return verdicts
}

/** Whether a payment's address is the one its shopper chose. Payments without a shopper have no other address to compare. */
function isChosen(to: PostalAddress, diaries: readonly Diary[], order: Row, offers: readonly Offer[]): boolean {
  if (diaries.length === 0) return true
  return (
    diaries.some(({ email }) => email === t(order['customer_email'])) &&
    offers.some((offer) => isSamePlace(to, { ...offer.to, name: to.name, postalCode: offer.to.postal_code ?? '' }))
  )
}

const piecesOf = (lines: readonly Row[] = []): string =>
  piecesText(lines.map((line) => ({ id: line['variant_id'], quantity: line['quantity'] })))
