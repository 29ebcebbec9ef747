import { createHash, randomBytes } from 'node:crypto'
import { entriesOfGiftCard, entriesOfGiftCardRefund, entriesOfRecovery, reverseEntries } from '#domain/ledger/ledger.ts'
import { giftCardCodeFrom, giftCardCodeIn, type GiftCardShare } from '#domain/gift-cards/gift-card.ts'
import type { Language } from '#shared/language.ts'
import { assert } from '#shared/assert.ts'
import type { OrderNumber, PaymentKey } from '#shared/ids.ts'
import { cents, formatUsd, minus, negate, plus, ZERO, type Cents } from '#shared/money.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import { baseUrlOf } from '#server/config/config.ts'
import { signatureOf } from '#server/config/signature.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { maskEmail } from '#server/log/log.ts'
import { nextRepeatKey, post } from '#server/ledger/ledger.ts'
import { LINK_TOKEN, mailLater, redirectMail, writtenIn } from '#server/mail/outbox.ts'
import { giftCardMail } from '#server/mail/templates/gift-card.ts'
import type { Needs } from '#server/shop.ts'
import {
  addReason,
  changeGiftCard,
  findByHash,
  findByRequest,
  findGiftCard,
  insertGiftCard,
  lockGiftCard,
  moveBalance,
  type GiftCard,
} from './store.ts'

export { findGiftCard, listMovementsOf, listOfEmail, lockGiftCard, type GiftCard } from './store.ts'

type GiftCardNeeds = Needs<'db' | 'clock' | 'config' | 'jobs'>

const PURPOSE = 'gift card'

/** Only hashes of codes are stored. A code comes from the seed and the shop's secret, so its email can be written when it is sent. */
const codeOf = ({ config }: Needs<'config'>, seed: string): string =>
  giftCardCodeFrom(signatureOf(config, PURPOSE, seed))

const hashOf = (code: string): string => createHash('sha256').update(code).digest('hex')

/**
 * The code for an email.
 * @param about the email's, which begins with the card's id
 * @throws when the shop's secret or the recipient has changed since: a corrected address alone gets the code
 */
export async function giftCardCodeOf(
  shop: Needs<'db' | 'config'>,
  { about, recipient }: { about: string; recipient: string },
): Promise<string> {
  const card = await findGiftCard(shop.db, Number.parseInt(about, 10))
  assert(card?.recipientEmail === recipient, `gift card ${about} is no longer for the recipient of this email`)
  const code = codeOf(shop, card.seed)
  assert(hashOf(code) === card.codeHash, `the code of gift card ${about} can’t be computed any more`)
  return code
}

/** The card of a typed code, usable or not. */
export async function findByCode(db: Reader, typed: string): Promise<GiftCard | undefined> {
  const code = giftCardCodeIn(typed)
  return code === undefined ? undefined : findByHash(db, hashOf(code))
}

function newCode(shop: Needs<'config'>): Pick<GiftCard, 'seed' | 'codeHash' | 'lastFour'> {
  const seed = randomBytes(16).toString('hex')
  const code = codeOf(shop, seed)
  return { seed, codeHash: hashOf(code), lastFour: code.slice(-4) }
}

/** What a buyer wrote for its recipient; each can be empty. */
export type Greeting = { from: string; message: string; language: Language }

type NewGiftCard = {
  amount: Cents
  reason: string
  recipientEmail: string | null
  requestKey?: string
  greeting?: Greeting
  /** Its email is written on another day, by `sendGiftCard`. */
  isSentLater?: boolean
}

/**
 * Makes a card and puts its amount on it; the caller posts it to the ledger under the same key.
 * @param booked the posting that it is a part of; by default the card's own
 * @returns undefined when the request made a card before
 */
async function addGiftCard(
  tx: Tx,
  shop: Pick<GiftCardNeeds, 'clock' | 'config' | 'jobs'>,
  { amount, reason, recipientEmail, requestKey, greeting, isSentLater = false }: NewGiftCard,
  booked: { key: string; orderNumber?: OrderNumber } | undefined,
): Promise<{ card: GiftCard; key: string } | undefined> {
  const at = shop.clock.now()
  const row = { ...newCode(shop), issuedCents: amount, reason, recipientEmail }
  const card = await insertGiftCard(tx, { ...row, createdAt: at, ...(requestKey !== undefined && { requestKey }) })
  if (!card) return undefined
  const { key, orderNumber } = booked ?? { key: `gift-card:${card.id}` }
  const movement = { kind: 'issue', amount, postingKey: key, at } as const
  await moveBalance(tx, card, { ...movement, ...(orderNumber && { orderNumber }) })
  if (recipientEmail !== null && !isSentLater)
    await mailGiftCardLater(tx, shop, card, { email: recipientEmail, amount, greeting })
  return { card, key }
}

