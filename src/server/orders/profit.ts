import { eq, sql } from 'drizzle-orm'
import { estimateProfit } from '#domain/orders/profit-estimate.ts'
import type { OrderId, PaymentProvider } from '#shared/ids.ts'
import { cents, sum, type Cents } from '#shared/money.ts'
import { listCostsToSend } from '#server/catalog/costs-to-send.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import type { OrderLine, PaidOrder } from './orders.ts'
import { shopOrder } from './schema.ts'

/** Stores what a new order is expected to leave. @param commission as booked for it */
export async function recordEstimate(
  tx: Tx,
  order: PaidOrder,
  lines: readonly OrderLine[],
  { provider, commission }: { provider: PaymentProvider; commission: Cents },
): Promise<void> {
  const costs = await listCostsToSend(
    tx,
    lines.map(({ variantId }) => variantId),
  )
  const estimated = estimateProfit(
    lines.map(({ variantId, quantity }) => ({ quantity, ...costs(variantId, order.shippingAddress.country) })),
    {
      ...{ subtotal: order.subtotalCents, shipping: order.shippingCents, tax: order.taxCents },
      surcharge: sum(order.shippingSurcharges.map(({ amount }) => amount)),
      vatProtection: order.vatProtectionCents,
    },
    provider,
    commission,
  )
  if (estimated !== null)
    await tx.update(shopOrder).set({ estimatedProfitCents: estimated }).where(eq(shopOrder.id, order.id))
}

export type Profit = { estimated: Cents | null; actual: Cents | null }

/** Of a sale; `actual` is null until the provider's fee and the printer's cost are booked. */
export async function readProfit(db: Reader, id: OrderId): Promise<Profit> {
  const { rows } = await db.execute<{ estimated_cents: string | null; actual_cents: string | null }>(
    sql`select estimated_cents, actual_cents from audit_margin where order_id = ${id}`,
  )
  const amountOf = (text: string | null | undefined) =>
    text === null || text === undefined ? null : cents(Number(text))
  return { estimated: amountOf(rows[0]?.estimated_cents), actual: amountOf(rows[0]?.actual_cents) }
}
