import * as z from 'zod/mini'
import { call } from './call.ts'
import { OrderKey } from './orders.ts'

const refusals = [
  'order_not_shown',
  'link_expired',
  'correction_too_late',
  'correction_under_way',
  'change_disputed',
] as const

/** Changes of a paid order by the customer, while its time for changes lasts; by an emailed link or in the browser that paid. */
export const shopperChangeCalls = {
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
