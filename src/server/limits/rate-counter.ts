import { createHash } from 'node:crypto'
import { lt, sql } from 'drizzle-orm'
import { autocommitWrite, type Database, type Tx } from '#server/db/db.ts'
import { rateCount } from './schema.ts'

/** A count in a time window, and when the window ends. */
export type RateCount = { count: number; untilMs: number }

type LocalCount = RateCount & {
  /** The part of `count` that the database has. */
  sharedCount: number
}

export type RateCounter = {
  /** Increments a count. A promise only when the database is needed. @param nowMs by the caller's clock */
  count(name: string, how: { max: number; windowMs: number; nowMs: number }): RateCount | Promise<RateCount>
  reset(name: string): Promise<void>
}

/** Names that one limit holds in memory. */
const LIMITED_MAX = 5000
/** Counts are shared from this fraction of the limit on. */
const SHARED_FROM = 1 / 8

/**
 * Counts what is limited, for all instances of the shop together. Each counts by itself until a name comes near its limit, so
 * that what shoppers do costs nothing; from then on the database has the count. An instance that never comes so far is not
 * heard of: a limit may be passed by an eighth of it for each instance more.
 * @param kind tells names of different things apart
 * @param namesMax the name that was first counted is forgotten first; those that the database has stay
 */
export function createRateCounter(
  kind: string,
  { db, embedded }: Pick<Database, 'db' | 'embedded'>,
  { namesMax, sharedFrom = SHARED_FROM }: { namesMax: number; sharedFrom?: number },
): RateCounter {
  const names = new Map<string, LocalCount>()

  function countHere(name: string, windowMs: number, nowMs: number): LocalCount {
    const known = names.get(name)
    if (known && known.untilMs > nowMs) {
      known.count += 1
      return known
    }
    names.delete(name)
    const [oldest] = names.keys()
    if (names.size >= namesMax && oldest !== undefined) names.delete(oldest)
    const fresh = { count: 1, untilMs: nowMs + windowMs, sharedCount: 0 }
    names.set(name, fresh)
    return fresh
  }

  return {
    count(name, { max, windowMs, nowMs }) {
      const here = countHere(name, windowMs, nowMs)
      // Alone, far away from the limit, or beyond it already: there is nothing to ask.
      if (embedded || here.count < max * sharedFrom || here.count - 1 > max)
        return { count: here.count, untilMs: here.untilMs }
      const more = here.count - here.sharedCount
      here.sharedCount = here.count
      return share(name, here, more, nowMs)
    },
    async reset(name) {
      const known = names.get(name)
      names.delete(name)
      if (known?.sharedCount)
        await autocommitWrite(db, (tx) => tx.delete(rateCount).where(sql`${rateCount.name} = ${hashOf(name)}`))
    },
  }

  async function share(name: string, here: LocalCount, more: number, nowMs: number): Promise<RateCount> {
    const all = await autocommitWrite(db, (tx) =>
      addToCount(tx, hashOf(name), more, new Date(here.untilMs), new Date(nowMs)),
    )
    here.untilMs = all.untilMs
    // Only upwards: answers may come in another order than they were asked for.
    here.count = Math.max(here.count, all.count)
    here.sharedCount = here.count
    return all
  }

  /** Hashed, so the database has no addresses, sessions or usernames. */
  function hashOf(name: string): string {
    return createHash('sha256').update(`${kind} ${name}`).digest('base64url')
  }
}

type StoreCallback = (error: Error | null, counted?: { current: number; ttl: number }) => void

/**
 * A store for the rate limit plugin. Each limit names its counter in `counterName`.
 * @returns a class, because the plugin makes it
 */
export const rateCounterStore = (database: Pick<Database, 'db' | 'embedded'>, now: () => number) =>
  class RateCounterStore {
    readonly #counter: RateCounter

    constructor(limit: { counterName?: string } | object) {
      const kind = 'counterName' in limit ? limit.counterName : ''
      this.#counter = createRateCounter(`rate ${kind}`, database, { namesMax: LIMITED_MAX })
    }

    incr(name: string, answer: StoreCallback, windowMs: number, max: number): void {
      const nowMs = now()
      const report = ({ count, untilMs }: RateCount) => answer(null, { current: count, ttl: untilMs - nowMs })
      const counted = this.#counter.count(name, { max, windowMs, nowMs })
      if (counted instanceof Promise) counted.then(report, (error: Error) => answer(error))
      else report(counted)
    }

    child(limit: object): RateCounterStore {
      return new RateCounterStore(limit)
    }
  }

async function addToCount(tx: Tx, name: string, more: number, until: Date, now: Date): Promise<RateCount> {
  const isOver = sql`${rateCount.until} <= ${now}::timestamptz`
  const [row] = await tx
    .insert(rateCount)
    .values({ name, count: more, until })
    .onConflictDoUpdate({
      target: rateCount.name,
      set: {
        count: sql`case when ${isOver} then excluded.count else ${rateCount.count} + excluded.count end`,
        until: sql`case when ${isOver} then excluded.until else ${rateCount.until} end`,
      },
    })
    .returning()
  if (!row) throw new Error('an upsert without a row')
  return { count: row.count, untilMs: row.until.getTime() }
}

export const deleteExpiredCounts = (tx: Tx, now: Date) => tx.delete(rateCount).where(lt(rateCount.until, now))
