import * as z from 'zod/mini'
import type { ProductId, VariantId } from '#shared/ids.ts'
import { formerOrderStatuses } from '#domain/imports/former-shop.ts'
import { editionStates } from '#domain/drops/drop.ts'
import { orderKinds } from '#domain/orders/kind.ts'
import { changeObjections } from '#domain/orders/changes.ts'
import { orderSteps } from '#domain/orders/progress.ts'
import { call } from './call.ts'
import { buyersName, LabeledTexts, WireAddress } from './checkout.ts'
import { branded, centsAnswer, emailAddress, plainText, singleLineText, optionalLine } from './wire.ts'

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
  /** When it was given up as lost. */
  lostAt: z.nullable(moment),
  /** What the carrier reported, in our words, the latest first. */
  events: z.array(z.object({ text: z.string(), place: z.nullable(z.string()), at: moment })),
  items: z.array(Goods),
})
export type Parcel = z.output<typeof Parcel>

/** Of a payment; its brand as Stripe writes it. */
export const PaidCard = z.object({ brand: z.string(), lastFour: z.string() })

/**
 * An order as its page shows it. Links can be forwarded, so only the session that paid sees recipient, street and full email;
 * others see city, state and country.
 */
export const OrderView = z.object({
  orderNumber: z.string(),
  /** The specification's single status. */
  status: z.string(),
  /** The fulfillment status. */
  fulfillment: z.string(),
  collection: z.string(),
  placedAt: moment,
  kind: z.enum(orderKinds),
  /** Meaningless unless the order is a sale. */
  paidWith: z.enum(['card', 'paypal']),
  /** Shown to the payer only; missing where it is not known. */
  card: z.optional(PaidCard),
  milestones: z.array(
    z.object({ station: z.enum(orderSteps), state: z.enum(['done', 'now', 'next']), at: z.nullable(moment) }),
  ),
  /** Waiting for a deliverable address: only the shopper can help. */
  needsAddress: z.boolean(),
  /** What this visitor can still correct, or whether they may withdraw from the purchase. */
  can: z.object({ correctAddress: z.boolean(), correctEmail: z.boolean(), withdraw: z.boolean() }),
  /** How long its customer can or could change and cancel it; null if it went to the printer right away. */
  changes: z.nullable(
    z.object({
      until: moment,
      /** Why it can't be changed now; null if it can. */
      objection: z.nullable(z.enum(changeObjections)),
      /** Whether this visitor may change it: not without the emailed link or the browser that paid. */
      isYours: z.boolean(),
      /** When the customer canceled it. */
      canceledAt: z.nullable(moment),
    }),
  ),
  /** All of it was refunded before anything shipped, and the printer makes it nevertheless. */
  isMadeAnyway: z.boolean(),
  /** The destination's country code: a correction cannot change it. */
  countryCode: z.string(),
  lines: z.array(
    z.extend(Goods, {
      /** Never used twice in an order. */
      position: z.int(),
      productId: branded<ProductId>(),
      variantId: branded<VariantId>(),
      unitPrice: centsAnswer,
      /** Before a code took something off. */
      listPrice: z.optional(centsAnswer),
      /** Of a limited edition, such as `No. 12 of 500`; with its certificate for the customer. */
      numbers: z.optional(
        z.array(z.object({ label: z.string(), state: z.enum(editionStates), certificate: z.optional(z.string()) })),
      ),
    }),
  ),
  amounts: z.object({
    subtotal: centsAnswer,
    /** What codes took off, such as `RUDY10: $5.10 off`; missing without any. */
    saving: z.optional(z.string()),
    /** Without surcharges. */
    shipping: centsAnswer,
    shippingMethod: z.string(),
    surcharges: z.array(z.object({ productName: z.string(), amount: centsAnswer })),
    tax: centsAnswer,
    taxLabel: z.string(),
    /** Such as `German VAT 19%`; missing without tax. */
    taxName: z.optional(z.string()),
    vatProtection: centsAnswer,
    total: centsAnswer,
    /** What was charged in the currency in which it was shown, by the rate of then: `about 29 EUR, charged in US dollars`. */
    about: z.optional(z.string()),
    /** The part of the total that a gift card paid; missing without one. */
    giftCard: z.optional(centsAnswer),
    refunded: centsAnswer,
    /** The part of it that went to a gift card or became store credit; missing without any. */
    refundedToGiftCard: z.optional(centsAnswer),
    /** A failed refund that will be paid again, or another way. */
    refundReturned: centsAnswer,
  }),
  city: z.string(),
  country: z.string(),
  /** Both as one name: `Sydney, Australia`, in the United States `San Francisco, CA`. */
  place: z.string(),
  /** Recipient and address; shown to the payer only. */
  shipsTo: z.optional(
    z.object({
      name: z.string(),
      address: z.object({
        line1: z.string(),
        line2: z.nullable(z.string()),
        city: z.string(),
        state: z.nullable(z.string()),
        postalCode: z.nullable(z.string()),
        country: z.string(),
      }),
    }),
  ),
  email: z.string(),
  isPayer: z.boolean(),
  /** Shown to the payer only. */
  texts: LabeledTexts,
  /** Later than first promised. */
  isLate: z.boolean(),
  /** Dates, as `2026-11-30`, never all in the past; null if nothing can be promised. */
  expected: z.nullable(z.object({ from: z.string(), to: z.string() })),
  parcels: z.array(Parcel),
  /** Paid pieces not yet shipped, once some have. */
  stillToCome: z.array(Goods),
  /** Of the legal pages that the shopper agreed to; null for orders from before versions. */
  termsVersion: z.nullable(z.int()),
})
export type OrderView = z.output<typeof OrderView>

