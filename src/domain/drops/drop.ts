import { formatList } from '#site/text-format.ts'
import { after, HOUR_MS, MINUTE_MS } from '#shared/time.ts'
import { say } from '#words/say.ts'

/** What the owner decided last. The rest follows from the time and from the pieces that are left: see `dropStateOf`. */
export const dropDecisions = ['draft', 'scheduled', 'paused', 'ended', 'released'] as const
export type DropDecision = (typeof dropDecisions)[number]

/**
 * scheduled: not begun. sold_out: no piece is left for somebody new. ended: its goods are not sold any more. released: they are sold
 * as any others, without a number.
 */
export const dropStates = ['draft', 'scheduled', 'open', 'paused', 'sold_out', 'ended', 'released'] as const
export type DropState = (typeof dropStates)[number]

/** extend: a later end, or more pieces. */
export const dropActions = ['schedule', 'withdraw', 'pause', 'resume', 'extend', 'end', 'release'] as const
export type DropAction = (typeof dropActions)[number]

const decisionAfter: Readonly<Record<DropState, Partial<Record<DropAction, DropDecision>>>> = {
  draft: { schedule: 'scheduled' },
  scheduled: { withdraw: 'draft', pause: 'paused', extend: 'scheduled', end: 'ended' },
  open: { pause: 'paused', extend: 'scheduled', end: 'ended' },
  paused: { resume: 'scheduled', extend: 'paused', end: 'ended' },
  sold_out: { pause: 'paused', extend: 'scheduled', end: 'ended' },
  ended: { extend: 'scheduled', release: 'released' },
  released: {},
}

/** @returns undefined where the action is not possible */
export const decideDrop = (state: DropState, action: DropAction): DropDecision | undefined =>
  decisionAfter[state][action]

export const actionsFor = (state: DropState): DropAction[] =>
  dropActions.filter((action) => decideDrop(state, action) !== undefined)

export type DropTimes = {
  decision: DropDecision
  startsAt: Date
  /** The first moment after it; null: until its pieces are sold, or the owner ends it. */
  endsAt: Date | null
  /** How long before the start those with early access buy; 0: nobody does. */
  earlyMinutes: number
}

/** @param free pieces that anybody can have; null: as many as are wanted */
export function dropStateOf({ decision, startsAt, endsAt }: DropTimes, free: number | null, now: Date): DropState {
  if (decision !== 'scheduled') return decision
  if (endsAt !== null && endsAt <= now) return 'ended'
  if (startsAt > now) return 'scheduled'
  return free === 0 ? 'sold_out' : 'open'
}

export const earlyFrom = ({ startsAt, earlyMinutes }: DropTimes): Date => after(startsAt, -earlyMinutes * MINUTE_MS)

/** Whether those with early access, and nobody else, buy now. */
export const isEarly = (times: DropTimes, now: Date): boolean =>
  times.decision === 'scheduled' && earlyFrom(times) <= now && now < times.startsAt

/** Whether somebody may start a payment now, as far as the time goes. */
export function isSelling(times: DropTimes, hasEarlyAccess: boolean, now: Date): boolean {
  const state = dropStateOf(times, null, now)
  return state === 'open' || (hasEarlyAccess && isEarly(times, now))
}

/** How long a piece is reserved for a payment that was started. */
export const HOLD_MS = 10 * MINUTE_MS
/** How long somebody on the waiting list has to start paying for a piece that became free. */
export const OFFER_MS = 2 * HOUR_MS

export const PIECES_MAX = 100_000
export const LIMIT_MAX = 99
export const EARLY_MINUTES_MAX = 7 * 24 * 60

/** What happens to the number of a piece that was refunded before it was made. One that was made is always retired. */
export const numberRules = ['retire', 'resell'] as const
export type NumberRule = (typeof numberRules)[number]

export const pieceStates = ['free', 'reserved', 'offered', 'sold', 'retired'] as const
/** offered: set aside for somebody on the waiting list. retired: refunded, and not sold again. */
export type PieceState = (typeof pieceStates)[number]

const nextPieces: Readonly<Record<PieceState, readonly PieceState[]>> = {
  free: ['reserved', 'offered'],
  reserved: ['sold', 'free', 'offered'],
  offered: ['reserved', 'free', 'offered'],
  sold: ['free', 'offered', 'retired'],
  retired: [],
}

export const pieceCanBecome = (from: PieceState, to: PieceState): boolean => nextPieces[from].includes(to)

export const editionStates = ['issued', 'returned', 'retired'] as const
/** returned: the next buyer gets the number. */
export type EditionState = (typeof editionStates)[number]

const nextEditions: Readonly<Record<EditionState, readonly EditionState[]>> = {
  issued: ['returned', 'retired'],
  returned: ['issued'],
  retired: [],
}

export const editionCanBecome = (from: EditionState, to: EditionState): boolean => nextEditions[from].includes(to)

export const placeStates = ['waiting', 'offered', 'bought', 'lapsed', 'left'] as const
/** A place on a waiting list. offered: a piece is set aside, for `OFFER_MS`. */
export type PlaceState = (typeof placeStates)[number]

const nextPlaces: Readonly<Record<PlaceState, readonly PlaceState[]>> = {
  waiting: ['offered', 'left'],
  offered: ['bought', 'lapsed', 'left', 'waiting'],
  bought: [],
  lapsed: ['waiting'],
  left: ['waiting'],
}

export const placeCanBecome = (from: PlaceState, to: PlaceState): boolean => nextPlaces[from].includes(to)

/** `No. 12 of 500`, or `No. 12` of a drop without a number of pieces. */
export const editionLabel = (number: number, pieces: number | null): string =>
  pieces === null ? say('No. {number}', { number }) : say('No. {number} of {count}', { number, count: pieces })

/** `Nos. 3, 4 and 9 of 500`, for all pieces of a line. */
export function editionsLabel(numbers: readonly number[], pieces: number | null): string {
  const [first, ...more] = numbers
  if (first === undefined) return ''
  if (more.length === 0) return editionLabel(first, pieces)
  const list = formatList(numbers.map(String))
  return pieces === null ? say('Nos. {list}', { list }) : say('Nos. {list} of {count}', { list, count: pieces })
}
