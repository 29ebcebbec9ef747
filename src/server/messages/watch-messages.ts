import { after, MINUTE_MS } from '#shared/time.ts'
import { requeueChats } from './chat.ts'
import { readMailbox } from './mailbox.ts'

type WatchNeeds = Parameters<typeof readMailbox>[0]

/** A chat's line that waits longer has lost its job. */
const WAITING_TOO_LONG_MS = 10 * MINUTE_MS
const BATCH = 100

/** Reads new emails of customers, and queues chats whose job was lost. */
export async function watchMessages(shop: WatchNeeds): Promise<void> {
  await shop.db.transaction((tx) => requeueChats(shop, tx, after(shop.clock.now(), -WAITING_TOO_LONG_MS), BATCH))
  await readMailbox(shop)
}
