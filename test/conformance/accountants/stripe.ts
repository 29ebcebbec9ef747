import type { Fields, Json } from '../json.ts'
import { objectsIn, rowsIn, textIn, valueIn, type Exchange } from '../walks/walk.ts'
import { equal, fieldsIn, nearest, numberIn, total } from './ledger.ts'

// What must be true of everything that Stripe answers, by Stripe's documentation, and of its books as a whole. Amounts are in cents.

/** Unix seconds. */
const TIMES = 'created available_on arrival_date canceled_at due_by expires_at tax_date posted_at'.split(' ')
const YEAR_S = 366 * 86_400
const DISPUTE_FEE = 1500

/** List price in the United States: 2.9 % and 30 cents (https://stripe.com/pricing). */
const feeOn = (amount: number) => nearest(amount, 29n, 1000n) + 30

const kindOf = (fields: Fields): string => textIn(fields, 'object')

/** By their answers, a sentence per broken rule. @param now Unix seconds of the provider */
export function auditStripe(exchanges: readonly Exchange[], now: number): string[] {
  return [
    ...exchanges.flatMap(({ step, path, request, answer }) =>
      [
        ...(path.startsWith('/v1/events')
          ? rowsIn(answer, 'data').flatMap((event) => auditStripeEvent(event, now))
          : objectsIn(answer).flatMap((one) => auditObject(one, now))),
        ...auditReversal(request, answer),
      ].map((mistake) => `${step}: ${mistake}`),
    ),
    ...auditKeys(exchanges),
    ...auditPages(exchanges),
    ...auditBooks(exchanges),
  ]
}

/** An event has the object of its type, in a state that fits it. */
export function auditStripeEvent(event: Json, now: number): string[] {
  const type = textIn(event, 'type')
  const about = objectsIn(valueIn(event, 'data', 'object') ?? null)[0] ?? {}
  const kind = type.startsWith('charge.dispute.') ? 'dispute' : type.split('.').slice(0, -1).join('.')
  const states: Record<string, string[]> = {
    'payment_intent.succeeded': equal('status', about['status'], 'succeeded'),
    'payment_intent.canceled': equal('status', about['status'], 'canceled'),
    'charge.succeeded': equal('status', about['status'], 'succeeded'),
    'charge.failed': equal('status', about['status'], 'failed'),
    'charge.refunded': equal('whether something is refunded', numberIn(about, 'amount_refunded') > 0, true),
    'refund.failed': equal('status', about['status'], 'failed'),
    'payout.paid': equal('status', about['status'], 'paid'),
  }
  return [
    ...equal('its object', kindOf(about), kind),
    ...(states[type] ?? []),
    // The events of a dispute come before its money moves.
    ...objectsIn(event)
      .filter((one) => kindOf(one) !== 'dispute')
      .flatMap((one) => auditObject(one, now)),
  ].map((mistake) => `event ${type}: ${mistake}`)
}

function auditObject(one: Fields, now: number): string[] {
  const kind = kindOf(one)
  const times = TIMES.flatMap((name) => {
    const time = one[name]
    const isSeconds = typeof time !== 'number' || (Number.isInteger(time) && Math.abs(time - now) < YEAR_S)
    return isSeconds ? [] : [`${kind}: ${name} is ${time}, not a time in seconds`]
  })
  const audit = audits[kind]
  return [...times, ...(audit?.(one) ?? []).map((mistake) => `${kind}: ${mistake}`)]
}

const amount = (one: Fields) => numberIn(one, 'amount')

