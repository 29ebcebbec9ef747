import { afterBusinessDays, arrivalWindow, type EpochDay } from '#domain/catalogue/arrival.ts'
import { DAY_MS } from '#kernel/time.ts'
import type { FulfilmentStatus } from './status.ts'

/** The stations of an order, as its page shows them. The last three are ends, and take the place of what never comes. */
export const stations = ['paid', 'submitted', 'in_production', 'shipped', 'delivered', 'cancelled', 'returned'] as const
type Station = (typeof stations)[number]

/** `done` is behind it, `now` is where it stands, `next` is to come. */
type StationState = 'done' | 'now' | 'next'

export type Milestone = { station: Station; state: StationState; at: Date | null }

/** A state that the order came into, and when. */
export type Step = { status: FulfilmentStatus; at: Date }

const way = ['paid', 'submitted', 'in_production', 'shipped', 'delivered'] as const

/** The station that a state belongs to; null for those that an order can be in at several. */
const stationOf: Record<FulfilmentStatus, Station | null> = {
  waiting: 'paid',
  submitted: 'submitted',
  in_production: 'in_production',
  partially_shipped: 'shipped',
  shipped: 'shipped',
  delivered: 'delivered',
  cancelled: 'cancelled',
  returned: 'returned',
  on_hold: null,
  needs_attention: null,
}

/**
 * The way of an order, with the date of each station that was noted; one that was passed unseen has none.
 * @param steps oldest first
 */
export function milestonesOf(status: FulfilmentStatus, paidAt: Date, steps: readonly Step[]): Milestone[] {
  const firstAt = (station: Station) =>
    station === 'paid' ? paidAt : (steps.find((step) => stationOf[step.status] === station)?.at ?? null)
  const reached = way.findLastIndex((station) => firstAt(station) !== null)
  const at = stationOf[status]
  const end = at === 'cancelled' || at === 'returned' ? at : undefined
  const current = end || at === null ? reached : way.indexOf(at as (typeof way)[number])

  const passed = way.slice(0, end ? current + 1 : way.length).map((station, index): Milestone => {
    const state = end || index < current ? 'done' : index === current ? 'now' : 'next'
    return { station, state, at: state === 'next' ? null : firstAt(station) }
  })
  return end ? [...passed, { station: end, state: 'now', at: firstAt(end) }] : passed
}

/** Business days, both ends included. */
type Span = { readonly from: number; readonly to: number }

type Timing = {
  status: FulfilmentStatus
  paidAt: Date
  /** When the last parcel left; null while something is still to be sent. */
  sentAt: Date | null
  making: Span
  travelling: Span
}

const dayOf = (moment: Date): EpochDay => Math.floor(moment.getTime() / DAY_MS)

/** The days on which the rest should be at the door; nothing is promised of an order that waits for somebody, or has come to an end. */
export function expectedArrival({ status, paidAt, sentAt, making, travelling }: Timing) {
  const isUnderWay = ['waiting', 'submitted', 'in_production', 'partially_shipped', 'shipped'].includes(status)
  if (!isUnderWay) return undefined
  if (!sentAt) return arrivalWindow(dayOf(paidAt), making, travelling)
  const sent = dayOf(sentAt)
  return { from: afterBusinessDays(sent, travelling.from), to: afterBusinessDays(sent, travelling.to) }
}
