import type { CartCodes } from '#contract/codes.ts'
import type { SessionId } from '#shared/ids.ts'
import { usableOf } from '#domain/gift-cards/gift-card.ts'
import { ZERO } from '#shared/money.ts'
import type { Actor } from '#server/audit-log/audit-log.ts'
import { findByCode, lockGiftCard, readdressGiftCard } from '#server/gift-cards/gift-cards.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import { releaseOpenCheckout } from './card.ts'
import { applyCode, showCartCodes, type Cart } from './codes.ts'
import { listHolders, putInCart, removeGiftCard, takeOutOfCarts } from './gift-cards.ts'

type CodeNeeds = Needs<'db' | 'clock' | 'stripe'>

/**
 * Adds what was typed into a cart's field for codes: a gift card, or a code that takes something off.
 * @throws Refusal as `applyCode`; an empty gift card is refused like a code that never existed
 */
export async function enterCode(shop: CodeNeeds, cart: Cart, typed: string): Promise<CartCodes> {
  const card = await findByCode(shop.db, typed)
  if (!card || usableOf(card) === ZERO) return applyCode(shop, cart, typed)
  const sessionId = await cart.ensureSession()
  // A payment that was only started elsewhere, such as on the shopper's phone, holds the balance no longer.
  for (const holder of await listHolders(shop.db, card.id, sessionId)) await releaseOpenCheckout(shop, holder.sessionId)
  await shop.db.transaction((tx) => putInCart(tx, sessionId, card.id))
  return showCartCodes(shop, sessionId)
}

/** Takes the gift card out of a cart; nothing happens without one. */
export async function removeCartGiftCard(shop: CodeNeeds, sessionId: SessionId | undefined): Promise<CartCodes> {
  if (sessionId) await shop.db.transaction((tx) => removeGiftCard(tx, sessionId))
  return showCartCodes(shop, sessionId)
}

/**
 * Corrects who a gift card is for. It leaves the carts in which its old code was typed.
 * @throws Refusal `unknown_gift_card`; `gift_card_empty`; `gift_card_frozen` while its payment is disputed; `gift_card_held` while a
 *   payment with it can still come
 */
export async function correctRecipient(
  shop: CodeNeeds & Needs<'config' | 'jobs'>,
  { id, email }: { id: number; email: string },
  by: Actor,
): Promise<void> {
  for (const holder of await listHolders(shop.db, id, null)) await releaseOpenCheckout(shop, holder.sessionId)
  await shop.db.transaction(async (tx) => {
    const card = await lockGiftCard(tx, id)
    if (!card) throw new Refusal('unknown_gift_card')
    if (card.balanceCents === ZERO) throw new Refusal('gift_card_empty')
    if (card.frozenAt) throw new Refusal('gift_card_frozen')
    if (!(await takeOutOfCarts(tx, card))) throw new Refusal('gift_card_held')
    await readdressGiftCard(tx, shop, card, email, by)
  })
}
