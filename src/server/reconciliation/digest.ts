import { paths } from '#contract/paths.ts'
import { CROWD_MIN } from '#domain/reconciliation/queue.ts'
import { ruleOf, type ExceptionKind } from '#domain/reconciliation/exceptions.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { formatUsd, sum, ZERO } from '#shared/money.ts'
import { after, HOUR_MS } from '#shared/time.ts'
import { baseUrlOf } from '#server/config/config.ts'
import { mailLater } from '#server/mail/outbox.ts'
import { ownerMail } from '#server/mail/templates/owner-mail.ts'
import { lockSetting, saveSetting } from '#server/settings/settings.ts'
import type { Needs } from '#server/shop.ts'
import { listUnmailed, type ListedException } from './store.ts'

/** At most one email in this time. */
const COLLECTED_MS = HOUR_MS
const DESCRIBED_MAX = 20
const COUNTED_MAX = 500

/** What was last reported, and when. */
const LAST_MAILED_SETTING = 'exceptions_told'
type LastMailed = { id: number; at: string | null }

/**
 * Emails the owner about new open exceptions, at most once an hour. Payments without an order and disputes have their own emails.
 */
export async function mailNewExceptions({ db, clock, jobs, config }: Needs<'db' | 'clock' | 'jobs' | 'config'>) {
  const now = clock.now()
  await db.transaction(async (tx) => {
    // Locked, so two instances do not report the same.
    const locked = await lockSetting(tx, LAST_MAILED_SETTING, JSON.stringify({ id: 0, at: null }))
    const { id: last, at } = JSON.parse(locked) as LastMailed
    if (at && new Date(at) > after(now, -COLLECTED_MS)) return
    const fresh = await listUnmailed(tx, last, COUNTED_MAX)
    const newest = fresh.at(-1)
    if (!newest) return
    const lastMailed: LastMailed = { id: newest.id, at: now.toISOString() }
    await saveSetting(tx, LAST_MAILED_SETTING, JSON.stringify(lastMailed))
    const byKind = [...Map.groupBy(fresh, ({ kind }) => kind)]
    const paragraphs = byKind.flatMap(([kind, all]) =>
      all.length > CROWD_MIN ? [describeCrowd(kind, all)] : all.map(describeException),
    )
    const note = ownerMail({
      subject: fresh.length === 1 ? `New exception: ${ruleOf(newest.kind).title}` : `${fresh.length} new exceptions`,
      paragraphs: [
        ...paragraphs.slice(0, DESCRIBED_MAX),
        ...(paragraphs.length > DESCRIBED_MAX ? [`And ${paragraphs.length - DESCRIBED_MAX} more.`] : []),
      ],
      link: baseUrlOf(config) + paths.adminExceptions,
      action: 'See all exceptions',
    })
    const recipient = 'business' as const
    const about = String(newest.id)
    await mailLater({ jobs, config }, tx, { kind: 'exceptions', about, recipient, orderId: null, ...note }, now)
  })
}

function describeCrowd(kind: ExceptionKind, all: readonly ListedException[]): string {
  const { title, step } = ruleOf(kind)
  const amount = sum(all.map((exception) => exception.amount))
  return `${[`${title}: ${all.length}`, amount > ZERO ? formatUsd(amount) : null].filter(Boolean).join(', ')}\n${step}.`
}

function describeException({ kind, about, orderNumber, cause, amount, deadlineAt }: ListedException): string {
  const { title, step } = ruleOf(kind)
  const head = [
    title,
    amount > ZERO ? formatUsd(amount) : null,
    orderNumber ? `order ${formatOrderNumber(orderNumber)}` : null,
  ]
  const due = deadlineAt ? `\nDue ${deadlineAt.toISOString().slice(0, 10)}.` : ''
  return `${head.filter(Boolean).join(', ')}\n${cause ?? about}${due}\n${step}.`
}
