import { and, asc, eq, inArray, lt, sql, sum } from 'drizzle-orm'
import { isBalanced, type Account, type Entry, type PostingKind } from '#domain/ledger/ledger.ts'
import { assert } from '#shared/assert.ts'
import { cents, type Cents } from '#shared/money.ts'
import type { OrderId, PaymentKey, UserId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { ledgerEntry, ledgerPosting } from '#server/db/schema.ts'

export type Posting = {
  kind: PostingKind
  /** What it books, such as `sale:stripe:pi_1`. */
  key: string
  orderId: OrderId | null
  paymentKey: PaymentKey | null
  /** Whose commission it is. */
  partnerId?: UserId
  bookedAt: Date
  entries: Entry[]
}

/** Books a posting in the caller's transaction; the same key a second time fails the transaction. */
export async function post(tx: Tx, { entries, ...posting }: Posting): Promise<void> {
  assert(isBalanced(entries), `the entries of ${posting.key} do not sum to zero`)
  const { kind, key, orderId, paymentKey, partnerId = null, bookedAt } = posting
  const accounts = sql.param(entries.map(({ account }) => account))
  const amounts = sql.param(entries.map(({ amount }) => amount))
  await tx.execute(sql`
    with booked as (
      insert into ledger_posting (kind, key, order_id, payment_key, partner_id, booked_at)
      values (${kind}, ${key}, ${orderId}, ${paymentKey}, ${partnerId}, ${bookedAt}::timestamptz) returning id)
    insert into ledger_entry (posting_id, account, amount_cents)
    select booked.id, e.account, e.amount from booked, unnest(${accounts}::text[], ${amounts}::bigint[]) as e(account, amount)`)
}

/** Whether something is booked already. */
export const hasPosted = async (tx: Reader, key: string): Promise<boolean> =>
  (await tx.$count(ledgerPosting, eq(ledgerPosting.key, key))) > 0

/** How often something is booked that may be booked again after it was taken back: under its name, `name:2`, `name:3`. */
export async function countUnder(tx: Reader, name: string): Promise<number> {
  let count = 0
  while (await hasPosted(tx, nthKey(name, count + 1))) count += 1
  return count
}

/** What was booked under a name last; nothing where nothing was. */
export async function listLastEntries(tx: Reader, name: string): Promise<Entry[]> {
  const count = await countUnder(tx, name)
  return tx
    .select({ account: ledgerEntry.account, amount: ledgerEntry.amountCents })
    .from(ledgerEntry)
    .innerJoin(ledgerPosting, eq(ledgerPosting.id, ledgerEntry.postingId))
    .where(eq(ledgerPosting.key, nthKey(name, count)))
}

/** The key under which that is booked next. */
export const freeKey = async (tx: Reader, name: string): Promise<string> =>
  nthKey(name, (await countUnder(tx, name)) + 1)

const nthKey = (name: string, nth: number): string => (nth === 1 ? name : `${name}:${nth}`)

/** How often something of these kinds was booked of an order. */
export const countPostings = (tx: Reader, orderId: OrderId, kinds: readonly PostingKind[]): Promise<number> =>
  tx.$count(ledgerPosting, and(eq(ledgerPosting.orderId, orderId), inArray(ledgerPosting.kind, [...kinds])))

/** What stands on each account; all of them sum to zero. @param before a moment before which it was booked; everything when left out */
export async function listBalances(db: Reader, before?: Date): Promise<{ account: Account; cents: Cents }[]> {
  const rows = await db
    .select({ account: ledgerEntry.account, total: sum(ledgerEntry.amountCents).mapWith(Number) })
    .from(ledgerEntry)
    .innerJoin(ledgerPosting, eq(ledgerPosting.id, ledgerEntry.postingId))
    .where(before && lt(ledgerPosting.bookedAt, before))
    .groupBy(ledgerEntry.account)
    .orderBy(asc(ledgerEntry.account))
  return rows.map(({ account, total }) => ({ account, cents: cents(total) }))
}
