import { label } from '#brand/label.ts'
import type { CallWish, ReceivedCall } from '#contract/partners.ts'
import { paths } from '#contract/paths.ts'
import type { Place } from '#contract/pile.ts'
import { maskCardNumbers } from '#domain/correspondence/card-numbers.ts'
import { callCalendar } from '#domain/partners/call-calendar.ts'
import { objectionToTimes } from '#domain/partners/call-times.ts'
import type { UserId } from '#kernel/ids.ts'
import { recordAction, type Actor } from '#server/actions/actions.ts'
import { baseUrlOf, type Config } from '#server/config/config.ts'
import { pageOf } from '#server/db/pile.ts'
import { Refused } from '#server/http/refused.ts'
import { mailLater } from '#server/mail/outbox.ts'
import { deskNote } from '#server/mail/templates/desk-note.ts'
import type { Needs } from '#server/shop.ts'
import { mailPartnerLater } from './applications.ts'
import { findPartner } from './partner.ts'
import {
  addCall,
  callPile,
  closeCall,
  findAsker,
  findCall,
  lockCall,
  type Asker,
  type StoredCall,
} from './portal-store.ts'

type Calling = Needs<'db' | 'clock' | 'jobs' | 'config'>

const A_PAGE = 50

/** A zone that this machine does not know is told in UTC. */
function inZone(moment: Date, timeZone: string): string {
  const told = { dateStyle: 'full', timeStyle: 'short' } as const
  try {
    return `${moment.toLocaleString('en-US', { ...told, timeZone })} (${timeZone})`
  } catch {
    return `${moment.toLocaleString('en-US', { ...told, timeZone: 'UTC' })} (UTC)`
  }
}

/**
 * Keeps the wish for a call, tells the owner, and sends the times as a calendar file to whoever asked, where there is a proven
 * address. One that was only typed may be a stranger's: it hears of the call when the owner answers.
 * @throws Refused `invalid` for times that cannot be kept; `call_waiting` while an earlier wish is unanswered
 */
export async function askForCall(shop: Calling, userId: UserId, wish: CallWish): Promise<void> {
  const now = shop.clock.now()
  const moments = wish.times.map((text) => new Date(text))
  const objection = objectionToTimes(
    moments.map((moment) => moment.getTime()),
    now.getTime(),
  )
  if (objection) throw new Refused('invalid', {}, { times: objection })

  await shop.db.transaction(async (tx) => {
    const topic = maskCardNumbers(wish.topic)
    const times = moments.map((moment) => moment.toISOString())
    const call = await addCall(tx, { ...wish, userId, topic, times, createdAt: now })
    if (!call) throw new Refused('call_waiting')

    const [asker, partner] = [await findAsker(tx, userId), await findPartner(tx, userId)]
    const name = partner?.displayName ?? asker?.username ?? ''
    const email = wish.email ?? asker?.userEmail ?? null
    const note = deskNote({
      subject: `Call wanted: ${name}`,
      facts: [
        ['About', topic],
        ['Email', email],
      ],
      said: moments.map((time) => `${inZone(time, label.timeZone)}\n${inZone(time, wish.timeZone)}`),
      link: baseUrlOf(shop.config) + paths.deskInbox,
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
      said: [
        `Thank you. You would like to talk about: ${topic}. These times suit you; we answer which one we take.`,
        moments.map((time) => inZone(time, wish.timeZone)).join('\n'),
        'The calendar file holds them all as tentative, so that nothing else takes their place.',
      ],
      button: 'Open the portal',
      attachment: calendarFileOf(shop.config, call, now),
      now,
    })
  })
}

/** @throws Refused `unknown_call_request` for one that somebody else asked for, and for none */
export async function calendarOfCall(
  { db, clock, config }: Needs<'db' | 'clock' | 'config'>,
  userId: UserId,
  id: number,
): Promise<{ name: string; type: string; text: string }> {
  const call = await findCall(db, id)
  if (!call || call.userId !== userId) throw new Refused('unknown_call_request')
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
export async function readCalls({ db }: Needs<'db'>, after: Place | undefined) {
  const { rows, ...page } = await pageOf(callPile(db), after, A_PAGE)
  return { calls: rows.map(({ call, ...asker }) => told(call, asker)), ...page }
}

/**
 * Agrees to one of the proposed times, or to none, and tells whoever asked.
 * @throws Refused `unknown_call_request`, `already_decided`; `invalid` for a time that was not proposed
 */
export async function answerCall(
  shop: Calling,
  by: Actor,
  id: number,
  { time, reply }: { time: string | null; reply: string | null },
): Promise<ReceivedCall> {
  const now = shop.clock.now()
  return shop.db.transaction(async (tx) => {
    const call = await lockCall(tx, id)
    if (!call) throw new Refused('unknown_call_request')
    if (call.state !== 'waiting') throw new Refused('already_decided')
    const agreedTime = time === null ? null : new Date(time)
    if (agreedTime && !call.times.includes(agreedTime.toISOString()))
      throw new Refused('invalid', {}, { time: 'Please choose one of the times that were proposed' })

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
    const [asker, partner] = [await findAsker(tx, call.userId), await findPartner(tx, call.userId)]
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
        said: [
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
    return told(closed, asker)
  })
}

const told = (call: StoredCall, asker: Asker | undefined): ReceivedCall => {
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
