import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { ExceptionKind } from '#domain/reconciliation/exceptions.ts'
import type { OrderId } from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'
import type { Tx } from '#server/db/db.ts'
import { shopException } from '#server/db/schema.ts'

/** Something that is wrong, as a look at the shop or a comparison of books has found it. */
export type FoundException = {
  kind: ExceptionKind
  /** Of one kind about one thing there is one. */
  about: string
  orderId: OrderId | null
  amount: Cents
  /** In a sentence, for the owner. */
  cause: string
  deadlineAt?: Date | null
  /** What stands where, where books differ. */
  facts?: Record<string, string | number | null>
}

export type StoredException = typeof shopException.$inferSelect

/**
 * Makes the list say what was found, no more and no less, among what was looked at: what is new is opened, what is no
 * longer found has healed.
 * @param scope kinds, and of which things; `abouts` is missing where all things of these kinds were looked at
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
  const fresh = found.filter((one) => !openByName.has(nameOf(one)))
  if (fresh.length > 0)
    await tx
      .insert(shopException)
      .values(fresh.map((one) => ({ ...rowOf(one), kind: one.kind, about: one.about, openedAt: now })))
      // Another instance may have seen the same a moment ago.
      .onConflictDoNothing({
        target: [shopException.kind, shopException.about],
        where: isNull(shopException.resolvedAt),
      })

  const stillThere = new Set(found.map(nameOf))
  const healed = open.filter((row) => !stillThere.has(nameOf(row))).map(({ id }) => id)
  if (healed.length > 0)
    await tx.update(shopException).set({ resolvedAt: now }).where(inArray(shopException.id, healed))

  for (const one of found) {
    const row = openByName.get(nameOf(one))
    if (row && !isSame(row, one)) await tx.update(shopException).set(rowOf(one)).where(eq(shopException.id, row.id))
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

/** Holds it until the transaction ends: who presses twice waits, and finds it healed. */
export async function lockOpenException(tx: Tx, id: number): Promise<StoredException | undefined> {
  const [row] = await tx
    .select()
    .from(shopException)
    .where(and(eq(shopException.id, id), isNull(shopException.resolvedAt)))
    .for('update')
  return row
}
