import { after } from '#kernel/time.ts'
import type { Db } from '#server/db/db.ts'
import type { Needs } from '#server/shop.ts'
import { readBooks, type Reading } from './reading.ts'
import { findReading } from './store.ts'

type Watching = Reading & Needs<'config' | 'jobs'>

/** Somebody else may have looked meanwhile: another instance, or the job before this one. */
const isDue = async (db: Db, { clock, config }: Needs<'clock' | 'config'>): Promise<boolean> => {
  const last = (await findReading(db, 'stripe'))?.readAt
  return !last || last <= after(clock.now(), -config.sweepIntervalMs)
}

/** The job behind the watch: reads on in the providers' books. */
export async function watchBooks(shop: Watching): Promise<void> {
  if (await isDue(shop.db, shop)) await readBooks(shop)
}

/** Watches for as long as the shop lives, as often as the sweep runs. @returns a stop; what is under way is a job and ends with the jobs */
export function startWatch(shop: Watching): { stop(): void } {
  const timer = setInterval(() => {
    shop.db
      .transaction((tx) => shop.jobs.enqueue(tx, 'watch-books', {}))
      .catch((error: unknown) => shop.log.error({ err: error }, 'the watch over the books failed'))
  }, shop.config.sweepIntervalMs)
  return { stop: () => clearInterval(timer) }
}
