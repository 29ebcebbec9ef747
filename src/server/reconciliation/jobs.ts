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

/**
 * Often enough that a new exception is listed within a minute of its cause, when the sweep runs every five. All checks together take
 * 0.1 s in a shop of 100,000 orders.
 */
const CHECKS_PER_SWEEP = 6

/**
 * Queues reading the books at the sweep's interval, and the checks of the shop's own data more often. Those are a job of their own: a
 * provider that answers slowly, or not at all, does not hold them up.
 */
export function startWatch({ db, jobs, config, log }: Needs<'db' | 'jobs' | 'config' | 'log'>): { stop(): void } {
  const queue = (name: 'watch-books' | 'check-exceptions') => () => {
    db.transaction((tx) => jobs.enqueue(tx, name, {})).catch((error: unknown) =>
      log.error({ err: error, job: name }, 'A check of the books could not be queued.'),
    )
  }
  const timers = [
    setInterval(queue('watch-books'), config.sweepIntervalMs),
    setInterval(queue('check-exceptions'), Math.max(1000, config.sweepIntervalMs / CHECKS_PER_SWEEP)),
  ]
  return {
    stop() {
      for (const timer of timers) clearInterval(timer)
    },
  }
}
