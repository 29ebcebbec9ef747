import { and, asc, eq, inArray, lt, sql, sum } from 'drizzle-orm'
import { isBalanced, type Account, type Entry, type PostingKind } from '#domain/ledger/ledger.ts'
import { assert } from '#shared/assert.ts'
import { cents, type Cents } from '#shared/money.ts'
import type { OrderId, PaymentKey, UserId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { ledgerEntry, ledgerPosting } from '#server/ledger/schema.ts'

export type Posting = {
  kind: PostingKind
  /** Unique, such as `sale:stripe:pi_1`. */
  key: string
  orderId: OrderId | null
  paymentKey: PaymentKey | null
  /** The partner whose commission it books. */
  partnerId?: UserId
  bookedAt: Date
  entries: Entry[]
}

/** Books a posting; a key that was used before fails the transaction. */
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

export const hasPosted = async (tx: Reader, key: string): Promise<boolean> =>
  (await tx.$count(ledgerPosting, eq(ledgerPosting.key, key))) > 0

/** Counts repeated postings, which use the keys `name`, `name:2`, `name:3`: something booked again after it was reversed. */
export async function countRepeats(tx: Reader, name: string): Promise<number> {
  let count = 0
  while (await hasPosted(tx, nthKey(name, count + 1))) count += 1
  return count
}

/** The entries of the last repeated posting; empty before the first. */
export async function listLastEntries(tx: Reader, name: string): Promise<Entry[]> {
  const count = await countRepeats(tx, name)
  return tx
    .select({ account: ledgerEntry.account, amount: ledgerEntry.amountCents })
    .from(ledgerEntry)
    .innerJoin(ledgerPosting, eq(ledgerPosting.id, ledgerEntry.postingId))
    .where(eq(ledgerPosting.key, nthKey(name, count)))
}

export const nextRepeatKey = async (tx: Reader, name: string): Promise<string> =>
  nthKey(name, (await countRepeats(tx, name)) + 1)

const nthKey = (name: string, nth: number): string => (nth === 1 ? name : `${name}:${nth}`)

export const countPostings = (tx: Reader, orderId: OrderId, kinds: readonly PostingKind[]): Promise<number> =>
  tx.$count(ledgerPosting, and(eq(ledgerPosting.orderId, orderId), inArray(ledgerPosting.kind, [...kinds])))

/** Balances by account, which sum to zero. @param before counts only earlier postings */
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

/** An order's postings, oldest first, one row for each entry. */
export const listEntriesOfOrder = (db: Reader, orderId: OrderId) =>
  db
    .select({ posting: ledgerPosting, entry: ledgerEntry })
    .from(ledgerPosting)
    .innerJoin(ledgerEntry, eq(ledgerEntry.postingId, ledgerPosting.id))
    .where(eq(ledgerPosting.orderId, orderId))
    .orderBy(asc(ledgerPosting.id), asc(ledgerEntry.account))
