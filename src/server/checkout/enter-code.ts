import type { CartCodes } from '#contract/codes.ts'
import type { SessionId } from '#shared/ids.ts'
import { usableOf } from '#domain/gift-cards/gift-card.ts'
import { ZERO } from '#shared/money.ts'
import { findByCode } from '#server/gift-cards/gift-cards.ts'
import type { Needs } from '#server/shop.ts'
import { releaseOpenCheckout } from './card.ts'
import { applyCode, showCartCodes, type Cart } from './codes.ts'
import { listHolders, putInCart, removeGiftCard } from './gift-cards.ts'

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
