import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { ExceptionKind } from '#domain/reconciliation/exceptions.ts'
import type { OrderId } from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'
import type { Tx } from '#server/db/db.ts'
import { shopException } from '#server/reconciliation/schema.ts'

/** A problem found by a check or by comparing books. */
export type FoundException = {
  kind: ExceptionKind
  /** Unique per kind while open, such as `order:12`. */
  about: string
  orderId: OrderId | null
  amount: Cents
  /** A sentence for the owner. */
  cause: string
  deadlineAt?: Date | null
  /** Both amounts, for a difference between books. */
  facts?: Record<string, string | number | null>
}

export type StoredException = typeof shopException.$inferSelect

/**
 * Updates the exceptions within a scope to exactly what was found: opens new ones and resolves those no longer found.
 * @param scope the kinds that were checked; without `abouts`, everything of these kinds was checked
 */
export async function saveExceptions(
  tx: Tx,
  scope: { kinds: readonly ExceptionKind[]; abouts?: readonly string[] },
  found: readonly FoundException[],
  now: Date,
): Promise<void> {
  if (!scope.kinds.length || scope.abouts?.length === 0) return
  const open = await tx
    .select()
    .from(shopException)
    .where(
      and(
        isNull(shopException.resolvedAt),
        inArray(shopException.kind, [...scope.kinds]),
        scope.abouts && inArray(shopException.about, [...scope.abouts]),
      ),
    )
  const nameOf = ({ kind, about }: { kind: string; about: string }) => `${kind} ${about}`
  const openByName = new Map(open.map((row) => [nameOf(row), row]))
  const fresh = found.filter((exception) => !openByName.has(nameOf(exception)))
  if (fresh.length > 0)
    await tx
      .insert(shopException)
      .values(
        fresh.map((exception) => ({
          ...rowOf(exception),
          kind: exception.kind,
          about: exception.about,
          openedAt: now,
        })),
      )
      // Another instance may have found the same.
      .onConflictDoNothing({
        target: [shopException.kind, shopException.about],
        where: isNull(shopException.resolvedAt),
      })

  const stillThere = new Set(found.map(nameOf))
  const resolved = open.filter((row) => !stillThere.has(nameOf(row))).map(({ id }) => id)
  if (resolved.length > 0)
    await tx.update(shopException).set({ resolvedAt: now }).where(inArray(shopException.id, resolved))

  for (const exception of found) {
    const row = openByName.get(nameOf(exception))
    if (row && !isSame(row, exception))
      await tx.update(shopException).set(rowOf(exception)).where(eq(shopException.id, row.id))
  }
}

const isSame = (row: StoredException, { amount, cause, deadlineAt }: FoundException): boolean =>
  row.amountCents === amount &&
  row.cause === cause &&
  row.deadlineAt?.getTime() === (deadlineAt ?? undefined)?.getTime()

const rowOf = ({ orderId, amount, cause, deadlineAt = null, facts }: FoundException) => ({
  orderId,
  amountCents: amount,
  cause,
  deadlineAt,
  ...(facts && { facts }),
})

/** Locks it until the transaction ends, so a second click finds it resolved. */
export async function lockOpenException(tx: Tx, id: number): Promise<StoredException | undefined> {
  const [row] = await tx
    .select()
    .from(shopException)
    .where(and(eq(shopException.id, id), isNull(shopException.resolvedAt)))
    .for('update')
  return row
}
