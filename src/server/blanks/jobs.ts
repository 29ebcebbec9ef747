import type { Db } from '#server/db/db.ts'
import { ProviderRefusal } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import { after, HOUR_MS } from '#shared/time.ts'
import { findListReadAt, FRESH_MS, readBlank, readBlankList } from './blanks.ts'
import { listStale } from './store.ts'

const CHECK_EVERY_MS = HOUR_MS
/** Each takes three to five calls of the printer's 120 a minute; shoppers' quotes need the others. */
const BLANKS_A_RUN = 100

export const readBlanksLater = ({ db, jobs }: { db: Db } & Needs<'jobs'>): Promise<void> =>
  db.transaction((tx) => jobs.enqueue(tx, 'read-blanks', {}))

/** The job: the printer's list, then again every blank that the owner opened once. @throws ProviderUnavailable to make the job retry */
export async function readBlanks(shop: Needs<'db' | 'clock' | 'printful'>): Promise<void> {
  await readBlankList(shop)
  for (const id of await listStale(shop.db, after(shop.clock.now(), -FRESH_MS / 2), BLANKS_A_RUN)) {
    await readBlank(shop, id).catch((error: unknown) => {
      // Gone between the list and now: the next list says so.
      if (!(error instanceof ProviderRefusal)) throw error
    })
  }
}

async function isDue({ db, clock }: Needs<'db' | 'clock'>): Promise<boolean> {
  const last = await findListReadAt(db)
  return last !== undefined && new Date(last) <= after(clock.now(), -FRESH_MS)
}

/** Checks hourly whether the copy is a day old. A shop whose owner never looked at blanks reads none. */
export function startBlankSchedule(shop: Needs<'db' | 'clock' | 'jobs' | 'log'>): { stop(): void } {
  const timer = setInterval(() => {
    void (async () => {
      if (await isDue(shop)) await readBlanksLater(shop)
    })().catch((error: unknown) => shop.log.error({ err: error }, 'could not queue the printer’s catalog'))
  }, CHECK_EVERY_MS)
  return { stop: () => clearInterval(timer) }
}
