import { and, eq, inArray, ne, sql, sum } from 'drizzle-orm'
import { payableBy, usableOf, type GiftCardShare } from '#domain/gift-cards/gift-card.ts'
import type { Quote } from '#domain/checkout/quote.ts'
import type { CheckoutId, OrderNumber, SessionId } from '#shared/ids.ts'
import { cents, minus, ZERO, type Cents } from '#shared/money.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import {
  findGiftCard,
  lockGiftCard,
  nameOfGiftCard,
  payWithGiftCard,
  type GiftCard,
} from '#server/gift-cards/gift-cards.ts'
import { checkout, giftCardHold, sessionGiftCard } from './schema.ts'

// A cart has at most one gift card. What it pays of a frozen checkout is held until that is paid or released.

const HOLDING = ['open', 'held'] as const

/** What others hold of a card's balance. @param own does not count: a checkout, or the open one of a session */
async function heldByOthers(
  db: Reader,
  cardId: number,
  own?: { sessionId: SessionId } | { id: CheckoutId },
): Promise<Cents> {
  const isOther =
    own &&
    ('id' in own
      ? ne(checkout.id, own.id)
      : sql`not (${checkout.state} = 'open' and ${checkout.sessionId} = ${own.sessionId})`)
  const [row] = await db
    .select({ held: sum(giftCardHold.amountCents).mapWith(Number) })
    .from(giftCardHold)
    .innerJoin(checkout, eq(checkout.id, giftCardHold.checkoutId))
    .where(and(eq(giftCardHold.giftCardId, cardId), inArray(checkout.state, HOLDING), isOther))
  return cents(row?.held ?? 0)
}

async function findCardOf(db: Reader, sessionId: SessionId | undefined): Promise<GiftCard | undefined> {
  if (sessionId === undefined) return undefined
  const [row] = await db
    .select({ id: sessionGiftCard.giftCardId })
    .from(sessionGiftCard)
    .where(eq(sessionGiftCard.sessionId, sessionId))
  return row && findGiftCard(db, row.id)
}

/** The cart's gift card with what it can pay now; undefined without one. */
export async function showCartGiftCard(
  db: Reader,
  sessionId: SessionId | undefined,
): Promise<{ id: number; lastFour: string; balance: Cents } | undefined> {
  const card = await findCardOf(db, sessionId)
  if (!card || sessionId === undefined) return undefined
  const { id, lastFour } = card
  const balance = cents(Math.max(0, minus(usableOf(card), await heldByOthers(db, id, { sessionId }))))
  return { id, lastFour, balance }
}

/** The quote with what the cart's gift card pays of it, or with the reason why it pays nothing. */
export async function withGiftCard(db: Reader, sessionId: SessionId | undefined, quote: Quote): Promise<Quote> {
  const card = await showCartGiftCard(db, sessionId)
  if (!card) return quote
  const { id, lastFour, balance } = card
  const amount = payableBy(balance, quote.total)
  if (amount > ZERO) return { ...quote, giftCard: { id, lastFour, amount } }
  const reason = balance > ZERO ? 'is not needed for this order' : 'has nothing left that can be used now'
  return { ...quote, notices: [...quote.notices, `${nameOfGiftCard(card)} ${reason}.`] }
}

/** The sessions whose open checkout holds a part of a card's balance, but for one. */
export const listHolders = (
  db: Reader,
  giftCardId: number,
  except: SessionId | null,
): Promise<{ sessionId: SessionId }[]> =>
  db
    .select({ sessionId: checkout.sessionId })
    .from(giftCardHold)
    .innerJoin(checkout, eq(checkout.id, giftCardHold.checkoutId))
    .where(
      and(
        eq(giftCardHold.giftCardId, giftCardId),
        eq(checkout.state, 'open'),
        except === null ? undefined : ne(checkout.sessionId, except),
      ),
    )

/** In place of another one. */
export const putInCart = (tx: Tx, sessionId: SessionId, giftCardId: number) =>
  tx
    .insert(sessionGiftCard)
    .values({ sessionId, giftCardId })
    .onConflictDoUpdate({ target: sessionGiftCard.sessionId, set: { giftCardId } })

export const removeGiftCard = (tx: Tx, sessionId: SessionId) =>
  tx.delete(sessionGiftCard).where(eq(sessionGiftCard.sessionId, sessionId))

/** Out of every cart, for a new code. @returns false, with nothing changed, while a payment holds a part of it. @param card locked */
export async function takeOutOfCarts(tx: Tx, card: Pick<GiftCard, 'id'>): Promise<boolean> {
  if ((await heldByOthers(tx, card.id)) > ZERO) return false
  await tx.delete(sessionGiftCard).where(eq(sessionGiftCard.giftCardId, card.id))
  return true
}

/** Moves a cart's gift card to a new session; the new one's own stays. */
export async function moveGiftCard(tx: Tx, from: SessionId, to: SessionId): Promise<void> {
  const moved = await tx.delete(sessionGiftCard).where(eq(sessionGiftCard.sessionId, from)).returning()
  for (const { giftCardId } of moved)
    await tx.insert(sessionGiftCard).values({ sessionId: to, giftCardId }).onConflictDoNothing()
}

/** The card, locked, if it can pay its share of this checkout: nobody else holds or has spent it. */
async function lockPayable(tx: Tx, id: CheckoutId, share: GiftCardShare): Promise<GiftCard | undefined> {
  const card = await lockGiftCard(tx, share.id)
  if (!card) return undefined
  return minus(usableOf(card), await heldByOthers(tx, card.id, { id })) >= share.amount ? card : undefined
}

/**
 * Holds a gift card's share for a checkout that is being frozen.
 * @param id locked
 * @param share undefined: the checkout holds nothing any more
 * @returns false when the balance is no longer there
 */
export async function holdGiftCard(tx: Tx, id: CheckoutId, share: GiftCardShare | undefined): Promise<boolean> {
  await tx.delete(giftCardHold).where(eq(giftCardHold.checkoutId, id))
  if (!share) return true
  if (!(await lockPayable(tx, id, share))) return false
  await tx.insert(giftCardHold).values({ checkoutId: id, giftCardId: share.id, amountCents: share.amount })
  return true
}

/**
 * Pays a paid checkout's share from its gift card, which leaves the cart.
 * @param paid locked
 * @param booked the sale's posting, which the caller makes
 * @returns false, with nothing changed, when the balance is gone: the payment came after the checkout was released, or the card is void
 */
export async function spendGiftCard(
  tx: Tx,
  paid: { id: CheckoutId; sessionId: SessionId },
  share: GiftCardShare | undefined,
  booked: { key: string; orderNumber: OrderNumber; at: Date },
): Promise<boolean> {
  if (!share) return true
  const card = await lockPayable(tx, paid.id, share)
  if (!card) return false
  await payWithGiftCard(tx, card, share.amount, booked)
  await removeGiftCard(tx, paid.sessionId)
  return true
}
