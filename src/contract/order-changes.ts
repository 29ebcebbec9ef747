import * as z from 'zod/mini'
import { LINES_MAX, QUANTITY_MAX } from '#domain/cart/cart.ts'
import type { VariantId } from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'
import { call } from './call.ts'
import { CorrectedAddress, OrderKey, OrderVersion } from './orders.ts'
import { branded, centsAnswer, isoMoment, optionalLine } from './wire.ts'

const variantId = branded<VariantId>(z.int().check(z.gte(1)))

/** What is wanted of a paid order; what is missing stays. */
export const OrderWish = z.object({
  recipient: z.optional(CorrectedAddress),
  phone: z.optional(z.nullable(optionalLine(40))),
  lines: z.optional(
    z.object({
      /** Another size or color, or more or fewer pieces; 0 removes the line. */
      changed: z
        .array(
          z.object({
            position: z.int().check(z.gte(0)),
            variantId,
            quantity: z.int().check(z.gte(0), z.lte(QUANTITY_MAX)),
          }),
        )
        .check(z.maxLength(LINES_MAX)),
      added: z
        .array(z.object({ variantId, quantity: z.int().check(z.gte(1), z.lte(QUANTITY_MAX)) }))
        .check(z.maxLength(LINES_MAX)),
    }),
  ),
})
export type OrderWish = z.output<typeof OrderWish>

const Piece = z.object({ productName: z.string(), variantName: z.nullable(z.string()), quantity: z.int() })

/** An order as it would be. */
export const ChangePreview = z.object({
  /** What it costs more; negative for what would be refunded. */
  difference: centsAnswer,
  /** A difference too small to be charged, which the shop bears by a lower price. */
  waived: centsAnswer,
  amounts: z.object({
    subtotal: centsAnswer,
    shipping: centsAnswer,
    tax: centsAnswer,
    vatProtection: centsAnswer,
    total: centsAnswer,
  }),
  /** The tax's name at the address, such as `Sales Tax`. */
  taxLabel: z.string(),
  lines: z.array(z.extend(Piece, { unitPrice: centsAnswer })),
})
export type ChangePreview = z.output<typeof ChangePreview>

export const changeRefusals = [
  ...(['unknown_order', 'change_refused', 'correction_under_way', 'country_blocked', 'address_refused'] as const),
  'provider_unavailable',
] as const
const ofOrder = z.object({ number: z.string().check(z.maxLength(40)) })
const done = z.object({ done: z.string() })

/** The owner's changes of paid orders. */
export const orderChangeCalls = {
  preview: call({
    method: 'POST',
    path: '/api/admin/orders/:number/change/preview',
    access: 'edit_orders',
    summary: 'What a change of an order would cost, at the prices paid for what stays and today’s for what is new.',
    params: ofOrder,
    body: OrderWish,
    answer: ChangePreview,
    refusals: changeRefusals,
  }),
  change: call({
    method: 'POST',
    path: '/api/admin/orders/:number/change',
    access: 'edit_orders',
    summary:
      'Changes an order as previewed; `difference` comes from the preview, `seen` is the order’s `version` when somebody began. Less is refunded; more waits until the customer pays it by the emailed link.',
    params: ofOrder,
    body: z.extend(OrderWish, { difference: branded<Cents>(z.int()), seen: z.optional(OrderVersion) }),
    answer: done,
    refusals: [...changeRefusals, 'change_differs', 'order_changed', 'over_refund_limit'],
  }),
  drop: call({
    method: 'POST',
    path: '/api/admin/orders/:number/change/drop',
    access: 'edit_orders',
    summary: 'Drops a change that waits for its payment; the order stays as it was.',
    params: ofOrder,
    answer: done,
    refusals: ['unknown_order', 'no_change_to_pay'],
  }),
}

/** Paying the difference of a change, through an emailed link or in the browser that paid. */
export const changePaymentCalls = {
  show: call({
    method: 'GET',
    path: '/api/order/change',
    access: 'anyone',
    summary: 'The change of an order that waits for its payment; null if none does, or for who may only read.',
    query: OrderKey,
    answer: z.object({
      toPay: z.nullable(z.object({ amount: centsAnswer, until: isoMoment, total: centsAnswer, lines: z.array(Piece) })),
    }),
    refusals: ['order_not_shown', 'link_expired'],
  }),
  start: call({
    method: 'POST',
    path: '/api/order/change/pay',
    access: 'anyone',
    summary: 'Starts the card payment of a change’s difference; again, it is the same payment.',
    body: OrderKey,
    answer: z.object({ intentId: z.string(), clientSecret: z.string(), amount: centsAnswer }),
    refusals: [
      ...(['order_not_shown', 'link_expired', 'no_change_to_pay', 'change_refused'] as const),
      ...(['provider_unavailable', 'provider_refused'] as const),
    ],
  }),
  drop: call({
    method: 'POST',
    path: '/api/order/change/drop',
    access: 'anyone',
    summary: 'Drops a change that waits for its payment; the order stays as it was.',
    body: OrderKey,
    answer: done,
    refusals: ['order_not_shown', 'link_expired', 'no_change_to_pay'],
  }),
}