const ShownOrder = z.extend(OrderView, {
  /** The address of the page for a gift's recipient; null for other orders, and without an emailed link or the browser that paid. */
  giftPage: z.nullable(z.string()),
  /** This browser paid for it, and nobody is signed in there. */
  mayRegister: z.boolean(),
})
export type ShownOrder = z.output<typeof ShownOrder>

/** The page of a gift's recipient: the customer decides what to tell about the rest. */
export const GiftView = z.extend(
  z.pick(OrderView, {
    collection: true,
    fulfillment: true,
    milestones: true,
    expected: true,
    parcels: true,
    stillToCome: true,
  }),
  {
    /** All pieces of the order. */
    goods: z.array(Goods),
    /** As on the packing slip. */
    note: z.nullable(z.object({ heading: z.string(), message: z.string() })),
  },
)
export type GiftView = z.output<typeof GiftView>

const ofAddress = (max: number) => z.optional(z.string().check(z.regex(plainText), z.maxLength(max)))

/** How an order can be opened: by an emailed link, by this session's payment, or by its number. */
export const OrderKey = z.object({
  token: ofAddress(100),
  session_id: ofAddress(128),
  order: ofAddress(40),
})
export type OrderKey = z.output<typeof OrderKey>

/**
 * The recipient and address. The tax number is required where the printer needs it; if missing, the stored one stays.
 */
export const CorrectedAddress = z.object({
  name: buyersName,
  shippingAddress: WireAddress,
  tax_number: optionalLine(30),
})
export type CorrectedAddress = z.output<typeof CorrectedAddress>

/** How often an order was corrected or changed; the owner's changes name the one that was looked at. */
export const OrderVersion = z.int().check(z.gte(0))

export const CorrectedEmail = z.object({ email: emailAddress })

export const TrackedOrder = z.object({
  orderNumber: singleLineText(40, 'Please enter your order number'),
  email: emailAddress,
})
export type TrackedOrder = z.output<typeof TrackedOrder>

/** An order of a former shop: nothing can be done with it here. */
export const PastOrderView = z.object({
  /** Such as `Shopify`. */
  shop: z.string(),
  orderNumber: z.string(),
  placedAt: moment,
  status: z.enum(formerOrderStatuses),
  lines: z.array(z.object({ productName: z.string(), quantity: z.int(), total: centsAnswer })),
  shipping: centsAnswer,
  tax: centsAnswer,
  discount: centsAnswer,
  /** What the others lack to the total, such as a tip. */
  other: centsAnswer,
  total: centsAnswer,
  refunded: centsAnswer,
})
export type PastOrderView = z.output<typeof PastOrderView>

/** An order in the list of a user with a verified email. */
const OwnOrder = z.object({
  orderNumber: z.string(),
  status: z.string(),
  placedAt: moment,
  total: centsAnswer,
  /** The first line, for recognition; `pieces` counts all lines. */
  productName: z.string(),
  imageUrl: z.nullable(z.string()),
  pieces: z.int(),
})
export type OwnOrder = z.output<typeof OwnOrder>

const correctionRefusals = ['order_not_shown', 'link_expired', 'correction_too_late'] as const

/** Corrections by the customer, through an emailed link or in the browser that paid. */
export const correctionCalls = {
  address: call({
    method: 'POST',
    path: '/api/order/address',
    access: 'anyone',
    summary:
      'Corrects an order’s address, by `token` or the `session_id` of this session’s payment; the order then continues.',
    body: z.extend(CorrectedAddress, OrderKey.shape),
    answer: z.object({ done: z.string() }),
    refusals: [
      ...correctionRefusals,
      ...(['correction_under_way', 'correction_elsewhere', 'change_refused', 'change_differs'] as const),
    ],
  }),
  email: call({
    method: 'POST',
    path: '/api/order/email',
    access: 'anyone',
    summary: 'Corrects an order’s email. Previously emailed links stop working.',
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
    summary: 'Orders of the verified email, latest first; `after` continues after this order.',
    query: z.object({ after: z.optional(z.string().check(z.maxLength(40))) }),
    answer: z.object({ orders: z.array(OwnOrder), hasMore: z.boolean() }),
    refusals: [],
  }),
  show: call({
    method: 'GET',
    path: '/api/order',
    access: 'anyone',
    summary:
      'An order by `token` (from an email), `session_id` (this session’s payment) or `order` (its number, if this session paid or tracked it).',
    query: OrderKey,
    answer: ShownOrder,
    refusals: ['order_not_shown', 'link_expired'],
  }),
  gift: call({
    method: 'GET',
    path: '/api/order/gift',
    access: 'anyone',
    summary: 'What the recipient of a gift sees of its order, by the signed token of its page: no amounts.',
    query: z.object({ token: z.string().check(z.maxLength(100)) }),
    answer: GiftView,
    refusals: ['order_not_shown'],
  }),
  track: call({
    method: 'POST',
    path: '/api/track',
    access: 'anyone',
    summary: 'Opens an order for this session for a while, by number and email.',
    body: TrackedOrder,
    answer: z.object({ orderNumber: z.string() }),
    refusals: ['unknown_order'],
  }),
  trackPast: call({
    method: 'POST',
    path: '/api/track/past',
    access: 'anyone',
    summary: 'Shows an order of a former shop, by number and email.',
    body: TrackedOrder,
    answer: PastOrderView,
    refusals: ['unknown_order'],
  }),
  pastOrder: call({
    method: 'GET',
    path: '/api/track/past',
    access: 'anyone',
    summary: 'The order of a former shop that the form without JavaScript found, for a quarter of an hour.',
    query: z.object({ key: z.string().check(z.maxLength(200)) }),
    answer: PastOrderView,
    refusals: ['unknown_order'],
  }),
}
