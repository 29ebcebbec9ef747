import { and, desc, eq, gt, gte, inArray, lt, sql, type SQL } from 'drizzle-orm'
import type { PrinterOrderRow } from '#domain/reconciliation/differences.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { printerOrder, printerSum } from '#server/fulfillment/schema.ts'
import { ordersNumbered } from '#server/orders/orders.ts'
import type { PrinterOrderHead } from '#server/providers/printful/client.ts'

/** Stores the printer's orders as last read, to compare with our books. */
export async function savePrinterOrders(tx: Tx, orders: readonly PrinterOrderHead[], now: Date): Promise<void> {
  if (!orders.length) return
  const rows = orders.map(({ cost, ...row }) => ({ ...row, costCents: cost, readAt: now }))
  await tx
    .insert(printerOrder)
    .values(rows)
    .onConflictDoUpdate({
      target: printerOrder.id,
      set: {
        externalId: sql`excluded.external_id`,
        status: sql`excluded.status`,
        costCents: sql`excluded.cost_cents`,
        createdAt: sql`excluded.created_at`,
        readAt: now,
      },
    })
}

/** The printer's last known status of an order; null if it never had it. */
export const findPrinterStatus = async (db: Reader, externalId: string): Promise<string | null> =>
  (
    await db
      .select({ status: printerOrder.status })
      .from(printerOrder)
      .where(eq(printerOrder.externalId, externalId))
      .orderBy(desc(printerOrder.id))
      .limit(1)
  )[0]?.status ?? null

/** Without a cost while it is being calculated. */
export const listPrinterOrders = async (db: Reader, externalIds: readonly string[]): Promise<PrinterOrderRow[]> =>
  (
    await db
      .select()
      .from(printerOrder)
      .where(inArray(printerOrder.externalId, [...externalIds]))
  ).map(asRow)

const asRow = ({ id, externalId, status, costCents }: typeof printerOrder.$inferSelect): PrinterOrderRow => ({
  id,
  externalId,
  status,
  cost: costCents,
})

const orderNumber = sql`left(${printerOrder.externalId}, 9)`

/** Orders at the printer without an order of the shop, created in this period. */
export const listStrays = async (
  db: Reader,
  { since, until, last, limit }: { since: Date; until: Date; last: number; limit: number },
): Promise<PrinterOrderRow[]> =>
  (
    await db
      .select()
      .from(printerOrder)
      .where(
        and(
          sql`not exists (${ordersNumbered(orderNumber)})`,
          gte(printerOrder.createdAt, since),
          lt(printerOrder.createdAt, until),
          gt(printerOrder.id, last),
        ),
      )
      .orderBy(printerOrder.id)
      .limit(limit)
  ).map(asRow)

export const readPrinterOrder = async (db: Reader, id: number): Promise<PrinterOrderRow | undefined> => {
  const [row] = await db.select().from(printerOrder).where(eq(printerOrder.id, id))
  return row && asRow(row)
}

/** A query of the ids of orders that the printer got since then. */
export const ordersPrintedSince = (since: Date): SQL =>
  ordersNumbered(sql`select ${orderNumber} from ${printerOrder} where ${printerOrder.createdAt} >= ${since}`)

/** A query of what the printer charged, by quarter of an hour: `at`, `cost_cents`. */
export const printerCharges = sql`select ${printerSum.at}, ${printerSum.costCents} from ${printerSum}`
