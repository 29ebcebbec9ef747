import { label } from '#site/label.ts'
import type { SiteSettings } from '#site/shop-rules.ts'
import type { NewCallRequest, ReceivedCall } from '#contract/partners.ts'
import { paths } from '#contract/paths.ts'
import type { QueuePosition } from '#contract/queue-page.ts'
import { maskCardNumbers } from '#domain/messages/card-numbers.ts'
import { callCalendar } from '#domain/partners/call-calendar.ts'
import { objectionToTimes } from '#domain/partners/call-times.ts'
import type { UserId } from '#shared/ids.ts'
import { findUserContact, type UserContact } from '#server/accounts/users.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import { baseUrlOf, type Config } from '#server/config/config.ts'
import { readQueuePage } from '#server/db/queue-page.ts'
import { Refusal } from '#server/http/refusal.ts'
import { mailLater } from '#server/mail/outbox.ts'
import { ownerMail } from '#server/mail/templates/owner-mail.ts'
import { readSiteSettings } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import { mailPartnerLater } from './applications.ts'
import { findPartner } from './partner.ts'
import { addCall, callQueue, closeCall, findCall, lockCall, type StoredCall } from './portal-store.ts'

type CallNeeds = Needs<'db' | 'clock' | 'jobs' | 'config'>

const A_PAGE = 50

/** In UTC when this machine does not know the time zone. */
function inZone(moment: Date, timeZone: string): string {
  const format = { dateStyle: 'full', timeStyle: 'short' } as const
  try {
    return `${moment.toLocaleString('en-US', { ...format, timeZone })} (${timeZone})`
  } catch {
    return `${moment.toLocaleString('en-US', { ...format, timeZone: 'UTC' })} (UTC)`
  }
}

/**
 * Stores a call request, emails the owner, and emails the times as a calendar file to the requester's confirmed address. A merely
 * typed address may be a stranger's, so it gets only the owner's answer.
 * @throws Refusal `invalid` for impossible times; `call_waiting` while an earlier request is unanswered
 */
export async function askForCall(shop: CallNeeds, userId: UserId, request: NewCallRequest): Promise<void> {
  const now = shop.clock.now()
  const moments = request.times.map((text) => new Date(text))
  const objection = objectionToTimes(
    moments.map((moment) => moment.getTime()),
    now.getTime(),
  )
  if (objection) throw new Refusal('invalid', {}, { times: objection })

  await shop.db.transaction(async (tx) => {
    const topic = maskCardNumbers(request.topic)
    const times = moments.map((moment) => moment.toISOString())
    const call = await addCall(tx, { ...request, userId, topic, times, createdAt: now })
    if (!call) throw new Refusal('call_waiting')

    const [requester, partner] = [await findUserContact(tx, userId), await findPartner(tx, userId)]
    const name = partner?.displayName ?? requester?.username ?? ''
    const email = request.email ?? requester?.userEmail ?? null
    const note = ownerMail({
      subject: `Call request: ${name}`,
      facts: [
        ['About', topic],
        ['Email', email],
      ],
      paragraphs: moments.map((time) => `${inZone(time, label.timeZone)}\n${inZone(time, request.timeZone)}`),
      link: baseUrlOf(shop.config) + paths.adminInbox,
    })
    const recipient = 'support' as const
    await mailLater(shop, tx, { kind: 'call_wanted', recipient, orderId: null, ...note }, now)
    if (!requester?.userEmail) return
    await mailPartnerLater(shop, tx, {
      kind: 'call_asked',
      about: `call-${call.id}`,
      email: requester.userEmail,
      name,
      mail: 'call_asked',
      values: { topic },
      quoted: [moments.map((time) => inZone(time, request.timeZone)).join('\n')],
      button: 'Open the portal',
      attachment: calendarFileOf(shop.config, await readSiteSettings(tx), call, now),
      now,
    })
  })
}

/** @throws Refusal `unknown_call_request`, also for somebody else's */
export async function calendarOfCall(
  { db, clock, config }: Needs<'db' | 'clock' | 'config'>,
  userId: UserId,
  id: number,
): Promise<{ name: string; type: string; text: string }> {
  const call = await findCall(db, id)
  if (!call || call.userId !== userId) throw new Refusal('unknown_call_request')
  return calendarFileOf(config, await readSiteSettings(db), call, clock.now())
}

