import { and, asc, desc, eq, gte, ilike, inArray, lt, ne, or, sql, type SQL } from 'drizzle-orm'
import { fulfillmentStatuses, type FulfillmentStatus, type PaymentStatus } from '#domain/orders/status.ts'
import { paymentKey, readOrderNumber, type OrderId, type PaymentKey } from '#shared/ids.ts'
import type { Reader } from '#server/db/db.ts'
import { ledgerEntry, ledgerPosting } from '#server/ledger/schema.ts'
import { mail } from '#server/mail/schema.ts'
import { listNotes } from '#server/orders/notes.ts'
import { orderCorrection, orderStep, refund, shipment, shopOrder } from '#server/orders/schema.ts'
import { dispute } from '#server/payments/outcome-schema.ts'
import { providerEvent } from '#server/providers/schema.ts'
import { isOneOf } from '#shared/one-of.ts'

/** Filters of the order list, with exact times instead of days. */
export type OrderSearch = {
  q?: string | undefined
  status?: FulfillmentStatus | PaymentStatus | undefined
  provider?: 'stripe' | 'paypal' | undefined
  collection?: string | undefined
  since?: Date | undefined
  before?: Date | undefined
  /** The last order of the previous page. */
  olderThan?: OrderId | undefined
  limit: number
}

const isFulfillment = (status: FulfillmentStatus | PaymentStatus): status is FulfillmentStatus =>
  isOneOf(fulfillmentStatuses, status)

const ATTENTION_STATUSES: ReadonlySet<string> = new Set(['on_hold', 'needs_attention'])

/** A LIKE pattern in which the typed `%`, `_` and backslash match themselves. */
const containsPattern = (typed: string): string => `%${typed.replace(/[\\%_]/g, String.raw`\$&`)}%`

/** Matches a whole order number or payment id, or part of a name or email. */
function searchCondition(q: string): SQL | undefined {
  const number = readOrderNumber(q)
  return or(
    number && eq(shopOrder.orderNumber, number),
    inArray(shopOrder.paymentKey, [paymentKey('stripe', q), paymentKey('paypal', q), q as PaymentKey]),
    ilike(shopOrder.customerEmail, containsPattern(q)),
    ilike(shopOrder.customerName, containsPattern(q)),
  )
}

/** Newest first. */
export const selectOrders = (db: Reader, wanted: OrderSearch): Promise<(typeof shopOrder.$inferSelect)[]> => {
  const { q, status, provider, collection, since, before, olderThan, limit } = wanted
  return db
    .select()
    .from(shopOrder)
    .where(
      and(
        q ? searchCondition(q) : undefined,
        status &&
          (isFulfillment(status) ? eq(shopOrder.fulfillmentStatus, status) : eq(shopOrder.paymentStatus, status)),
        // A fully refunded order needs no attention, wherever its production stopped.
        status && ATTENTION_STATUSES.has(status) ? ne(shopOrder.paymentStatus, 'refunded') : undefined,
        // Inlined, not a parameter: the partial index on PayPal orders matches only this exact text.
        provider && sql`${shopOrder.paymentKey} like ${sql.raw(`'${provider}:%'`)}`,
        collection ? eq(shopOrder.collection, collection) : undefined,
        since && gte(shopOrder.createdAt, since),
        before && lt(shopOrder.createdAt, before),
        olderThan === undefined
          ? undefined
          : sql`(${shopOrder.createdAt}, ${shopOrder.id}) < (select created_at, id from shop_order where id = ${olderThan})`,
      ),
    )
    .orderBy(desc(shopOrder.createdAt), desc(shopOrder.id))
    .limit(limit)
}

/** All stored records about an order, besides the order and its lines. */
export async function readOrderRecords(
  db: Reader,
  { id, paymentKey: key, externalId, orderNumber }: typeof shopOrder.$inferSelect,
) {
  const paymentId = key.slice(key.indexOf(':') + 1)
  return {
    steps: await db.select().from(orderStep).where(eq(orderStep.orderId, id)).orderBy(asc(orderStep.id)),
    parcels: await db.select().from(shipment).where(eq(shipment.orderId, id)).orderBy(asc(shipment.shippedAt)),
    refunds: await db.select().from(refund).where(eq(refund.paymentKey, key)).orderBy(asc(refund.id)),
    disputes: await db.select().from(dispute).where(eq(dispute.paymentKey, key)).orderBy(asc(dispute.openedAt)),
    mails: await db
      .select({
        id: mail.id,
        kind: mail.kind,
        subject: mail.subject,
        recipient: mail.recipient,
        state: mail.state,
        createdAt: mail.createdAt,
        sentAt: mail.sentAt,
      })
      .from(mail)
      .where(eq(mail.orderId, id))
      .orderBy(asc(mail.id)),
    events: await db
      .select({
        provider: providerEvent.provider,
        type: providerEvent.type,
        receivedAt: providerEvent.receivedAt,
        outcome: providerEvent.outcome,
      })
      .from(providerEvent)
      .where(inArray(providerEvent.about, [paymentId, orderNumber, externalId]))
      .orderBy(asc(providerEvent.id))
      .limit(EVENTS_MAX),
    entries: await db
      .select({ posting: ledgerPosting, entry: ledgerEntry })
      .from(ledgerPosting)
      .innerJoin(ledgerEntry, eq(ledgerEntry.postingId, ledgerPosting.id))
      .where(eq(ledgerPosting.orderId, id))
      .orderBy(asc(ledgerPosting.id), asc(ledgerEntry.account)),
    corrections: await db
      .select()
      .from(orderCorrection)
      .where(eq(orderCorrection.orderId, id))
      .orderBy(asc(orderCorrection.id)),
    notes: await listNotes(db, id),
  }
}

/** Carriers can report a parcel hundreds of times; nobody reads more than this. */
const EVENTS_MAX = 500

export const findMailOf = async (db: Reader, orderId: OrderId, mailId: number) =>
  (
    await db
      .select()
      .from(mail)
      .where(and(eq(mail.id, mailId), eq(mail.orderId, orderId)))
  )[0]
