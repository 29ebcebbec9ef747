import * as z from 'zod/mini'
import { BOUGHT_GIFT_CARD_MAX, BOUGHT_GIFT_CARD_MIN, purchaseStates } from '#domain/gift-cards/gift-card.ts'
import type { Cents } from '#shared/money.ts'
import { call } from './call.ts'
import { branded, centsAnswer, emailAddress, multilineText, optionalLine, walletOrderId } from './wire.ts'

/** Gift cards that are bought. */

const DAY = 'Please choose a day from today on, within a year'
const AMOUNT = 'Please enter an amount from $10 to $500'

export const BuyGiftCard = z.object({
  /** Repeating a request begins no second purchase. */
  requestKey: z.uuid(),
  amount: branded<Cents>(z.int(AMOUNT).check(z.gte(BOUGHT_GIFT_CARD_MIN, AMOUNT), z.lte(BOUGHT_GIFT_CARD_MAX, AMOUNT))),
  /** Who gets the receipt. */
  email: emailAddress,
  /** Who gets the code. */
  recipientEmail: emailAddress,
  /** Shown to the recipient, and so is the message. */
  from: optionalLine(60),
  message: z.optional(multilineText(0, 300, '')),
  /** The day on which the recipient gets the code, in the morning of the shop's time zone; empty or today: at once. */
  sendOn: z.optional(z.nullable(z.union([z.literal(''), z.iso.date(DAY)], DAY))),
})
export type BuyGiftCard = z.output<typeof BuyGiftCard>

const token = z.string().check(z.minLength(1), z.maxLength(200))

export const giftCardCalls = {
  buy: call({
    method: 'POST',
    path: '/api/gift-card',
    access: 'anyone',
    summary: 'Begins the purchase of a gift card. `token` opens the page where it is paid. Nothing is charged yet.',
    body: BuyGiftCard,
    answer: z.object({ token: z.string() }),
    refusals: ['gift_card_purchase_closed'],
  }),
  show: call({
    method: 'GET',
    path: '/api/gift-card',
    access: 'anyone',
    summary:
      'The purchase of a gift card without its code, and with masked emails once it is paid. A payment that was made is settled.',
    query: z.object({ token }),
    answer: z.object({
      state: z.enum(purchaseStates),
      amount: centsAnswer,
      buyer: z.string(),
      recipient: z.string(),
      /** The day on which the code is sent; null for at once, and once it was. */
      sendsOn: z.nullable(z.iso.date()),
    }),
    refusals: ['unknown_gift_card_purchase'],
  }),
  correct: call({
    method: 'POST',
    path: '/api/gift-card/recipient',
    access: 'anyone',
    summary: 'Corrects who a gift card is for, until its code is sent. Once it is paid, the buyer gets a new receipt.',
    body: z.object({ token, email: emailAddress }),
    answer: z.object({ done: z.string() }),
    refusals: ['unknown_gift_card_purchase', 'gift_card_purchase_closed'],
  }),
  pay: call({
    method: 'POST',
    path: '/api/gift-card/pay',
    access: 'anyone',
    summary: 'Starts the card payment of a gift card; again, it is the same payment.',
    body: z.object({ token }),
    answer: z.object({ intentId: z.string(), clientSecret: z.string(), amount: centsAnswer }),
    refusals: [
      ...(['unknown_gift_card_purchase', 'gift_card_purchase_closed'] as const),
      ...(['provider_unavailable', 'provider_refused'] as const),
    ],
  }),
  payByWallet: call({
    method: 'POST',
    path: '/api/gift-card/wallet',
    access: 'anyone',
    summary: 'Creates the PayPal order for a gift card; again, it is the same one.',
    body: z.object({ token }),
    answer: z.object({ id: z.string() }),
    refusals: [
      ...(['unknown_gift_card_purchase', 'gift_card_purchase_closed'] as const),
      ...(['provider_unavailable', 'provider_refused'] as const),
    ],
  }),
  capture: call({
    method: 'POST',
    path: '/api/gift-card/wallet/:id/capture',
    access: 'anyone',
    summary: 'Captures an approved PayPal payment of a gift card. `processing`: ask again.',
    params: z.object({ id: walletOrderId }),
    body: z.object({ token }),
    answer: z.object({ status: z.enum(['paid', 'held', 'processing']) }),
    refusals: [
      ...(['unknown_gift_card_purchase', 'gift_card_purchase_closed', 'unknown_payment'] as const),
      ...(['wallet_declined', 'wallet_not_approved', 'provider_unavailable', 'provider_refused'] as const),
    ],
  }),
}
