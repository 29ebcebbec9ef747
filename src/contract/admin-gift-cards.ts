import * as z from 'zod/mini'
import { GIFT_CARD_MAX, GIFT_CARD_MIN, giftCardMovements, shownGiftCardStates } from '#domain/gift-cards/gift-card.ts'
import type { Cents } from '#shared/money.ts'
import { call } from './call.ts'
import { branded, centsAnswer, centsInput, emailAddress, isoMoment, multilineText, pathId } from './wire.ts'

const AMOUNT = 'Please enter an amount from $1 to $500'
const reason = multilineText(1, 300, 'Please enter a reason')

/** `balance` can be held in part for payments that were only started. */
const AdminGiftCard = z.object({
  id: z.int(),
  /** The last characters of its code. */
  lastFour: z.string(),
  state: z.enum(shownGiftCardStates),
  issued: centsAnswer,
  balance: centsAnswer,
  reason: z.string(),
  email: z.nullable(z.string()),
  createdAt: isoMoment,
  /** What went back to its buyer after it was spent: a loss until something comes onto the card again. */
  lost: centsAnswer,
  movements: z.array(
    z.object({
      kind: z.enum(giftCardMovements),
      /** Positive: onto the card. */
      amount: centsAnswer,
      orderNumber: z.nullable(z.string()),
      at: isoMoment,
    }),
  ),
})
export type AdminGiftCard = z.output<typeof AdminGiftCard>

/** With who bought it, and what a refund of it would be now; null for one that was given. */
const ListedGiftCard = z.extend(AdminGiftCard, {
  purchase: z.nullable(
    z.object({
      ...{ buyer: z.string(), refundable: centsAnswer },
      isDisputed: z.boolean(),
      /** The day on which its email goes out; null for one that was sent. */
      sendsOn: z.nullable(z.iso.date()),
    }),
  ),
})
export type ListedGiftCard = z.output<typeof ListedGiftCard>

export const adminGiftCardCalls = {
  list: call({
    method: 'GET',
    path: '/api/admin/gift-cards',
    access: 'read_figures',
    summary:
      'Gift cards and store credit, newest first, by the last characters of a code or a part of an email; `older` continues after this id.',
    query: z.object({
      search: z.optional(z.string().check(z.maxLength(100))),
      older: z.optional(pathId<number>()),
    }),
    answer: z.object({
      cards: z.array(ListedGiftCard),
      hasMore: z.boolean(),
      /** Of all cards; `open` is what they can still buy. */
      totals: z.object({
        issued: centsAnswer,
        used: centsAnswer,
        returned: centsAnswer,
        voided: centsAnswer,
        open: centsAnswer,
      }),
    }),
    refusals: [],
  }),
  file: call({
    method: 'GET',
    path: '/api/admin/gift-cards/list',
    access: 'read_figures_fresh',
    summary: 'All gift cards and store credit as CSV, newest first.',
    answer: 'file',
    refusals: [],
  }),
  give: call({
    method: 'POST',
    path: '/api/admin/gift-cards',
    access: 'owner_fresh',
    summary:
      'Gives a gift card or store credit. The answer has its code, and so has the email. Repeating a request makes no second card.',
    body: z.object({
      requestKey: z.uuid(),
      amount: branded<Cents>(z.int(AMOUNT).check(z.gte(GIFT_CARD_MIN, AMOUNT), z.lte(GIFT_CARD_MAX, AMOUNT))),
      reason,
      /** Who gets the code by email. */
      email: z._default(z.nullable(emailAddress), null),
    }),
    answer: z.object({ done: z.string(), code: z.string() }),
    refusals: [],
  }),
  void: call({
    method: 'POST',
    path: '/api/admin/gift-cards/:id/void',
    access: 'owner_fresh',
    summary: 'Takes back what is left of a gift card.',
    params: z.object({ id: pathId<number>() }),
    body: z.object({ reason }),
    answer: z.object({ done: z.string() }),
    refusals: ['unknown_gift_card', 'gift_card_empty', 'gift_card_bought'],
  }),
  correct: call({
    method: 'POST',
    path: '/api/admin/gift-cards/:id/recipient',
    access: 'owner_fresh',
    summary:
      'Corrects the address of a gift card and emails its new code there. The old code is worth nothing from then on; what is left stays.',
    params: z.object({ id: pathId<number>() }),
    body: z.object({ email: emailAddress }),
    answer: z.object({ done: z.string() }),
    refusals: ['unknown_gift_card', 'gift_card_empty', 'gift_card_frozen', 'gift_card_held'],
  }),
  refund: call({
    method: 'POST',
    path: '/api/admin/gift-cards/:id/refund',
    access: 'owner_fresh',
    summary: 'Refunds what is left of a bought gift card to who paid for it. `amount` is the one that was shown.',
    params: z.object({ id: pathId<number>() }),
    body: z.object({ amount: branded<Cents>(centsInput), reason }),
    answer: z.object({ done: z.string() }),
    refusals: ['unknown_gift_card', 'gift_card_empty', 'gift_card_frozen', 'refund_changed'],
  }),
}
