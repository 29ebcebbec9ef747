import type { NewsletterIssueDraft, NewsletterIssueRow } from '#contract/messages.ts'
import { paths } from '#contract/paths.ts'
import { MINUTE_MS } from '#shared/time.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import { baseUrlOf } from '#server/config/config.ts'
import type { Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { mailLater } from '#server/mail/outbox.ts'
import { newsletterIssueMail } from '#server/mail/templates/newsletter.ts'
import type { Needs } from '#server/shop.ts'
import { mailSubscriberLater } from './newsletter.ts'
import {
  addIssue,
  changeIssue,
  countSubscribed,
  listIssues,
  listReaders,
  lockIssue,
  type StoredIssue,
} from './store.ts'

type IssueNeeds = Needs<'db' | 'clock' | 'jobs' | 'config'>

const ISSUES_SHOWN = 50
/** Emails queued in one transaction. */
const BATCH = 200

export async function readIssues({ db }: Needs<'db'>): Promise<{ issues: NewsletterIssueRow[]; subscribed: number }> {
  return { issues: (await listIssues(db, ISSUES_SHOWN)).map(toIssueRow), subscribed: await countSubscribed(db) }
}

const toIssueRow = ({ writtenAt, begunAt, finishedAt, ...issue }: StoredIssue): NewsletterIssueRow => ({
  ...{ id: issue.id, subject: issue.subject, body: issue.body, path: issue.path, button: issue.button },
  ...{ state: issue.state, sentTo: issue.sentTo },
  writtenAt: writtenAt.toISOString(),
  begunAt: begunAt?.toISOString() ?? null,
  finishedAt: finishedAt?.toISOString() ?? null,
})

export const writeIssue = (
  { db, clock }: Needs<'db' | 'clock'>,
  draft: NewsletterIssueDraft,
): Promise<{ id: number }> => db.transaction((tx) => addIssue(tx, { ...columnsOf(draft), writtenAt: clock.now() }))

/** @throws Refusal `unknown_issue`; `issue_sent` once sending has begun */
export const rewriteIssue = (
  { db, clock }: Needs<'db' | 'clock'>,
  id: number,
  draft: NewsletterIssueDraft,
): Promise<void> =>
  db.transaction(async (tx) => {
    await lockDraft(tx, id)
    await changeIssue(tx, id, { ...columnsOf(draft), writtenAt: clock.now() })
  })

const columnsOf = ({ subject, body, path, button }: NewsletterIssueDraft) => ({
  ...{ subject, body },
  path: path ?? null,
  button: button ?? null,
})

async function lockDraft(tx: Tx, id: number): Promise<StoredIssue> {
  const issue = await lockIssue(tx, id)
  if (!issue) throw new Refusal('unknown_issue')
  if (issue.state !== 'draft') throw new Refusal('issue_sent')
  return issue
}

/** Sends an issue to the shop's own inbox, at most once a minute. @throws Refusal as `rewriteIssue` */
export async function mailPreview(shop: IssueNeeds, id: number): Promise<void> {
  const now = shop.clock.now()
  await shop.db.transaction(async (tx) => {
    const issue = await lockDraft(tx, id)
    const publicUrl = baseUrlOf(shop.config)
    // The shop's inbox is not a subscriber, so the unsubscribe link opens the newsletter page.
    const leaveLink = publicUrl + paths.newsletter
    const written = newsletterIssueMail({ publicUrl, confirmLink: leaveLink, leaveLink }, issue)
    const recipient = 'business' as const
    const about = `${id} ${Math.floor(now.getTime() / MINUTE_MS)}`
    const mail = { kind: 'issue_preview' as const, about, recipient, orderId: null, ...written }
    await mailLater(shop, tx, { ...mail, subject: `Preview: ${written.subject}` }, now)
  })
}

/** Starts sending an issue to everybody subscribed now. @throws Refusal as `rewriteIssue` */
export const sendIssueLater = ({ db, clock, jobs }: Needs<'db' | 'clock' | 'jobs'>, by: Actor, id: number) =>
  db.transaction(async (tx) => {
    await lockDraft(tx, id)
    const at = clock.now()
    await changeIssue(tx, id, { state: 'sending', begunAt: at })
    await jobs.enqueue(tx, 'send-issue', { issueId: id })
    await recordAction(tx, { by, what: 'sent the newsletter', about: { kind: 'issue', id }, at })
  })

/**
 * Queues the emails in batches. Each batch stores how far it got, so an interrupted job continues there and nobody gets the issue
 * twice.
 */
export async function sendIssue(shop: IssueNeeds, id: number): Promise<void> {
  while (await sendBatch(shop, id));
}

/** @returns whether there is more */
const sendBatch = (shop: IssueNeeds, id: number): Promise<boolean> =>
  shop.db.transaction(async (tx) => {
    const now = shop.clock.now()
    const issue = await lockIssue(tx, id)
    if (issue?.state !== 'sending' || !issue.begunAt) return false
    const readers = await listReaders(tx, { after: issue.reachedId, confirmedBy: issue.begunAt, limit: BATCH })
    for (const reader of readers)
      await mailSubscriberLater(
        shop,
        tx,
        reader,
        { kind: 'newsletter_issue', about: String(id), write: (to) => newsletterIssueMail(to, issue) },
        now,
      )
    const hasMore = readers.length === BATCH
    await changeIssue(tx, id, {
      reachedId: readers.at(-1)?.id ?? issue.reachedId,
      sentTo: issue.sentTo + readers.length,
      ...(!hasMore && { state: 'sent' as const, finishedAt: now }),
    })
    return hasMore
  })
