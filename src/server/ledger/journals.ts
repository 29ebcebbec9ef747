import { and, asc, gte, lt, sql } from 'drizzle-orm'
import type { MonthSpan } from '#domain/ledger/closing.ts'
import type { Journal } from '#domain/ledger/journals.ts'
import type { Account, Entry, PostingKind } from '#domain/ledger/ledger.ts'
import { assert } from '#shared/assert.ts'
import { dayFromIso } from '#shared/calendar-day.ts'
import { cents } from '#shared/money.ts'
import type { TimeZone } from '#shared/time-zone.ts'
import type { Reader } from '#server/db/db.ts'
import { ledgerEntry, ledgerPosting } from './schema.ts'

/** A month's postings summed by day, kind and account, earliest first: some thousand rows however many orders there were. */
export async function listJournals(db: Reader, { from, until }: MonthSpan, zone: TimeZone): Promise<Journal[]> {
  const { kind, bookedAt } = ledgerPosting
  const total = sql`sum(${ledgerEntry.amountCents})`
  const rows = await db
    .select({
      // By number: the zone is a parameter, so the expression is not the same text twice.
      day: sql<string>`(${bookedAt} at time zone ${zone})::date::text`,
      kind: sql<PostingKind>`${kind} collate "C"`,
      account: sql<Account>`${ledgerEntry.account} collate "C"`,
      amount: total.mapWith(Number),
    })
    .from(ledgerPosting)
    .innerJoin(ledgerEntry, sql`${ledgerEntry.postingId} = ${ledgerPosting.id}`)
    .where(and(gte(bookedAt, from), lt(bookedAt, until)))
    .groupBy(sql`1, 2, 3`)
    .having(sql`${total} <> 0`)
    .orderBy(asc(sql`1`), asc(sql`2`), asc(sql`3`))
  return [...Map.groupBy(rows, (row) => `${row.day} ${row.kind}`).values()].flatMap((lines) => {
    const [first] = lines
    const day = first && dayFromIso(first.day)
    assert(first && day !== undefined, 'a group has a row with a day')
    const entries = lines.map(({ account, amount }): Entry => ({ account, amount: cents(amount) }))
    return [{ day, kind: first.kind, lines: entries }]
  })
}
