import { sql } from 'drizzle-orm'
import type { ToDoCounts } from '#contract/admin.ts'
import type { Overview } from '#contract/admin-overview.ts'
import { ruleOf, type ExceptionKind } from '#domain/reconciliation/exceptions.ts'
import { listUndecidedSyncs } from '#server/catalog/sync-decisions.ts'
import { countWaitingClaims, lateOrders } from '#server/claims/waiting.ts'
import type { Reader } from '#server/db/db.ts'
import { countWaitingMessages } from '#server/messages/waiting.ts'
import { countWaitingRequests } from '#server/partners/waiting.ts'
import { countHeldOrders, countOpen } from '#server/orders/search.ts'
import { countWaitingReviews } from '#server/reviews/moderation.ts'
import { countWaitingErasures } from '#server/privacy/waiting.ts'
import { readProviderHealth, summarizePeriods } from '#server/reports/overview.ts'
import { showQueues } from '#server/reconciliation/list.ts'
import type { Needs } from '#server/shop.ts'
import { listLastOrders } from './orders.ts'

/**
 * Counts of the owner's to-do list, each from its own index. Orders that are on hold, refused or disputed count as exceptions; those on
 * hold are also told apart.
 */
export async function countToDos(db: Reader): Promise<ToDoCounts> {
  const kinds = await countExceptions(db)
  return {
    exceptions: kinds.reduce((sum, kind) => sum + kind.count, 0),
    exceptionKinds: kinds.map(({ kind, count: total }) => ({ title: ruleOf(kind).title, count: total })),
    ...(await countWaitingMessages(db)),
    ...(await countWaitingRequests(db)),
    reviews: await countWaitingReviews(db),
    claims: await countWaitingClaims(db),
    changes: (await listUndecidedSyncs(db)).reduce((sum, { waiting }) => sum + waiting, 0),
    heldOrders: await countHeldOrders(db),
    erasures: await countWaitingErasures(db),
  }
}

/** How the shop is doing, for the owner's start page. */
export async function showOverview(shop: Needs<'db' | 'clock' | 'config' | 'printful'>): Promise<Overview> {
  const { db, clock, printful } = shop
  const [periods, states, queues, lastOrders, payments] = await Promise.all([
    summarizePeriods(shop),
    countOpen(db, lateOrders),
    showQueues(db, clock.now()),
    listLastOrders(db),
    readProviderHealth(db),
  ])
  return {
    periods,
    states,
    queues,
    lastOrders,
    providers: [...payments, { name: 'Printful', state: printful.isDown() ? 'failing' : 'fine', at: null }],
  }
}

/** Open exceptions by kind, the most first. */
export const countExceptions = async (db: Reader) =>
  (
    await db.execute<{ kind: ExceptionKind; count: number }>(sql`
      select kind, count(*)::int as count from (
        select kind from shop_exception where resolved_at is null
        union all select kind from payment_exception where resolved_at is null) open
      group by kind order by count desc, kind`)
  ).rows
