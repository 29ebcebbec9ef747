import { isDeepStrictEqual } from 'node:util'
import type { BuyGiftCard } from '#contract/gift-cards.ts'
import { payPaths } from '#contract/pay-paths.ts'
import { entriesOfGiftCardLoss } from '#domain/ledger/ledger.ts'
import { maskCardNumbers } from '#domain/messages/card-numbers.ts'
import { paymentStatusFor } from '#domain/payments/returns.ts'
import type { ProviderPayment } from '#domain/payments/objection.ts'
import { dateFormat, type Language } from '#shared/language.ts'
import { dayFromIso, isoOfDay } from '#shared/calendar-day.ts'
import type { CheckoutId, Payer, PaymentKey, SessionId } from '#shared/ids.ts'
import { cents, formatUsd, minus, negate, plus, sum, ZERO, type Cents } from '#shared/money.ts'
import { dayIn, hourOfDay } from '#shared/time-zone.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import { cancelIntent } from '#server/checkout/card.ts'
import { cardClosure } from '#server/checkout/declines.ts'
import { baseUrlOf } from '#server/config/config.ts'
import { readSignedToken, signedToken } from '#server/config/signature.ts'
import { autocommitWrite, type Tx } from '#server/db/db.ts'
import {
  freezeGiftCard,
  issueBoughtGiftCard,
  lockGiftCard,
  loseGiftCard,
  changeRecipient,
  sendGiftCard,
  takeForRefund,
  type GiftCard,
} from '#server/gift-cards/gift-cards.ts'
import { Refusal } from '#server/http/refusal.ts'
import { maskEmail } from '#server/log/log.ts'
import { ProviderRefusal } from '#server/providers/provider-errors.ts'
import { nextRepeatKey, post } from '#server/ledger/ledger.ts'
import { balanceOfPayment } from '#server/ledger/sums.ts'
import { LINK_TOKEN, mailLater, writtenIn } from '#server/mail/outbox.ts'
import { giftCardReceiptMail } from '#server/mail/templates/gift-card.ts'
import { insertRefund, listRefunds } from '#server/orders/refunds.ts'
import { readSiteSettingsCached } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import {
  changePurchase,
  countPurchaseAttempt,
  deleteUnpaidPurchase,
  findPurchase,
  findPurchaseOfIntent,
  findPurchaseOfPayment,
  insertPurchase,
  listPurchasesOf,
  listPurchasesToSend,
  lockPurchase,
  listUnpaidPurchases,
  savePurchaseIntent,
  type GiftCardPurchase,
} from './gift-card-rows.ts'
import { listDisputesOf } from './payments.ts'

/*
 * Gift cards that are bought. A purchase is paid by card or PayPal, and its payment becomes a gift card where others become an order. What goes back
 * to its payer, for whatever reason, is taken from the card, and is a loss only as far as the card was spent.
 */

/** Where other payments name their version. */
export const QUOTE_HASH = 'gift-card'

export const isForGiftCard = ({ quoteHash }: Pick<ProviderPayment, 'quoteHash'>): boolean => quoteHash === QUOTE_HASH

// ---- buying

const PURPOSE = 'gift card purchase'

/** The token of the purchase's page; also for its email. */
export const purchaseToken = ({ config }: Needs<'config'>, id: string): string => signedToken(config, PURPOSE, id)

/** @throws Refusal `unknown_gift_card_purchase` for a token that was changed, or a purchase that was not paid in time */
export async function openPurchase({ db, config }: Needs<'db' | 'config'>, token: string): Promise<GiftCardPurchase> {
  const id = readSignedToken(config, PURPOSE, token)
  const purchase = id === undefined ? undefined : await findPurchase(db, id)
  if (!purchase) throw new Refusal('unknown_gift_card_purchase')
  return purchase
}

/** Begins a purchase, once for a request. Nothing is charged or sent yet. @returns the token of its page */
export async function beginPurchase(
  shop: Needs<'db' | 'clock' | 'config'>,
  wanted: BuyGiftCard,
  language: Language,
): Promise<string> {
  const { requestKey, amount, email, recipientEmail } = wanted
  const senderName = maskCardNumbers(wanted.from ?? '') || null
  const message = maskCardNumbers(wanted.message ?? '') || null
  const sendAt = sendAtOf(shop, wanted.sendOn)
  const row = { requestKey, amountCents: amount, buyerEmail: email, recipientEmail, senderName, message, sendAt }
  const made = await autocommitWrite(shop.db, (tx) =>
    insertPurchase(tx, { ...row, language, createdAt: shop.clock.now() }),
  )
  const isSame = (Object.keys(row) as (keyof typeof row)[]).every((name) => isDeepStrictEqual(made[name], row[name]))
  if (!isSame) throw new Refusal('gift_card_purchase_closed', { reason: OTHER })
  return purchaseToken(shop, made.id)
}

