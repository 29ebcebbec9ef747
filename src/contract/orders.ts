import * as z from 'zod/mini'
import type { ProductId, VariantId } from '#shared/ids.ts'
import { orderSteps } from '#domain/orders/progress.ts'
import { call } from './call.ts'
import { buyersName, WireAddress } from './checkout.ts'
import { centsAnswer, emailAddress, singleLineText, optionalLine } from './wire.ts'

/** ISO 8601, UTC. */
const moment = z.string()

const Goods = z.object({
  productName: z.string(),
  variantName: z.nullable(z.string()),
  imageUrl: z.nullable(z.string()),
  quantity: z.int(),
})
export type Goods = z.output<typeof Goods>

const Parcel = z.object({
  /** `Parcel 1 of 2`, or `Replacement parcel`. */
  name: z.string(),
  carrier: z.string(),
  trackingNumber: z.nullable(z.string()),
  trackingUrl: z.nullable(z.string()),
  shippedAt: moment,
  deliveredAt: z.nullable(moment),
  returnedAt: z.nullable(moment),
  items: z.array(Goods),
})
export type Parcel = z.output<typeof Parcel>

/**
 * An order as its page shows it. Of the address there is the place alone, and the email is whole only for the session that
 * paid: a link can be passed on.
 */
export const OrderView = z.object({
  orderNumber: z.string(),
  /** The specification's one status. */
  status: z.string(),
  /** Where the making and sending stands. */
  fulfillment: z.string(),
  collection: z.string(),
  placedAt: moment,
  paidWith: z.enum(['card', 'paypal']),
  milestones: z.array(
    z.object({ station: z.enum(orderSteps), state: z.enum(['done', 'now', 'next']), at: z.nullable(moment) }),
  ),
  /** It waits for an address that the printer can send to: only the shopper can help. */
  needsAddress: z.boolean(),
  /** What of it can still be corrected by who asks. */
  can: z.object({ correctAddress: z.boolean(), correctEmail: z.boolean() }),
  /** Where it goes, as a code: a correction stays in this country. */
  countryCode: z.string(),
  lines: z.array(
    z.extend(Goods, {
      productId: z.int() as unknown as z.ZodMiniType<ProductId, ProductId>,
      variantId: z.int() as unknown as z.ZodMiniType<VariantId, VariantId>,
      unitPrice: centsAnswer,
    }),
  ),
  amounts: z.object({
    subtotal: centsAnswer,
    /** Without the surcharges. */
    shipping: centsAnswer,
    shippingMethod: z.string(),
    surcharges: z.array(z.object({ productName: z.string(), amount: centsAnswer })),
    tax: centsAnswer,
    taxLabel: z.string(),
    vatProtection: centsAnswer,
    total: centsAnswer,
    refunded: centsAnswer,
    /** Went back and did not arrive: it is sent again, or another way. */
    refundReturned: centsAnswer,
  }),
  city: z.string(),
  country: z.string(),
  email: z.string(),
  isPayer: z.boolean(),
  /** Days, as `2026-11-30`; null when nothing can be promised. */
  expected: z.nullable(z.object({ from: z.string(), to: z.string() })),
  parcels: z.array(Parcel),
  /** Paid for and in no parcel yet, once some has left. */
  stillToCome: z.array(Goods),
})
export type OrderView = z.output<typeof OrderView>

const ofAddress = (max: number) => z.optional(z.string().check(z.maxLength(max)))

/** How one may see an order: by the link of a mail, by the payment that this session made, or by its number. */
export const OrderKey = z.object({
  token: ofAddress(100),
  session_id: ofAddress(128),
  order: ofAddress(40),
})
export type OrderKey = z.output<typeof OrderKey>

/** Who gets the parcel, and where. The tax number is needed where the printer asks for it; left out, the one that is known stays. */
export const CorrectedAddress = z.object({
  name: buyersName,
  shippingAddress: WireAddress,
  tax_number: optionalLine(30),
})
export type CorrectedAddress = z.output<typeof CorrectedAddress>
export const CorrectedEmail = z.object({ email: emailAddress })

export const TrackedOrder = z.object({
  orderNumber: singleLineText(40, 'Please enter your order number'),
  email: emailAddress,
})
export type TrackedOrder = z.output<typeof TrackedOrder>

/** An order in the list of whoever has proven its email. */
const OwnOrder = z.object({
  orderNumber: z.string(),
  status: z.string(),
  placedAt: moment,
  total: centsAnswer,
  /** The first line, to be known by; `pieces` counts all of them. */
  productName: z.string(),
  imageUrl: z.nullable(z.string()),
  pieces: z.int(),
})
export type OwnOrder = z.output<typeof OwnOrder>

const correctionRefusals = ['order_not_shown', 'link_expired', 'correction_too_late'] as const

/** What the customer corrects, with the link of a mail or in the browser that paid. */
export const correctionCalls = {
  address: call({
    method: 'POST',
    path: '/api/order/address',
    access: 'anyone',
    summary:
      'Corrects where an order goes, by its `token` or the `session_id` of this session’s payment; the order then goes on by itself.',
    body: z.extend(CorrectedAddress, OrderKey.shape),
    answer: z.object({ done: z.string() }),
    refusals: [...correctionRefusals, 'correction_under_way', 'correction_elsewhere'],
  }),
  email: call({
    method: 'POST',
    path: '/api/order/email',
    access: 'anyone',
    summary: 'Corrects where the mails of an order go. Links that were mailed before open nothing any more.',
    body: z.extend(CorrectedEmail, OrderKey.shape),
    answer: z.object({ done: z.string() }),
    refusals: correctionRefusals,
  }),
}

export const orderCalls = {
  own: call({
    method: 'GET',
    path: '/api/account/orders',
    access: 'signed_in',
    summary: 'The orders of the proven email, the latest first; `after` is the number after which a page goes on.',
    query: z.object({ after: z.optional(z.string().check(z.maxLength(40))) }),
    answer: z.object({ orders: z.array(OwnOrder), hasMore: z.boolean() }),
    refusals: [],
  }),
  show: call({
    method: 'GET',
    path: '/api/order',
    access: 'anyone',
    summary:
      'An order by one of: `token` (from a mail), `session_id` (a payment that this session made), `order` (its number, for the session that paid or has tracked it).',
    query: OrderKey,
    answer: OrderView,
    refusals: ['order_not_shown', 'link_expired'],
  }),
  track: call({
    method: 'POST',
    path: '/api/track',
    access: 'anyone',
    summary: 'Lets this session see an order for a while whose number and email it names.',
    body: TrackedOrder,
    answer: z.object({ orderNumber: z.string() }),
    refusals: ['unknown_order'],
  }),
}
