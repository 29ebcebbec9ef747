import { GIFT_PATH } from '#contract/gift-path.ts'
import type { GiftView } from '#contract/orders.ts'
import { giftNoteOf, isGift } from '#domain/orders/gift.ts'
import type { OrderId } from '#shared/ids.ts'
import { readSignedToken, signedToken } from '#server/config/signature.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import type { OrderAccess } from './access.ts'
import { readOrderView } from './order-view.ts'
import { findOrder } from './orders.ts'

const PURPOSE = 'gift'

/** The address of a gift's page, which the customer passes on; null for other orders, and for those who may only read the order. */
export const giftPageOf = ({ config }: Needs<'config'>, { order, mayCorrect }: OrderAccess): string | null =>
  mayCorrect && isGift(order.texts)
    ? `${GIFT_PATH}?token=${encodeURIComponent(signedToken(config, PURPOSE, String(order.id)))}`
    : null

/**
 * What a gift's recipient sees: the parcels, without amounts, addresses or who paid.
 * @throws Refusal `order_not_shown` for a token that was changed, and once the order is no gift any more or its customer is erased
 */
export async function readGiftView(
  { db, config, clock }: Needs<'db' | 'config' | 'clock'>,
  token: string,
): Promise<GiftView> {
  const id = readSignedToken(config, PURPOSE, token)
  const order = id === undefined ? undefined : await findOrder(db, Number(id) as OrderId)
  if (!order || order.erasedAt || !isGift(order.texts)) throw new Refusal('order_not_shown')
  const view = await readOrderView(db, { order, isPayer: false, mayCorrect: false }, clock.now())
  const { collection, fulfillment, milestones, expected, parcels, stillToCome, lines } = view
  return {
    ...{ collection, fulfillment, milestones, expected, parcels, stillToCome },
    goods: lines.map(({ productName, variantName, imageUrl, quantity }) => ({
      ...{ productName, variantName, imageUrl, quantity },
    })),
    note: giftNoteOf(order) ?? null,
  }
}
