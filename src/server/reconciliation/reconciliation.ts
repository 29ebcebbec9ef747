import { label } from '#site/label.ts'
import { after, DAY_MS, HOUR_MS } from '#shared/time.ts'
import type { Needs } from '#server/shop.ts'
import { compareBooks } from './compare.ts'
import { readBooks, type BookReaderNeeds } from './book-reader.ts'
import { beginRun, deleteWatches, endRun, findLastRun, type Run, type Trigger } from './store.ts'
import { mailNewExceptions } from './digest.ts'
import { graceOf, checkForExceptions } from './exception-checks.ts'

export type ReconciliationNeeds = BookReaderNeeds & Needs<'config' | 'jobs'>

/**
 * What moved in so many days is compared. The look every few minutes sees what is new; the night's comparison reaches back over all
 * that refunds, disputes and late fees change; the owner may ask for more.
 */
const REACH_MS: Readonly<Record<Trigger, number>> = { watch: 3 * DAY_MS, schedule: 45 * DAY_MS, owner: 45 * DAY_MS }
/** How far back books are read anew, because a provider may add to its past. */
const OVERLAP_MS: Readonly<Record<Trigger, number | undefined>> = {
  watch: undefined,
  schedule: 7 * DAY_MS,
  owner: 7 * DAY_MS,
}
const NIGHTLY_MS = DAY_MS - HOUR_MS
const WATCH_RETENTION_MS = DAY_MS

/**
 * Reads on in the books of provider and print partner, compares them with ours, and brings the list of what is wrong up to
 * date. One that is cut off leaves what it has noted; the next one goes on.
 * @param since what moved since is compared; the usual reach when it is missing
 */
export async function reconcile(shop: ReconciliationNeeds, trigger: Trigger, since?: Date): Promise<Run> {
  const { db, clock } = shop
  const now = clock.now()
  const begun = { trigger, since: since ?? after(now, -REACH_MS[trigger]), startedAt: now }
  const id = await db.transaction((tx) => beginRun(tx, begun))
  await readBooks(shop, since ? now.getTime() - since.getTime() : OVERLAP_MS[trigger])
  const compared = await compareBooks(shop, begun.since, graceOf(shop))
  await checkForExceptions(shop, graceOf(shop))
  await mailNewExceptions(shop)
  return db.transaction(async (tx) => {
    await deleteWatches(tx, after(now, -WATCH_RETENTION_MS))
    return endRun(tx, id, { ...compared, finishedAt: clock.now() })
  })
}

/** What is due now: the night's comparison once a day, otherwise the look at what is new. */
export async function dueTrigger({
  db,
  clock,
  config,
}: Needs<'db' | 'clock' | 'config'>): Promise<Trigger | undefined> {
  const now = clock.now()
  const last = await findLastRun(db)
  const nightly = await findLastRun(db, 'schedule')
  if (last && last.startedAt > after(now, -config.sweepIntervalMs)) return undefined
  return !nightly || (nightly.startedAt <= after(now, -NIGHTLY_MS) && isNight(now)) ? 'schedule' : 'watch'
}

const NIGHT = { from: 3, to: 6 } as const
const newYorkHour = new Intl.DateTimeFormat('en-US', {
  timeZone: label.timeZone,
  hour: 'numeric',
  hourCycle: 'h23',
})

/** When few people buy, where the shop's days begin. */
function isNight(moment: Date): boolean {
  const hour = Number(newYorkHour.format(moment))
  return hour >= NIGHT.from && hour < NIGHT.to
}
