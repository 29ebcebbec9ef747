import type { Db } from '#server/db/db.ts'
import { ProviderRefusal } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import { after, DAY_MS } from '#shared/time.ts'
import { findListReadAt, FRESH_MS, readBlank, readBlankList, readCosts } from './blanks.ts'
import { listStale, listWithoutCosts } from './store.ts'

/** Each takes three to five calls of the printer's 120 a minute; shoppers' quotes need the others. */
const BLANKS_A_RUN = 100
/** One call each. A new shop knows the costs of some hundred blanks after a quarter of an hour. */
const COSTS_A_RUN = 30
const COSTS_FRESH_MS = 7 * DAY_MS

export const readBlanksLater = ({ db, jobs }: { db: Db } & Needs<'jobs'>): Promise<void> =>
  db.transaction((tx) => jobs.enqueue(tx, 'read-blanks', {}))

/** The job: the printer's list, costs of some blanks for it, then again every blank that the owner opened once. @throws ProviderUnavailable to make the job retry */
export async function readBlanks(shop: Needs<'db' | 'clock' | 'printful'>): Promise<void> {
  await readBlankList(shop)
  for (const id of await listWithoutCosts(shop.db, after(shop.clock.now(), -COSTS_FRESH_MS), COSTS_A_RUN))
    await readCosts(shop, id)
  for (const id of await listStale(shop.db, after(shop.clock.now(), -FRESH_MS / 2), BLANKS_A_RUN)) {
    await readBlank(shop, id).catch((error: unknown) => {
      // Gone between the list and now: the next list says so.
      if (!(error instanceof ProviderRefusal)) throw error
    })
  }
}

/** Whether the copy is a day old, or costs are missing. A shop whose owner never looked at blanks reads none. */
export async function areBlanksDue({ db, clock }: Needs<'db' | 'clock'>): Promise<boolean> {
  const last = await findListReadAt(db)
  if (last === undefined) return false
  const now = clock.now()
  if (new Date(last) <= after(now, -FRESH_MS)) return true
  return (await listWithoutCosts(db, after(now, -COSTS_FRESH_MS), 1)).length > 0
}
