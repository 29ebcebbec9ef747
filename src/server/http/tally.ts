import { createHash } from 'node:crypto'
import { lt, sql } from 'drizzle-orm'
import { writeAlone, type Database, type Tx } from '#server/db/db.ts'
import { tally } from '#server/db/schema.ts'

/** How often something was done in its window of time, and when that ends. */
export type Counted = { count: number; untilMs: number }

type Kept = Counted & {
  /** Of `count`, what the other instances were told. */
  told: number
}

export type Tally = {
  /** Counts one more. A promise only where the other instances have to be asked. @param nowMs by the clock of whoever counts */
  count(name: string, how: { max: number; windowMs: number; nowMs: number }): Counted | Promise<Counted>
  forget(name: string): Promise<void>
}

/** Addresses, or sessions, that one limit remembers. */
const LIMITED_MAX = 5000
/** Of a limit; what is further away from it than this is nobody else's business. */
const TOLD_FROM = 1 / 8

/**
 * Counts what is limited, for all instances of the shop together. Each counts by itself until a name comes near its limit, so
 * that what shoppers do costs nothing; from then on the database has the count. An instance that never comes so far is not
 * heard of: a limit may be passed by an eighth of it for each instance more.
 * @param kind tells names of different things apart
 * @param namesMax the name that was first counted is forgotten first; those that the database has stay
 */
export function createTally(
  kind: string,
  { db, embedded }: Pick<Database, 'db' | 'embedded'>,
  { namesMax, toldFrom = TOLD_FROM }: { namesMax: number; toldFrom?: number },
): Tally {
  const names = new Map<string, Kept>()

  function countHere(name: string, windowMs: number, nowMs: number): Kept {
    const known = names.get(name)
    if (known && known.untilMs > nowMs) {
      known.count += 1
      return known
    }
    names.delete(name)
    const [oldest] = names.keys()
    if (names.size >= namesMax && oldest !== undefined) names.delete(oldest)
    const fresh = { count: 1, untilMs: nowMs + windowMs, told: 0 }
    names.set(name, fresh)
    return fresh
  }

  return {
    count(name, { max, windowMs, nowMs }) {
      const here = countHere(name, windowMs, nowMs)
      // Alone, far away from the limit, or beyond it already: there is nothing to ask.
      if (embedded || here.count < max * toldFrom || here.count - 1 > max)
        return { count: here.count, untilMs: here.untilMs }
      const more = here.count - here.told
      here.told = here.count
      return tell(name, here, more, nowMs)
    },
    async forget(name) {
      const known = names.get(name)
      names.delete(name)
      if (known?.told) await writeAlone(db, (tx) => tx.delete(tally).where(sql`${tally.name} = ${hashOf(name)}`))
    },
  }

  async function tell(name: string, here: Kept, more: number, nowMs: number): Promise<Counted> {
    const all = await writeAlone(db, (tx) => add(tx, hashOf(name), more, new Date(here.untilMs), new Date(nowMs)))
    here.untilMs = all.untilMs
    // Only upwards: answers may come in another order than they were asked for.
    here.count = Math.max(here.count, all.count)
    here.told = here.count
    return all
  }

  /** Addresses, sessions and usernames are nobody's to read here. */
  function hashOf(name: string): string {
    return createHash('sha256').update(`${kind} ${name}`).digest('base64url')
  }
}

type Answered = (error: Error | null, counted?: { current: number; ttl: number }) => void

/**
 * The same as a store of the plugin that limits rates. Each limit says by `tally` what it counts.
 * @returns a class, because the plugin makes it
 */
export const tallyStoreFor = (database: Pick<Database, 'db' | 'embedded'>, now: () => number = Date.now) =>
  class TallyStore {
    readonly #tally: Tally

    constructor(limit: { tally?: string } | object) {
      const kind = 'tally' in limit ? limit.tally : ''
      this.#tally = createTally(`rate ${kind}`, database, { namesMax: LIMITED_MAX })
    }

    incr(name: string, answer: Answered, windowMs: number, max: number): void {
      const nowMs = now()
      const told = ({ count, untilMs }: Counted) => answer(null, { current: count, ttl: untilMs - nowMs })
      const counted = this.#tally.count(name, { max, windowMs, nowMs })
      if (counted instanceof Promise) counted.then(told, (error: Error) => answer(error))
      else told(counted)
    }

    child(limit: object): TallyStore {
      return new TallyStore(limit)
    }
  }

async function add(tx: Tx, name: string, more: number, until: Date, now: Date): Promise<Counted> {
  const isOver = sql`${tally.until} <= ${now}::timestamptz`
  const [row] = await tx
    .insert(tally)
    .values({ name, count: more, until })
    .onConflictDoUpdate({
      target: tally.name,
      set: {
        count: sql`case when ${isOver} then excluded.count else ${tally.count} + excluded.count end`,
        until: sql`case when ${isOver} then excluded.until else ${tally.until} end`,
      },
    })
    .returning()
  if (!row) throw new Error('an upsert without a row')
  return { count: row.count, untilMs: row.until.getTime() }
}

/** Forgets what is over. */
export const forgetTallies = (tx: Tx, now: Date) => tx.delete(tally).where(lt(tally.until, now))
