import * as z from 'zod/mini'
import { MESSAGE_PHOTOS_MAX } from '#domain/messages/conversation.ts'
import { MESSAGE_MAX } from '#domain/messages/lengths.ts'
import { call } from './call.ts'
import { OrderKey } from './orders.ts'
import { isoMoment, multilineText } from './wire.ts'

const OrderMessage = z.object({
  id: z.int(),
  author: z.enum(['customer', 'shop']),
  words: z.string(),
  at: isoMoment,
  /** Written from an address that is not the order's. */
  isFromOther: z.boolean(),
  photos: z.array(z.uuid()),
})
export type OrderMessage = z.output<typeof OrderMessage>

/** What was written about an order, oldest first; the latest 200. */
export const OrderConversation = z.object({
  orderNumber: z.string(),
  collection: z.string(),
  /** The full email only for the session that paid. */
  email: z.string(),
  messages: z.array(OrderMessage),
  /** The shop has the last word, or nobody wrote anything. */
  isAnswered: z.boolean(),
})
export type OrderConversation = z.output<typeof OrderConversation>

export const NewMessage = z.object({
  /** Chosen by the browser: the same one sent again, such as after a lost answer, is the same message. */
  submission: z.uuid(),
  words: multilineText(1, MESSAGE_MAX, 'Please write something'),
  photos: z
    .array(z.uuid())
    .check(z.maxLength(MESSAGE_PHOTOS_MAX, `Please send at most ${MESSAGE_PHOTOS_MAX} photos at once`)),
})
export type NewMessage = z.output<typeof NewMessage>

const seen = ['order_not_shown', 'link_expired'] as const

export const conversationCalls = {
  show: call({
    method: 'GET',
    path: '/api/order/conversation',
    access: 'anyone',
    summary: 'What the customer of an order and the shop wrote to each other.',
    query: OrderKey,
    answer: OrderConversation,
    refusals: seen,
  }),
  write: call({
    method: 'POST',
    path: '/api/order/conversation',
    access: 'anyone',
    summary:
      'Writes to the shop about an order. Card numbers are masked; photos are uploaded as for a claim. Idempotent by `submission`.',
    body: z.extend(NewMessage, OrderKey.shape),
    answer: z.object({ done: z.string() }),
    refusals: [...seen, 'chat_full', 'photo_missing', 'too_many'],
  }),
  photo: call({
    method: 'GET',
    path: '/api/order/conversation-photos/:photo',
    access: 'anyone',
    summary: 'A photo of the order’s conversation, as WebP.',
    params: z.object({ photo: z.uuid() }),
    query: OrderKey,
    answer: 'file',
    refusals: [...seen, 'unknown_picture'],
  }),
}
