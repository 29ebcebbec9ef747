import { and, eq, gte, inArray, isNull, lt, sql } from 'drizzle-orm'
import { union } from 'drizzle-orm/pg-core'
import type { AttributionObjection, KnownPartner } from '#domain/partners/attribution.ts'
import type { CheckoutId, OrderId, UserId } from '#shared/ids.ts'
import { listEmailsOf } from '#server/accounts/users.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import {
  attribution,
  callRequest,
  commissionEntry,
  partner,
  partnerApplication,
  payoutAccount,
} from '#server/partners/schema.ts'

/** Every email of the partner: of the account (also unconfirmed), applications, call requests and the payout wallet. */
async function emailsOf(db: Reader, id: UserId): Promise<string[]> {
  const rows = await union(
    db.select({ email: partnerApplication.email }).from(partnerApplication).where(eq(partnerApplication.userId, id)),
    db.select({ email: callRequest.email }).from(callRequest).where(eq(callRequest.userId, id)),
    db
      .select({ email: sql<string | null>`${payoutAccount.details}->>'email'`.as('email') })
      .from(payoutAccount)
      .where(eq(payoutAccount.partnerId, id)),
  )
  const emails = [...(await listEmailsOf(db, id)), ...rows.map(({ email }) => email)]
  return [...new Set(emails.flatMap((email) => email?.toLowerCase() ?? []))]
}

/** What identifies a partner before their purchases are looked at. */
export async function findPartnerIdentity(
  db: Reader,
  id: UserId,
): Promise<Pick<KnownPartner, 'userId' | 'state'> & { emails: string[] }> {
  const [found] = await db.select({ state: partner.state }).from(partner).where(eq(partner.id, id))
  return { userId: id, state: found?.state ?? 'ended', emails: await emailsOf(db, id) }
}

/** A subquery: the partner's checkouts that were recognized by account, browser or email. */
export const ownCheckouts = (db: Reader, id: UserId) => {
  const byAccount = ['own_account', 'own_browser', 'own_email'] satisfies AttributionObjection[]
  return db
    .select({ id: attribution.checkoutId })
    .from(attribution)
    .where(and(eq(attribution.partnerId, id), inArray(attribution.objection, byAccount)))
}

export const saveObjection = (tx: Tx, checkoutId: CheckoutId, objection: AttributionObjection): Promise<unknown> =>
  tx.update(attribution).set({ objection }).where(eq(attribution.checkoutId, checkoutId))

/** Sales whose commission is approved in this span and was not paid out. */
export const listSalesBecomingPayable = (
  db: Reader,
  { from, until }: { from: Date; until: Date },
): Promise<{ orderId: OrderId; partnerId: UserId }[]> =>
  db
    .select({ orderId: commissionEntry.orderId, partnerId: commissionEntry.partnerId })
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

/** Which of these checkouts have an attribution without an objection. */
export const listWithoutObjection = async (db: Reader, ids: readonly CheckoutId[]): Promise<Set<CheckoutId>> =>
  new Set(
    (
      await db
        .select({ id: attribution.checkoutId })
        .from(attribution)
        .where(and(inArray(attribution.checkoutId, [...ids]), isNull(attribution.objection)))
    ).map(({ id }) => id),
  )
