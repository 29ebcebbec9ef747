import { Readable } from 'node:stream'
import type { NewMessage, OrderConversation } from '#contract/conversations.ts'
import { takePhotos } from '#server/claims/photos.ts'
import type { OrderId } from '#shared/ids.ts'
import type { Db, Reader } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { FileAnswer } from '#server/http/serve.ts'
import type { OrderAccess } from '#server/orders/access.ts'
import { shownEmail } from '#server/orders/order-view.ts'
import { addAndTellOwner, lockOrderConversation, THREAD_SHOWN, type ConversationNeeds } from './conversations.ts'
import {
  findConversationOfOrder,
  findPhoto,
  hasSubmission,
  listMessages,
  listPhotos,
  type Message,
} from './conversation-store.ts'

export async function showOrderConversation(db: Db, { order, isPayer }: OrderAccess): Promise<OrderConversation> {
  const conversation = await findConversationOfOrder(db, order.id)
  const messages = conversation
    ? await listMessages(db, conversation.id, { limit: THREAD_SHOWN, forCustomer: true })
    : []
  const photos = await listPhotos(
    db,
    messages.map(({ id }) => id),
  )
  return {
    orderNumber: order.orderNumber,
    collection: order.collection,
    email: shownEmail(order, isPayer),
    messages: messages.map(({ id, author, words, writtenAt, sender }) => ({
      id,
      author: author === 'customer' ? 'customer' : 'shop',
      words,
      at: writtenAt.toISOString(),
      isFromOther: sender !== null,
      photos: photos.filter(({ messageId }) => messageId === id).map((photo) => photo.id),
    })),
    isAnswered: messages.at(-1)?.author !== 'customer',
  }
}

/** What was written about an order, the latest, oldest first; without the owner's notes. */
export async function listMessagesOfOrder(db: Reader, orderId: OrderId, limit: number): Promise<Message[]> {
  const found = await findConversationOfOrder(db, orderId)
  return found ? listMessages(db, found.id, { limit, forCustomer: true }) : []
}

/** Adds what a shopper wrote on the order's page; the same submission again does nothing. @throws Refusal `chat_full`, `photo_missing` */
export async function writeAboutOrder(
  shop: ConversationNeeds,
  { order: { id } }: OrderAccess,
  { submission, words, photos }: NewMessage,
): Promise<void> {
  await shop.db.transaction(async (tx) => {
    const now = shop.clock.now()
    const addressed = await lockOrderConversation(tx, id, now)
    if (await hasSubmission(tx, submission)) return
    const written = { channel: 'order' as const, words, submission, photos: await takePhotos(tx, id, photos) }
    await addAndTellOwner(shop, tx, addressed, written, now)
  })
}

/** @param access unset for the owner @throws Refusal `unknown_picture` */
export async function readPhoto(db: Db, id: string, access?: OrderAccess): Promise<FileAnswer> {
  const body = await findPhoto(db, id, access?.order.id)
  if (!body) throw new Refusal('unknown_picture')
  return { name: 'photo.webp', type: 'image/webp', bytes: Readable.from([body]) }
}
