import { createHash } from 'node:crypto'
import { and, desc, eq, gte, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import { union } from 'drizzle-orm/pg-core'
import type { Address } from '#domain/checkout/address.ts'
import {
  objectionToAttribution,
  type AttributionObjection,
  type KnownPartner,
  type Payer,
  type Purchase,
} from '#domain/partners/attribution.ts'
import type { CheckoutId, OrderId, UserId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import {
  accountRequest,
  appUser,
  attribution,
  callRequest,
  commissionEntry,
  partner,
  partnerApplication,
  payment,
  payoutAccount,
  session,
  shopOrder,
} from '#server/db/schema.ts'

/** Enough to know somebody by, and little enough to compare with each sale. */
const OWN_ORDERS_MAX = 100

/** What is known of a sale once it is paid. */
export type Buyer = Pick<Purchase, 'emails' | 'addresses' | 'payer'>

/** A card or wallet by a hash, so that the provider's own name for it is stored nowhere. */
export const payerOf = (payer: { kind: Payer['kind']; id: string }): Payer => ({
  kind: payer.kind,
  hash: createHash('sha256').update(`${payer.kind}:${payer.id}`).digest('hex'),
})

/** Every email that the partner's account has or has asked for, that they wrote to us with, and of the wallet that they are paid to. */
async function emailsOf(db: Reader, id: UserId): Promise<string[]> {
  const rows = await union(
    db.select({ email: appUser.email }).from(appUser).where(eq(appUser.id, id)),
    db
      .select({ email: accountRequest.email })
      .from(accountRequest)
      .where(and(eq(accountRequest.userId, id), eq(accountRequest.kind, 'email'))),
    db.select({ email: partnerApplication.email }).from(partnerApplication).where(eq(partnerApplication.userId, id)),
    db.select({ email: callRequest.email }).from(callRequest).where(eq(callRequest.userId, id)),
    db
      .select({ email: sql<string | null>`${payoutAccount.details}->>'email'`.as('email') })
      .from(payoutAccount)
      .where(eq(payoutAccount.partnerId, id)),
  )
  return rows.flatMap(({ email }) => (email ? [email.toLowerCase()] : []))
}

/**
 * What a partner is known by as a shopper: emails, and of what they bought under them, with their account or in their browser the
 * address it was billed to and the card or wallet. It does not spread: an order that is the partner's by its address or card alone
 * teaches nothing more.
 */
export async function findKnownPartner(db: Reader, id: UserId): Promise<KnownPartner> {
  const [found] = await db.select({ state: partner.state }).from(partner).where(eq(partner.id, id))
  const emails = await emailsOf(db, id)
  const byAccount = ['own_account', 'own_browser', 'own_email'] satisfies AttributionObjection[]
  const own = union(
    db
      .select({ id: shopOrder.id })
      .from(shopOrder)
      .where(inArray(sql`lower(${shopOrder.customerEmail})`, emails.length ? emails : [''])),
    db
      .select({ id: shopOrder.id })
      .from(attribution)
      .innerJoin(shopOrder, eq(shopOrder.checkoutId, attribution.checkoutId))
      .where(and(eq(attribution.partnerId, id), inArray(attribution.objection, byAccount))),
    db
      .select({ id: shopOrder.id })
      .from(session)
      .innerJoin(shopOrder, eq(shopOrder.sessionId, session.id))
      .where(or(eq(session.userId, id), eq(session.formerUserId, id))),
  )
  const orders = await db
    .select({
      shipping: shopOrder.shippingAddress,
      billing: shopOrder.billingAddress,
      payerHash: payment.payerHash,
    })
    .from(shopOrder)
    .innerJoin(payment, eq(payment.paymentKey, shopOrder.paymentKey))
    .where(and(inArray(shopOrder.id, own), isNull(shopOrder.erasedAt)))
    .orderBy(desc(shopOrder.id))
    .limit(OWN_ORDERS_MAX)
  return {
    userId: id,
    state: found?.state ?? 'ended',
    emails,
    // A present goes to somebody else's address: it is the bill that is the partner's.
    addresses: orders.map(({ billing, shipping }) => billing ?? shipping),
    payers: orders.flatMap(({ payerHash }) => payerHash ?? []),
  }
}

/** Whether a sale is its partner's own, by all that is known once it is paid. */
export function objectionToSale(known: KnownPartner, buyer: Buyer): AttributionObjection | undefined {
  // Whoever was a partner when the payment began still is one for this sale; who was signed in was looked at then.
  const partnerThen = { ...known, state: 'active' as const }
  return objectionToAttribution(partnerThen, { userId: null, formerUserId: null, isOwnClick: false, ...buyer })
}

export const saveObjection = (tx: Tx, checkoutId: CheckoutId, objection: AttributionObjection): Promise<unknown> =>
  tx.update(attribution).set({ objection }).where(eq(attribution.checkoutId, checkoutId))

/**
 * Orders that turn out to be their partner's own by what became known since they were paid, such as a card that the partner has used
 * with their account later.
 * @param span when they may be paid out; what was paid out already stays
 */
export async function listLateObjections(
  db: Reader,
  { from, until }: { from: Date; until: Date },
): Promise<{ orderId: OrderId; objection: AttributionObjection }[]> {
  const rows = await db
    .select({
      orderId: shopOrder.id,
      partnerId: commissionEntry.partnerId,
      email: shopOrder.customerEmail,
      shipping: shopOrder.shippingAddress,
      billing: shopOrder.billingAddress,
      payerHash: payment.payerHash,
      provider: payment.provider,
    })
    .from(partner)
    .innerJoin(
      commissionEntry,
      and(
        eq(commissionEntry.partnerId, partner.id),
        isNull(commissionEntry.payoutId),
        gte(commissionEntry.approvedFrom, from),
        lt(commissionEntry.approvedFrom, until),
        eq(commissionEntry.kind, 'sale'),
        eq(commissionEntry.position, 0),
      ),
    )
    .innerJoin(shopOrder, eq(shopOrder.id, commissionEntry.orderId))
    .innerJoin(payment, eq(payment.paymentKey, shopOrder.paymentKey))
    .innerJoin(attribution, and(eq(attribution.checkoutId, shopOrder.checkoutId), isNull(attribution.objection)))
    .where(isNull(shopOrder.erasedAt))
  const known = new Map<UserId, KnownPartner>()
  for (const partnerId of new Set(rows.map((row) => row.partnerId)))
    known.set(partnerId, await findKnownPartner(db, partnerId))
  return rows.flatMap(({ orderId, partnerId, email, shipping, billing, payerHash, provider }) => {
    const payer = payerHash === null ? null : { kind: kindOf(provider), hash: payerHash }
    const of = known.get(partnerId)
    const objection = of && objectionToSale(of, { emails: [email], addresses: placesOf(shipping, billing), payer })
    return objection ? [{ orderId, objection }] : []
  })
}

export const placesOf = (shipping: Address, billing: Address | null): Address[] =>
  billing ? [shipping, billing] : [shipping]

const kindOf = (provider: 'stripe' | 'paypal'): Payer['kind'] => (provider === 'stripe' ? 'card' : 'wallet')
