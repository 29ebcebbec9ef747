import { RETENTION } from '#site/policies.ts'
import { after, DAY_MS, HOUR_MS } from '#shared/time.ts'
import type { Needs } from '#server/shop.ts'
import { erasePerson } from './privacy.ts'
import {
  deleteClicks,
  deleteClosedMessages,
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

/** When retention last ran. */
const LAST_RUN_SETTING = 'forgotten_at'
const CHECK_EVERY_MS = HOUR_MS
const BATCH = 200

async function isDue({ db, clock }: Pick<RetentionNeeds, 'db' | 'clock'>): Promise<boolean> {
  const last = await findSetting(db, LAST_RUN_SETTING)
  return last === undefined || new Date(last) <= after(clock.now(), -DAY_MS)
}

/** The daily job: erases expired data, and people whose erasure had to wait for an order or checkout. */
export async function runRetention(shop: RetentionNeeds): Promise<void> {
  if (await isDue(shop)) await eraseExpired(shop)
}

/** @returns how much was erased of each kind */
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
    await deleteClosedMessages(tx, before(RETENTION.settledLetterDays), now)
    await saveSetting(tx, LAST_RUN_SETTING, now.toISOString())
  })
  const erased = { people: people.length, orders, checkouts, mails, clicks }
  log.info(erased, 'Expired data was erased.')
  return erased
}

/** In batches, so rows are not locked for long. @returns the total */
async function untilDone(batch: () => Promise<number>): Promise<number> {
  let total = 0
  for (;;) {
    const count = await batch()
    total += count
    if (count < BATCH) return total
  }
}

/** Checks every hour whether retention is due, and queues its job. */
export function startRetentionSchedule(shop: RetentionNeeds & Needs<'jobs'>): { stop(): void } {
  const timer = setInterval(() => {
    void (async () => {
      if (await isDue(shop)) await shop.db.transaction((tx) => shop.jobs.enqueue(tx, 'forget-expired', {}))
    })().catch((error: unknown) =>
      shop.log.error({ err: error }, 'Erasing expired data could not be queued; trying again in an hour.'),
    )
  }, CHECK_EVERY_MS)
  return { stop: () => clearInterval(timer) }
}
