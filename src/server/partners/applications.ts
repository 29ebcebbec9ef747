import { BASIS_POINTS_PER_PERCENT } from '#site/settings.ts'
import { label } from '#site/label.ts'
import { proposalTo } from '#site/partnership.ts'
import type { MailKind } from '#domain/messages/mail-kinds.ts'
import type { MailName } from '#domain/messages/mail-texts.ts'
import { formatRate } from '#domain/partners/rates.ts'
import type { Application, ReceivedApplication } from '#contract/partners.ts'
import { paths } from '#contract/paths.ts'
import type { QueuePosition } from '#contract/queue-page.ts'
import { maskCardNumbers } from '#domain/messages/card-numbers.ts'
import type { UserId } from '#shared/ids.ts'
import { findUserContact, type UserContact } from '#server/accounts/users.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import { baseUrlOf } from '#server/config/config.ts'
import type { Tx } from '#server/db/db.ts'
import { readQueuePage } from '#server/db/queue-page.ts'
import { Refusal } from '#server/http/refusal.ts'
import { mailLater } from '#server/mail/outbox.ts'
import { ownerMail } from '#server/mail/templates/owner-mail.ts'
import { simpleMail } from '#server/mail/templates/simple-mail.ts'
import { readSiteSettings } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import { joinPartners } from './join-partners.ts'
import { findPartner } from './partner.ts'
import {
  addApplication,
  addProposal,
  addRate,
  applicationQueue,
  closeApplication,
  findLastProposal,
  lockApplication,
  markAccepted,
  type StoredApplication,
  type StoredProposal,
} from './portal-store.ts'

type ApplicationNeeds = Needs<'db' | 'clock' | 'jobs' | 'config'>
type MailNeeds = Needs<'jobs' | 'config'>

const A_PAGE = 50

/** @throws Refusal `application_waiting`, `already_partner` */
export async function applyForPartnership(
  shop: ApplicationNeeds,
  userId: UserId,
  { email, ...written }: Application,
): Promise<void> {
  const now = shop.clock.now()
  await shop.db.transaction(async (tx) => {
    if (await findPartner(tx, userId)) throw new Refusal('already_partner')
    const masked = {
      name: maskCardNumbers(written.name),
      channel: maskCardNumbers(written.channel),
      audience: maskCardNumbers(written.audience),
      message: maskCardNumbers(written.message),
      email,
    }
    const application = await addApplication(tx, { userId, ...masked, createdAt: now })
    if (!application) throw new Refusal('application_waiting')
    const note = ownerMail({
      subject: `Partner application: ${masked.name}`,
      facts: [
        ['Channel', masked.channel],
        ['Audience', masked.audience],
        ['Email', email],
      ],
      paragraphs: [masked.message],
      link: baseUrlOf(shop.config) + paths.adminPartners,
    })
    const recipient = 'support' as const
    await mailLater(shop, tx, { kind: 'partner_application', recipient, orderId: null, ...note }, now)
  })
}

export async function readApplications({ db }: Needs<'db'>, after: QueuePosition | undefined) {
  const { rows, ...page } = await readQueuePage(applicationQueue(db), after, A_PAGE)
  return {
    applications: rows.map(({ request, requester }) => toReceivedApplication(request, requester)),
    ...page,
  }
}

/**
 * Makes the applicant a partner with a code, a share and the first proposal, and emails them.
 * @throws Refusal `unknown_application`, `already_decided`
 */
export const acceptApplication = (
  shop: ApplicationNeeds,
  by: Actor,
  id: number,
  { shareBasisPoints, reply }: { shareBasisPoints: number; reply: string | null },
): Promise<ReceivedApplication> =>
  decideApplication(shop, by, id, { state: 'accepted', reply }, async (tx, application, now) => {
    const site = await readSiteSettings(tx)
    const shareMax = site.commission.most
    if (shareBasisPoints > shareMax * BASIS_POINTS_PER_PERCENT)
      throw new Refusal('invalid', {}, { shareBasisPoints: `Please choose at most ${shareMax}%` })
    const { userId, name, channel } = application
    const channelUrl = /^https?:\/\/\S+$/.test(channel) ? channel : null
    await joinPartners(tx, { userId, displayName: name, channelUrl, now })
    await addRate(tx, { partnerId: userId, basisPoints: shareBasisPoints, startsAt: now, createdAt: now })
    const paragraphs = proposalTo(name, site, shareBasisPoints)
    await addProposal(tx, { userId, version: 1, shareBasisPoints, validFrom: now, offeredAt: now, paragraphs })
    return { share: shareBasisPoints }
  })

/** @throws Refusal `unknown_application`, `already_decided` */
export const declineApplication = (
  shop: ApplicationNeeds,
  by: Actor,
  id: number,
  { reply }: { reply: string | null },
): Promise<ReceivedApplication> =>
  decideApplication(shop, by, id, { state: 'declined', reply }, () => Promise.resolve({ share: null }))

