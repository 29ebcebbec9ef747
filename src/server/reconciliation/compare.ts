import {
  differencesOfLine,
  differencesOfOrder,
  differencesOfPayment,
  differencesOfStray,
  payoutName,
  type Difference,
  type DifferenceKind,
  type PrinterOrderRow,
} from '#domain/reconciliation/differences.ts'
import { sentenceOf } from '#domain/reconciliation/exceptions.ts'
import type { Movement } from '#domain/reconciliation/movements.ts'
import { readPaymentKey, type OrderId, type PaymentKey, type PaymentProvider } from '#shared/ids.ts'
import { negate, sum } from '#shared/money.ts'
import { after } from '#shared/time.ts'
import type { Reader } from '#server/db/db.ts'
import type { Needs } from '#server/shop.ts'
import { sumOfPostings } from '#server/ledger/sums.ts'
import { listStrays, readPrinterOrder } from '#server/fulfillment/printer-orders.ts'
import { saveExceptions, type FoundException } from './exceptions.ts'
import {
  listLines,
  listLinesOfSource,
  listTouchedOrders,
  listTouchedPayments,
  readLine,
  readOrderPairs,
  readPaymentPairs,
  strayKeys,
} from './book-pairs.ts'
import { findReading, type Book, type ProviderReading } from './store.ts'

const PAGE = 200
/** Sorts before every payment key. */
const NO_KEY = '' as PaymentKey

const ofPayments: readonly DifferenceKind[] = [
  'missing_order',
  'double_capture',
  'missing_payment',
  'amount',
  'currency',
  'fee',
  'missing_refund',
  'refund_unknown',
  'dispute_unknown',
]
const ofLines: readonly DifferenceKind[] = ['payout', 'adjustment']
const ofOrders: readonly DifferenceKind[] = ['order_without_partner', 'partner_cost', 'partner_credit_not_passed_on']
const ofStrays: readonly DifferenceKind[] = ['partner_order_without_ours']

export type BookComparison = { payments: number; partnerOrders: number; differences: number }

/**
 * Compares every payment and order with movements since then, and saves the differences as exceptions. Very recent movements are left
 * for the next run, because they may be incomplete. Works page by page, so memory stays bounded.
 * @param graceMs how long movements may be incomplete
 */
export async function compareBooks(shop: Needs<'db' | 'clock'>, since: Date, graceMs: number): Promise<BookComparison> {
  const { db, clock } = shop
  const now = clock.now()
  const readings = await readReadings(db)
  const settledBefore = after(now, -graceMs)
  /** The end of what can be compared with a provider's books. */
  const until = (book: Book) => earlier(settledBefore, readings.get(book)?.until ?? new Date(0))
  const saveDifferences = async (
    kinds: readonly DifferenceKind[],
    abouts: readonly string[],
    found: readonly Difference[],
  ) => {
    await db.transaction((tx) => saveExceptions(tx, { kinds, abouts }, found.map(toFoundException), now))
    return found.length
  }
  const compared: BookComparison = { payments: 0, partnerOrders: 0, differences: 0 }

  for await (const keys of pagedQuery<PaymentKey>((last = NO_KEY) => listTouchedPayments(db, since, last, PAGE))) {
    const sides = (await readPaymentPairs(db, keys)).filter(({ key, movedAt, capturedAt }) => {
      const book = readPaymentKey(key)?.provider
      const start = book && readings.get(book)?.since
      return book && start && movedAt <= until(book) && (capturedAt === null || capturedAt >= start)
    })
    compared.payments += sides.length
    const abouts = sides.map(({ key }) => `payment:${key}`)
    compared.differences += await saveDifferences(ofPayments, abouts, sides.flatMap(differencesOfPayment))
  }

  for await (const lines of pagedQuery<Movement>((last) => listLines(db, since, last, PAGE))) {
    const settledLines = lines.filter(({ provider, occurredAt }) => occurredAt <= until(provider))
    const found: Difference[] = []
    for (const line of settledLines) found.push(...(await differencesOf(db, line)))
    compared.differences += await saveDifferences(ofLines, settledLines.map(aboutLine), uniqueBy(found))
  }

  for await (const ids of pagedQuery<OrderId>((last) => listTouchedOrders(db, since, last ?? 0, PAGE))) {
    const sides = (await readOrderPairs(db, ids)).filter(({ movedAt }) => movedAt <= until('printful'))
    compared.partnerOrders += sides.length
    const abouts = sides.map(({ order }) => `order:${order.id}`)
    compared.differences += await saveDifferences(ofOrders, abouts, sides.flatMap(differencesOfOrder))
  }

  const period = { since, until: until('printful'), limit: PAGE }
  for await (const strays of pagedQuery<PrinterOrderRow>((last) =>
    listStrays(db, { ...period, last: last?.id ?? 0 }),
  )) {
    const found: Difference[] = []
    for (const stray of strays) found.push(...differencesOfStray(stray, await strayCost(db, stray.id)))
    compared.partnerOrders += strays.length
    compared.differences += await saveDifferences(
      ofStrays,
      strays.map(({ id }) => `partner_order:${id}`),
      found,
    )
  }
  return compared
}

