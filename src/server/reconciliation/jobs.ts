import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { Needs } from '#server/shop.ts'
import { dueTrigger, reconcile, type ReconciliationNeeds } from './reconciliation.ts'

/** Does nothing if another instance just ran. */
export async function watchBooks(shop: ReconciliationNeeds): Promise<void> {
  const trigger = await dueTrigger(shop)
  if (trigger) await reconcile(shop, trigger)
}

export async function reconcileBooks(shop: ReconciliationNeeds): Promise<void> {
  await reconcile(shop, 'owner')
}

export const requestReconciliation = ({ db, jobs, clock }: Needs<'db' | 'jobs' | 'clock'>, by: Actor): Promise<void> =>
  db.transaction(async (tx) => {
    await jobs.enqueue(tx, 'reconcile-books', {})
    await recordAction(tx, { by, what: 'compared the books', about: { kind: 'books', id: 'all' }, at: clock.now() })
  })

/** Queues a check at the sweep's interval. */
export function startWatch(shop: Needs<'db' | 'jobs' | 'config' | 'log'>): { stop(): void } {
  const timer = setInterval(() => {
    shop.db
      .transaction((tx) => shop.jobs.enqueue(tx, 'watch-books', {}))
      .catch((error: unknown) => shop.log.error({ err: error }, 'A check of the books could not be queued.'))
  }, shop.config.sweepIntervalMs)
  return { stop: () => clearInterval(timer) }
}
