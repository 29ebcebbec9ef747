import { and, eq, inArray, min, sql } from 'drizzle-orm'
import type { Movement } from '#domain/reconciliation/movements.ts'
import type { PaymentKey, PaymentProvider } from '#kernel/ids.ts'
import { after, DAY_MS } from '#kernel/time.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { checkout, partnerOrder, providerReading, providerTransaction } from '#server/db/schema.ts'
import type { PartnerOrderHead } from '#server/providers/printful/client.ts'

/** Whose books are read: of the print partner it is its orders. */
export type Book = PaymentProvider | 'printful'

// ---- reading

export type ProviderReading = typeof providerReading.$inferSelect

export const findReading = async (db: Reader, book: Book): Promise<ProviderReading | undefined> =>
  (await db.select().from(providerReading).where(eq(providerReading.provider, book)))[0]

export async function putReading(tx: Tx, row: typeof providerReading.$inferInsert): Promise<void> {
  await tx.insert(providerReading).values(row).onConflictDoUpdate({ target: providerReading.provider, set: row })
}

/** Before it the shop sold nothing. @param now for a shop that has not sold at all */
export async function firstMoment(db: Reader, now: Date): Promise<Date> {
  const [row] = await db.select({ first: min(checkout.createdAt) }).from(checkout)
  return after(row?.first ?? now, -DAY_MS)
}

export async function putMovements(tx: Tx, movements: readonly Movement[], now: Date): Promise<void> {
  if (!movements.length) return
  const rows = movements.map(({ amount, fee, ...row }) => ({ ...row, amountCents: amount, feeCents: fee, readAt: now }))
  await tx
    .insert(providerTransaction)
    .values(rows)
    .onConflictDoUpdate({
      target: [providerTransaction.provider, providerTransaction.id],
      set: {
        kind: sql`excluded.kind`,
        amountCents: sql`excluded.amount_cents`,
        feeCents: sql`excluded.fee_cents`,
        currency: sql`excluded.currency`,
        paymentKey: sql`coalesce(excluded.payment_key, ${providerTransaction.paymentKey})`,
        sourceId: sql`excluded.source_id`,
        checkoutId: sql`excluded.checkout_id`,
        occurredAt: sql`excluded.occurred_at`,
        readAt: now,
      },
    })
}

/** Of these lines, those that were read before. */
export async function knownMovements(
  db: Reader,
  provider: PaymentProvider,
  ids: readonly string[],
): Promise<Set<string>> {
  if (!ids.length) return new Set()
  const rows = await db
    .select({ id: providerTransaction.id })
    .from(providerTransaction)
    .where(and(eq(providerTransaction.provider, provider), inArray(providerTransaction.id, [...ids])))
  return new Set(rows.map(({ id }) => id))
}

/** The payments of captures, by the capture's id. */
export async function keysOfCharges(
  db: Reader,
  captureIds: readonly string[],
): Promise<(readonly [captureId: string, key: PaymentKey])[]> {
  if (!captureIds.length) return []
  const rows = await db
    .select({ captureId: providerTransaction.sourceId, key: providerTransaction.paymentKey })
    .from(providerTransaction)
    .where(
      and(
        eq(providerTransaction.provider, 'paypal'),
        eq(providerTransaction.kind, 'charge'),
        inArray(providerTransaction.sourceId, [...captureIds]),
      ),
    )
  return rows.flatMap(({ captureId, key }) => (captureId && key ? [[captureId, key] as const] : []))
}

export async function putPartnerOrders(tx: Tx, orders: readonly PartnerOrderHead[], now: Date): Promise<void> {
  if (!orders.length) return
  const rows = orders.map(({ cost, ...row }) => ({ ...row, costCents: cost, readAt: now }))
  await tx
    .insert(partnerOrder)
    .values(rows)
    .onConflictDoUpdate({
      target: partnerOrder.id,
      set: {
        externalId: sql`excluded.external_id`,
        status: sql`excluded.status`,
        costCents: sql`excluded.cost_cents`,
        createdAt: sql`excluded.created_at`,
        readAt: now,
      },
    })
}
