import { setTimeout as pause } from 'node:timers/promises'
import type { Movement } from '#domain/reconciliation/movements.ts'
import { paymentKey, type PaymentKey } from '#shared/ids.ts'
import { after, DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/time.ts'
import { savePrinterOrders } from '#server/fulfillment/costs.ts'
import type { Period } from '#server/providers/books.ts'
import type { WalletMovement } from '#server/providers/paypal/paypal.ts'
import type { PrinterOrderHead } from '#server/providers/printful/client.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import {
  findReading,
  firstMoment,
  keysOfCharges,
  knownMovements,
  upsertMovements,
  saveReading,
  type Book,
} from './store.ts'

export type BookReaderNeeds = Needs<'db' | 'clock' | 'stripe' | 'paypal' | 'printful' | 'log'>

/** PayPal has no older ones. */
const OLDEST_MS = 3 * 365 * DAY_MS
/** What is younger may still be missing in a provider's list. */
const lagMs: Readonly<Record<Book, number>> = { stripe: MINUTE_MS, paypal: 3 * HOUR_MS, printful: MINUTE_MS }
/** Between two pages, so that a long reading leaves the provider's limit to those who sell. The partner's client minds its own. */
const pauseMs: Readonly<Record<Book, number>> = { stripe: 60, paypal: 200, printful: 0 }
/** What is read again each time: a line may come late, and an order at the partner changes for days. */
const overlapMs: Readonly<Record<Book, number>> = { stripe: 2 * HOUR_MS, paypal: DAY_MS, printful: 3 * DAY_MS }

const books: readonly Book[] = ['stripe', 'paypal', 'printful']

/**
 * Reads on in the providers' own books. A provider that is down keeps what was read of it, with its time; one that is cut
 * off is read on where it was, also by another process.
 * @param overlap how far behind the end of the last reading this one begins; the usual overlap when it is missing
 */
export async function readBooks(shop: BookReaderNeeds, overlap?: number): Promise<void> {
  await Promise.all(books.map((book) => readBook(shop, book, overlap)))
}

export async function readBook(shop: BookReaderNeeds, book: Book, overlap = overlapMs[book]): Promise<void> {
  try {
    await readOneBook(shop, book, overlap)
  } catch (error) {
    if (!(error instanceof ProviderUnavailable || error instanceof ProviderRefusal)) throw error
    shop.log.warn({ err: error, book }, 'a provider’s books cannot be read')
    const reading = await findReading(shop.db, book)
    const failingSince = reading?.failingSince ?? shop.clock.now()
    const since = reading?.since ?? (await firstMoment(shop.db, failingSince))
    // A mark that the provider no longer takes would be refused each time.
    const under = error instanceof ProviderRefusal ? null : (reading?.under ?? null)
    await shop.db.transaction((tx) =>
      saveReading(tx, { ...reading, provider: book, since, under, failingSince, failure: error.message }),
    )
  }
}

async function readOneBook(shop: BookReaderNeeds, book: Book, overlap: number): Promise<void> {
  const { db, clock } = shop
  const now = clock.now()
  const before = await findReading(db, book)
  const oldest = after(now, DAY_MS - OLDEST_MS)
  const first = before?.since ?? later(oldest, await firstMoment(db, now))
  const since = later(oldest, before?.until ? later(first, after(before.until, -overlap)) : first)
  const under = before?.under ?? { since: since.toISOString(), until: now.toISOString(), mark: null }
  const period: Period = { since: new Date(under.since), until: new Date(under.until) }

  for (let mark: string | null = under.mark; ;) {
    const page = await pageOf(shop, book, period, mark)
    mark = page.next
    const done = { until: after(period.until, -lagMs[book]), readAt: now, failingSince: null, failure: null }
    const state = mark === null ? { ...done, under: null } : { under: { ...under, mark } }
    await db.transaction(async (tx) => {
      await upsertMovements(tx, page.movements, now)
      await savePrinterOrders(tx, page.orders, now)
      await saveReading(tx, { ...before, provider: book, since: first, ...state })
    })
    if (mark === null) return
    await pause(pauseMs[book])
  }
}

type Page = { movements: Movement[]; orders: PrinterOrderHead[]; next: string | null }

async function pageOf(shop: BookReaderNeeds, book: Book, period: Period, mark: string | null): Promise<Page> {
  if (book === 'stripe') {
    const { rows, next } = await shop.stripe.listMovements(period, mark)
    return { movements: rows, orders: [], next }
  }
  if (book === 'paypal') {
    const { rows, next } = await shop.paypal.listMovements(period, mark)
    return { movements: await withPayments(shop, rows), orders: [], next }
  }
  const { rows, next } = await shop.printful.listOrders(mark)
  // Newest first: what comes after the first old one is older still.
  const isEnough = rows.some(({ createdAt }) => createdAt < period.since)
  return { movements: [], orders: rows, next: isEnough ? null : next }
}

/** The wallet's book names a refund's capture; which payment that was stands in the line of the capture itself. */
async function withPayments({ db, paypal }: BookReaderNeeds, rows: WalletMovement[]): Promise<Movement[]> {
  const open = rows.flatMap(({ id, paymentKey: key, captureId }) => (key || !captureId ? [] : [{ id, captureId }]))
  const known = new Map<string, PaymentKey>([
    ...(await keysOfCharges(
      db,
      open.map(({ captureId }) => captureId),
    )),
    ...rows.flatMap((row) => (row.paymentKey && row.captureId ? [[row.captureId, row.paymentKey] as const] : [])),
  ])
  // What could not be found out once is not asked for again.
  const seen = await knownMovements(
    db,
    'paypal',
    open.map(({ id }) => id),
  )
  for (const { id, captureId } of open) {
    if (known.has(captureId) || seen.has(id)) continue
    const order = await paypal.orderIdOfCapture(captureId)
    if (order) known.set(captureId, paymentKey('paypal', order))
  }
  return rows.map(({ captureId, ...row }) => ({
    ...row,
    paymentKey: row.paymentKey ?? (captureId ? (known.get(captureId) ?? null) : null),
  }))
}

const later = (a: Date, b: Date): Date => (a > b ? a : b)