const audits: Readonly<Record<string, (one: Fields) => string[]>> = {
  balance_transaction: (one) => [
    ...equal('net', one['net'], amount(one) - numberIn(one, 'fee')),
    ...equal('fee', one['fee'], total(rowsIn(one, 'fee_details').map(amount))),
    ...(one['type'] === 'charge' ? equal('fee of a charge', one['fee'], feeOn(amount(one))) : []),
    ...equal('whether it brings money', amount(one) > 0, bringsMoney(one)),
    ...equal('reporting_category', one['reporting_category'], categoryOf(one)),
  ],
  payment_intent: (one) => {
    const isPaid = one['status'] === 'succeeded'
    return [
      ...equal('amount_received', one['amount_received'], isPaid ? amount(one) : 0),
      ...equal('whether it was canceled at a time', one['canceled_at'] !== null, one['status'] === 'canceled'),
      ...(isPaid ? equal('last_payment_error', one['last_payment_error'], null) : []),
    ]
  },
  charge: (one) => {
    const refunded = numberIn(one, 'amount_refunded')
    const isPaid = one['status'] === 'succeeded'
    return [
      ...equal('refunded', one['refunded'], isPaid && refunded === amount(one)),
      ...equal('whether no more than all is refunded', refunded >= 0 && refunded <= amount(one), true),
      ...equal('paid', one['paid'], isPaid),
      ...equal('captured', one['captured'], isPaid),
      ...equal('amount_captured', one['amount_captured'], isPaid ? amount(one) : 0),
      ...equal('whether it has a failure', one['failure_code'] !== null, one['status'] === 'failed'),
    ]
  },
  refund: (one) => equal('whether it failed for a reason', 'failure_reason' in one, one['status'] === 'failed'),
  payout: (one) => equal('whether it arrives later', numberIn(one, 'arrival_date') > numberIn(one, 'created'), true),
  dispute: (one) => {
    const moves = rowsIn(one, 'balance_transactions').map((row) => [amount(row), numberIn(row, 'fee')])
    const isInquiry = textIn(one, 'status').startsWith('warning_')
    const taken = [-amount(one), DISPUTE_FEE]
    const should = isInquiry ? [] : one['status'] === 'won' ? [taken, [amount(one), 0]] : [taken]
    return equal('what it moved', JSON.stringify(moves), JSON.stringify(should))
  },
  'tax.calculation_line_item': auditTaxed,
  'tax.calculation': (one) => {
    const lines = rowsIn(one, 'line_items', 'data')
    if (lines.length === 0) return []
    const shipping = fieldsIn(one, 'shipping_cost')
    const tax = total([...lines, shipping].map((part) => numberIn(part, 'amount_tax')))
    return [
      ...equal('tax_amount_exclusive', one['tax_amount_exclusive'], tax),
      ...equal('amount_total', one['amount_total'], total([...lines, shipping].map(amount)) + tax),
      ...equal('the sum of its taxes', total(rowsIn(one, 'tax_breakdown').map(amount)), tax),
    ]
  },
}

/** Each tax on a line is rounded for itself, and the line has their sum. */
function auditTaxed(one: Fields): string[] {
  const taxes = rowsIn(one, 'tax_breakdown')
  if (taxes.length === 0) return []
  return [
    ...equal('amount_tax', one['amount_tax'], total(taxes.map(amount))),
    ...taxes.flatMap((tax) => {
      const percentage = textIn(tax, 'tax_rate_details', 'percentage_decimal')
      const [whole = '0', decimals = ''] = percentage.split('.')
      const rate = BigInt(`${whole}${decimals.padEnd(4, '0').slice(0, 4)}`)
      return percentage === ''
        ? []
        : equal(
            `${percentage} % of ${numberIn(tax, 'taxable_amount')}`,
            tax['amount'],
            nearest(numberIn(tax, 'taxable_amount'), rate, 1_000_000n),
          )
    }),
  ]
}

const bringsMoney = (one: Fields): boolean =>
  ['charge', 'refund_failure', 'payout_failure'].includes(textIn(one, 'type')) ||
  one['reporting_category'] === 'dispute_reversal'

const categories: Readonly<Record<string, string>> = {
  charge: 'charge',
  refund: 'refund',
  refund_failure: 'refund_failure',
  payout: 'payout',
  payout_failure: 'payout_reversal',
}

const categoryOf = (one: Fields): string =>
  categories[textIn(one, 'type')] ?? (amount(one) < 0 ? 'dispute' : 'dispute_reversal')

/** The lines of a partial reversal are together what was asked for. */
function auditReversal(request: Json, answer: Json): string[] {
  const flat = textIn(request, 'flat_amount')
  if (flat === '' || kindOf(objectsIn(answer)[0] ?? {}) !== 'tax.transaction') return []
  const parts = [...rowsIn(answer, 'line_items', 'data'), ...objectsIn(valueIn(answer, 'shipping_cost') ?? null)]
  return equal(
    'what it reverses',
    total(parts.map((part) => amount(part) + numberIn(part, 'amount_tax'))),
    Number(flat),
  )
}