const SENT_AT_HOUR = 9
const DAYS_AHEAD_MAX = 365
const DAY_SENTENCE = 'Please choose a day from today on, within a year'

/**
 * The morning of a day in the shop's time zone.
 * @returns null for at once: no day, today
 * @throws Refusal `invalid`
 */
function sendAtOf({ clock, config }: Needs<'clock' | 'config'>, sendOn: string | null | undefined): Date | null {
  if (!sendOn) return null
  const zone = config.reportTimeZone
  const today = dayIn(zone, clock.now().getTime())
  const day = dayFromIso(sendOn)
  if (day === undefined || day < today || day - today > DAYS_AHEAD_MAX)
    throw new Refusal('invalid', {}, { sendOn: DAY_SENTENCE })
  return day === today ? null : new Date(hourOfDay(zone, day, SENT_AT_HOUR))
}

/** The day on which a card is sent, in the shop's time zone; null once it was. */
export const sendDayOf = ({ config }: Needs<'config'>, { sendAt }: Pick<GiftCardPurchase, 'sendAt'>): string | null =>
  sendAt && isoOfDay(dayIn(config.reportTimeZone, sendAt.getTime()))

const OTHER = 'This form was sent with other details before. Please reload the page and try again.'
export const PAID = 'This gift card is paid. Nothing more is charged.'
const DECLINED = 'Several cards were declined, so this gift card can’t be paid any more. Nothing was charged.'
const PAUSED =
  'Many card payments from your internet connection were declined or left unfinished, so card payment is paused for an hour. Nothing was charged.'
export const REVIEWED = 'PayPal has this payment and reviews it. You don’t need to pay again.'
export const GONE = 'This gift card was not paid in time. Nothing was charged. Please start over.'

export const purchaseClosed = (reason: string) => new Refusal('gift_card_purchase_closed', { reason })

/** @throws Refusal `gift_card_purchase_closed` */
export function requirePayable({ paymentKey, isClosed, isHeld }: GiftCardPurchase): void {
  if (paymentKey) throw purchaseClosed(PAID)
  if (isClosed) throw purchaseClosed(DECLINED)
  if (isHeld) throw purchaseClosed(REVIEWED)
}

/**
 * The card payment of a purchase. Asked again, it is the same one, so a gift card is never paid twice.
 * @throws Refusal `gift_card_purchase_closed` when it is paid, under review by PayPal, or too many cards were declined
 * @throws ProviderUnavailable
 */
export async function startPurchasePayment(
  shop: Needs<'db' | 'clock' | 'config' | 'stripe'>,
  purchase: GiftCardPurchase,
  payer: Payer,
): Promise<{ intentId: string; clientSecret: string; amount: Cents }> {
  const { id, amountCents: amount, intentId, clientSecret } = purchase
  requirePayable(purchase)
  // Of this address, whatever it tried to buy.
  const nobody = { id: id as CheckoutId, sessionId: '' as SessionId }
  if (await cardClosure(shop, nobody, payer)) throw purchaseClosed(PAUSED)
  if (intentId && clientSecret) return { intentId, clientSecret, amount }
  const wanted = {
    shopName: (await readSiteSettingsCached(shop.db)).name,
    ...{ checkoutId: id as CheckoutId, quoteHash: QUOTE_HASH, order: undefined, amount },
    // Two tabs get the same payment.
    idempotencyKey: `pi-gift-card:${id}:${purchase.attempt}`,
  }
  const intent = await shop.stripe.createIntent(wanted).catch(async (error: unknown) => {
    // As in checkout: the provider replays its answer to a key, even a failure. The next try needs a new one.
    await autocommitWrite(shop.db, (tx) => countPurchaseAttempt(tx, id))
    throw error
  })
  const stored = { intentId: intent.id, clientSecret: intent.clientSecret }
  if (await autocommitWrite(shop.db, (tx) => savePurchaseIntent(tx, id, stored))) return { ...stored, amount }
  if ((await findPurchase(shop.db, id))?.intentId === intent.id) return { ...stored, amount }
  await cancelIntent(shop, intent.id)
  throw purchaseClosed(GONE)
}

