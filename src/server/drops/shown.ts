import { dropPaths } from '#contract/drop-paths.ts'
import type { Drops, DropView } from '#contract/drops.ts'
import { dropStateOf, earlyFrom, isEarly, type DropState } from '#domain/drops/drop.ts'
import { after, DAY_MS } from '#shared/time.ts'
import { listCollections } from '#server/catalog/collections.ts'
import type { Reader } from '#server/db/db.ts'
import type { Needs } from '#server/shop.ts'
import type * as z from 'zod/mini'
import { countPieces, findDrop, listShown, lockDrop, updateDrop, type Drop } from './store.ts'

/** How long pages show that a drop is over. */
const SHOWN_AFTER_MS = 30 * DAY_MS
const SHOWN_MAX = 50

/** What pages show of drops: nothing that changes with every sale, because pages are cached, and are the same bytes until something changes. */
export async function showDrops({ db, clock }: Needs<'db' | 'clock'>): Promise<z.output<typeof Drops>> {
  const now = clock.now()
  const drops = await listShown(db, after(now, -SHOWN_AFTER_MS), SHOWN_MAX)
  const states = await statesOf(db, drops, now)
  return { drops: drops.map((drop) => viewOf(drop, states.get(drop.id) ?? 'draft', now)) }
}

/** @returns undefined for a draft, and once its goods are sold as any others */
export async function findShownDrop({ db }: Needs<'db'>, id: number): Promise<Drop | undefined> {
  const drop = await findDrop(db, id)
  return drop?.decision === 'draft' || drop?.decision === 'released' ? undefined : drop
}

async function statesOf(db: Reader, drops: readonly Drop[], now: Date): Promise<Map<number, DropState>> {
  const counts = await countPieces(
    db,
    drops.map(({ id }) => id),
  )
  return new Map(
    drops.map((drop) => {
      const free = drop.pieces === null ? null : (counts.get(drop.id)?.free ?? 0)
      return [drop.id, dropStateOf(drop, free, now)]
    }),
  )
}

const viewOf = (drop: Drop, state: DropState, now: Date): DropView => ({
  ...{ id: drop.id, title: drop.title, productId: drop.productId, collectionId: drop.collectionId, state },
  startsAt: drop.startsAt.toISOString(),
  endsAt: drop.endsAt && drop.endsAt.toISOString(),
  pieces: drop.pieces,
  limitPerPerson: drop.limitPerPerson,
  hasRoom: drop.roomPerMinute !== null,
  share: drop.sharePicture,
  early:
    drop.earlyMinutes > 0 && (drop.earlyCodes.length > 0 || drop.isEarlyForReaders)
      ? {
          ...{ from: earlyFrom(drop).toISOString(), isOpen: isEarly(drop, now) },
          ...{ byCode: drop.earlyCodes.length > 0, byNewsletter: drop.isEarlyForReaders },
        }
      : null,
})

/** Cached pages follow within seconds when a drop begins, sells out or ends: its row says what they were made for. */
export async function renewPages({ db, clock }: Needs<'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  const drops = await listShown(db, after(now, -SHOWN_AFTER_MS), SHOWN_MAX)
  const states = await statesOf(db, drops, now)
  for (const drop of drops) {
    const state = states.get(drop.id)
    const isOpenEarly = isEarly(drop, now)
    if (!state || (state === drop.shownState && isOpenEarly === drop.isShownEarly)) continue
    await db.transaction(async (tx) => {
      if (await lockDrop(tx, drop.id)) await updateDrop(tx, drop.id, { shownState: state, isShownEarly: isOpenEarly })
    })
  }
}

/** The page of a drop's goods. */
export async function pageOf(db: Reader, drop: Pick<Drop, 'productId' | 'collectionId'>): Promise<string> {
  const slug = (await listCollections(db)).find(({ id }) => id === drop.collectionId)?.slug
  return dropPaths.goodsOf(drop, slug)
}
