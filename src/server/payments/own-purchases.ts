import { createHash } from 'node:crypto'
import { inArray } from 'drizzle-orm'
import type { Address } from '#domain/checkout/address.ts'
import {
  objectionToAttribution,
  type AttributionObjection,
  type KnownPartner,
  type Payer,
  type Purchase,
} from '#domain/partners/attribution.ts'
import type { OrderId, PaymentKey, UserId } from '#shared/ids.ts'
import { sessionsOfUser } from '#server/accounts/users.ts'
import type { Reader } from '#server/db/db.ts'
import { listOrdersById, listOrdersOfBuyer } from '#server/orders/buyers.ts'
import { isSale } from '#server/orders/orders.ts'
import {
  findPartnerIdentity,
  listSalesBecomingPayable,
  listWithoutObjection,
  ownCheckouts,
} from '#server/partners/own-purchases.ts'
import { payment } from './schema.ts'

/** Enough to recognize a partner, and few enough to compare with each sale. */
const OWN_ORDERS_MAX = 100

/** What is known of a sale once it is paid. */
type Buyer = Pick<Purchase, 'emails' | 'addresses' | 'payer'>

/** Hashes the card or wallet, so the provider's id for it is not stored. */
export const payerOf = (payer: { kind: Payer['kind']; id: string }): Payer => ({
  kind: payer.kind,
  hash: createHash('sha256').update(`${payer.kind}:${payer.id}`).digest('hex'),
})

const listPayers = async (db: Reader, keys: readonly PaymentKey[]): Promise<Map<PaymentKey, Payer>> =>
  new Map(
    (
      await db
        .select({ key: payment.paymentKey, hash: payment.payerHash, provider: payment.provider })
        .from(payment)
        .where(inArray(payment.paymentKey, [...keys]))
    ).flatMap(({ key, hash, provider }) =>
      hash === null ? [] : [[key, { kind: provider === 'stripe' ? 'card' : 'wallet', hash }] as const],
    ),
  )

/**
 * What identifies a partner as a buyer: their emails, plus the billing addresses, cards and wallets of orders made with those emails,
 * their account or their browser. It does not spread: an order matched only by address or card adds nothing.
 */
async function findKnownPartner(db: Reader, id: UserId): Promise<KnownPartner> {
  const identity = await findPartnerIdentity(db, id)
  const own = { emails: identity.emails, checkouts: ownCheckouts(db, id), sessions: sessionsOfUser(db, id) }
  const orders = await listOrdersOfBuyer(db, own, OWN_ORDERS_MAX)
  const payers = await listPayers(
    db,
    orders.flatMap(({ paymentKey }) => paymentKey ?? []),
  )
  return {
    ...identity,
    // A gift ships to somebody else's address, so the billing address counts.
    addresses: orders.map(({ billingAddress, shippingAddress }) => billingAddress ?? shippingAddress),
    payers: [...payers.values()].map(({ hash }) => hash),
  }
}

/** Whether a paid sale is the partner's own purchase. */
export const findObjectionToSale = async (
  db: Reader,
  partnerId: UserId,
  buyer: Buyer,
): Promise<AttributionObjection | undefined> => objectionToSale(await findKnownPartner(db, partnerId), buyer)

function objectionToSale(known: KnownPartner, buyer: Buyer): AttributionObjection | undefined {
  // The partner's status and the signed-in user were checked when the payment began.
  const partnerThen = { ...known, state: 'active' as const }
  return objectionToAttribution(partnerThen, { userId: null, formerUserId: null, isOwnClick: false, ...buyer })
}

/**
 * Orders that turn out to be their partner's own purchases by what was learned since they were paid, such as a card that the partner
 * later used with their account.
 * @param span when their commission is approved; commission that was paid out stays
 */
export async function listLateObjections(
  db: Reader,
  span: { from: Date; until: Date },
): Promise<{ orderId: OrderId; objection: AttributionObjection }[]> {
  const partnerOf = new Map(
    (await listSalesBecomingPayable(db, span)).map(({ orderId, partnerId }) => [orderId, partnerId]),
  )
  if (!partnerOf.size) return []
  const orders = (await listOrdersById(db, [...partnerOf.keys()])).filter(isSale)
  const withoutObjection = await listWithoutObjection(
    db,
    orders.map(({ checkoutId }) => checkoutId),
  )
  const sales = orders.filter(({ checkoutId }) => withoutObjection.has(checkoutId))
  const payers = await listPayers(
    db,
    sales.map(({ paymentKey }) => paymentKey),
  )
  const known = new Map<UserId, KnownPartner>()
  for (const partnerId of new Set(sales.flatMap(({ id }) => partnerOf.get(id) ?? [])))
    known.set(partnerId, await findKnownPartner(db, partnerId))
  return sales.flatMap(({ id, paymentKey, customerEmail, shippingAddress, billingAddress }) => {
    const partnerId = partnerOf.get(id)
    const partner = partnerId && known.get(partnerId)
    if (!partner) return []
    const addresses = addressesOf(shippingAddress, billingAddress)
    const buyer = { emails: [customerEmail], addresses, payer: payers.get(paymentKey) ?? null }
    const objection = objectionToSale(partner, buyer)
    return objection ? [{ orderId: id, objection }] : []
  })
}

export const addressesOf = (shipping: Address, billing: Address | null): Address[] =>
  billing ? [shipping, billing] : [shipping]
