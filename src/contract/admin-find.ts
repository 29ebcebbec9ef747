import * as z from 'zod/mini'
import { productStates } from '#domain/catalog/product-state.ts'
import { conversationStates } from '#domain/messages/conversation.ts'
import { call } from './call.ts'
import { centsAnswer, isoMoment } from './wire.ts'

/** Shorter parts of words have no index. */
export const FIND_LENGTH_MIN = 3

/** What the owner's search finds; the newest of each kind, at most five. */
export const Found = z.object({
  orders: z.array(
    z.object({
      orderNumber: z.string(),
      name: z.string(),
      status: z.string(),
      total: centsAnswer,
      placedAt: isoMoment,
    }),
  ),
  /** People of orders, by email. */
  customers: z.array(z.object({ email: z.string(), name: z.string(), orders: z.int() })),
  products: z.array(
    z.object({ id: z.int(), name: z.string(), state: z.enum(productStates), imageUrl: z.nullable(z.string()) }),
  ),
  messages: z.array(
    z.object({
      /** Of the conversation. */
      id: z.int(),
      subject: z.string(),
      name: z.nullable(z.string()),
      state: z.enum(conversationStates),
      /** Around what was found, or how the latest message begins. */
      excerpt: z.string(),
      at: isoMoment,
    }),
  ),
})
export type Found = z.output<typeof Found>

export const adminFindCalls = {
  find: call({
    method: 'GET',
    path: '/api/admin/find',
    access: 'read_orders',
    summary:
      'Orders by number, payment id, or part of a name or email; their customers; products by part of a name; conversations by part of what was written. Kinds that the role may not read are empty.',
    query: z.object({
      q: z
        .string()
        .check(
          z.trim(),
          z.minLength(FIND_LENGTH_MIN, `Please enter at least ${FIND_LENGTH_MIN} characters`),
          z.maxLength(254, 'Please use at most 254 characters'),
        ),
    }),
    answer: Found,
    refusals: [],
  }),
}
