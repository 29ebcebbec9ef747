import { label } from '#site/label.ts'
import { after, DAY_MS, HOUR_MS } from '#shared/time.ts'
import type { Needs } from '#server/shop.ts'
import { compareBooks } from './compare.ts'
import { readBooks, type BookReaderNeeds } from './book-reader.ts'
import { beginRun, deleteWatches, endRun, findLastRun, type Run, type Trigger } from './store.ts'
import { mailNewExceptions } from './digest.ts'
import { gracePeriodOf, checkForExceptions } from './exception-checks.ts'

export type ReconciliationNeeds = BookReaderNeeds & Needs<'config' | 'jobs'>

/**
 * How far back each run compares. The frequent check covers recent movements, the nightly one also late refunds, disputes and fees; the
 * owner can request more.
 */
const REACH_MS: Readonly<Record<Trigger, number>> = { watch: 3 * DAY_MS, schedule: 45 * DAY_MS, owner: 45 * DAY_MS }
/** How far back books are read again, because providers can add past lines. */
const OVERLAP_MS: Readonly<Record<Trigger, number | undefined>> = {
  watch: undefined,
  schedule: 7 * DAY_MS,
  owner: 7 * DAY_MS,
}
const NIGHTLY_MS = DAY_MS - HOUR_MS
const WATCH_RETENTION_MS = DAY_MS

/**
 * Reads the books of the payment providers and the printer, compares them with ours, and updates the exceptions. An interrupted run
 * keeps what it saved, and the next one continues.
 * @param since how far back to compare; per trigger by default
 */
export async function reconcile(shop: ReconciliationNeeds, trigger: Trigger, since?: Date): Promise<Run> {
  const { db, clock } = shop
  const now = clock.now()
  const run = { trigger, since: since ?? after(now, -REACH_MS[trigger]), startedAt: now }
  const id = await db.transaction((tx) => beginRun(tx, run))
  await readBooks(shop, since ? now.getTime() - since.getTime() : OVERLAP_MS[trigger])
  const compared = await compareBooks(shop, run.since, gracePeriodOf(shop))
  await updateExceptions(shop)
  return db.transaction(async (tx) => {
    await deleteWatches(tx, after(now, -WATCH_RETENTION_MS))
    return endRun(tx, id, { ...compared, finishedAt: clock.now() })
  })
}

/** Opens and closes exceptions by the shop's own data, and emails the owner about new ones. */
export async function updateExceptions(shop: Needs<'db' | 'clock' | 'jobs' | 'config'>): Promise<void> {
  await checkForExceptions(shop, gracePeriodOf(shop))
  await mailNewExceptions(shop)
}

/** The run that is due now: the nightly one once a day, otherwise the frequent check. */
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

/** A quiet time in the shop's time zone. */
function isNight(moment: Date): boolean {
  const hour = Number(newYorkHour.format(moment))
  return hour >= NIGHT.from && hour < NIGHT.to
}
