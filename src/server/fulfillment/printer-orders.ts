import { desc, eq, sql } from 'drizzle-orm'
import type { Reader, Tx } from '#server/db/db.ts'
import { printerOrder } from '#server/fulfillment/schema.ts'
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
