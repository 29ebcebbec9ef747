import { boolean, check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { sql } from 'drizzle-orm'
import { knownLanguage, language, moment, money, notNegative } from '#server/db/columns.ts'
import { giftCard } from '#server/gift-cards/schema.ts'
import { payment } from '#server/payments/schema.ts'
import type { PaymentKey } from '#shared/ids.ts'
import { ZERO } from '#shared/money.ts'

/** A gift card that somebody buys. Unpaid ones are deleted after a day; a paid one has a card. */
export const giftCardPurchase = pgTable(
  'gift_card_purchase',
  {
    /** Its payment names it where others name their checkout. */
    id: uuid().primaryKey().defaultRandom(),
    /** Identifies the buyer's request, so that repeating it makes no second purchase. */
    requestKey: uuid().notNull().unique(),
    amountCents: money().notNull(),
    language: language(),
    buyerEmail: text().notNull(),
    /** When the card's email is written; null for at once, and once it was. */
    sendAt: moment(),
    /** For the card's email; name and message are deleted once it is written, the address once the card has it. */
    recipientEmail: text(),
    senderName: text(),
    message: text(),
    /** Its one card payment. */
    intentId: text().unique(),
    clientSecret: text(),
    /** In the provider's idempotency key: grows after a failure, whose answer the provider would repeat. */
    attempt: integer().notNull().default(0),
    /** Its PayPal order that can be paid; another one takes its place once it can't. */
    walletOrderId: text().unique(),
    /** In PayPal's idempotency keys: the orders made for it, and the captures of this one that PayPal refused. */
    walletAttempt: integer().notNull().default(0),
    walletRefusals: integer().notNull().default(0),
    /** PayPal has the money and reviews it: nothing else pays for it meanwhile. */
    isHeld: boolean().notNull().default(false),
    /** Too many cards were declined. */
    isClosed: boolean().notNull().default(false),
    createdAt: moment().notNull(),
    paymentKey: text()
      .unique()
      .$type<PaymentKey>()
      .references(() => payment.paymentKey),
    giftCardId: integer()
      .unique()
      .references(() => giftCard.id),
    /** Of lost disputes, what the card has answered for. */
    disputeLossCents: money().notNull().default(ZERO),
  },
  (t) => [
    knownLanguage('gift_card_purchase_language_known', t.language),
    index('gift_card_purchase_to_send')
      .on(t.sendAt)
      .where(sql`${t.sendAt} is not null`),
    notNegative('gift_card_purchase_amounts_not_negative', t.amountCents, t.disputeLossCents),
    check('gift_card_purchase_paid_has_card', sql`(${t.paymentKey} is null) = (${t.giftCardId} is null)`),
  ],
)
