import { desc, eq, max, sql, type SQL } from 'drizzle-orm'
import { isoOfDay, type CalendarDay } from '#shared/calendar-day.ts'
import type { TimeZone } from '#shared/time-zone.ts'
import type { Db, Reader, Tx } from '#server/db/db.ts'
import type { Needs } from '#server/shop.ts'
import { ledgerDay, ledgerDaysSummed, ledgerEntry, ledgerPosting, ledgerSeal, sealedPosting } from './schema.ts'

// The ledger by day and account. Sums of sealed postings are stored; what was booked since is added when somebody looks, so that no
// figure is older than the ledger and no purchase waits for a sum.

/** Bounds how long a step takes, which matters when a shop's whole past is summed. */
const SEALS_A_STEP = 5
/** A posting commits within seconds after its time; of several instances each has its own clock. */
const LATE = sql`interval '1 hour'`

/** Adds the postings of new seals to the stored sums. Several instances at once add each seal once. */
export async function sumSealedDays({ db, config }: Needs<'db' | 'config'>): Promise<void> {
  const zone = config.reportTimeZone
  while (await db.transaction((tx) => sumNextSeals(tx, zone)));
}

/** @returns whether there may be more */
async function sumNextSeals(tx: Tx, zone: TimeZone): Promise<boolean> {
  await tx.insert(ledgerDaysSummed).values({ zone, seal: 0 }).onConflictDoNothing()
  const [summed] = await tx.select().from(ledgerDaysSummed).where(eq(ledgerDaysSummed.zone, zone)).for('update')
  const [last] = await tx.select({ seal: max(ledgerSeal.number) }).from(ledgerSeal)
  const from = summed?.seal ?? 0
  const until = Math.min(last?.seal ?? 0, from + SEALS_A_STEP)
  if (until <= from) return false
  // `offset 0` keeps PostgreSQL from reading the whole ledger for the rows of a step.
  await tx.execute(sql`
    insert into ${ledgerDay} (zone, day, account, amount_cents)
    select ${zone}, ${dayIn(zone)}, ${ledgerEntry.account}, sum(${ledgerEntry.amountCents})
    from ${sealedPosting}
      cross join lateral (select * from ${ledgerPosting} where id = ${sealedPosting.postingId} offset 0) ${ledgerPosting}
      join ${ledgerEntry} on ${ledgerEntry.postingId} = ${ledgerPosting.id}
    where ${sealedPosting.seal} > ${from} and ${sealedPosting.seal} <= ${until}
    group by 2, 3
    on conflict (zone, day, account) do update set amount_cents = ${ledgerDay.amountCents} + excluded.amount_cents`)
  await tx.update(ledgerDaysSummed).set({ seal: until }).where(eq(ledgerDaysSummed.zone, zone))
  return true
}

const dayIn = (zone: TimeZone): SQL => sql`(${ledgerPosting.bookedAt} at time zone ${zone})::date`

/** A query of the ledger as `day`, `account`, `amount_cents`, of which several rows may be of one day and account. */
export type LedgerByDay = (since?: CalendarDay) => SQL

/**
 * Reads the ledger by day in one snapshot: nothing is missed or counted twice while seals are made and summed.
 * @param read gets the query, from a day on or of all time
 */
export const readLedgerByDay = <Answer>(
  db: Db,
  zone: TimeZone,
  read: (tx: Reader, ledger: LedgerByDay) => Promise<Answer>,
): Promise<Answer> =>
  db.transaction(
    async (tx) => {
      // As values and not as part of the query: PostgreSQL plans for the few rows that they leave.
      const marks = await findMarks(tx, zone)
      return read(tx, (since) => ledgerByDay(zone, marks, since))
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )

type Marks = {
  /** The last seal that is summed. */
  seal: number
  /** The greatest id of a sealed posting. */
  newest: number
  lastSealAt: Date | null
}

async function findMarks(tx: Reader, zone: TimeZone): Promise<Marks> {
  const [summed] = await tx
    .select({ seal: ledgerDaysSummed.seal })
    .from(ledgerDaysSummed)
    .where(eq(ledgerDaysSummed.zone, zone))
  const [last] = await tx.select({ at: ledgerSeal.sealedAt }).from(ledgerSeal).orderBy(desc(ledgerSeal.number)).limit(1)
  const [sealed] = await tx.select({ newest: max(sealedPosting.postingId) }).from(sealedPosting)
  return { seal: summed?.seal ?? 0, newest: sealed?.newest ?? 0, lastSealAt: last?.at ?? null }
}

function ledgerByDay(zone: TimeZone, { seal, newest, lastSealAt }: Marks, since?: CalendarDay): SQL {
  const from = (column: SQL) => (since === undefined ? sql`true` : sql`${column} >= ${isoOfDay(since)}::date`)
  const { id, bookedAt } = ledgerPosting
  const isUnsealed = sql`not exists (select from ${sealedPosting} where ${sealedPosting.postingId} = ${id})`
  return sql`
    select ${ledgerDay.day}, ${ledgerDay.account}, ${ledgerDay.amountCents} from ${ledgerDay}
    where ${ledgerDay.zone} = ${zone} and ${from(sql`${ledgerDay.day}`)}
    union all
    select ${dayIn(zone)} as day, ${ledgerEntry.account}, ${ledgerEntry.amountCents}
    from (
      select ${sealedPosting.postingId} as id from ${sealedPosting} where ${sealedPosting.seal} > ${seal}
      union all select ${id} from ${ledgerPosting} where ${id} > ${newest}
      union all select ${id} from ${ledgerPosting}
        where ${bookedAt} > ${lastSealAt}::timestamptz - ${LATE} and ${id} < ${newest} and ${isUnsealed}
    ) added
      join ${ledgerPosting} on ${id} = added.id
      join ${ledgerEntry} on ${ledgerEntry.postingId} = ${id}
    where ${from(dayIn(zone))}`
}

/** What was earned on a day, as the owner counts it. */
export type DayResult = { day: string; net: string; profit: string }

/** Revenue, and revenue less expenses, by day; days without postings are missing. Positive: earned, in cents as text. */
export const listResultsByDay = (db: Db, zone: TimeZone, since: CalendarDay): Promise<DayResult[]> =>
  readLedgerByDay(db, zone, async (tx, ledger) => {
    const isOn = (kind: 'revenue' | 'expense') => sql`account like ${sql.raw(`'${kind}:%'`)}`
    const { rows } = await tx.execute<DayResult>(sql`
      select day::text as day, coalesce(-sum(amount_cents) filter (where ${isOn('revenue')}), 0)::text as net,
        (-sum(amount_cents))::text as profit
      from (${ledger(since)}) ledger
      where ${isOn('revenue')} or ${isOn('expense')} group by 1`)
    return rows
  })
