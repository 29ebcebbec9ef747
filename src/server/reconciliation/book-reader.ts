import { setTimeout as pause } from 'node:timers/promises'
import type { Movement } from '#domain/reconciliation/movements.ts'
import { paymentKey, type PaymentKey } from '#shared/ids.ts'
import { after, DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/time.ts'
import { savePrinterOrders } from '#server/fulfillment/printer-orders.ts'
import type { Period } from '#server/providers/books.ts'
import type { WalletMovement } from '#server/providers/paypal/transactions.ts'
import type { PrinterOrderHead } from '#server/providers/printful/client.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import {
  findReading,
  readingStart,
  keysOfCharges,
  knownMovements,
  upsertMovements,
  saveReading,
  type Book,
} from './store.ts'

export type BookReaderNeeds = Needs<'db' | 'clock' | 'stripe' | 'paypal' | 'printful' | 'log'>

/** PayPal keeps no older transactions. */
const OLDEST_MS = 3 * 365 * DAY_MS
/** More recent lines may still be missing from a provider's list. */
const lagMs: Readonly<Record<Book, number>> = { stripe: MINUTE_MS, paypal: 3 * HOUR_MS, printful: MINUTE_MS }
/** Between pages, to leave the provider's rate limit to checkouts. Printful's client limits itself. */
const pauseMs: Readonly<Record<Book, number>> = { stripe: 60, paypal: 200, printful: 0 }
/** Read again each time, because lines can be late and Printful orders change for days. */
const overlapMs: Readonly<Record<Book, number>> = { stripe: 2 * HOUR_MS, paypal: DAY_MS, printful: 3 * DAY_MS }

const books: readonly Book[] = ['stripe', 'paypal', 'printful']

/**
 * Reads new lines of the providers' books. If a provider is down, what was read before stays. An interrupted reading continues where it
 * stopped, also in another process.
 * @param overlap how far before the end of the last reading to start; per provider by default
 */
export async function readBooks(shop: BookReaderNeeds, overlap?: number): Promise<void> {
  await Promise.all(books.map((book) => readBook(shop, book, overlap)))
}

export async function readBook(shop: BookReaderNeeds, book: Book, overlap = overlapMs[book]): Promise<void> {
  try {
    await readOneBook(shop, book, overlap)
  } catch (error) {
    if (!(error instanceof ProviderUnavailable || error instanceof ProviderRefusal)) throw error
    shop.log.warn({ err: error, book }, 'A provider’s books could not be read; trying again later.')
    const reading = await findReading(shop.db, book)
    const failingSince = reading?.failingSince ?? shop.clock.now()
    const since = reading?.since ?? (await readingStart(shop.db, failingSince))
    // Drop the cursor, because the provider may have refused it and would refuse it again.
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
  const first = before?.since ?? later(oldest, await readingStart(db, now))
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
  // Newest first, so later pages are older still.
  const isLastPage = rows.some(({ createdAt }) => createdAt < period.since)
  return { movements: [], orders: rows, next: isLastPage ? null : next }
}

/** PayPal's lines name a refund's capture; the capture's own line names the payment. */
async function withPayments({ db, paypal }: BookReaderNeeds, rows: WalletMovement[]): Promise<Movement[]> {
  const unresolved = rows.flatMap(({ id, paymentKey: key, captureId }) =>
    key || !captureId ? [] : [{ id, captureId }],
  )
  const known = new Map<string, PaymentKey>([
    ...(await keysOfCharges(
      db,
      unresolved.map(({ captureId }) => captureId),
    )),
    ...rows.flatMap((row) => (row.paymentKey && row.captureId ? [[row.captureId, row.paymentKey] as const] : [])),
  ])
  // Lines that were read before are not looked up again.
  const seen = await knownMovements(
    db,
    'paypal',
    unresolved.map(({ id }) => id),
  )
  for (const { id, captureId } of unresolved) {
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