const CALENDAR_TYPE = 'text/calendar; charset=utf-8; method=PUBLISH'

const calendarFileOf = (config: Config, { name }: SiteSettings, call: StoredCall, madeAt: Date) => ({
  name: 'partnership-call.ics',
  type: CALENDAR_TYPE,
  text: callCalendar({
    id: `call-${call.id}@${new URL(baseUrlOf(config)).hostname}`,
    title: `Call with ${name}`,
    description: call.topic,
    url: baseUrlOf(config) + paths.partnership,
    times: call.times.map((time) => new Date(time)),
    agreed: call.agreedTime,
    isDeclined: call.state === 'declined',
    madeAt,
  }),
})

/** A page of call requests. */
export async function readCalls({ db }: Needs<'db'>, after: QueuePosition | undefined) {
  const { rows, ...page } = await readQueuePage(callQueue(db), after, A_PAGE)
  return { calls: rows.map(({ request, requester }) => toReceivedCall(request, requester)), ...page }
}

/**
 * Accepts one of the proposed times, or declines, and emails the requester.
 * @throws Refusal `unknown_call_request`, `already_decided`; `invalid` for a time that was not proposed
 */
export async function answerCall(
  shop: CallNeeds,
  by: Actor,
  id: number,
  { time, reply }: { time: string | null; reply: string | null },
): Promise<ReceivedCall> {
  const now = shop.clock.now()
  return shop.db.transaction(async (tx) => {
    const call = await lockCall(tx, id)
    if (!call) throw new Refusal('unknown_call_request')
    if (call.state !== 'waiting') throw new Refusal('already_decided')
    const agreedTime = time === null ? null : new Date(time)
    if (agreedTime && !call.times.includes(agreedTime.toISOString()))
      throw new Refusal('invalid', {}, { time: 'Please choose one of the proposed times' })

    const answer = {
      state: agreedTime ? ('agreed' as const) : ('declined' as const),
      agreedTime,
      reply: reply && maskCardNumbers(reply),
      answeredAt: now,
    }
    await closeCall(tx, id, answer)
    const { state } = answer
    await recordAction(tx, {
      by,
      what: state === 'agreed' ? 'agreed to a call' : 'declined a call',
      about: { kind: 'call', id },
      before: { state: 'waiting' },
      after: { state, ...(agreedTime && { time: agreedTime.toISOString() }) },
      at: now,
    })
    const closed = { ...call, ...answer }
    const [requester, partner] = [await findUserContact(tx, call.userId), await findPartner(tx, call.userId)]
    const email = call.email ?? requester?.userEmail
    const isConfirmed = email === requester?.userEmail
    if (email)
      await mailPartnerLater(shop, tx, {
        kind: 'call_answered',
        about: `call-${id}`,
        email,
        name: partner?.displayName ?? requester?.username ?? '',
        mail: agreedTime ? 'call_agreed' : 'call_declined',
        ...(agreedTime && { values: { time: inZone(agreedTime, call.timeZone) } }),
        quoted: answer.reply ? [answer.reply] : [],
        button: 'Open the portal',
        // An unconfirmed address may be a stranger's: do not send text that the requester wrote.
        attachment: calendarFileOf(
          shop.config,
          await readSiteSettings(tx),
          isConfirmed ? closed : { ...closed, topic: '' },
          now,
        ),
        now,
      })
    return toReceivedCall(closed, requester)
  })
}

const toReceivedCall = (call: StoredCall, requester: UserContact | undefined): ReceivedCall => {
  const { id, email, topic, times, timeZone, state, agreedTime, reply, createdAt } = call
  return {
    id,
    username: requester?.username ?? '',
    email: email ?? requester?.userEmail ?? null,
    topic,
    times,
    timeZone,
    state,
    agreedTime: agreedTime?.toISOString() ?? null,
    reply,
    sentAt: createdAt.toISOString(),
  }
}
