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
import { accountRequest, appUser, session } from '#server/accounts/schema.ts'
import { shopOrder } from '#server/orders/schema.ts'
import {
  attribution,
  callRequest,
  commissionEntry,
  partner,
  partnerApplication,
  payoutAccount,
} from '#server/partners/schema.ts'
import { payment } from '#server/payments/schema.ts'

/** Enough to recognize a partner, and few enough to compare with each sale. */
const OWN_ORDERS_MAX = 100

/** What is known of a sale once it is paid. */
export type Buyer = Pick<Purchase, 'emails' | 'addresses' | 'payer'>

/** Hashes the card or wallet, so the provider's id for it is not stored. */
export const payerOf = (payer: { kind: Payer['kind']; id: string }): Payer => ({
  kind: payer.kind,
  hash: createHash('sha256').update(`${payer.kind}:${payer.id}`).digest('hex'),
})

/** Every email of the partner: of the account (also unconfirmed), applications, call requests and the payout wallet. */
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
 * What identifies a partner as a buyer: their emails, plus the billing addresses, cards and wallets of orders made with those emails,
 * their account or their browser. It does not spread: an order matched only by address or card adds nothing.
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
    // A gift ships to somebody else's address, so the billing address counts.
    addresses: orders.map(({ billing, shipping }) => billing ?? shipping),
    payers: orders.flatMap(({ payerHash }) => payerHash ?? []),
  }
}

/** Whether a paid sale is the partner's own purchase. */
export function objectionToSale(known: KnownPartner, buyer: Buyer): AttributionObjection | undefined {
  // The partner's status and the signed-in user were checked when the payment began.
  const partnerThen = { ...known, state: 'active' as const }
  return objectionToAttribution(partnerThen, { userId: null, formerUserId: null, isOwnClick: false, ...buyer })
}

export const saveObjection = (tx: Tx, checkoutId: CheckoutId, objection: AttributionObjection): Promise<unknown> =>
  tx.update(attribution).set({ objection }).where(eq(attribution.checkoutId, checkoutId))

/**
 * Orders that turn out to be their partner's own purchases by what was learned since they were paid, such as a card that the partner
 * later used with their account.
 * @param span when their commission is approved; commission that was paid out stays
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
    const partnerThere = known.get(partnerId)
    const objection =
      partnerThere &&
      objectionToSale(partnerThere, { emails: [email], addresses: addressesOf(shipping, billing), payer })
    return objection ? [{ orderId, objection }] : []
  })
}

export const addressesOf = (shipping: Address, billing: Address | null): Address[] =>
  billing ? [shipping, billing] : [shipping]

const kindOf = (provider: 'stripe' | 'paypal'): Payer['kind'] => (provider === 'stripe' ? 'card' : 'wallet')