/** Consecutive pages, each after the previous one's last row. */
async function* pagedQuery<Row>(page: (last: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ;) {
    const rows = await page(last)
    if (rows.length > 0) yield rows
    if (rows.length < PAGE) return
    last = rows.at(-1)
  }
}

async function readReadings(db: Reader): Promise<Map<Book, ProviderReading>> {
  const readings = new Map<Book, ProviderReading>()
  for (const book of ['stripe', 'paypal', 'printful'] as const) {
    const reading = await findReading(db, book)
    if (reading) readings.set(book, reading)
  }
  return readings
}

/** @returns the current differences about one payment, order or line, without a grace period */
export async function differencesAbout(db: Reader, about: string): Promise<Difference[]> {
  const [what = '', ...rest] = about.split(':')
  const name = rest.join(':')
  if (what === 'payment') return (await readPaymentPairs(db, [name as PaymentKey])).flatMap(differencesOfPayment)
  if (what === 'order') return (await readOrderPairs(db, [Number(name) as OrderId])).flatMap(differencesOfOrder)
  if (what === 'partner_order') {
    const stray = await readPrinterOrder(db, Number(name))
    return stray ? differencesOfStray(stray, await strayCost(db, stray.id)) : []
  }
  const lines = await linesAbout(db, about)
  const found: Difference[] = []
  for (const line of lines) found.push(...(await differencesOf(db, line)))
  return uniqueBy(found)
}

/** @param about `payout:stripe:po_1` or `line:stripe:txn_1` */
export async function linesAbout(db: Reader, about: string): Promise<Movement[]> {
  const [what, provider, ...id] = about.split(':') as [string, PaymentProvider, ...string[]]
  return what === 'payout'
    ? listLinesOfSource(db, { provider, sourceId: id.join(':') })
    : readLine(db, { provider, id: id.join(':') })
}

const aboutLine = ({ kind, provider, sourceId, id }: Movement): string =>
  kind === 'payout' ? payoutName(provider, sourceId ?? id) : `line:${provider}:${id}`

/** The two lines of a returned payout are compared together. */
async function differencesOf(db: Reader, line: Movement): Promise<Difference[]> {
  if (line.kind !== 'payout')
    return differencesOfLine(line, await sumOfPostings(db, correctionKeys(aboutLine(line)), 'provider'))
  const name = aboutLine(line)
  const lines = await listLinesOfSource(db, line)
  const whole = { ...line, amount: sum(lines.map(({ amount }) => amount)), fee: sum(lines.map(({ fee }) => fee)) }
  const failed = name.replace(/^payout/, 'payout-failed')
  return differencesOfLine(whole, await sumOfPostings(db, [name, failed, ...correctionKeys(name)], 'provider'))
}

/** How often the same thing can be corrected. */
const CORRECTIONS_MAX = 5
export const correctionKeys = (about: string): string[] =>
  Array.from({ length: CORRECTIONS_MAX }, (_, index) => `correction:${about}:${index + 1}`)

const strayCost = async (db: Reader, id: number) => negate(await sumOfPostings(db, strayKeys(id), 'partner'))

const uniqueBy = (found: readonly Difference[]): Difference[] => [
  ...new Map(found.map((difference) => [`${difference.kind} ${difference.about}`, difference])).values(),
]

export const toFoundException = (difference: Difference): FoundException => ({
  kind: difference.kind,
  about: difference.about,
  orderId: difference.orderId,
  amount: difference.amount,
  cause: sentenceOf(difference),
  facts: { theirs: difference.theirs, ours: difference.ours },
})

const earlier = (a: Date, b: Date): Date => (a < b ? a : b)
