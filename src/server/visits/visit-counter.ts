import { gte, lt, sql, sum } from 'drizzle-orm'
import type { Device, Source, VisitStep } from '#domain/visits/visits.ts'
import { isoOfDay } from '#shared/calendar-day.ts'
import { dateOf, MINUTE_MS, type Clock } from '#shared/time.ts'
import { dayIn } from '#shared/time-zone.ts'
import { autocommitWrite, type Db, type Reader, type Tx } from '#server/db/db.ts'
import type { Log } from '#server/log/log.ts'
import { visitCount, visitMinute } from './schema.ts'

/** Different counts in memory between two flushes; what is new beyond them is not counted. */
const COUNTS_MAX = 5000
/** Rows of a day. Made-up numbers of products fill it and nothing else. */
const ROWS_A_DAY = 10_000
/** Addresses told apart between two flushes, and how many reports each may send in that time. */
const NETWORKS_MAX = 20_000
const REPORTS_PER_NETWORK = 300

export type Counted = { step: VisitStep; device: Device; source?: Source; about?: number }

export type VisitCounter = ReturnType<typeof createVisitCounter>

/**
 * Adds up what happens in memory, so that browsing costs no statement, and adds it to the day's rows when flushed. A process that is
 * killed loses what was not flushed. Counts have no address, session or time of day.
 * @param zone of the days
 */
export function createVisitCounter({ db, clock, log }: { db: Db; clock: Clock; log: Log }, zone: string) {
  let counts = new Map<string, number>()
  let reports = new Map<string, number>()

  const add = (key: string, count: number) => {
    const known = counts.get(key)
    if (known !== undefined || counts.size < COUNTS_MAX) counts.set(key, (known ?? 0) + count)
  }

  return {
    count({ step, device, source, about = 0 }: Counted): void {
      const day = isoOfDay(dayIn(zone, clock.now().getTime()))
      add(`${day}|${step}|${device}|${source ?? ''}|${about}`, 1)
    },

    /** Whether a network may send another report. Networks are forgotten with each flush. */
    admits(network: string): boolean {
      const sent = (reports.get(network) ?? 0) + 1
      if (sent === 1 && reports.size >= NETWORKS_MAX) return false
      reports.set(network, sent)
      return sent <= REPORTS_PER_NETWORK
    },

    /** Writes what was counted. If that fails, it stays for the next time. */
    async flush(): Promise<void> {
      reports = new Map()
      if (counts.size === 0) return
      const taken = counts
      counts = new Map()
      // In the order of keys: two instances that write the same rows must not wait for each other.
      const rows = [...taken].sort(([a], [b]) => (a < b ? -1 : 1))
      await autocommitWrite(db, (tx) => addToDays(tx, rows)).catch((error: unknown) => {
        log.warn({ err: error }, 'Visits could not be stored; trying again.')
        for (const [key, count] of rows) add(key, count)
      })
      const begun = rows.reduce((sum, [key, count]) => sum + (key.split('|', 2)[1] === 'visit' ? count : 0), 0)
      if (begun > 0)
        await autocommitWrite(db, (tx) => addToMinute(tx, clock.now(), begun)).catch((error: unknown) =>
          log.warn({ err: error }, 'The visits of a minute could not be stored.'),
        )
    },
  }
}

const addToDays = (tx: Tx, rows: readonly (readonly [key: string, count: number])[]) =>
  tx.execute(sql`
    with counted as (
      select split_part(key, '|', 1)::date as day, split_part(key, '|', 2) as step, split_part(key, '|', 3) as device,
        split_part(key, '|', 4) as source, split_part(key, '|', 5)::bigint as about, count
      from unnest(${sql.param(rows.map(([key]) => key))}::text[], ${sql.param(rows.map(([, count]) => count))}::int[])
        with ordinality as c(key, count, place) order by place),
    days as (
      select v.day, count(*) as rows from visit_count v where v.day in (select day from counted) group by v.day)
    insert into visit_count as stored (day, step, device, source, about, count)
    select c.* from counted c left join days d on d.day = c.day
    where c.about = 0 or coalesce(d.rows, 0) < ${ROWS_A_DAY}
      or exists (select from visit_count v where (v.day, v.step, v.device, v.source, v.about) = (c.day, c.step, c.device, c.source, c.about))
    on conflict (day, step, device, source, about) do update set count = stored.count + excluded.count`)

const addToMinute = (tx: Tx, now: Date, visits: number) =>
  tx
    .insert(visitMinute)
    .values({ minute: dateOf(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS), visits })
    .onConflictDoUpdate({ target: visitMinute.minute, set: { visits: sql`${visitMinute.visits} + ${visits}` } })

/** Visits that began since about then, as far as they were flushed. */
export async function countVisitsSince(db: Reader, since: Date): Promise<number> {
  const [row] = await db
    .select({ visits: sum(visitMinute.visits).mapWith(Number) })
    .from(visitMinute)
    .where(gte(visitMinute.minute, since))
  return row?.visits ?? 0
}

export const deleteVisits = async (tx: Tx, before: Date): Promise<void> => {
  await tx.delete(visitCount).where(lt(visitCount.day, before.toISOString().slice(0, 10)))
  await tx.delete(visitMinute).where(lt(visitMinute.minute, before))
}
