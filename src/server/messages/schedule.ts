import { after, MINUTE_MS } from '#shared/time.ts'
import type { Needs } from '#server/shop.ts'
import { requeueChats } from './chat.ts'
import { readMailbox } from './mailbox.ts'

type WatchNeeds = Parameters<typeof readMailbox>[0]

/** A chat's line that waits longer has lost its job. */
const WAITING_TOO_LONG_MS = 10 * MINUTE_MS
const BATCH = 100
/** Five times as often as the sweep: somebody waits for an answer. */
const PER_SWEEP = 5

/** Reads new emails of customers, and queues chats whose job was lost. */
export async function watchMessages(shop: WatchNeeds): Promise<void> {
  await shop.db.transaction((tx) => requeueChats(shop, tx, after(shop.clock.now(), -WAITING_TOO_LONG_MS), BATCH))
  await readMailbox(shop)
}

/** Queues it regularly; of several instances, one does it. */
export function startMessageSchedule(shop: Needs<'db' | 'jobs' | 'config' | 'log'>): { stop(): void } {
  const timer = setInterval(
    () => {
      shop.db
        .transaction((tx) => shop.jobs.enqueue(tx, 'watch-messages', {}))
        .catch((error: unknown) => shop.log.error({ err: error }, 'Reading the mailbox could not be queued.'))
    },
    Math.max(1000, shop.config.sweepIntervalMs / PER_SWEEP),
  )
  return { stop: () => clearInterval(timer) }
}
