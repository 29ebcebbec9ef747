import { partnershipDetailsOf, proposalTo } from '#site/partnership.ts'
import type { SiteSettings } from '#site/shop-rules.ts'
import { RATE_DEFAULT } from '#domain/partners/rates.ts'
import type { Partnership } from '#contract/partners.ts'
import { paths } from '#contract/paths.ts'
import type { SessionUser } from '#contract/accounts.ts'
import type { Context } from '#server/http/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import { readSiteSettingsCached } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import { findPartner } from './partner.ts'
import {
  findAcceptedProposal,
  findLastApplication,
  findLastCall,
  findLastProposal,
  findShare,
  type StoredCall,
  type StoredProposal,
} from './portal-store.ts'

/** @throws Refusal `not_signed_in` */
export async function userOf({ session }: Pick<Context, 'session'>): Promise<SessionUser> {
  const user = (await session())?.user
  if (!user) throw new Refusal('not_signed_in')
  return user
}

/** What the portal shows a signed-in user; figures only for partners, and only their own. */
export async function partnershipOf(
  { db, clock }: Needs<'db' | 'clock'>,
  context: Pick<Context, 'session' | 'origin'>,
): Promise<Partnership> {
  const user = await userOf(context)
  const site = await readSiteSettingsCached(db)
  const [partner, application, call] = await Promise.all([
    user.isPartner ? findPartner(db, user.id) : undefined,
    findLastApplication(db, user.id),
    findLastCall(db, user.id),
  ])
  const share = partner && (await findShare(db, partner.id, clock.now()))
  const proposal = partner && (await findLastProposal(db, partner.id))
  const accepted = proposal?.acceptedAt ? undefined : partner && (await findAcceptedProposal(db, partner.id))
  return {
    partnershipDetails: partnershipDetailsOf(site),
    name: partner?.displayName ?? user.username,
    partner: partner
      ? {
          code: partner.code,
          link: context.origin + paths.affiliate(partner.code),
          shareBasisPoints: share ?? RATE_DEFAULT,
          joinedAt: partner.joinedAt.toISOString(),
          proposal: proposal ? toProposal(proposal, partner.displayName, site) : null,
          agreement: accepted ? toProposal(accepted, partner.displayName, site) : null,
        }
      : null,
    application: application
      ? { state: application.state, sentAt: application.createdAt.toISOString(), reply: application.reply }
      : null,
    call: call ? toRequestedCall(call) : null,
  }
}

const toProposal = (
  { version, shareBasisPoints, validFrom, offeredAt, acceptedAt, paragraphs }: StoredProposal,
  name: string,
  site: SiteSettings,
) => ({
  version,
  shareBasisPoints,
  validFrom: validFrom.toISOString(),
  offeredAt: offeredAt.toISOString(),
  acceptedAt: acceptedAt?.toISOString() ?? null,
  paragraphs: paragraphs ?? proposalTo(name, site, shareBasisPoints),
})

const toRequestedCall = ({ id, state, times, agreedTime, reply }: StoredCall) => ({
  id,
  state,
  times,
  agreedTime: agreedTime?.toISOString() ?? null,
  reply,
  calendar: paths.callCalendar(id),
})
