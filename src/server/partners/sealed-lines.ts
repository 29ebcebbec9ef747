import { inArray } from 'drizzle-orm'
import type { OrderId } from '#shared/ids.ts'
import type { CommissionLine } from '#domain/ledger/seal.ts'
import { commissionEntry } from '#server/partners/schema.ts'
import type { Reader } from '#server/db/db.ts'

/** A commission posting's key; `cause` is the key of the posting behind it. */
export const commissionKey = (cause: string): string => `commission:${cause}`

/** The lines of these postings' orders, by the keys of the commission postings that were computed from them. */
export async function listCommissionLines(
  db: Reader,
  postings: readonly { orderId: OrderId | null }[],
): Promise<ReadonlyMap<string, CommissionLine[]>> {
  const orders = postings.flatMap(({ orderId }) => (orderId === null ? [] : [orderId]))
  const entries = await db.select().from(commissionEntry).where(inArray(commissionEntry.orderId, orders))
  return Map.groupBy(
    entries.map(({ cause, position, productId, baseCents: base, basisPoints: rate, amountCents: amount }) => ({
      ...{ cause, position, productId, base, rate, amount },
    })),
    ({ cause }) => commissionKey(cause),
  )
}
