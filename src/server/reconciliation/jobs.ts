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
