import { and, asc, desc, eq, gte, ilike, inArray, lt, ne, or, sql, type SQL } from 'drizzle-orm'
import { fulfillmentStatuses, type FulfillmentStatus, type PaymentStatus } from '#domain/orders/status.ts'
import { paymentKey, readOrderNumber, type OrderId, type PaymentKey } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import {
  dispute,
  ledgerEntry,
  ledgerPosting,
  mail,
  orderCorrection,
  orderNote,
  orderStep,
  providerEvent,
  refund,
  shipment,
  shopOrder,
} from '#server/db/schema.ts'

/** What a list of orders is narrowed by; moments instead of days. */
export type OrderSearch = {
  q?: string | undefined
  status?: FulfillmentStatus | PaymentStatus | undefined
  provider?: 'stripe' | 'paypal' | undefined
  collection?: string | undefined
  since?: Date | undefined
  before?: Date | undefined
  /** The order after which the page goes on. */
  olderThan?: OrderId | undefined
  limit: number
}

const isFulfillment = (status: FulfillmentStatus | PaymentStatus): status is FulfillmentStatus =>
  (fulfillmentStatuses as readonly string[]).includes(status)

const ATTENTION_STATUSES: ReadonlySet<string> = new Set(['on_hold', 'needs_attention'])

/** What is typed stands for itself: neither `%` nor `_` means anything. */
const containsPattern = (typed: string): string => `%${typed.replace(/[\\%_]/g, String.raw`\$&`)}%`

/** An order's number or payment as a whole, or a part of its name or email. */
function searchCondition(q: string): SQL | undefined {
  const number = readOrderNumber(q)
  return or(
    number && eq(shopOrder.orderNumber, number),
    inArray(shopOrder.paymentKey, [paymentKey('stripe', q), paymentKey('paypal', q), q as PaymentKey]),
    ilike(shopOrder.customerEmail, containsPattern(q)),
    ilike(shopOrder.customerName, containsPattern(q)),
  )
}

/** The latest first. */
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
        // What went back whole waits for nobody, wherever its making came to a stop.
        status && ATTENTION_STATUSES.has(status) ? ne(shopOrder.paymentStatus, 'refunded') : undefined,
        // Written out: the wallet's index is of rows that are like this very text.
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

/** All that is written down about an order besides itself and its lines. */
export async function recordsOf(
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
    notes: await db.select().from(orderNote).where(eq(orderNote.orderId, id)).orderBy(asc(orderNote.id)),
  }
}

/** A parcel may be reported a hundred times; nobody reads more. */
const EVENTS_MAX = 500

export async function addNote(tx: Tx, row: typeof orderNote.$inferInsert): Promise<void> {
  await tx.insert(orderNote).values(row)
}

export const findMailOf = async (db: Reader, orderId: OrderId, mailId: number) =>
  (
    await db
      .select()
      .from(mail)
      .where(and(eq(mail.id, mailId), eq(mail.orderId, orderId)))
  )[0]
