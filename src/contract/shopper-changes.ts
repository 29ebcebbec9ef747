import * as z from 'zod/mini'
import { call } from './call.ts'
import type { Cents } from '#shared/money.ts'
import { changeRefusals, ChangePreview, OrderWish } from './order-changes.ts'
import { OrderKey } from './orders.ts'
import { branded } from './wire.ts'

const refusals = [
  'order_not_shown',
  'link_expired',
  'correction_too_late',
  'correction_under_way',
  'change_disputed',
] as const

const wishRefusals = [...refusals, ...changeRefusals] as const

/** Changes of a paid order by the customer, while its time for changes lasts; by an emailed link or in the browser that paid. */
export const shopperChangeCalls = {
  preview: call({
    method: 'POST',
    path: '/api/order/change/preview',
    access: 'anyone',
    summary: 'What a change of an order would cost its customer; changes nothing.',
    body: z.extend(OrderWish, OrderKey.shape),
    answer: ChangePreview,
    refusals: wishRefusals,
  }),
  change: call({
    method: 'POST',
    path: '/api/order/change',
    access: 'anyone',
    summary:
      'Changes an order as previewed; `difference` comes from the preview. Less is refunded; more is paid first, within an hour.',
    body: z.extend(z.extend(OrderWish, OrderKey.shape), { difference: branded<Cents>(z.int()) }),
    answer: z.object({ done: z.string(), isToPay: z.boolean() }),
    refusals: [...wishRefusals, 'change_differs'],
  }),
  cancel: call({
    method: 'POST',
    path: '/api/order/cancel',
    access: 'anyone',
    summary:
      'Cancels an order, by `token` or the `session_id` of this session’s payment, and refunds all that is left of it.',
    body: OrderKey,
    answer: z.object({ done: z.string() }),
    refusals,
  }),
  makeNow: call({
    method: 'POST',
    path: '/api/order/make-now',
    access: 'anyone',
    summary: 'Sends an order to the printer at once, which ends the time for changes.',
    body: OrderKey,
    answer: z.object({ done: z.string() }),
    refusals,
  }),
}
