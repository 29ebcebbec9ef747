import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/time.ts'
import { isExaminationDue } from '#server/admin/doctor.ts'
import { areBlanksDue } from '#server/blanks/jobs.ts'
import { publishDueCollections } from '#server/catalog/collection-editor.ts'
import { syncWhenDue } from '#server/catalog/jobs.ts'
import { publishDueProducts } from '#server/catalog/products.ts'
import { writePricesLater } from '#server/catalog/variant-prices.ts'
import { remindCarts } from '#server/checkout/saved-carts.ts'
import { tellOfParcels } from '#server/claims/parcel-watch.ts'
import { hasOpenClaim } from '#server/claims/waiting.ts'
import type { JobName } from '#server/jobs/jobs.ts'
import type { Task } from '#server/jobs/schedule.ts'
import { SEALED_EVERY_MS } from '#server/ledger/seals.ts'
import { continueIssues } from '#server/messages/issues.ts'
import { followDrops } from '#server/payments/drops.ts'
import { sweep } from '#server/payments/sweep.ts'
import { isRetentionDue } from '#server/privacy/retention.ts'
import { mailReports } from '#server/reports/report-mails.ts'
import { runRaffles } from '#server/raffles/running.ts'
import { requestReviews } from '#server/reviews/requests.ts'
import type { Shop } from '#server/shop.ts'

/** Checks of the shop's own data: a new exception is listed within a minute of its cause when the sweep runs every five. */
const CHECKS_PER_SWEEP = 6
/** Somebody waits for an answer. */
const MAILBOX_READS_PER_SWEEP = 5

type PlainJob =
  | 'check-exceptions'
  | 'examine-setup'
  | 'forget-expired'
  | 'read-blanks'
  | 'seal-ledger'
  | 'watch-books'
  | 'watch-messages'

/**
 * What the shop does without being asked. What calls a provider or takes long is a job, so that of several instances one does it and a
 * slow one holds up nothing else.
 */
export function tasksOf(shop: Shop): Task[] {
  const { config, db, jobs } = shop
  const often = (times: number) => Math.max(SECOND_MS, config.sweepIntervalMs / times)
  const queue =
    (name: PlainJob & JobName, isDue = async () => true) =>
    async () => {
      if (await isDue()) await db.transaction((tx) => jobs.enqueue(tx, name, {}))
    }
  const syncCheckMs = Math.min(MINUTE_MS, config.sync.intervalMs)
  return [
    { name: 'sweep', everyMs: config.sweepIntervalMs, run: () => sweep(shop) },
    { name: 'watch-books', everyMs: config.sweepIntervalMs, run: queue('watch-books') },
    { name: 'check-exceptions', everyMs: often(CHECKS_PER_SWEEP), run: queue('check-exceptions') },
    { name: 'watch-messages', everyMs: often(MAILBOX_READS_PER_SWEEP), run: queue('watch-messages') },
    { name: 'publish collections', everyMs: 10 * SECOND_MS, run: () => publishDueCollections(shop) },
    { name: 'publish products', everyMs: 10 * SECOND_MS, run: () => publishDueProducts(shop) },
    { name: 'store visits', everyMs: 10 * SECOND_MS, run: () => shop.visits.flush() },
    { name: 'sync-catalog', everyMs: syncCheckMs, run: () => syncWhenDue(shop) },
    { name: 'write-prices', everyMs: syncCheckMs, run: () => writePricesLater(shop) },
    { name: 'read-blanks', everyMs: MINUTE_MS, run: queue('read-blanks', () => areBlanksDue(shop)) },
    { name: 'drops', everyMs: 5 * SECOND_MS, run: () => followDrops(shop) },
    { name: 'late parcels', everyMs: MINUTE_MS, run: () => tellOfParcels(shop) },
    { name: 'reports by email', everyMs: 10 * MINUTE_MS, run: () => mailReports(shop) },
    { name: 'newsletter', everyMs: MINUTE_MS, run: () => continueIssues(shop) },
    { name: 'cart reminders', everyMs: MINUTE_MS, run: () => remindCarts(shop) },
    { name: 'raffles', everyMs: MINUTE_MS, run: () => runRaffles(shop) },
    { name: 'review requests', everyMs: MINUTE_MS, run: () => requestReviews(shop, hasOpenClaim) },
    { name: 'seal-ledger', everyMs: SEALED_EVERY_MS, run: queue('seal-ledger') },
    { name: 'forget-expired', everyMs: HOUR_MS, run: queue('forget-expired', () => isRetentionDue(shop)) },
    { name: 'examine-setup', everyMs: HOUR_MS, run: queue('examine-setup', () => isExaminationDue(shop)) },
  ]
}
