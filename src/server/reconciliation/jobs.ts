import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { Needs } from '#server/shop.ts'
import { dueTrigger, reconcile, type ReconciliationNeeds } from './reconciliation.ts'

/** The job behind the watch. Another instance may have looked meanwhile; then there is nothing to do. */
export async function watchBooks(shop: ReconciliationNeeds): Promise<void> {
  const trigger = await dueTrigger(shop)
  if (trigger) await reconcile(shop, trigger)
}

/** The job behind the owner's wish. */
export async function reconcileBooks(shop: ReconciliationNeeds): Promise<void> {
  await reconcile(shop, 'owner')
}

export const askForReconciliation = ({ db, jobs, clock }: Needs<'db' | 'jobs' | 'clock'>, by: Actor): Promise<void> =>
  db.transaction(async (tx) => {
    await jobs.enqueue(tx, 'reconcile-books', {})
    await recordAction(tx, { by, what: 'had the books compared', about: { kind: 'books', id: 'all' }, at: clock.now() })
  })

/** Watches for as long as the shop lives, as often as the sweep runs. @returns a stop; what is under way is a job and ends with the jobs */
export function startWatch(shop: Needs<'db' | 'jobs' | 'config' | 'log'>): { stop(): void } {
  const timer = setInterval(() => {
    shop.db
      .transaction((tx) => shop.jobs.enqueue(tx, 'watch-books', {}))
      .catch((error: unknown) => shop.log.error({ err: error }, 'the watch over the books failed'))
  }, shop.config.sweepIntervalMs)
  return { stop: () => clearInterval(timer) }
}