/** After too many declined cards the payment that could try more is canceled. Ignores other payments. */
export async function countDeclinesOfPurchase(
  shop: Needs<'db' | 'config' | 'stripe'>,
  intentId: string,
): Promise<void> {
  const purchase = await findPurchaseOfIntent(shop.db, intentId)
  if (!purchase || purchase.paymentKey || purchase.isClosed) return
  const declines = await shop.stripe.listDeclines(intentId)
  if (declines.length < shop.config.cardTesting.declinesPerCheckout) return
  if ((await cancelIntent(shop, intentId)) !== 'cancelled') return
  await autocommitWrite(shop.db, (tx) => changePurchase(tx, purchase.id, { isClosed: true }))
}

/**
 * Cancels the payments of old unpaid purchases and deletes them.
 * @returns payments that were captured in the meantime and must be settled
 */
export async function endUnpaidPurchases(
  shop: Needs<'db' | 'stripe' | 'paypal'>,
  before: Date,
  limit: number,
): Promise<string[]> {
  const paid: string[] = []
  for (const purchase of await listUnpaidPurchases(shop.db, before, limit)) {
    if (await isOnItsWay(shop, purchase)) continue
    const status = purchase.intentId === null ? 'cancelled' : await cancelIntent(shop, purchase.intentId)
    if (status === 'cancelled') await autocommitWrite(shop.db, (tx) => deleteUnpaidPurchase(tx, purchase))
    else if (status === 'captured' && purchase.intentId) paid.push(purchase.intentId)
  }
  return paid
}

/** Whether PayPal may have taken its money: nothing else captures it than we, while there is a purchase. */
async function isOnItsWay({ paypal }: Needs<'paypal'>, { walletOrderId }: GiftCardPurchase): Promise<boolean> {
  if (walletOrderId === null) return false
  try {
    return (await paypal.readOrder(walletOrderId)).status !== 'open'
  } catch (error) {
    if (error instanceof ProviderRefusal) return false
    throw error
  }
}

// ---- paid

type IssueNeeds = Parameters<typeof issueBoughtGiftCard>[1]

/**
 * The card of a paid purchase, with the emails to its recipient and its buyer.
 * @param purchase locked and unpaid
 * @param booked the posting of its payment, which the caller makes
 */
export async function issuePurchased(
  tx: Tx,
  shop: IssueNeeds,
  purchase: GiftCardPurchase,
  { key, paymentKey, at }: { key: string; paymentKey: PaymentKey; at: Date },
): Promise<GiftCard> {
  const { id, amountCents: amount, buyerEmail, recipientEmail, sendAt } = purchase
  const isSentLater = sendAt !== null && sendAt > at
  const sentTo = recipientEmail ?? buyerEmail
  const bought = { amount, reason: 'Bought', recipientEmail: sentTo, greeting: greetingOf(purchase), isSentLater }
  const card = await issueBoughtGiftCard(tx, shop, bought, key)
  const done = { recipientEmail: null, clientSecret: null, paymentKey, giftCardId: card.id }
  await changePurchase(tx, id, { ...done, ...(!isSentLater && SENT) })
  await mailReceipt(tx, shop, isSentLater ? purchase : { ...purchase, sendAt: null }, { sentTo, about: id })
  return card
}

/** The card's email has the rest. */
const SENT = { sendAt: null, senderName: null, message: null }

const greetingOf = ({ senderName, message, language }: GiftCardPurchase) => ({
  from: senderName ?? '',
  message: message ?? '',
  language,
})

async function mailReceipt(
  tx: Tx,
  shop: IssueNeeds,
  {
    amountCents,
    buyerEmail,
    sendAt,
    language,
  }: Pick<GiftCardPurchase, 'amountCents' | 'buyerEmail' | 'sendAt' | 'language'>,
  { sentTo, about }: { sentTo: string; about: string },
): Promise<void> {
  const link = `${baseUrlOf(shop.config)}${payPaths.giftCard}?token=${LINK_TOKEN}`
  const receipt = writtenIn(language, () => {
    const day = sendAt && formatLongDay(sendAt, shop.config.reportTimeZone)
    return giftCardReceiptMail({ amount: formatUsd(amountCents), recipient: sentTo, link, ...(day && { day }) })
  })
  const recipient = { email: buyerEmail, name: '' }
  await mailLater(shop, tx, { kind: 'gift_card_bought', recipient, orderId: null, about, ...receipt }, shop.clock.now())
}

const formatLongDay = (at: Date, timeZone: string): string => dateFormat({ dateStyle: 'long', timeZone }).format(at)

// ---- sent on another day

/**
 * Writes the emails of cards whose day has come, each once. What was refunded or lost until then is not sent; a card whose payment is
 * disputed waits for the decision.
 */
