import { createHash } from 'node:crypto'
import type { RaffleEntryView } from '#contract/raffles.ts'
import { nextRaffle } from '#domain/raffles/raffle.ts'
import type { OrderNumber, VariantId } from '#shared/ids.ts'
import { findProductToGive } from '#server/catalog/catalog.ts'
import { placePrize, readPrizeOrder, type PrizeCustomer } from '#server/fulfillment/free-orders.ts'
import { Refusal } from '#server/http/refusal.ts'
import { findOrder } from '#server/orders/orders.ts'
import type { Needs } from '#server/shop.ts'
import {
  lockByToken,
  prizeOf,
  requireEntry,
  requireRaffle,
  showRaffle,
  commitmentFor,
  type RaffleNeeds,
} from './raffles.ts'
import { changeRaffle, endDraw, findCommitment, findRaffleById } from './store.ts'

/** What somebody with an entry's link sees. @throws Refusal `unknown_raffle_entry` */
export async function showEntry(shop: Needs<'db' | 'clock'>, token: string): Promise<RaffleEntryView> {
  const { db } = shop
  const entry = await requireEntry(db, token)
  const raffle = await findRaffleById(db, entry.raffleId)
  if (!raffle) throw new Refusal('unknown_raffle_entry')
  const prize = await prizeOf(db, entry)
  const product = prize && (await findProductToGive(db, raffle.productId))
  return {
    raffle: await showRaffle(shop, await requireRaffle(db, raffle.slug)),
    ...{ email: entry.email, country: entry.country, isConfirmed: entry.confirmedAt !== null },
    code: entry.confirmedAt === null ? null : entry.secret,
    commitment: (await findCommitment(db, entry.id)) ?? null,
    prize: prize
      ? {
          claimUntil: prize.claimUntil.toISOString(),
          isClaimed: prize.orderId !== null,
          variants: product?.variants ?? [],
        }
      : null,
  }
}

/** A UUID made of the winner's commitment, so that a prize is ordered once, whatever the browser sends. */
function requestKeyOf(commitment: string): string {
  const hex = createHash('sha256').update(`raffle prize ${commitment}`).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

/**
 * The winner claims the prize, which becomes an order without a payment.
 * @throws Refusal `raffle_not_won`, `raffle_claim_over`, `raffle_country`, or what is wrong with the address or the chosen variant
 */
export async function claimPrize(
  shop: RaffleNeeds,
  token: string,
  variantId: VariantId,
  customer: Omit<PrizeCustomer, 'email' | 'language'>,
): Promise<OrderNumber> {
  const { db, clock } = shop
  const { email, language } = await requireEntry(db, token)
  const order = await readPrizeOrder(db, { ...customer, email, language }, variantId)
  return db.transaction(async (tx) => {
    const now = clock.now()
    const { entry, raffle } = await lockByToken(tx, token)
    const prize = await prizeOf(tx, entry)
    if (!prize) throw new Refusal('raffle_not_won')
    const known = prize.orderId === null ? undefined : await findOrder(tx, prize.orderId)
    if (known) return known.orderNumber
    if (now >= prize.claimUntil || !nextRaffle(raffle.state, 'claim')) throw new Refusal('raffle_claim_over')
    if (order.line.productId !== raffle.productId) throw new Refusal('unknown_variant')
    if (!raffle.countries.includes(order.recipient.address.country))
      throw new Refusal('raffle_country', {}, { 'shippingAddress.country': 'This raffle isn’t open to this country' })
    const { id, orderNumber } = await placePrize(tx, shop, {
      ...order,
      requestKey: requestKeyOf(commitmentFor(entry)),
      reason: `Prize of the raffle “${raffle.title}”.`,
    })
    await endDraw(tx, prize, { orderId: id })
    await changeRaffle(tx, raffle.id, { state: 'claimed', settledAt: now })
    return orderNumber
  })
}