/** A key that was used before gets the first answer, and says so. */
const auditKeys = (exchanges: readonly Exchange[]): string[] => {
  const [first, again] = ['with a key', 'again with the key'].map((name) => exchanges.find(({ step }) => step === name))
  if (!again) return []
  return [
    ...equal('the answer to a repeated key', textIn(again.answer, 'id'), textIn(first?.answer, 'id')),
    ...equal('idempotent-replayed', again.headers.get('idempotent-replayed'), 'true'),
  ]
}

const PAGE = /^(.*), page \d+$/

/** The pages of each list, by its name. */
const pagesOf = (exchanges: readonly Exchange[]): Map<string, Exchange[]> =>
  Map.groupBy(
    exchanges.filter(({ step }) => PAGE.test(step)),
    ({ step }) => PAGE.exec(step)?.[1] ?? '',
  )

/** Every row once, newest first; only the last page may be short, and it is never empty behind a full one. */
const auditPages = (exchanges: readonly Exchange[]): string[] =>
  [...pagesOf(exchanges)].flatMap(([name, pages]) => {
    const limit = Number(new URLSearchParams(pages[0]?.path.split('?')[1]).get('limit'))
    const ids = pages.flatMap(({ answer }) => rowsIn(answer, 'data').map((row) => textIn(row, 'id')))
    const times = pages.flatMap(({ answer }) => rowsIn(answer, 'data').map((row) => numberIn(row, 'created')))
    return [
      ...equal('how many rows are different', new Set(ids).size, ids.length),
      ...equal(
        'whether it is newest first',
        times.every((time, at) => at === 0 || time <= (times[at - 1] ?? 0)),
        true,
      ),
      ...pages.flatMap(({ answer }, at) => {
        const rows = rowsIn(answer, 'data').length
        const isLast = at === pages.length - 1
        return [
          ...equal(`has_more of page ${at + 1}`, valueIn(answer, 'has_more'), !isLast),
          ...(isLast
            ? equal('whether the last page has rows', rows > 0 || at === 0, true)
            : equal('rows of a page', rows, limit)),
        ]
      }),
    ].map((mistake) => `${name}: ${mistake}`)
  })

/** The lists of the whole account against each other. Nothing when the walk ended without them. */
function auditBooks(exchanges: readonly Exchange[]): string[] {
  const balance = exchanges.findLast(({ step }) => step === 'books, balance')
  if (!balance) return []
  const pages = pagesOf(exchanges)
  const list = (name: string): Fields[] =>
    (pages.get(`books, ${name}`) ?? []).flatMap(({ answer }) => rowsIn(answer, 'data'))
  const [charges, refunds, entries] = [list('charges'), list('refunds'), list('balance_transactions')]
  const entriesOf = (source: string, type: string) =>
    JSON.stringify(entries.filter((one) => one['source'] === source && one['type'] === type).map(amount))
  const funds = ['available', 'pending'].flatMap((name) => rowsIn(balance.answer, name))
  return [
    ...equal('the balance', total(funds.map(amount)), total(entries.map((one) => numberIn(one, 'net')))),
    ...charges.flatMap((charge) => {
      const id = textIn(charge, 'id')
      const isPaid = charge['status'] === 'succeeded'
      const mine = refunds.filter((one) => one['charge'] === id && one['status'] !== 'failed')
      return [
        ...equal(`amount_refunded of ${id}`, charge['amount_refunded'], total(mine.map(amount))),
        ...equal(`entries of ${id}`, entriesOf(id, 'charge'), JSON.stringify(isPaid ? [amount(charge)] : [])),
      ]
    }),
    ...refunds.flatMap((refund) => {
      const id = textIn(refund, 'id')
      const back = refund['status'] === 'failed' ? [amount(refund)] : []
      return [
        ...equal(`entries of ${id}`, entriesOf(id, 'refund'), JSON.stringify([-amount(refund)])),
        ...equal(`returned by ${id}`, entriesOf(id, 'refund_failure'), JSON.stringify(back)),
      ]
    }),
    ...list('payouts').flatMap((one) =>
      equal(`entries of ${textIn(one, 'id')}`, entriesOf(textIn(one, 'id'), 'payout'), JSON.stringify([-amount(one)])),
    ),
    ...list('payment_intents').flatMap((one) =>
      equal(
        `charges of ${textIn(one, 'id')}`,
        charges.filter((charge) => charge['payment_intent'] === one['id'] && charge['status'] === 'succeeded').length,
        one['status'] === 'succeeded' ? 1 : 0,
      ),
    ),
  ]
}
