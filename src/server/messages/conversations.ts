import { randomBytes } from 'node:crypto'
import {
  nextConversationState,
  orderNumbersIn,
  type ConversationStep,
  type MessageChannel,
} from '#domain/messages/conversation.ts'
import { maskCardNumbers } from '#domain/messages/card-numbers.ts'
import { formatOrderNumber, readOrderNumber, type OrderId } from '#shared/ids.ts'
import { baseUrlOf, type Config } from '#server/config/config.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { mailLater } from '#server/mail/outbox.ts'
import { contactMail, ownerMail } from '#server/mail/templates/owner-mail.ts'
import { findOrderByNumber, lockOrder, type Order } from '#server/orders/orders.ts'
import type { Needs } from '#server/shop.ts'
import {
  countMessages,
  insertMessage,
  insertPhotos,
  lockOrInsert,
  updateConversation,
  type Conversation,
  type Message,
} from './conversation-store.ts'

export type ConversationNeeds = Needs<'db' | 'clock' | 'jobs' | 'config'>

const MESSAGES_MAX = 1000
export const THREAD_SHOWN = 200

/** The admin's page of a conversation. */
export const conversationLink = (config: Pick<Config, 'publicUrl' | 'port'>, id: number): string =>
  `${baseUrlOf(config)}/admin/inbox/${id}`

export const newReference = (): string => randomBytes(8).toString('hex')

/** What an email about a message is about. */
export const aboutMessage = (id: number): string => `message-${id}`

/** A conversation, and the order that it is about, if any; both locked. */
export type Addressed = { order?: Order; conversation: Conversation }

/**
 * The conversation of an order, made if nobody has written yet. Both stay locked until the transaction ends.
 * @throws Refusal `order_not_shown` for an erased order, about which nobody writes any more
 */
export async function lockOrderConversation(
  tx: Tx,
  orderId: OrderId,
  now: Date,
): Promise<{ order: Order; conversation: Conversation }> {
  const order = await lockOrder(tx, orderId)
  if (order.erasedAt) throw new Refusal('order_not_shown')
  const conversation = await lockOrInsert(tx, {
    reference: order.orderNumber.toLowerCase().replace('-', ''),
    ...{ orderId, subject: `Order ${formatOrderNumber(order.orderNumber)}`, startedAt: now },
  })
  return { order, conversation }
}

/** The order whose number somebody wrote, if they also know its email. */
export async function findOrderNamed(
  db: Reader,
  { text, email }: { text: string; email: string },
): Promise<Order | undefined> {
  for (const typed of orderNumbersIn(text)) {
    const number = readOrderNumber(typed)
    const order = number && (await findOrderByNumber(db, number))
    if (order && !order.erasedAt && isSameEmail(order.customerEmail, email)) return order
  }
  return undefined
}

export const isSameEmail = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase()

type Written = {
  channel: MessageChannel
  words: string
  submission?: string
  sender?: string | null
  emailId?: string
  isInChat?: boolean
  /** Null until a job emails several of them together. */
  mailedAt: Date | null
  photos?: readonly { id: string; body: Buffer }[]
}

/**
 * Adds what a customer wrote to a locked conversation, which then waits for the owner. Card numbers are masked.
 * @returns undefined when this submission was stored before
 * @throws Refusal `chat_full`
 */
export async function addCustomerMessage(
  tx: Tx,
  conversation: Conversation,
  { words, photos = [], ...written }: Written,
  now: Date,
): Promise<Message | undefined> {
  if ((await countMessages(tx, conversation.id)) >= MESSAGES_MAX) throw new Refusal('chat_full')
  const message = await insertMessage(tx, {
    ...written,
    ...{ conversationId: conversation.id, author: 'customer', words: maskCardNumbers(words), writtenAt: now },
  })
  if (!message) return undefined
  await insertPhotos(tx, message.id, photos)
  await moveConversation(tx, conversation, 'write', now)
  return message
}

/** @throws Refusal `conversation_changed` when the step is not possible */
export async function moveConversation(
  tx: Tx,
  { id, state: before, waitingSince, version }: Conversation,
  step: ConversationStep,
  now: Date,
): Promise<void> {
  const state = nextConversationState(before, step)
  if (!state) throw new Refusal('conversation_changed', { what: 'It was closed or reopened in the meantime.' })
  await updateConversation(tx, id, {
    state,
    waitingSince: state === 'waiting' ? (waitingSince ?? now) : null,
    version: version + 1,
    isUnread: step === 'write',
  })
}

/** Adds what a customer wrote, and emails it to the owner at once. @throws Refusal `chat_full` */
export async function addAndTellOwner(
  shop: Needs<'jobs' | 'config'>,
  tx: Tx,
  { order, conversation }: Addressed,
  written: Omit<Written, 'mailedAt'>,
  now: Date,
): Promise<void> {
  const message = await addCustomerMessage(tx, conversation, { ...written, mailedAt: now }, now)
  if (!message) return
  const { words, sender } = message
  const { name, email, subject } = conversation
  const link = conversationLink(shop.config, conversation.id)
  const mail = order
    ? ownerMail({
        subject: `${subject}: message from ${order.customerName}`,
        facts: [
          ['Order', formatOrderNumber(order.orderNumber)],
          ['Email', order.customerEmail],
          ['Sent from', sender],
        ],
        paragraphs: [words],
        link,
      })
    : contactMail({ name: name ?? sender ?? 'A visitor', email: email ?? sender ?? '', subject, message: words }, link)
  const about = aboutMessage(message.id)
  await mailLater(shop, tx, { kind: 'contact', about, recipient: 'support', orderId: null, ...mail }, now)
}
