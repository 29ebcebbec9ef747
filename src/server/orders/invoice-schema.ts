import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  serial,
  text,
  unique,
} from 'drizzle-orm/pg-core'
import { invoiceKinds, type InvoiceKind } from '#domain/invoices/invoice.ts'
import { bytes, moment, money, oneOf } from '#server/db/columns.ts'
import type { OrderId } from '#shared/ids.ts'
import { shopOrder, taxBooking } from './schema.ts'

/** The last number of a year. Its row stays locked until the document with that number is stored. */
export const invoiceSeries = pgTable('invoice_series', {
  year: integer().primaryKey(),
  last: integer().notNull(),
})

/**
 * An invoice or credit note as it was issued. Triggers refuse gaps in the numbers and every change, except that content and file are
 * emptied once the law no longer wants them kept.
 */
export const invoiceDocument = pgTable(
  'invoice_document',
  {
    id: serial().primaryKey(),
    orderId: integer()
      .notNull()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    kind: text().notNull().$type<InvoiceKind>(),
    year: integer().notNull(),
    /** In the series of its year, from 1. */
    position: integer().notNull(),
    number: text().notNull().unique(),
    correctsId: integer().references((): AnyPgColumn => invoiceDocument.id),
    /** Whether it states all that is left of the order; later documents correct it. */
    isWhole: boolean().notNull(),
    /** `InvoiceContent` as JSON; empty once erased. */
    content: text().notNull(),
    /** The PDF; null once erased. */
    file: bytes(),
    /** SHA-256 of the PDF, hex. */
    fileHash: text().notNull(),
    /** Positive in credit notes too. */
    netCents: money().notNull(),
    taxCents: money().notNull(),
    vatProtectionCents: money().notNull(),
    issuedAt: moment().notNull(),
  },
  (t) => [
    unique('invoice_document_position').on(t.year, t.position),
    index().on(t.orderId),
    index().on(t.issuedAt),
    check('invoice_document_kind_known', oneOf(t.kind, invoiceKinds)),
    check('invoice_document_credit_note_corrects', sql`${t.kind} = 'invoice' or ${t.correctsId} is not null`),
  ],
)

/** Which document states a booking of the tax report: each at most once. */
export const invoicedBooking = pgTable(
  'invoiced_booking',
  {
    bookingId: bigint({ mode: 'number' })
      .primaryKey()
      .references(() => taxBooking.id),
    documentId: integer()
      .notNull()
      .references(() => invoiceDocument.id),
  },
  (t) => [index().on(t.documentId)],
)