async function mailGiftCardLater(
  tx: Tx,
  shop: Pick<GiftCardNeeds, 'clock' | 'config' | 'jobs'>,
  { id, lastFour }: GiftCard,
  { email, amount, greeting }: { email: string; amount: Cents; greeting?: Greeting | undefined },
): Promise<void> {
  const link = baseUrlOf(shop.config)
  const { language = 'en', ...words } = greeting ?? {}
  const mail = writtenIn(language, () => giftCardMail({ code: LINK_TOKEN, amount: formatUsd(amount), link, ...words }))
  const recipient = { email, name: '' }
  await mailLater(
    shop,
    tx,
    { kind: 'gift_card', recipient, orderId: null, about: `${id} ${lastFour}`, ...mail },
    shop.clock.now(),
  )
}

const aboutOf = ({ id }: Pick<GiftCard, 'id'>) => ({ kind: 'gift card', id })

/** Gives a gift card or store credit, once for a request. @returns its code, which the email has too */
export async function giveGiftCard(
  shop: GiftCardNeeds,
  given: NewGiftCard & { requestKey: string },
  by: Actor,
): Promise<string> {
  return shop.db.transaction(async (tx) => {
    const at = shop.clock.now()
    const added = await addGiftCard(tx, shop, given, undefined)
    if (!added) return codeOf(shop, (await findByRequest(tx, given.requestKey))?.seed ?? '')
    const { card, key } = added
    const entries = entriesOfGiftCard(given.amount)
    await post(tx, { kind: 'gift_card', key, orderId: null, paymentKey: null, bookedAt: at, entries })
    const after = { amount: formatUsd(given.amount), ending: card.lastFour }
    await recordAction(tx, { by, what: 'gave', about: aboutOf(card), after, at })
    return codeOf(shop, card.seed)
  })
}

/**
 * Gives a card another code, for a corrected address: nobody can use the old one any more. Its first email goes there if it is not sent yet,
 * otherwise a new one with what is left.
 * @param card locked, and held by nobody
 */
export async function readdressGiftCard(
  tx: Tx,
  shop: Pick<GiftCardNeeds, 'clock' | 'config' | 'jobs'>,
  card: GiftCard,
  email: string,
  by: Actor,
): Promise<void> {
  const code = newCode(shop)
  await changeGiftCard(tx, card, { ...code, recipientEmail: email })
  const isRedirected = await redirectMail(tx, { kind: 'gift_card', about: `${card.id} ${card.lastFour}` }, email)
  if (!isRedirected) await mailGiftCardLater(tx, shop, { ...card, ...code }, { email, amount: card.balanceCents })
  const seen = (address: string | null, ending: string) => ({ email: address && maskEmail(address), ending })
  await recordAction(tx, {
    ...{ by, what: 'corrected the address of', about: aboutOf(card), at: shop.clock.now() },
    before: seen(card.recipientEmail, card.lastFour),
    after: seen(email, code.lastFour),
  })
}

/** Writes the email of a card whose day has come, with what is on it. @param card locked */
export async function sendGiftCard(
  tx: Tx,
  shop: Pick<GiftCardNeeds, 'clock' | 'config' | 'jobs'>,
  card: GiftCard,
  greeting: Greeting,
): Promise<void> {
  const { recipientEmail: email, balanceCents: amount } = card
  if (email !== null && amount > ZERO) await mailGiftCardLater(tx, shop, card, { email, amount, greeting })
}

/** Who a card is for that nobody has the code of yet. @param card locked */
export const changeRecipient = (tx: Tx, card: GiftCard, recipientEmail: string) =>
  changeGiftCard(tx, card, { recipientEmail })

/** A card that was bought. @param key of the posting that books its payment, which the caller makes */
export async function issueBoughtGiftCard(
  tx: Tx,
  shop: Pick<GiftCardNeeds, 'clock' | 'config' | 'jobs'>,
  bought: NewGiftCard & { recipientEmail: string; greeting: Greeting },
  key: string,
): Promise<GiftCard> {
  const added = await addGiftCard(tx, shop, bought, { key })
  assert(added, 'only a request can be repeated')
  return added.card
}

/** A refund becomes store credit. @param booked the refund's posting, which the caller makes @returns the card's id */
export const addCredit = async (
  tx: Tx,
  shop: Pick<GiftCardNeeds, 'clock' | 'config' | 'jobs'>,
  credit: NewGiftCard,
  booked: { key: string; orderNumber: OrderNumber },
): Promise<number> => {
  const added = await addGiftCard(tx, shop, credit, booked)
  assert(added, 'only a request can be repeated')
  return added.card.id
}

