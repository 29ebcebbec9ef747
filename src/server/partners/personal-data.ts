import { asc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { UserId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import type { Fates, PersonalData } from '#server/db/personal-data.ts'
import type * as schema from './schema.ts'
import {
  affiliateClick,
  callRequest,
  partner,
  partnerApplication,
  partnerProposal,
  payout,
  payoutAccount,
} from './schema.ts'

export const personalData = {
  fates: {
    partner: { displayName: 'erased', channelUrl: 'erased', code: 'erased' },
    partnerRate: {},
    affiliateLink: {
      code: 'kept: shared links go on leading to the shop',
      path: 'kept: a page of the shop',
      campaign: 'kept: a label of the partner’s statement',
    },
    affiliateClick: { path: 'kept: a page of the shop' },
    attribution: {},
    payoutAccount: 'deleted',
    payout: { reference: 'kept: as the bank’s statement shows it', destination: 'erased' },
    commissionEntry: { cause: 'kept: the key of a posting' },
    partnerApplication: 'deleted',
    partnerProposal: 'deleted',
    callRequest: 'deleted',
  } satisfies Fates<typeof schema>,

  async export(db: Reader, userId: UserId | undefined) {
    const [account] =
      userId === undefined ? [] : await db.select().from(payoutAccount).where(eq(payoutAccount.partnerId, userId))
    return { payoutAccount: account && { ...account.details, changedAt: account.changedAt } }
  },

  async erasePerson(tx, { email, user }) {
    // Other users may have left this email.
    for (const table of [partnerApplication, callRequest])
      await tx
        .update(table)
        .set({ email: null })
        .where(sql`lower(${table.email}) = ${email}`)
    if (!user) return
    const { id, alias } = user
    for (const table of [partnerApplication, partnerProposal, callRequest])
      await tx.delete(table).where(eq(table.userId, id))
    await tx.delete(payoutAccount).where(eq(payoutAccount.partnerId, id))
    await tx.update(payout).set({ destination: null }).where(eq(payout.partnerId, id))
    await tx.update(partner).set({ displayName: alias, channelUrl: null, code: alias }).where(eq(partner.id, id))
  },

  /** Oldest first. @returns how many */
  async deleteClicks(tx: Tx, before: Date, limit: number): Promise<number> {
    const old = tx
      .select({ id: affiliateClick.id })
      .from(affiliateClick)
      .where(lt(affiliateClick.clickedAt, before))
      .orderBy(asc(affiliateClick.clickedAt))
      .limit(limit)
    return (await tx.delete(affiliateClick).where(inArray(affiliateClick.id, old)).returning({ id: affiliateClick.id }))
      .length
  },

  async deleteClosed(tx: Tx, before: Date): Promise<void> {
    await tx.delete(callRequest).where(lt(callRequest.answeredAt, before))
  },
} satisfies PersonalData
