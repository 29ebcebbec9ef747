import type { NewsletterIssueDraft, NewsletterIssueRow } from '#contract/messages.ts'
import { paths } from '#contract/paths.ts'
import { nextIssue, type IssueEvent, type Segment } from '#domain/messages/issue.ts'
import { after, MINUTE_MS } from '#shared/time.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import { baseUrlOf } from '#server/config/config.ts'
import type { Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { replyAddress } from '#server/mail/reply-address.ts'
import { mailLater, renderMail } from '#server/mail/outbox.ts'
import { newsletterIssueMail } from '#server/mail/templates/newsletter.ts'
import { readSiteSettings } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import { COMPLAINTS } from './bounces.ts'
import { mailSubscriberLater } from './newsletter.ts'
import {
  addIssue,
  changeIssue,
  countSubscribed,
  listDueIssues,
  listIssues,
  listReaders,
  lockIssue,
  type StoredIssue,
} from './store.ts'

type IssueNeeds = Needs<'db' | 'clock' | 'jobs' | 'config'>

const ISSUES_SHOWN = 50

export async function readIssues({ db, config }: Needs<'db' | 'config'>) {
  const { supportEmail } = await readSiteSettings(db)
  return {
    issues: (await listIssues(db, ISSUES_SHOWN)).map(toIssueRow),
    subscribed: await countSubscribed(db),
    complaintsTo: replyAddress(config, supportEmail, COMPLAINTS) ?? null,
  }
}

const toIssueRow = ({ writtenAt, sendAt, begunAt, finishedAt, ...issue }: StoredIssue): NewsletterIssueRow => ({
  ...{ id: issue.id, subject: issue.subject, body: issue.body, path: issue.path, button: issue.button },
  ...{ state: issue.state, segment: issue.segment, sentTo: issue.sentTo },
  writtenAt: writtenAt.toISOString(),
  sendAt: sendAt?.toISOString() ?? null,
  begunAt: begunAt?.toISOString() ?? null,
  finishedAt: finishedAt?.toISOString() ?? null,
})

/** How many would get an issue now. */
export const countAudience = async ({ db }: Needs<'db'>, segment: Segment): Promise<{ subscribed: number }> => ({
  subscribed: await countSubscribed(db, segment),
})

export const writeIssue = (
  { db, clock }: Needs<'db' | 'clock'>,
  draft: NewsletterIssueDraft,
): Promise<{ id: number }> => db.transaction((tx) => addIssue(tx, { ...columnsOf(draft), writtenAt: clock.now() }))

/** @throws Refusal `unknown_issue`; `issue_sent` once it is scheduled or sending has begun */
export const rewriteIssue = (
  { db, clock }: Needs<'db' | 'clock'>,
  id: number,
  draft: NewsletterIssueDraft,
): Promise<void> =>
  db.transaction(async (tx) => {
    await lockFor(tx, id, 'write')
    await changeIssue(tx, id, { ...columnsOf(draft), writtenAt: clock.now() })
  })

const columnsOf = ({ subject, body, path, button, segment }: NewsletterIssueDraft) => ({
  ...{ subject, body, segment },
  path: path ?? null,
  button: button ?? null,
})

/** @throws Refusal `unknown_issue`; `issue_sent` when this is no longer possible */
async function lockFor(tx: Tx, id: number, event: IssueEvent): Promise<StoredIssue> {
  const issue = await lockIssue(tx, id)
  if (!issue) throw new Refusal('unknown_issue')
  if (!nextIssue(issue.state, event)) throw new Refusal('issue_sent')
  return issue
}

/** As a subscriber gets it; its links open the newsletter's page. */
function exampleOf({ config }: Needs<'config'>, issue: Parameters<typeof newsletterIssueMail>[1]) {
  const publicUrl = baseUrlOf(config)
  const leaveLink = publicUrl + paths.newsletter
  return newsletterIssueMail({ publicUrl, confirmLink: leaveLink, leaveLink }, issue)
}

/** Both forms of an issue, as it would be sent. */
export async function previewIssue(
  shop: Needs<'db' | 'config'>,
  draft: NewsletterIssueDraft,
): Promise<{ subject: string; html: string; text: string }> {
  const content = exampleOf(shop, columnsOf(draft))
  const { subject, textPart, htmlPart } = renderMail(content, await readSiteSettings(shop.db), baseUrlOf(shop.config))
  return { subject, html: htmlPart, text: textPart }
}

/** Sends an issue to the shop's own inbox, at most once a minute. @throws Refusal as `rewriteIssue` */
export async function mailPreview(shop: IssueNeeds, id: number): Promise<void> {
  const now = shop.clock.now()
  await shop.db.transaction(async (tx) => {
    const written = exampleOf(shop, await lockFor(tx, id, 'send'))
    const recipient = 'business' as const
    const about = `${id} ${Math.floor(now.getTime() / MINUTE_MS)}`
    const mail = { kind: 'issue_preview' as const, about, recipient, orderId: null, ...written }
    await mailLater(shop, tx, { ...mail, subject: `Preview: ${written.subject}` }, now)
  })
}

/** Starts sending an issue to everybody of its segment who is subscribed now. @throws Refusal as `rewriteIssue` */
export const sendIssueLater = (shop: Needs<'db' | 'clock' | 'jobs'>, by: Actor, id: number): Promise<void> =>
  shop.db.transaction(async (tx) => {
    const at = shop.clock.now()
    await begin(shop, tx, await lockFor(tx, id, 'send'), at)
    await recordAction(tx, { by, what: 'sent the newsletter', about: { kind: 'issue', id }, at })
  })

async function begin({ jobs }: Needs<'jobs'>, tx: Tx, { id }: StoredIssue, at: Date): Promise<void> {
  await changeIssue(tx, id, { state: 'sending', begunAt: at })
  await jobs.enqueue(tx, 'send-issue', { issueId: id })
}

/** @throws Refusal as `rewriteIssue`; `invalid` for a time that is over */
export const scheduleIssue = (
  { db, clock }: Needs<'db' | 'clock'>,
  by: Actor,
  id: number,
  sendAt: Date,
): Promise<void> =>
  db.transaction(async (tx) => {
    const at = clock.now()
    await lockFor(tx, id, 'schedule')
    if (sendAt <= at) throw new Refusal('invalid', {}, { sendAt: 'Please choose a time in the future' })
    await changeIssue(tx, id, { state: 'scheduled', sendAt })
    await recordAction(tx, { by, what: 'scheduled the newsletter', about: { kind: 'issue', id }, at })
  })

/** Makes a scheduled issue a draft again. @throws Refusal `unknown_issue`, `issue_sent` */
export const unscheduleIssue = ({ db, clock }: Needs<'db' | 'clock'>, by: Actor, id: number): Promise<void> =>
  db.transaction(async (tx) => {
    await lockFor(tx, id, 'unschedule')
    await changeIssue(tx, id, { state: 'draft', sendAt: null })
    const what = 'took the newsletter off the schedule'
    await recordAction(tx, { by, what, about: { kind: 'issue', id }, at: clock.now() })
  })

/** Starts scheduled issues whose time has come, and goes on with those that are being sent. */
export const continueIssues = (shop: Needs<'db' | 'clock' | 'jobs'>): Promise<void> =>
  shop.db.transaction(async (tx) => {
    const now = shop.clock.now()
    for (const issue of await listDueIssues(tx, now))
      if (issue.state === 'scheduled') await begin(shop, tx, issue, now)
      else await shop.jobs.enqueue(tx, 'send-issue', { issueId: issue.id })
  })

/**
 * Queues a minute's emails of an issue; the schedule asks for the next. It is stored how far it got, in the same transaction, so an
 * interrupted job continues there and nobody gets the issue twice.
 */
export const sendIssue = (shop: IssueNeeds, id: number): Promise<void> =>
  shop.db.transaction(async (tx) => {
    const now = shop.clock.now()
    const issue = await lockIssue(tx, id)
    if (issue?.state !== 'sending' || !issue.begunAt) return
    if (issue.pacedAt && now < after(issue.pacedAt, MINUTE_MS)) return
    const { newsletterPerMinute: limit } = await readSiteSettings(tx)
    const readers = await listReaders(tx, {
      ...{ after: issue.reachedId, confirmedBy: issue.begunAt, segment: issue.segment, limit },
    })
    for (const reader of readers)
      await mailSubscriberLater(
        shop,
        tx,
        reader,
        { kind: 'newsletter_issue', about: String(id), write: (to) => newsletterIssueMail(to, issue) },
        now,
      )
    const hasMore = readers.length === limit
    await changeIssue(tx, id, {
      reachedId: readers.at(-1)?.id ?? issue.reachedId,
      sentTo: issue.sentTo + readers.length,
      pacedAt: now,
      ...(!hasMore && { state: 'sent' as const, finishedAt: now }),
    })
  })