export async function sendDueGiftCards(shop: IssueNeeds & Needs<'db'>): Promise<void> {
  const now = shop.clock.now()
  for (const key of await listPurchasesToSend(shop.db, now))
    await shop.db.transaction(async (tx) => {
      const { purchase, card } = (await lockPurchasedCard(tx, key)) ?? {}
      if (!purchase?.sendAt || !card || purchase.sendAt > now || card.frozenAt) return
      await changePurchase(tx, purchase.id, SENT)
      await sendGiftCard(tx, shop, card, greetingOf(purchase))
    })
}

/**
 * Corrects who a purchase is for, by its buyer, until the card is sent; the buyer gets a new receipt.
 * @throws Refusal `gift_card_purchase_closed` once it was sent, or when it can't be paid any more
 */
export async function readdressPurchase(
  shop: IssueNeeds & Needs<'db'>,
  seen: GiftCardPurchase,
  email: string,
): Promise<void> {
  await shop.db.transaction(async (tx) => {
    if (!seen.paymentKey) {
      const purchase = await lockPurchase(tx, seen.id)
      if (!purchase || purchase.paymentKey || purchase.isClosed) throw purchaseClosed(CHANGED)
      await changePurchase(tx, seen.id, { recipientEmail: email })
      return
    }
    const { purchase, card } = (await lockPurchasedCard(tx, seen.paymentKey)) ?? {}
    if (!purchase?.sendAt || !card || card.state === 'void') throw purchaseClosed(SENT_ALREADY)
    await changeRecipient(tx, card, email)
    const about = `${purchase.id} ${shop.clock.now().getTime()}`
    await mailReceipt(tx, shop, purchase, { sentTo: email, about })
  })
}

const CHANGED = 'This purchase has changed meanwhile. Please reload the page.'
const SENT_ALREADY = 'This gift card was sent or refunded. Please write to us, and we correct the address.'

/** The purchase of an email about it. */
export const purchaseIn = (about: string): string => about.split(' ', 1)[0] ?? ''

/** The same by the owner. @returns false unless the card is bought and not sent yet */
export async function readdressUnsent(
  shop: Needs<'db' | 'clock'>,
  { id, email }: { id: number; email: string },
  by: Actor,
): Promise<boolean> {
  return shop.db.transaction(async (tx) => {
    const [found] = await listPurchasesOf(tx, [id])
    const { purchase, card } = (found?.paymentKey && (await lockPurchasedCard(tx, found.paymentKey))) || {}
    if (!purchase?.sendAt || !card) return false
    await changeRecipient(tx, card, email)
    const about = { kind: 'gift card', id }
    const before = { email: card.recipientEmail && maskEmail(card.recipientEmail) }
    const after = { email: maskEmail(email) }
    await recordAction(tx, { by, what: 'corrected the address of', about, before, after, at: shop.clock.now() })
    return true
  })
}

// ---- money that goes back

/** A purchase and its card, locked. The card's lock is the one for both. */
export type PurchasedCard = { purchase: GiftCardPurchase; card: GiftCard; paymentKey: PaymentKey }

export async function lockPurchasedCard(tx: Tx, paymentKey: PaymentKey): Promise<PurchasedCard | undefined> {
  const seen = await findPurchaseOfPayment(tx, paymentKey)
  const card = seen?.giftCardId ? await lockGiftCard(tx, seen.giftCardId) : undefined
  const purchase = await findPurchaseOfPayment(tx, paymentKey)
  return purchase && card && { purchase, card, paymentKey }
}

/** What the shop owes the payer, taken from the card and not refunded yet; negative when more was refunded. */
const owedTo = async (tx: Tx, key: PaymentKey): Promise<Cents> =>
  negate(await balanceOfPayment(tx, key, 'liability:unassigned_payments'))

/**
 * Follows the refunds and disputes of a purchase with its card: frozen while disputed; what was refunded at the provider or lost is taken
 * from it.
 * @returns the payment's status
 */