/** Takes back what is left. @throws Refusal `unknown_gift_card`; `gift_card_empty` when nothing is left */
export async function voidGiftCard(
  { db, clock }: Needs<'db' | 'clock'>,
  { id, reason }: { id: number; reason: string },
  by: Actor,
): Promise<GiftCard> {
  return db.transaction(async (tx) => {
    const card = await lockGiftCard(tx, id)
    if (!card) throw new Refusal('unknown_gift_card')
    if (card.balanceCents === ZERO) throw new Refusal('gift_card_empty')
    const at = clock.now()
    const key = `gift-card-void:${id}:${at.getTime()}`
    await moveBalance(tx, card, { kind: 'void', amount: negate(card.balanceCents), postingKey: key, at })
    await addReason(tx, card, `Voided: ${reason}`)
    const entries = reverseEntries(entriesOfGiftCard(card.balanceCents))
    await post(tx, { kind: 'gift_card', key, orderId: null, paymentKey: null, bookedAt: at, entries })
    await recordAction(tx, {
      by,
      what: 'voided',
      about: aboutOf(card),
      before: { balance: formatUsd(card.balanceCents) },
      at,
    })
    return card
  })
}

/** @param booked the posting of the sale or refund, which the caller makes */
type Booked = { key: string; orderNumber: OrderNumber; at: Date }

/** Pays a part of an order. @param card locked, with at least this balance */
export const payWithGiftCard = (
  tx: Tx,
  card: GiftCard,
  amount: Cents,
  { key, orderNumber, at }: Booked,
): Promise<void> => moveBalance(tx, card, { kind: 'use', amount: negate(amount), postingKey: key, orderNumber, at })

/** A refund goes back to the card; a void one can be used again. */
export async function returnToGiftCard(
  tx: Tx,
  id: number,
  amount: Cents,
  { key, orderNumber, at }: Booked,
): Promise<void> {
  const card = await lockGiftCard(tx, id)
  assert(card, `gift card ${id} does not exist`)
  await moveBalance(tx, card, { kind: 'return', amount, postingKey: key, orderNumber, at })
  await recoverLoss(tx, id, at)
}

/** Takes what is left of a bought card, to be refunded to its payer. @param card locked @returns how much that was */
export async function takeForRefund(tx: Tx, card: GiftCard, paymentKey: PaymentKey, at: Date): Promise<Cents> {
  const amount = card.balanceCents
  if (amount === ZERO) return ZERO
  const key = await nextRepeatKey(tx, `gift-card-refund:${card.id}`)
  await moveBalance(tx, card, { kind: 'void', amount: negate(amount), postingKey: key, at })
  const entries = entriesOfGiftCardRefund(amount)
  await post(tx, { kind: 'gift_card', key, orderId: null, paymentKey, bookedAt: at, entries })
  return amount
}

/** Money went back to a card's payer and was not taken from the card before: from its balance now, or when it has one. @param card locked */
export async function loseGiftCard(tx: Tx, card: GiftCard, amount: Cents, at: Date): Promise<void> {
  await changeGiftCard(tx, card, { lostCents: plus(card.lostCents, amount) })
  await recoverLoss(tx, card.id, at)
}

/** @param id of a locked card */
async function recoverLoss(tx: Tx, id: number, at: Date): Promise<void> {
  const card = await findGiftCard(tx, id)
  const amount = cents(Math.min(card?.balanceCents ?? 0, card?.lostCents ?? 0))
  if (!card || amount === ZERO) return
  const key = await nextRepeatKey(tx, `gift-card-recovered:${id}`)
  await moveBalance(tx, card, { kind: 'void', amount: negate(amount), postingKey: key, at })
  await changeGiftCard(tx, card, { lostCents: minus(card.lostCents, amount) })
  const entries = entriesOfRecovery(amount)
  await post(tx, { kind: 'gift_card', key, orderId: null, paymentKey: null, bookedAt: at, entries })
}

/** While its payment is disputed, a card can't be used. @param card locked */
export async function freezeGiftCard(tx: Tx, card: GiftCard, isDisputed: boolean, at: Date): Promise<void> {
  if (isDisputed === (card.frozenAt !== null)) return
  await changeGiftCard(tx, card, { frozenAt: isDisputed ? at : null })
}

/** How a card is named to people who know its code. */
export const nameOfGiftCard = ({ lastFour }: Pick<GiftCardShare, 'lastFour'>): string => `Gift card ending ${lastFour}`
