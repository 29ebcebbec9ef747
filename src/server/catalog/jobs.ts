import { label } from '#site/label.ts'
import { after, DAY_MS, MINUTE_MS } from '#shared/time.ts'
import type { Db } from '#server/db/db.ts'
import { html } from '#server/mail/html.ts'
import { mailLater } from '#server/mail/outbox.ts'
import type { Needs } from '#server/shop.ts'
import { showSync, type SyncChangeView } from './sync-decisions.ts'
import { deleteEmptySyncs, findLastWhole, listUnreported, updateSync } from './sync-store.ts'
import { syncCatalog, type SyncNeeds } from './sync.ts'

/** How often it is looked whether a synchronization is due. */
const CHECK_EVERY_MS = MINUTE_MS
/** How long a synchronization that found nothing is remembered. */
const EMPTY_SYNC_RETENTION_MS = 30 * DAY_MS
/** Of one synchronization, in a mail. */
const CHANGES_LISTED = 20

const isDue = async (db: Db, { clock, config }: Needs<'clock' | 'config'>): Promise<boolean> => {
  const last = await findLastWhole(db)
  return !last || last <= after(clock.now(), -config.sync.intervalMs)
}

/** Has the whole catalog synchronized, when it is time. */
export async function syncWhenDue(shop: Needs<'db' | 'clock' | 'config' | 'jobs'>): Promise<void> {
  if (await isDue(shop.db, shop)) await shop.db.transaction((tx) => shop.jobs.enqueue(tx, 'sync-catalog', {}))
}

/** The job behind it. Another instance may have been earlier; then there is nothing to do. @throws ProviderUnavailable the job tries again */
export async function syncBySchedule(shop: SyncNeeds & Needs<'jobs'>): Promise<void> {
  if (await isDue(shop.db, shop)) {
    await syncCatalog(shop, 'schedule')
    await shop.db.transaction((tx) => deleteEmptySyncs(tx, after(shop.clock.now(), -EMPTY_SYNC_RETENTION_MS)))
  }
  await mailOwner(shop)
}

/** Mails once what waits for the owner's yes, whoever found it. */
async function mailOwner(shop: Needs<'db' | 'clock' | 'config' | 'jobs'>): Promise<void> {
  const { db, clock } = shop
  const ids = (await listUnreported(db)).map(({ id }) => id)
  if (!ids.length) return
  const parts: string[] = []
  for (const id of ids) parts.push(partOf(id, (await showSync(db, id)).changes))
  const text = [
    'The printer has changed things that shoppers would see. They wait for your word; until then the shop sells as before. What can no longer be made is not sold any more.',
    ...parts,
  ].join('\n\n')
  const now = clock.now()
  await db.transaction(async (tx) => {
    for (const id of ids) await updateSync(tx, id, { toldAt: now })
    await mailLater(
      shop,
      tx,
      {
        kind: 'catalog_changes',
        recipient: { email: label.businessEmail, name: label.name },
        orderId: null,
        about: `synchronizations ${ids.join(', ')}`,
        subject: 'Changes of the catalog wait for your word',
        text,
        html: html`<pre style="white-space:pre-wrap;font:16px/1.5 sans-serif">${text}</pre>`.toString(),
      },
      now,
    )
  })
}

function partOf(id: number, changes: readonly SyncChangeView[]): string {
  const waiting = changes.filter(({ state }) => state === 'waiting')
  const more = waiting.length - CHANGES_LISTED
  return [
    `Synchronization ${id}`,
    ...waiting
      .slice(0, CHANGES_LISTED)
      .map(
        ({ change, product, variant, from, to, margin }) =>
          `- ${change}: ${product}, ${variant}: ${from} -> ${to}${margin ? ` (margin ${margin})` : ''}`,
      ),
    ...(more > 0 ? [`and ${more} more`] : []),
    `Yes: npm run owner -- sync --apply ${id}`,
    `No: npm run owner -- sync --revert ${id}`,
  ].join('\n')
}

/** Synchronizes for as long as the shop lives. @returns a stop; what is under way is a job and ends with the jobs */
export function startSyncSchedule(shop: Parameters<typeof syncWhenDue>[0] & Needs<'log'>): { stop(): void } {
  const timer = setInterval(
    () => {
      syncWhenDue(shop).catch((error: unknown) => shop.log.error({ err: error }, 'the catalog’s schedule failed'))
    },
    Math.min(CHECK_EVERY_MS, shop.config.sync.intervalMs),
  )
  return { stop: () => clearInterval(timer) }
}
