import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { PastOrderView } from '#contract/orders.ts'
import { formerShopNames, type FormerOrder, type FormerShop } from '#domain/imports/former-shop.ts'
import { minus, plus, sum } from '#shared/money.ts'
import { MINUTE_MS } from '#shared/time.ts'
import { readSignedToken, signedToken } from '#server/config/signature.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import { pastOrder, pastOrderLine } from './schema.ts'

/**
 * Adds orders of a former shop. Those that came before stay as they are, erased ones too.
 * @returns the numbers of the new ones
 */
export async function addPastOrders(
  tx: Tx,
  shop: FormerShop,
  orders: readonly FormerOrder[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const added = await tx
    .insert(pastOrder)
    .values(
      orders.map(({ number, email, name, placedAt, status, ...amounts }) => ({
        ...{ shop, orderNumber: number, customerEmail: email, customerName: name, status, importedAt: now },
        placedAt: new Date(placedAt),
        shippingCents: amounts.shipping,
        taxCents: amounts.tax,
        discountCents: amounts.discount,
        totalCents: amounts.total,
        refundedCents: amounts.refunded,
      })),
    )
    .onConflictDoNothing({ target: [pastOrder.shop, pastOrder.orderNumber] })
    .returning({ id: pastOrder.id, orderNumber: pastOrder.orderNumber })
  const ids = new Map(added.map(({ id, orderNumber }) => [orderNumber, id]))
  const lines = orders.flatMap(({ number, lines }) => {
    const pastOrderId = ids.get(number)
    if (pastOrderId === undefined) return []
    return lines.map(({ name, sku, quantity, total }, position) => ({
      ...{ pastOrderId, position, productName: name, sku, quantity, totalCents: total },
    }))
  })
  for (let at = 0; at < lines.length; at += LINES_AT_ONCE)
    await tx.insert(pastOrderLine).values(lines.slice(at, at + LINES_AT_ONCE))
  return new Set(ids.keys())
}

const LINES_AT_ONCE = 2000

/** Numbers are compared without their sign and in any case, as people type them. */
const normalizeNumber = (typed: string): string => typed.trim().replace(/^#/, '').toLowerCase()

/**
 * Finds an order of a former shop by its number and email. A wrong number gets the same answer as a wrong email.
 * @returns its id
 * @throws Refusal `unknown_order`
 */
export async function findPastOrder(
  db: Reader,
  { orderNumber, email }: { orderNumber: string; email: string },
): Promise<number> {
  const [order] = await db
    .select({ id: pastOrder.id })
    .from(pastOrder)
    .where(
      and(
        eq(pastOrder.customerEmail, email.trim().toLowerCase()),
        sql`lower(${pastOrder.orderNumber}) = ${normalizeNumber(orderNumber)}`,
      ),
    )
    .limit(1)
  if (!order) throw new Refusal('unknown_order')
  return order.id
}

/** How long a key opens an order: long enough to read and reload it. */
const KEY_MS = 15 * MINUTE_MS

type KeyNeeds = Needs<'config' | 'clock'>

const PURPOSE = 'past order'

/** A key that opens a past order for a while, for an address without the email. */
export const pastOrderKey = ({ config, clock }: KeyNeeds, id: number): string =>
  signedToken(config, PURPOSE, `${id}.${clock.now().getTime() + KEY_MS}`)

/** @returns the id of its order @throws Refusal `unknown_order` for a key that is not ours or has ended */
export function readPastOrderKey({ config, clock }: KeyNeeds, key: string): number {
  const [id, until] = readSignedToken(config, PURPOSE, key)?.split('.') ?? []
  if (Number(until ?? 0) < clock.now().getTime()) throw new Refusal('unknown_order')
  return Number(id)
}

/** @throws Refusal `unknown_order` */
export async function showPastOrder(db: Reader, id: number): Promise<PastOrderView> {
  const [order] = await db.select().from(pastOrder).where(eq(pastOrder.id, id))
  if (!order) throw new Refusal('unknown_order')
  const lines = await listLines(db, [order.id])
  const { shippingCents: shipping, taxCents: tax, discountCents: discount, totalCents: total } = order
  const items = sum(lines.map(({ totalCents }) => totalCents))
  return {
    shop: formerShopNames[order.shop],
    orderNumber: order.orderNumber,
    placedAt: order.placedAt.toISOString(),
    status: order.status,
    lines: lines.map(({ productName, quantity, totalCents }) => ({ productName, quantity, total: totalCents })),
    ...{ shipping, tax, discount, total, refunded: order.refundedCents },
    // Rounding, tips or fees that the export has no column for.
    other: minus(total, minus(plus(plus(items, shipping), tax), discount)),
  }
}

const listLines = (db: Reader, ids: number[]) =>
  db
    .select()
    .from(pastOrderLine)
    .where(inArray(pastOrderLine.pastOrderId, ids))
    .orderBy(asc(pastOrderLine.pastOrderId), asc(pastOrderLine.position))

/** Everything that came about a person, for the export of personal data. */
export async function exportPastOrders(db: Reader, email: string) {
  const orders = await db.select().from(pastOrder).where(eq(pastOrder.customerEmail, email)).orderBy(asc(pastOrder.id))
  const lines =
    orders.length > 0
      ? await listLines(
          db,
          orders.map(({ id }) => id),
        )
      : []
  return orders.map(({ id, shop, orderNumber, customerName, customerEmail, placedAt, status, totalCents }) => ({
    ...{ formerShop: formerShopNames[shop], orderNumber, placedAt, status, totalCents },
    customer: { name: customerName, email: customerEmail },
    lines: lines
      .filter(({ pastOrderId }) => pastOrderId === id)
      .map(({ productName, quantity, totalCents }) => ({ productName, quantity, totalCents })),
  }))
}

export const countPastOrders = (db: Reader, email: string): Promise<number> =>
  db.$count(pastOrder, eq(pastOrder.customerEmail, email))

/** Goods and amounts stay. */
export async function erasePastOrders(tx: Tx, email: string): Promise<void> {
  await tx.update(pastOrder).set({ customerEmail: '', customerName: null }).where(eq(pastOrder.customerEmail, email))
}

/** Erases whose they were before a time. @returns how many, at most the limit */
export async function erasePastOrdersBefore(tx: Tx, before: Date, limit: number): Promise<number> {
  const old = await tx
    .select({ id: pastOrder.id })
    .from(pastOrder)
    .where(and(sql`${pastOrder.placedAt} < ${before}`, sql`${pastOrder.customerEmail} <> ''`))
    .limit(limit)
  const ids = old.map(({ id }) => id)
  await tx.update(pastOrder).set({ customerEmail: '', customerName: null }).where(inArray(pastOrder.id, ids))
  return ids.length
}
