import { after, DAY_MS } from '#shared/time.ts'
import type { Db } from '#server/db/db.ts'
import { paragraph } from '#server/mail/content.ts'
import { mailLater } from '#server/mail/outbox.ts'
import type { Needs } from '#server/shop.ts'
import { clearListingCache } from './listing-cache.ts'
import { readRatesOfProducts } from './costs-to-send.ts'
import { copyPictures, hasUncopiedPreviews } from './preview-pictures.ts'
import { showSync, type SyncChangeView } from './sync-decisions.ts'
import { deleteEmptySyncs, findLastFullSyncStart, listUnreported, updateSync } from './sync-store.ts'
import { syncCatalog, type SyncNeeds } from './sync.ts'

const EMPTY_SYNC_RETENTION_MS = 30 * DAY_MS
/** Per sync, in the email to the owner. */
const CHANGES_LISTED = 20

const isDue = async (db: Db, { clock, config }: Needs<'clock' | 'config'>): Promise<boolean> => {
  const last = await findLastFullSyncStart(db)
  return !last || last <= after(clock.now(), -config.sync.intervalMs)
}

/** Queues a sync of the whole catalog when it is due. */
export async function syncWhenDue(shop: Needs<'db' | 'clock' | 'config' | 'jobs'>): Promise<void> {
  if (await isDue(shop.db, shop)) await shop.db.transaction((tx) => shop.jobs.enqueue(tx, 'sync-catalog', {}))
}

/**
 * The job. Only looks for missing pictures if another instance was first.
 * @throws ProviderUnavailable to make the job retry
 */
export async function syncBySchedule(shop: SyncNeeds & Needs<'jobs'>): Promise<void> {
  if (await isDue(shop.db, shop)) {
    await syncCatalog(shop, 'schedule')
    await readRatesOfProducts(shop)
    await shop.db.transaction((tx) => deleteEmptySyncs(tx, after(shop.clock.now(), -EMPTY_SYNC_RETENTION_MS)))
  } else if (await copyPictures(shop)) clearListingCache(shop.db)
  await mailOwner(shop)
}

/** Emails the owner, once, about changes that wait for a decision. */
async function mailOwner(shop: Needs<'db' | 'clock' | 'config' | 'jobs'>): Promise<void> {
  const { db, clock } = shop
  const ids = (await listUnreported(db)).map(({ id }) => id)
  if (!ids.length) return
  const paragraphs = [
    'The printer changed things that shoppers would see, or costs that leave too little of a sale. Please accept or decline these changes; until then the shop sells as before. Anything that can no longer be made is already off sale.',
  ]
  for (const id of ids) paragraphs.push(partOf(id, (await showSync(db, id)).changes))
  const now = clock.now()
  await db.transaction(async (tx) => {
    for (const id of ids) await updateSync(tx, id, { toldAt: now })
    await mailLater(
      shop,
      tx,
      {
        kind: 'catalog_changes',
        recipient: 'business',
        orderId: null,
        about: `synchronizations ${ids.join(', ')}`,
        subject: 'Catalog changes need your decision',
        isPlain: true,
        blocks: paragraphs.map(paragraph),
      },
      now,
    )
  })
}

function partOf(id: number, changes: readonly SyncChangeView[]): string {
  const waiting = changes.filter(({ state }) => state === 'waiting')
  const more = waiting.length - CHANGES_LISTED
  return [
    `Sync ${id}`,
    ...waiting
      .slice(0, CHANGES_LISTED)
      .map(
        ({ change, product, variant, from, to, margin, isLoss }) =>
          `- ${change}: ${product}, ${variant}: ${from} -> ${to}${margin ? ` (margin ${margin}${isLoss ? ', SELLS BELOW COST' : ''})` : ''}`,
      ),
    ...(more > 0 ? [`and ${more} more`] : []),
    `Accept: npm run owner -- sync --apply ${id}`,
    `Decline: npm run owner -- sync --revert ${id}`,
  ].join('\n')
}

/** Previews that another release kept in another way are taken over again at once, not at the next sync. */
export async function copyMissingPictures({ db, jobs }: Needs<'db' | 'jobs'>): Promise<void> {
  if (await hasUncopiedPreviews(db)) await db.transaction((tx) => jobs.enqueue(tx, 'sync-catalog', {}))
}