export async function restatePurchase(
  tx: Tx,
  { clock }: Needs<'clock'>,
  { purchase, card, paymentKey }: PurchasedCard,
): Promise<string> {
  const at = clock.now()
  const disputes = (await listDisputesOf(tx, [paymentKey])).map(({ amountCents: amount, status }) => ({
    amount,
    status,
  }))
  const excess = negate(await owedTo(tx, paymentKey))
  if (excess > ZERO) {
    const key = await nextRepeatKey(tx, `gift-card-loss:${card.id}`)
    const entries = entriesOfGiftCardLoss(excess)
    await post(tx, { kind: 'gift_card', key, orderId: null, paymentKey, bookedAt: at, entries })
    await loseGiftCard(tx, card, excess, at)
  }
  const lost = sum(disputes.flatMap(({ amount, status }) => (status === 'lost' ? [amount] : [])))
  const fresh = minus(lost, purchase.disputeLossCents)
  if (fresh > ZERO) {
    await changePurchase(tx, purchase.id, { disputeLossCents: lost })
    // Its posting is the dispute's.
    const current = await lockGiftCard(tx, card.id)
    if (current) await loseGiftCard(tx, current, fresh, at)
  }
  await freezeGiftCard(tx, card, disputes.some(isOpen), at)
  const booked = (await listRefunds(tx, paymentKey)).filter(({ bookedAt, reversedAt }) => bookedAt && !reversedAt)
  return paymentStatusFor(purchase.amountCents, sum(booked.map(({ amountCents }) => amountCents)), disputes)
}

const isOpen = ({ status }: { status: string }): boolean => status === 'open' || status === 'inquiry'

/** Taken from the card for its payer and not on its way: a refund of it failed. */
async function unrefunded(tx: Tx, key: PaymentKey): Promise<Cents> {
  const waiting = (await listRefunds(tx, key)).filter(({ status, bookedAt }) => status !== 'failed' && !bookedAt)
  return cents(Math.max(0, minus(await owedTo(tx, key), sum(waiting.map(({ amountCents }) => amountCents)))))
}

/**
 * Refunds what is left of a bought card to who paid for it, and takes it off the card first: it is either used or refunded. Also repeats a
 * refund that failed.
 * @param seen the amount that the owner confirmed
 * @throws Refusal `unknown_gift_card` unless it was bought; `gift_card_frozen` while its payment is disputed; `gift_card_empty`;
 *   `refund_changed` when another amount is left
 */
export async function refundPurchase(
  shop: Needs<'db' | 'clock' | 'jobs'>,
  { id, seen, reason }: { id: number; seen: Cents; reason: string },
  by: Actor,
): Promise<Cents> {
  return shop.db.transaction(async (tx) => {
    const [found] = await listPurchasesOf(tx, [id])
    const locked = found?.paymentKey && (await lockPurchasedCard(tx, found.paymentKey))
    if (!locked) throw new Refusal('unknown_gift_card')
    const { card, paymentKey } = locked
    if (card.frozenAt) throw new Refusal('gift_card_frozen')
    const amount = plus(card.balanceCents, await unrefunded(tx, paymentKey))
    if (amount === ZERO) throw new Refusal('gift_card_empty')
    if (amount !== seen) throw new Refusal('refund_changed')
    const at = shop.clock.now()
    await takeForRefund(tx, card, paymentKey, at)
    const refund = await insertRefund(tx, { paymentKey, amountCents: amount, reason, createdAt: at })
    await shop.jobs.enqueue(tx, 'refund-payment', { refundId: refund.id })
    const after = { amount: formatUsd(amount), refund: refund.id }
    await recordAction(tx, { by, what: 'refunded', about: { kind: 'gift card', id }, after, at })
    return amount
  })
}

type PurchaseFacts = { buyer: string; refundable: Cents; sendsOn: string | null; isDisputed: boolean }

/** What the owner sees of the purchases of these cards, by card. */
export async function listPurchaseFacts(
  { db, config }: Needs<'db' | 'config'>,
  cards: readonly { id: number; balance: Cents }[],
): Promise<Map<number, PurchaseFacts>> {
  const purchases = await listPurchasesOf(
    db,
    cards.map(({ id }) => id),
  )
  return db.transaction(async (tx) => {
    const facts = new Map<number, PurchaseFacts>()
    const keys = purchases.flatMap(({ paymentKey }) => paymentKey ?? [])
    const disputed = new Set((await listDisputesOf(tx, keys)).map(({ paymentKey }) => paymentKey))
    for (const { giftCardId, paymentKey, buyerEmail: buyer, sendAt } of purchases) {
      const balance = cards.find(({ id }) => id === giftCardId)?.balance ?? ZERO
      if (giftCardId !== null && paymentKey !== null)
        facts.set(giftCardId, {
          ...{ buyer, refundable: plus(balance, await unrefunded(tx, paymentKey)) },
          ...{ sendsOn: sendDayOf({ config }, { sendAt }), isDisputed: disputed.has(paymentKey) },
        })
    }
    return facts
  })
}

/** @throws Refusal `gift_card_bought`: its money belongs to its buyer, who gets it back by a refund */
export async function requireNotBought({ db }: Needs<'db'>, id: number): Promise<void> {
  if ((await listPurchasesOf(db, [id])).length > 0) throw new Refusal('gift_card_bought')
}
