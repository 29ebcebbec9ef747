import { desc, eq, gte, lt, max, sql, sum } from 'drizzle-orm'
import { DISMISSED_UNTIL_SEARCHES, missedWords } from '#domain/catalog/search-miss.ts'
import { defaultSpellings } from '#domain/catalog/synonyms.ts'
import { isoOfDay } from '#shared/calendar-day.ts'
import { after, DAY_MS } from '#shared/time.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import { autocommitWrite, type Db, type Reader, type Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { findSetting, lockSetting, saveSetting } from '#server/settings/settings.ts'
import type { Needs } from '#server/shop.ts'
import { clearListingCache } from './listing-cache.ts'
import { searchMiss } from './schema.ts'

/** A trigger tells all instances of its changes. */
const SPELLINGS_SETTING = 'search_spellings'

type Spellings = readonly (readonly string[])[]

/** Groups of words that are the same word: the owner's, or the default. */
export async function readSpellings(db: Reader): Promise<Spellings> {
  const saved = await findSetting(db, SPELLINGS_SETTING)
  return saved === undefined ? defaultSpellings : (JSON.parse(saved) as string[][])
}

/**
 * @param expected what the change was based on
 * @throws Refusal `setting_changed` when somebody else saved since
 */
export async function saveSpellings(
  { db, clock }: Needs<'db' | 'clock'>,
  spellings: Spellings,
  by: Actor,
  expected: Spellings,
): Promise<void> {
  await db.transaction(async (tx) => {
    const stored = JSON.parse(await lockSetting(tx, SPELLINGS_SETTING, JSON.stringify(defaultSpellings))) as Spellings
    if (JSON.stringify(stored) !== JSON.stringify(expected))
      throw new Refusal('setting_changed', { changes: 'somebody changed the spellings' })
    await saveSetting(tx, SPELLINGS_SETTING, JSON.stringify(spellings))
    await recordAction(tx, {
      by,
      what: 'changed',
      about: { kind: 'search', id: 'spellings' },
      before: { groups: textOf(stored) },
      after: { groups: textOf(spellings) },
      at: clock.now(),
    })
  })
  clearListingCache(db)
}

const textOf = (spellings: Spellings): string => spellings.map((words) => words.join(', ')).join('; ')

/** No robot fills the table: beyond these, a day's other searches are not noted. */
const MISSES_A_DAY = 500

const dayOf = (moment: Date): string => isoOfDay(Math.floor(moment.getTime() / DAY_MS))

/** Counts a search that found nothing. A failure is logged: the shopper gets her answer. */
export async function countMiss({ db, clock, log }: Needs<'db' | 'clock' | 'log'>, query: string): Promise<void> {
  const words = missedWords(query)
  if (words === undefined) return
  const day = dayOf(clock.now())
  await autocommitWrite(db, (tx) =>
    tx.execute(sql`
      insert into search_miss as m (day, words, count)
      select ${day}::date, ${words}::text, 1
      where (select count(*) from search_miss where day = ${day}::date) < ${MISSES_A_DAY}
        or exists (select from search_miss where day = ${day}::date and words = ${words})
      on conflict (day, words) do update set count = m.count + 1`),
  ).catch((error: unknown) => log.warn({ err: error }, 'a search without results could not be counted'))
}

const LISTED_DAYS = 30
const MISSES_LISTED = 100

/** The last 30 days, most frequent first. What was dismissed is back after `DISMISSED_UNTIL_SEARCHES` more searches. */
export async function listMisses(db: Reader, now: Date): Promise<{ words: string; count: number; lastDay: string }[]> {
  const rows = await db
    .select({ words: searchMiss.words, count: sum(searchMiss.count).mapWith(Number), lastDay: max(searchMiss.day) })
    .from(searchMiss)
    .where(gte(searchMiss.day, dayOf(after(now, -LISTED_DAYS * DAY_MS))))
    .groupBy(searchMiss.words)
    .having(
      sql`sum(${searchMiss.dismissed}) = 0 or sum(${searchMiss.count} - ${searchMiss.dismissed}) >= ${DISMISSED_UNTIL_SEARCHES}`,
    )
    .orderBy(desc(sum(searchMiss.count)), searchMiss.words)
    .limit(MISSES_LISTED)
  return rows.map(({ lastDay, ...row }) => ({ ...row, lastDay: lastDay ?? '' }))
}

export const deleteMisses = async (tx: Tx, before: Date): Promise<void> => {
  await tx.delete(searchMiss).where(lt(searchMiss.day, dayOf(before)))
}

/** Not in the audit log: it would keep longer what may be a name. */
export const dismissMiss = async (db: Db, words: string): Promise<void> => {
  await autocommitWrite(db, (tx) =>
    tx.update(searchMiss).set({ dismissed: searchMiss.count }).where(eq(searchMiss.words, words)),
  )
}

/** Words that a product type is found by from now on. */
export const forgetMisses = async (tx: Tx, words: readonly string[]): Promise<void> => {
  await tx.delete(searchMiss).where(sql`replace(${searchMiss.words}, '-', ' ') = any(${sql.param([...words])}::text[])`)
}
