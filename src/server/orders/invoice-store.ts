import { and, asc, desc, eq, gte, inArray, lt, ne, sql } from 'drizzle-orm'
import type { InvoiceContent, InvoiceKind } from '#domain/invoices/invoice.ts'
import { assert } from '#shared/assert.ts'
import type { OrderId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { invoicedBooking, invoiceDocument, invoiceSeries } from './invoice-schema.ts'
import { taxBooking } from './schema.ts'

const columns = {
  id: invoiceDocument.id,
  orderId: invoiceDocument.orderId,
  kind: invoiceDocument.kind,
  number: invoiceDocument.number,
  isWhole: invoiceDocument.isWhole,
  content: invoiceDocument.content,
  netCents: invoiceDocument.netCents,
  taxCents: invoiceDocument.taxCents,
  vatProtectionCents: invoiceDocument.vatProtectionCents,
  issuedAt: invoiceDocument.issuedAt,
}

/** A stored document without its file. */
export type StoredInvoice = Omit<
  typeof invoiceDocument.$inferSelect,
  'file' | 'fileHash' | 'year' | 'position' | 'correctsId'
>

/** @returns null once it is erased */
export const contentOf = ({ content }: Pick<StoredInvoice, 'content'>): InvoiceContent | null =>
  content === '' ? null : (JSON.parse(content) as InvoiceContent)

/** Oldest first. */
export const listInvoices = (db: Reader, orderId: OrderId): Promise<StoredInvoice[]> =>
  db.select(columns).from(invoiceDocument).where(eq(invoiceDocument.orderId, orderId)).orderBy(asc(invoiceDocument.id))

/** Issued in a span of time, in the order of their numbers. */
export const listInvoicesBetween = (db: Reader, from: Date, until: Date): Promise<StoredInvoice[]> =>
  db
    .select(columns)
    .from(invoiceDocument)
    .where(and(gte(invoiceDocument.issuedAt, from), lt(invoiceDocument.issuedAt, until)))
    .orderBy(asc(invoiceDocument.year), asc(invoiceDocument.position))

export const listInvoicesOf = (db: Reader, orderIds: readonly OrderId[]): Promise<StoredInvoice[]> =>
  db
    .select(columns)
    .from(invoiceDocument)
    .where(inArray(invoiceDocument.orderId, [...orderIds]))
    .orderBy(asc(invoiceDocument.id))

/** When documents were issued first and last. */
export async function findInvoiceSpan(db: Reader): Promise<{ first: Date; last: Date } | undefined> {
  const [first] = await db
    .select({ at: invoiceDocument.issuedAt })
    .from(invoiceDocument)
    .orderBy(asc(invoiceDocument.issuedAt))
    .limit(1)
  const [last] = await db
    .select({ at: invoiceDocument.issuedAt })
    .from(invoiceDocument)
    .orderBy(desc(invoiceDocument.issuedAt))
    .limit(1)
  return first && last && { first: first.at, last: last.at }
}

type InvoiceFile = { orderId: OrderId; number: string; kind: InvoiceKind; file: Buffer | null; fileHash: string }

export const findInvoiceFile = async (db: Reader, id: number): Promise<InvoiceFile | undefined> =>
  (
    await db
      .select({
        orderId: invoiceDocument.orderId,
        number: invoiceDocument.number,
        kind: invoiceDocument.kind,
        file: invoiceDocument.file,
        fileHash: invoiceDocument.fileHash,
      })
      .from(invoiceDocument)
      .where(eq(invoiceDocument.id, id))
  )[0]

/** The next number of a year. Others wait for it until the transaction ends, so that none is left out or given twice. */
export async function takeNumber(tx: Tx, year: number): Promise<number> {
  const [row] = await tx
    .insert(invoiceSeries)
    .values({ year, last: 1 })
    .onConflictDoUpdate({ target: invoiceSeries.year, set: { last: sql`${invoiceSeries.last} + 1` } })
    .returning()
  assert(row, 'an upsert without a row')
  return row.last
}

/** @param bookings that it states */
export async function insertInvoice(
  tx: Tx,
  row: typeof invoiceDocument.$inferInsert,
  bookings: readonly number[],
): Promise<StoredInvoice> {
  const [stored] = await tx.insert(invoiceDocument).values(row).returning(columns)
  assert(stored, 'an insert without a row')
  if (bookings.length > 0)
    await tx.insert(invoicedBooking).values(bookings.map((bookingId) => ({ bookingId, documentId: stored.id })))
  return stored
}

export async function listInvoicedBookings(db: Reader, orderId: OrderId): Promise<Set<number>> {
  const rows = await db
    .select({ id: invoicedBooking.bookingId })
    .from(invoicedBooking)
    .innerJoin(taxBooking, eq(taxBooking.id, invoicedBooking.bookingId))
    .where(eq(taxBooking.orderId, orderId))
  return new Set(rows.map(({ id }) => id))
}

/** Orders with an invoice that were booked since without a document for it. */
export async function listUndocumented(db: Reader, since: Date, limit: number): Promise<OrderId[]> {
  const { rows } = await db.execute<{ id: OrderId }>(sql`
    select distinct b.order_id as id from ${taxBooking} b
    where b.booked_at >= ${since.toISOString()}::timestamptz
      and exists (select from ${invoiceDocument} d where d.order_id = b.order_id)
      and not exists (select from ${invoicedBooking} i where i.booking_id = b.id)
    order by id limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** Empties documents that no law wants kept any longer. Their numbers and amounts stay. @returns how many */
export async function eraseInvoicesBefore(tx: Tx, before: Date, limit: number): Promise<number> {
  const old = await tx
    .select({ id: invoiceDocument.id })
    .from(invoiceDocument)
    .where(and(lt(invoiceDocument.issuedAt, before), ne(invoiceDocument.content, '')))
    .orderBy(asc(invoiceDocument.id))
    .limit(limit)
  const ids = old.map(({ id }) => id)
  if (ids.length > 0)
    await tx.update(invoiceDocument).set({ content: '', file: null }).where(inArray(invoiceDocument.id, ids))
  return ids.length
}
