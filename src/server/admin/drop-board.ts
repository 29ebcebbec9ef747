import type { DropBoard } from '#contract/drop-board.ts'
import { ruleOf } from '#domain/reconciliation/exceptions.ts'
import { after, DAY_MS, MINUTE_MS } from '#shared/time.ts'
import { countCartsWith } from '#server/cart/cart.ts'
import { productsOfCollection } from '#server/catalog/catalog.ts'
import { countSoldSince, showForOwner } from '#server/drops/owner-drops.ts'
import { roomFigures } from '#server/drops/room.ts'
import { readPrinterQueue } from '#server/reconciliation/queues.ts'
import type { Needs } from '#server/shop.ts'
import { countVisitsSince } from '#server/visits/visit-counter.ts'
import { countExceptions } from './home.ts'

const LATELY_MS = 5 * MINUTE_MS

/** @throws Refusal `unknown_drop` */
export async function showDropBoard(shop: Needs<'db' | 'clock'>, id: number): Promise<DropBoard> {
  const { db, clock } = shop
  const now = clock.now()
  const drop = await showForOwner(shop, id)
  const goods = drop.productId === null ? await productsOfCollection(db, drop.collectionId ?? '') : [drop.productId]
  const lately = after(now, -LATELY_MS)
  const printer = await readPrinterQueue(db, now)
  return {
    ...{ drop, state: drop.state, at: now.toISOString() },
    visits: await countVisitsSince(db, lately),
    room: drop.roomPerMinute === null ? null : await roomFigures(shop, id),
    carts: await countCartsWith(db, goods, after(now, -DAY_MS)),
    soldLately: await countSoldSince(db, id, lately),
    exceptions: (await countExceptions(db)).map(({ kind, count }) => ({ title: ruleOf(kind).title, count })),
    printer: {
      waiting: printer?.waiting ?? 0,
      since: printer?.since.toISOString() ?? null,
      doneAt: printer?.doneAt?.toISOString() ?? null,
    },
  }
}
