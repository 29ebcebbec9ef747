import * as z from 'zod/mini'
import { phoneOrderStates } from '#domain/checkout/phone-order.ts'
import { call } from './call.ts'
import { OrderSummary } from './checkout.ts'
import { orderedLines, OrderedFor, requestKey } from './free-orders.ts'
import { branded, centsAnswer, centsInput, isoMoment, optionalLine, pathId, walletOrderId } from './wire.ts'
import type { Cents } from '#shared/money.ts'

/** Orders taken by phone: the owner enters them, the customer pays by an emailed link. */

const quoteRefusals = [
  ...(['country_unsupported', 'country_blocked', 'address_refused', 'unknown_variant', 'sold_out'] as const),
  'provider_unavailable',
] as const

/** As the checkout's form has one: without a phone number, which a change of the paid order can add. */
const customer = z.omit(OrderedFor, { phone: true })

export const PhoneOrderRequest = z.object({
  lines: orderedLines,
  customer,
  /** The end of a partner's link, whose sale it is then; empty: nobody gets a commission. */
  partnerLink: optionalLine(60),
  requestKey,
})
export type PhoneOrderRequest = z.output<typeof PhoneOrderRequest>

const piece = z.object({ productName: z.string(), variantName: z.nullable(z.string()), quantity: z.int() })
const state = z.enum(phoneOrderStates)
const ofPhoneOrder = z.object({ id: pathId<number>() })
const done = z.object({ done: z.string() })

export const AdminPhoneOrder = z.object({
  id: z.int(),
  state,
  customer: z.object({ name: z.string(), email: z.string(), country: z.string() }),
  lines: z.array(piece),
  createdAt: isoMoment,
  expiresAt: isoMoment,
  /** Opens the page where it is paid. */
  link: z.string(),
})
export type AdminPhoneOrder = z.output<typeof AdminPhoneOrder>

export const adminPhoneOrderCalls = {
  preview: call({
    method: 'POST',
    path: '/api/admin/phone-orders/preview',
    access: 'edit_orders',
    summary: 'What the customer of an order taken by phone would pay today.',
    body: z.object({ lines: orderedLines, customer }),
    answer: OrderSummary,
    refusals: quoteRefusals,
  }),
  take: call({
    method: 'POST',
    path: '/api/admin/phone-orders',
    access: 'edit_orders',
    summary:
      'Takes an order by phone and emails its payment link. Nothing is made before it is paid. Idempotent by `requestKey`; the same order from another form within ten minutes is the same one, too.',
    body: PhoneOrderRequest,
    answer: done,
    refusals: [...quoteRefusals, 'unknown_link'],
  }),
  list: call({
    method: 'GET',
    path: '/api/admin/phone-orders',
    access: 'read_orders',
    summary:
      'Orders taken by phone that are not paid, latest first; at most 100. Canceled and expired ones for a month.',
    answer: z.object({ orders: z.array(AdminPhoneOrder) }),
    refusals: [],
  }),
  send: call({
    method: 'POST',
    path: '/api/admin/phone-orders/:id/send',
    access: 'edit_orders',
    summary: 'Emails the payment link again; it can be paid for seven days from then.',
    params: ofPhoneOrder,
    answer: done,
    refusals: ['unknown_phone_order', 'phone_order_closed', ...quoteRefusals],
  }),
  cancel: call({
    method: 'POST',
    path: '/api/admin/phone-orders/:id/cancel',
    access: 'edit_orders',
    summary: 'Closes the payment link, and a payment that was started.',
    params: ofPhoneOrder,
    answer: done,
    refusals: ['unknown_phone_order', 'phone_order_closed'],
  }),
}

/** What the link opens. */
export const PhoneOrderView = z.object({
  state,
  collection: z.string(),
  lines: z.array(z.object({ ...piece.shape, imageUrl: z.nullable(z.string()), unitPrice: centsAnswer })),
  /** Where it goes, without the street: links get forwarded. */
  shipsTo: z.string(),
  email: z.string(),
  until: isoMoment,
  /** Null unless it can be paid. */
  summary: z.nullable(OrderSummary),
})
export type PhoneOrderView = z.output<typeof PhoneOrderView>

const token = z.string().check(z.minLength(1), z.maxLength(100))
const payment = z.object({
  token,
  /** What the page shows; another amount is refused with the new one, and never charged. */
  total: branded<Cents>(centsInput),
  ageConfirmed: z.boolean(),
})
const startRefusals = [
  ...quoteRefusals,
  ...(['unknown_phone_order', 'phone_order_closed', 'age_unconfirmed', 'summary_changed', 'cart_empty'] as const),
  ...(['wrong_currency', 'already_paid', 'payment_held', 'too_many', 'provider_refused'] as const),
] as const

export const phoneOrderCalls = {
  show: call({
    method: 'GET',
    path: '/api/order/to-pay',
    access: 'anyone',
    summary: 'An order taken by phone as its emailed link shows it, at today’s prices.',
    query: z.object({ token }),
    answer: PhoneOrderView,
    refusals: [...quoteRefusals, 'unknown_phone_order'],
  }),
  payByCard: call({
    method: 'POST',
    path: '/api/order/to-pay/card',
    access: 'anyone',
    summary: 'Starts the card payment of an order taken by phone; the same request gets the same payment.',
    body: payment,
    answer: z.object({ clientSecret: z.string(), intentId: z.string(), amount: centsAnswer }),
    refusals: [...startRefusals, 'card_unavailable', 'card_closed', 'card_paused'],
  }),
  payByWallet: call({
    method: 'POST',
    path: '/api/order/to-pay/wallet',
    access: 'anyone',
    summary: 'Creates the PayPal order for an order taken by phone; the same request gets the same one.',
    body: payment,
    answer: z.object({ id: z.string() }),
    refusals: [...startRefusals, 'wrong_intent', 'wallet_address'],
  }),
  capture: call({
    method: 'POST',
    path: '/api/order/to-pay/wallet/:id/capture',
    access: 'anyone',
    summary: 'Captures an approved PayPal payment of an order taken by phone. `processing`: ask again.',
    params: z.object({ id: walletOrderId }),
    body: z.object({ token }),
    answer: z.object({ status: z.enum(['paid', 'held', 'processing']) }),
    refusals: [
      ...(['unknown_phone_order', 'phone_order_closed', 'unknown_payment', 'wallet_declined'] as const),
      ...(['wallet_not_approved', 'wallet_address', 'already_paid', 'payment_held', 'payment_not_captured'] as const),
      ...(['provider_unavailable', 'provider_refused', 'outcome_unknown'] as const),
    ],
  }),
}
