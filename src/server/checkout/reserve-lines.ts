import type { FrozenCheckout } from '#domain/checkout/checkout.ts'
import type { CheckoutId, SessionId } from '#shared/ids.ts'
import type { Tx } from '#server/db/db.ts'
import { reservePieces } from '#server/drops/drops.ts'
import type { Needs } from '#server/shop.ts'

type ReserveNeeds = Needs<'jobs' | 'config' | 'clock'>

/** @param checkout locked @throws Refusal `drop_closed`, `drop_room`, `drop_taken`, `drop_limit` */
export const reserveLines = (
  tx: Tx,
  shop: ReserveNeeds,
  { id, sessionId }: { id: CheckoutId; sessionId: SessionId },
  { lines, quote, customer, shippingAddress }: FrozenCheckout,
): Promise<void> =>
  reservePieces(tx, shop, {
    ...{ checkout: { id, sessionId }, lines, email: customer.email, address: shippingAddress },
    codes: (quote.discounts ?? []).map(({ code }) => code),
  })
