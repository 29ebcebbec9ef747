import { RETENTION } from '#site/policies.ts'
import { after, DAY_MS, HOUR_MS } from '#shared/time.ts'
import type { Needs } from '#server/shop.ts'
import { erasePerson } from './privacy.ts'
import {
  deleteClicks,
  deleteSettledLetters,
  eraseMailsBefore,
  eraseOrders,
  eraseVersions,
  findSetting,
  listErasures,
  listOldVersions,
  listOrdersBefore,
  saveSetting,
} from './store.ts'

type RetentionNeeds = Needs<'db' | 'clock' | 'log'>

/** Where the shop remembers when it last forgot. */
const LAST_RUN_SETTING = 'forgotten_at'
const CHECK_EVERY_MS = HOUR_MS
const BATCH = 200

async function isDue({ db, clock }: Pick<RetentionNeeds, 'db' | 'clock'>): Promise<boolean> {
  const last = await findSetting(db, LAST_RUN_SETTING)
  return last === undefined || new Date(last) <= after(clock.now(), -DAY_MS)
}

/** The nightly job: erases what its time has come for, and those who asked while something of theirs was under way. */
export async function runRetention(shop: RetentionNeeds): Promise<void> {
  if (await isDue(shop)) await eraseExpired(shop)
}

/** @returns how much was forgotten of each kind */
export async function eraseExpired(
  shop: RetentionNeeds,
): Promise<{ people: number; orders: number; checkouts: number; mails: number; clicks: number }> {
  const { db, clock, log } = shop
  const now = clock.now()
  const before = (days: number) => after(now, -days * DAY_MS)

  const people = await listErasures(db)
  for (const { email } of people) await erasePerson(shop, email, null)
  const orders = await untilDone(() =>
    db.transaction(async (tx) => {
      const old = await listOrdersBefore(tx, before(RETENTION.orderDays), BATCH)
      await eraseOrders(tx, old, now)
      return old.length
    }),
  )
  const checkouts = await untilDone(() =>
    db.transaction(async (tx) => {
      const old = await listOldVersions(tx, before(RETENTION.unpaidCheckoutDays), BATCH)
      await eraseVersions(tx, old)
      return old.length
    }),
  )
  const mails = await untilDone(() =>
    db.transaction((tx) => eraseMailsBefore(tx, before(RETENTION.mailCopyDays), BATCH)),
  )
  const clicks = await untilDone(() => db.transaction((tx) => deleteClicks(tx, before(RETENTION.clickDays), BATCH)))
  await db.transaction(async (tx) => {
    await deleteSettledLetters(tx, before(RETENTION.settledLetterDays), now)
    await saveSetting(tx, LAST_RUN_SETTING, now.toISOString())
  })
  const forgotten = { people: people.length, orders, checkouts, mails, clicks }
  log.info(forgotten, 'what had to be forgotten was')
  return forgotten
}

/** A batch at a time, so that nobody waits long for a row. @returns how many in all */
async function untilDone(batch: () => Promise<number>): Promise<number> {
  let all = 0
  for (;;) {
    const some = await batch()
    all += some
    if (some < BATCH) return all
  }
}

/** Looks every hour whether it is time, for as long as the shop lives; what is under way is a job and ends with the jobs. */
export function startRetentionSchedule(shop: RetentionNeeds & Needs<'jobs'>): { stop(): void } {
  const timer = setInterval(() => {
    void (async () => {
      if (await isDue(shop)) await shop.db.transaction((tx) => shop.jobs.enqueue(tx, 'forget-expired', {}))
    })().catch((error: unknown) => shop.log.error({ err: error }, 'forgetting could not be begun'))
  }, CHECK_EVERY_MS)
  return { stop: () => clearInterval(timer) }
}
