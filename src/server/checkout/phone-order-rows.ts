import { isDeepStrictEqual } from 'node:util'
import { and, desc, eq, gt, inArray, isNull, lt, notExists, or, sql } from 'drizzle-orm'
import type { PhoneOrderRequest } from '#contract/phone-orders.ts'
import { paidCheckoutStates } from '#domain/checkout/phone-order.ts'
import type { CheckoutState } from '#domain/checkout/status.ts'
import { assert } from '#shared/assert.ts'
import type { OrderNumber, SessionId } from '#shared/ids.ts'
import { after, DAY_MS, MINUTE_MS } from '#shared/time.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { checkout, phoneOrder } from './schema.ts'

export type PhoneOrder = typeof phoneOrder.$inferSelect

/** Two forms for the same order, one after the other. */
const SAME_FOR_MS = 10 * MINUTE_MS
/** How long canceled and expired ones are listed. */
const CLOSED_DAYS = 30
const LIST_MAX = 100

/** @returns the row of this request, or of the same order from another form a moment ago */
export async function findSame(
  tx: Tx,
  { requestKey, customer, lines }: PhoneOrderRequest,
  now: Date,
): Promise<PhoneOrder | undefined> {
  // One after the other, so that the second finds the first's row.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('phone order', 0))`)
  const recent = await tx
    .select()
    .from(phoneOrder)
    .where(
      or(
        eq(phoneOrder.requestKey, requestKey),
        and(gt(phoneOrder.createdAt, after(now, -SAME_FOR_MS)), isNull(phoneOrder.canceledAt)),
      ),
    )
  // Without members that JSON leaves out.
  const stored: unknown = JSON.parse(JSON.stringify(customer))
  const piecesOf = (pieces: PhoneOrderRequest['lines']) =>
    pieces.map(({ variantId, quantity }) => [variantId, quantity])
  return (
    recent.find((row) => row.requestKey === requestKey) ??
    recent.find(
      (row) => isDeepStrictEqual(row.customer, stored) && isDeepStrictEqual(piecesOf(row.pieces), piecesOf(lines)),
    )
  )
}

export async function insertPhoneOrder(tx: Tx, row: typeof phoneOrder.$inferInsert): Promise<PhoneOrder> {
  const [inserted] = await tx.insert(phoneOrder).values(row).returning()
  assert(inserted, 'an insert without a row')
  return inserted
}

export const findPhoneOrder = async (db: Reader, id: number): Promise<PhoneOrder | undefined> =>
  (await db.select().from(phoneOrder).where(eq(phoneOrder.id, id)))[0]

/** Locks it until the transaction ends. */
export const lockPhoneOrder = async (tx: Tx, id: number): Promise<PhoneOrder | undefined> =>
  (await tx.select().from(phoneOrder).where(eq(phoneOrder.id, id)).for('update'))[0]

export const updatePhoneOrder = (tx: Tx, id: number, to: Pick<Partial<PhoneOrder>, 'expiresAt' | 'canceledAt'>) =>
  tx.update(phoneOrder).set(to).where(eq(phoneOrder.id, id))

/** Latest first, without paid and long closed ones. */
export const listUnpaid = (db: Reader, now: Date): Promise<PhoneOrder[]> =>
  db
    .select()
    .from(phoneOrder)
    .where(
      and(
        gt(phoneOrder.expiresAt, after(now, -CLOSED_DAYS * DAY_MS)),
        notExists(
          db
            .select({ id: checkout.id })
            .from(checkout)
            .where(and(eq(checkout.sessionId, phoneOrder.sessionId), inArray(checkout.state, paidCheckoutStates))),
        ),
      ),
    )
    .orderBy(desc(phoneOrder.id))
    .limit(LIST_MAX)

type CheckoutOfOrder = { sessionId: SessionId; state: CheckoutState; orderNumber: OrderNumber }

export const listCheckoutsOf = async (db: Reader, rows: readonly PhoneOrder[]): Promise<CheckoutOfOrder[]> =>
  rows.length > 0
    ? db
        .select({ sessionId: checkout.sessionId, state: checkout.state, orderNumber: checkout.orderNumber })
        .from(checkout)
        .where(
          inArray(
            checkout.sessionId,
            rows.map(({ sessionId }) => sessionId),
          ),
        )
    : []

/** Those whose link ended before `before`. */
export const deleteClosed = (tx: Tx, before: Date) => tx.delete(phoneOrder).where(lt(phoneOrder.expiresAt, before))