async function decideApplication(
  shop: ApplicationNeeds,
  by: Actor,
  id: number,
  { state, reply }: { state: 'accepted' | 'declined'; reply: string | null },
  act: (tx: Tx, application: StoredApplication, now: Date) => Promise<{ share: number | null }>,
): Promise<ReceivedApplication> {
  const now = shop.clock.now()
  return shop.db.transaction(async (tx) => {
    const application = await lockApplication(tx, id)
    if (!application) throw new Refusal('unknown_application')
    if (application.state !== 'waiting') throw new Refusal('already_decided')
    const { share } = await act(tx, application, now)
    const decision = { state, reply: reply && maskCardNumbers(reply), decidedAt: now }
    await closeApplication(tx, id, decision)
    await recordAction(tx, {
      by,
      what: `${state} an application`,
      about: { kind: 'application', id },
      before: { state: 'waiting' },
      after: { state, ...(share !== null && { share: formatRate(share) }) },
      at: now,
    })
    const requester = await findUserContact(tx, application.userId)
    const closed = { ...application, ...decision }
    await mailDecision(shop, tx, closed, requester?.userEmail ?? null, share, now)
    return toReceivedApplication(closed, requester)
  })
}

/** By email if there is an address; the portal shows the decision either way. */
async function mailDecision(
  shop: MailNeeds,
  tx: Tx,
  { id, name, email, reply, state }: StoredApplication,
  userEmail: string | null,
  share: number | null,
  now: Date,
): Promise<void> {
  const address = email ?? userEmail
  if (!address) return
  const isAccepted = state === 'accepted'
  await mailPartnerLater(shop, tx, {
    kind: 'partner_decision',
    about: `application-${id}`,
    email: address,
    name,
    mail: isAccepted ? 'partner_accepted' : 'partner_declined',
    values: { share: formatRate(share ?? 0) },
    quoted: reply ? [reply] : [],
    button: isAccepted ? 'Open the portal' : 'See your application',
    now,
  })
}

type PartnerMail = {
  kind: MailKind
  about: string
  email: string
  name: string
  mail: MailName
  values?: Readonly<Record<string, string>>
  quoted?: readonly string[]
  button: string
  now: Date
  attachment?: { name: string; type: string; text: string }
}

/** An email to a partner or applicant, with a button to the portal. */
export async function mailPartnerLater(
  shop: MailNeeds,
  tx: Tx,
  { kind, about, email, name, now, attachment, ...rest }: PartnerMail,
): Promise<void> {
  const mail = simpleMail({ customerName: name, link: baseUrlOf(shop.config) + paths.partnership }, rest)
  const recipient = { email, name }
  await mailLater(shop, tx, { kind, about, recipient, orderId: null, ...mail, ...(attachment && { attachment }) }, now)
}

/** Accepts the version that the partner read. @throws Refusal `proposal_changed` when a newer one was offered since */
export async function acceptProposal(
  { db, clock }: Needs<'db' | 'clock'>,
  userId: UserId,
  version: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    const name = (await findPartner(tx, userId))?.displayName ?? ''
    const site = await readSiteSettings(tx)
    const textOf = ({ shareBasisPoints }: StoredProposal) => proposalTo(name, site, shareBasisPoints)
    if (!(await markAccepted(tx, userId, version, textOf, clock.now()))) throw new Refusal('proposal_changed')
  })
}

/**
 * Offers a new version of the proposal, shown in the portal and emailed if there is an address. Call it in the transaction that
 * changes the partner's general share.
 */
export async function emailShareProposalLater(
  shop: MailNeeds,
  tx: Tx,
  userId: UserId,
  { shareBasisPoints, validFrom, now }: { shareBasisPoints: number; validFrom: Date; now: Date },
): Promise<void> {
  const [partner, requester, last] = [
    await findPartner(tx, userId),
    await findUserContact(tx, userId),
    await findLastProposal(tx, userId),
  ]
  if (!partner) return
  const version = (last?.version ?? 0) + 1
  const paragraphs = proposalTo(partner.displayName, await readSiteSettings(tx), shareBasisPoints)
  await addProposal(tx, { userId, version, shareBasisPoints, validFrom, offeredAt: now, paragraphs })
  if (!requester?.userEmail) return
  const day = validFrom.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: label.timeZone })
  await mailPartnerLater(shop, tx, {
    kind: 'partner_share',
    about: `proposal-${userId}-${version}`,
    email: requester.userEmail,
    name: partner.displayName,
    mail: 'partner_share',
    values: { share: formatRate(shareBasisPoints), day },
    button: 'Read the proposal',
    now,
  })
}

const toReceivedApplication = (
  application: StoredApplication,
  requester: UserContact | undefined,
): ReceivedApplication => {
  const { id, name, channel, audience, message, email, state, reply, createdAt, decidedAt } = application
  return {
    id,
    username: requester?.username ?? '',
    name,
    channel,
    audience,
    message,
    email: email ?? requester?.userEmail ?? null,
    state,
    reply,
    sentAt: createdAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
  }
}
