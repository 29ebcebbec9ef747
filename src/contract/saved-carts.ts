import * as z from 'zod/mini'
import { call } from './call.ts'
import { emailAddress } from './wire.ts'

/** Where a saved cart's link leads; apart from `paths`, which every first page has. */
export const savedCartPath = (token: string): string => `/cart?saved=${token}`
/** The link as a QR code, an SVG. */
export const savedCartQr = (token: string): string => `/api/cart/saved.svg?token=${token}`

export const savedCartToken = z.string().check(z.regex(/^[\w-]{20,100}$/))

export const CartReminder = z.object({
  email: emailAddress,
  /** The tick. */
  agrees: z.literal('yes', 'Please tick the box if you want this email'),
})
export type CartReminder = z.output<typeof CartReminder>

export const savedCartCalls = {
  save: call({
    method: 'POST',
    path: '/api/cart/saved',
    access: 'anyone',
    summary: 'Saves this session’s cart, with its codes, for 30 days. The token opens it on any device.',
    answer: z.object({ token: z.string() }),
    refusals: ['cart_empty'],
  }),
  show: call({
    method: 'GET',
    path: '/api/cart/saved',
    access: 'anyone',
    summary: 'How many pieces a saved cart has.',
    query: z.object({ token: savedCartToken }),
    answer: z.object({ pieces: z.int() }),
    refusals: ['unknown_saved_cart'],
  }),
  restore: call({
    method: 'POST',
    path: '/api/cart/saved/restore',
    access: 'anyone',
    summary: 'Puts a saved cart into this session’s: each line has at least its saved quantity afterward. Idempotent.',
    body: z.object({ token: savedCartToken }),
    answer: z.object({ isWhole: z.boolean() }),
    refusals: ['unknown_saved_cart'],
  }),
  remind: call({
    method: 'POST',
    path: '/api/cart/reminder',
    access: 'anyone',
    summary: 'Asks once, a day later, by email about this session’s cart, if something is still in it.',
    body: CartReminder,
    answer: z.object({ done: z.string() }),
    refusals: ['cart_empty'],
  }),
}
