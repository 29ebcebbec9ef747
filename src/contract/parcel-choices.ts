import * as z from 'zod/mini'
import { noticeKinds, noticeStates, parcelChoices } from '#domain/claims/parcel-notice.ts'
import { claimOutcomes } from '#domain/claims/claim.ts'
import { call } from './call.ts'
import { CorrectedAddress, OrderKey } from './orders.ts'
import { centsAnswer, pathId } from './wire.ts'

/** A parcel that is late, lost or came back, and what can be chosen about it. */
const ParcelNotice = z.object({
  id: z.int(),
  kind: z.enum(noticeKinds),
  state: z.enum(noticeStates),
  items: z.array(z.object({ productName: z.string(), variantName: z.nullable(z.string()), quantity: z.int() })),
  /** Dates, as `2026-11-30`; null where no day can be named. */
  expected: z.nullable(z.object({ from: z.string(), to: z.string() })),
  choices: z.array(z.enum(parcelChoices)),
  chosen: z.nullable(z.enum(parcelChoices)),
  /** How what was chosen ended; null while it waits for the shop. */
  outcome: z.nullable(z.enum(claimOutcomes)),
  refunded: z.nullable(centsAnswer),
})
export type ParcelNotice = z.output<typeof ParcelNotice>

export const parcelChoiceCalls = {
  show: call({
    method: 'GET',
    path: '/api/order/parcel-notices',
    access: 'anyone',
    summary: 'The order’s parcels that are late, lost or came back, with what their shopper can choose.',
    query: OrderKey,
    answer: z.object({ notices: z.array(ParcelNotice), country: z.string() }),
    refusals: ['order_not_shown', 'link_expired'],
  }),
  choose: call({
    method: 'POST',
    path: '/api/order/parcel-notices/:id/choice',
    access: 'anyone',
    summary:
      'Chooses what happens with a parcel: to wait, a refund, or a new parcel, for a returned one to the given recipient. A refund or new parcel is chosen once; the same choice again changes nothing.',
    params: z.object({ id: pathId<number>() }),
    body: z.extend(
      z.object({ choice: z.enum(parcelChoices, 'Please choose'), recipient: z.optional(CorrectedAddress) }),
      OrderKey.shape,
    ),
    answer: z.object({ done: z.string() }),
    refusals: [
      ...(['order_not_shown', 'link_expired', 'unknown_notice', 'parcel_decided', 'parcel_arrived'] as const),
      ...(['already_claimed', 'change_disputed', 'cannot_replace', 'correction_elsewhere'] as const),
      ...(['country_unsupported', 'address_refused', 'refund_changed', 'nothing_to_refund', 'unknown_order'] as const),
    ],
  }),
}

export const adminParcelCalls = {
  lose: call({
    method: 'POST',
    path: '/api/admin/orders/:number/parcels/:id/lost',
    access: 'fulfill_orders',
    summary: 'Gives a parcel up as lost; its shopper is told and chooses. Again, it changes nothing.',
    params: z.object({ number: z.string().check(z.maxLength(40)), id: pathId<number>() }),
    answer: z.object({ done: z.string() }),
    refusals: ['unknown_order', 'unknown_notice', 'parcel_arrived'],
  }),
}
