import { label } from '#site/label.ts'
import type { NewCallRequest, ReceivedCall } from '#contract/partners.ts'
import { paths } from '#contract/paths.ts'
import type { QueuePosition } from '#contract/queue-page.ts'
import { maskCardNumbers } from '#domain/messages/card-numbers.ts'
import { callCalendar } from '#domain/partners/call-calendar.ts'
import { objectionToTimes } from '#domain/partners/call-times.ts'
import type { UserId } from '#shared/ids.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import { baseUrlOf, type Config } from '#server/config/config.ts'
import { readQueuePage } from '#server/db/queue-page.ts'
import { Refusal } from '#server/http/refusal.ts'
import { mailLater } from '#server/mail/outbox.ts'
import { ownerMail } from '#server/mail/templates/owner-mail.ts'
import type { Needs } from '#server/shop.ts'
import { mailPartnerLater } from './applications.ts'
import { findPartner } from './partner.ts'
import {
  addCall,
  callQueue,
  closeCall,
  findRequester,
  findCall,
  lockCall,
  type Requester,
  type StoredCall,
} from './portal-store.ts'

type CallNeeds = Needs<'db' | 'clock' | 'jobs' | 'config'>

const A_PAGE = 50

/** A zone that this machine does not know is told in UTC. */
function inZone(moment: Date, timeZone: string): string {
  const format = { dateStyle: 'full', timeStyle: 'short' } as const
  try {
    return `${moment.toLocaleString('en-US', { ...format, timeZone })} (${timeZone})`
  } catch {
    return `${moment.toLocaleString('en-US', { ...format, timeZone: 'UTC' })} (UTC)`
  }
}

/**
 * Keeps the wish for a call, tells the owner, and sends the times as a calendar file to whoever asked, where there is a proven
 * address. One that was only typed may be a stranger's: it hears of the call when the owner answers.
 * @throws Refusal `invalid` for times that cannot be kept; `call_waiting` while an earlier wish is unanswered
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

    const [asker, partner] = [await findRequester(tx, userId), await findPartner(tx, userId)]
    const name = partner?.displayName ?? asker?.username ?? ''
    const email = request.email ?? asker?.userEmail ?? null
    const note = ownerMail({
      subject: `Call wanted: ${name}`,
      facts: [
        ['About', topic],
        ['Email', email],
      ],
      paragraphs: moments.map((time) => `${inZone(time, label.timeZone)}\n${inZone(time, request.timeZone)}`),
      link: baseUrlOf(shop.config) + paths.adminInbox,
    })
    const recipient = { email: label.supportEmail, name: label.name }
    await mailLater(shop, tx, { kind: 'call_wanted', recipient, orderId: null, ...note }, now)
    if (!asker?.userEmail) return
    await mailPartnerLater(shop, tx, {
      kind: 'call_asked',
      about: `call-${call.id}`,
      email: asker.userEmail,
      name,
      subject: 'Your call with us',
      title: 'We have your times.',
      paragraphs: [
        `Thank you. You would like to talk about: ${topic}. These times suit you; we answer which one we take.`,
        moments.map((time) => inZone(time, request.timeZone)).join('\n'),
        'The calendar file holds them all as tentative, so that nothing else takes their place.',
      ],
      button: 'Open the portal',
      attachment: calendarFileOf(shop.config, call, now),
      now,
    })
  })
}

/** @throws Refusal `unknown_call_request` for one that somebody else asked for, and for none */
export async function calendarOfCall(
  { db, clock, config }: Needs<'db' | 'clock' | 'config'>,
  userId: UserId,
  id: number,
): Promise<{ name: string; type: string; text: string }> {
  const call = await findCall(db, id)
  if (!call || call.userId !== userId) throw new Refusal('unknown_call_request')
  return calendarFileOf(config, call, clock.now())
}

const CALENDAR_TYPE = 'text/calendar; charset=utf-8; method=PUBLISH'

const calendarFileOf = (config: Config, call: StoredCall, madeAt: Date) => ({
  name: 'partnership-call.ics',
  type: CALENDAR_TYPE,
  text: callCalendar({
    id: `call-${call.id}@${new URL(baseUrlOf(config)).hostname}`,
    title: `Call with ${label.name}`,
    description: call.topic,
    url: baseUrlOf(config) + paths.partnership,
    times: call.times.map((time) => new Date(time)),
    agreed: call.agreedTime,
    isDeclined: call.state === 'declined',
    madeAt,
  }),
})

/** A page of the calls that were asked for. */
export async function readCalls({ db }: Needs<'db'>, after: QueuePosition | undefined) {
  const { rows, ...page } = await readQueuePage(callQueue(db), after, A_PAGE)
  return { calls: rows.map(({ call, ...asker }) => toReceivedCall(call, asker)), ...page }
}

/**
 * Agrees to one of the proposed times, or to none, and tells whoever asked.
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
      throw new Refusal('invalid', {}, { time: 'Please choose one of the times that were proposed' })

    const answered = {
      state: agreedTime ? ('agreed' as const) : ('declined' as const),
      agreedTime,
      reply: reply && maskCardNumbers(reply),
      answeredAt: now,
    }
    await closeCall(tx, id, answered)
    const { state } = answered
    await recordAction(tx, {
      by,
      what: state === 'agreed' ? 'agreed to a call' : 'declined a call',
      about: { kind: 'call', id },
      before: { state: 'waiting' },
      after: { state, ...(agreedTime && { time: agreedTime.toISOString() }) },
      at: now,
    })
    const closed = { ...call, ...answered }
    const [asker, partner] = [await findRequester(tx, call.userId), await findPartner(tx, call.userId)]
    const email = call.email ?? asker?.userEmail
    const isProven = email === asker?.userEmail
    if (email)
      await mailPartnerLater(shop, tx, {
        kind: 'call_answered',
        about: `call-${id}`,
        email,
        name: partner?.displayName ?? asker?.username ?? '',
        subject: agreedTime ? 'Our call is agreed' : 'About your call',
        title: agreedTime ? 'Our call is agreed.' : 'None of the times works.',
        paragraphs: [
          agreedTime
            ? `We talk on ${inZone(agreedTime, call.timeZone)}. The calendar file has it.`
            : 'Sorry, we cannot make any of the times that you proposed. Please choose others in the portal.',
          ...(answered.reply ? [answered.reply] : []),
        ],
        button: 'Open the portal',
        // Nobody makes us mail words of their own to an address that may be another's.
        attachment: calendarFileOf(shop.config, isProven ? closed : { ...closed, topic: '' }, now),
        now,
      })
    return toReceivedCall(closed, asker)
  })
}

const toReceivedCall = (call: StoredCall, asker: Requester | undefined): ReceivedCall => {
  const { id, email, topic, times, timeZone, state, agreedTime, reply, createdAt } = call
  return {
    id,
    username: asker?.username ?? '',
    email: email ?? asker?.userEmail ?? null,
    topic,
    times,
    timeZone,
    state,
    agreedTime: agreedTime?.toISOString() ?? null,
    reply,
    sentAt: createdAt.toISOString(),
  }
}
