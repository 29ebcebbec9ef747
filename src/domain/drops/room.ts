import { formatClockTime } from '#domain/orders/clock-time.ts'
import { after, dateOf, HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/time.ts'
import { say } from '#words/say.ts'
import { HOLD_MS, type DropState } from './drop.ts'

// The waiting room of a drop. Who came before the start is drawn into an order at the start, who comes after it follows. Some are let in
// every minute, never more than there are pieces; each visit is one reservation.

/** How long before the start its room opens. Coming early is no advantage. */
const ROOM_OPENS_MS = HOUR_MS
/** How long somebody who is called has to show up: an open page does so by itself. */
export const CALL_MS = 3 * MINUTE_MS
/** How long somebody who was let in has to start paying. */
export const VISIT_MS = 10 * MINUTE_MS
/** People let in at once after a quiet time: as many as this time allows. */
const BURST_MS = 30 * SECOND_MS
export const ROOM_PACE_MAX = 6000
/** Places that one internet connection can have at once: a family, an office or a fan meeting, not a farm of browsers. */
export const PLACES_PER_NETWORK = 30
/** Rows are bounded. */
export const ROOM_PLACES_MAX = 200_000

/** What everybody in a room shares. */
export type Room = {
  state: DropState
  startsAt: Date
  /** How many are let in every minute. */
  perMinute: number
  /** Turns given so far, and how many of them were let in. */
  lastTurn: number
  letInTurn: number
  /** Pieces that anybody can have; null: as many as are wanted. */
  free: number | null
  /** Pieces that are being paid for. */
  reserved: number
  /** Everybody who has or had a place. */
  guests: number
}

/** A place of a session. */
export type Guest = {
  /** From 1; null until the room has given turns again, each second. */
  turn: number | null
  /** Until when it may start a payment; null: not let in. */
  until: Date | null
  /** Whether a reservation was made with it. */
  isUsed: boolean
}

export const roomKinds = [
  'closed',
  'outside',
  'before',
  'drawing',
  'waiting',
  'in',
  'used',
  'missed',
  'paused',
  'sold_out',
  'over',
] as const
/**
 * closed: it opens later. outside: somebody without a place. before: the sale has not begun. drawing: the turn is about to be given.
 * used: a piece was reserved. missed: the turn is over.
 */
type RoomKind = (typeof roomKinds)[number]

export type RoomPlace = {
  kind: RoomKind
  /** How many are let in before; null where nobody knows or it does not matter. */
  ahead: number | null
  /** About how long until it is let in; null: not known. */
  waitMs: number | null
}

export const roomOpensAt = (startsAt: Date): Date => after(startsAt, -ROOM_OPENS_MS)

/** @param guest undefined: without a place */
export function placeIn(room: Room, guest: Guest | undefined, now: Date): RoomPlace {
  const { state, startsAt, lastTurn, letInTurn, free, perMinute } = room
  const only = (kind: RoomKind): RoomPlace => ({ kind, ahead: null, waitMs: null })
  if (state === 'draft' || state === 'ended' || state === 'released') return only('over')
  if (guest?.until && guest.until > now) return only(guest.isUsed ? 'used' : 'in')
  if (free === 0 && room.reserved === 0) return only('sold_out')
  if (guest?.until) return only('missed')
  if (state === 'paused') return only('paused')
  if (startsAt > now) return only(roomOpensAt(startsAt) > now ? 'closed' : guest ? 'before' : 'outside')
  if (!guest) return { kind: 'outside', ahead: lastTurn - letInTurn, waitMs: null }
  if (guest.turn === null) return only('drawing')
  const ahead = Math.max(0, guest.turn - letInTurn - 1)
  // More before than pieces: how long it takes depends on how many of them do not buy.
  const waitMs = free !== null && ahead >= free ? null : Math.ceil(((ahead + 1) / perMinute) * MINUTE_MS)
  return { kind: 'waiting', ahead, waitMs }
}

/** How often a page asks again: at once when something is about to happen, and so seldom that thousands can. */
const ASK_MS = { soon: 3 * SECOND_MS, inLine: 5 * SECOND_MS, most: 30 * SECOND_MS } as const
/** At the start a crowd would ask in the same second: its questions are spread so that this many come in a second, within the longest time. */
const ASKS_PER_S = 200
/** In line, a page asks four times in the time until its turn. */
const ASKS_UNTIL_TURN = 4

/**
 * After how long a page asks again: the nearer the turn, the sooner.
 * @param chance from 0 to 1, another one for each question
 */
export function askAgainMs(
  { kind, ahead }: RoomPlace,
  { perMinute, startsAt, guests }: Room,
  now: Date,
  chance: number,
): number {
  const within = (least: number, ms: number) => Math.min(ASK_MS.most, Math.max(least, ms))
  if (kind === 'drawing') return ASK_MS.soon
  if (kind === 'before') {
    const untilStart = startsAt.getTime() - now.getTime()
    const spread = Math.min(ASK_MS.most, (guests / ASKS_PER_S) * SECOND_MS)
    return untilStart < ASK_MS.most ? Math.max(ASK_MS.soon, untilStart + chance * spread) : ASK_MS.most
  }
  if (kind !== 'waiting') return ASK_MS.most
  return within(ASK_MS.inLine, (((ahead ?? 0) / perMinute) * MINUTE_MS) / ASKS_UNTIL_TURN)
}

export type Door = {
  /** When the last ones were let in. */
  letInAt: Date
  lastTurn: number
  letInTurn: number
  perMinute: number
  free: number | null
  /** Let in, with time left and without a reservation. */
  visiting: number
  limitPerPerson: number
}

/** How many are let in now: in the drop's pace, and only as many as find a piece, if each takes as many as a person may. */
export function letIn(door: Door, now: Date): { count: number; letInAt: Date } {
  const { letInAt, lastTurn, letInTurn, perMinute, free, visiting, limitPerPerson } = door
  const oneMs = MINUTE_MS / perMinute
  const since = Math.max(letInAt.getTime(), now.getTime() - Math.max(BURST_MS, oneMs))
  const inPace = Math.floor((now.getTime() - since) / oneMs)
  const places = free === null ? Number.POSITIVE_INFINITY : Math.ceil(free / limitPerPerson) - visiting
  const count = Math.max(0, Math.min(inPace, places, lastTurn - letInTurn))
  return { count, letInAt: dateOf(since + count * oneMs) }
}

/** What a room says: a heading and sentences. */
export function roomWords(
  { kind, ahead, waitMs }: RoomPlace,
  { state, startsAt, free, reserved }: Room,
  guest: Guest | undefined,
): { heading: string; sentences: string[] } {
  const start = formatClockTime(startsAt)
  switch (kind) {
    case 'closed':
      return {
        heading: say('The waiting room is not open yet'),
        sentences: [
          say('It opens on {opens}, and the sale begins on {start}.', {
            opens: formatClockTime(roomOpensAt(startsAt)),
            start,
          }),
          say('Everybody who is in it at the start has the same chance: the order is drawn.'),
        ],
      }
    case 'outside':
      return ahead === null
        ? {
            heading: say('The waiting room is open'),
            sentences: [
              say(
                'The sale begins on {start}. Then the order of everybody who is here is drawn, so coming sooner is no advantage.',
                { start },
              ),
            ],
          }
        : {
            heading: say('Get in line'),
            sentences: [
              ahead === 0
                ? say('Nobody is waiting.')
                : say('{count, plural, one {# person is waiting.} other {# people are waiting.}}', { count: ahead }),
            ],
          }
    case 'before':
      return {
        heading: say('You’re in the waiting room'),
        sentences: [
          say('The sale begins on {start}. Then the order of everybody who is here is drawn.', { start }),
          say('Keep this page open. You can have it open more than once; your place stays the same.'),
        ],
      }
    case 'drawing':
      return { heading: say('Your place is being drawn'), sentences: [say('This takes a few seconds.')] }
    case 'waiting':
      return {
        heading:
          ahead === 0
            ? say('You’re next')
            : say('{count, plural, one {# person is before you} other {# people are before you}}', {
                count: ahead ?? 0,
              }),
        sentences: [
          waitingText(ahead ?? 0, waitMs, free, reserved),
          say('Keep this page open. It tells you when it’s your turn.'),
        ],
      }
    case 'in':
      if (state === 'paused')
        return {
          heading: say('The sale is paused'),
          sentences: [
            guest?.until
              ? say(
                  'It’s your turn until {time}, and nobody can start paying now. This page tells you when the sale goes on.',
                  { time: formatClockTime(guest.until) },
                )
              : say('It’s your turn, and nobody can start paying now. This page tells you when the sale goes on.'),
          ],
        }
      return {
        heading: say('It’s your turn'),
        sentences: [
          guest?.until
            ? say(
                'Please start paying by {time}, in this browser. From then on your piece is reserved for {minutes} minutes.',
                { time: formatClockTime(guest.until), minutes: HOLD_MS / MINUTE_MS },
              )
            : say(
                'Please start paying by then, in this browser. From then on your piece is reserved for {minutes} minutes.',
                { minutes: HOLD_MS / MINUTE_MS },
              ),
        ],
      }
    case 'used':
      return { heading: say('Your piece is reserved'), sentences: [say('Please finish paying in your checkout.')] }
    case 'missed':
      return { heading: say('Your turn is over'), sentences: [say('You can get in line again, at its end.')] }
    case 'paused':
      return {
        heading: say('The sale is paused'),
        sentences: [say('Your place stays as it is. This page tells you when it goes on.')],
      }
    case 'sold_out':
      return {
        heading: say('Sold out'),
        sentences: [
          say('Every piece is sold. If a payment is refunded, the piece goes to the waiting list, in order.'),
        ],
      }
    case 'over':
      return { heading: say('This sale has ended'), sentences: [] }
  }
}

function waitingText(ahead: number, waitMs: number | null, free: number | null, reserved: number): string {
  if (free === 0)
    return say(
      'Nothing is free right now. {count, plural, one {One piece is} other {# pieces are}} being paid for; what isn’t paid in time goes to the next in line.',
      { count: reserved },
    )
  if (waitMs !== null)
    return waitMs < MINUTE_MS
      ? say('That takes less than a minute.')
      : say('That takes about {count, plural, one {# minute} other {# minutes}}.', {
          count: Math.ceil(waitMs / MINUTE_MS),
        })
  return say(
    '{count, plural, one {# piece is} other {# pieces are}} left, so you get one only if enough of the {ahead, number} before you don’t buy.',
    { count: free ?? 0, ahead },
  )
}
