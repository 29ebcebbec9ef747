import { afterBusinessDays, arrivalWindow, type EpochDay } from '#domain/catalog/arrival.ts'
import { DAY_MS } from '#shared/time.ts'
import type { FulfillmentStatus } from './status.ts'

/** The stations of an order, as its page shows them. The last three are ends, and take the place of what never comes. */
export const orderSteps = [
  'paid',
  'submitted',
  'in_production',
  'shipped',
  'delivered',
  'cancelled',
  'returned',
] as const
type OrderStep = (typeof orderSteps)[number]

/** `done` is behind it, `now` is where it stands, `next` is to come. */
type OrderStepState = 'done' | 'now' | 'next'

export type Milestone = { station: OrderStep; state: OrderStepState; at: Date | null }

/** A state that the order came into, and when. */
export type StatusChange = { status: FulfillmentStatus; at: Date }

const ORDER_STEPS_SHOWN = ['paid', 'submitted', 'in_production', 'shipped', 'delivered'] as const

/** The station that a state belongs to; null for those that an order can be in at several. */
const stepOf: Record<FulfillmentStatus, OrderStep | null> = {
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
export function milestonesOf(status: FulfillmentStatus, paidAt: Date, steps: readonly StatusChange[]): Milestone[] {
  const firstAt = (station: OrderStep) =>
    station === 'paid' ? paidAt : (steps.find((step) => stepOf[step.status] === station)?.at ?? null)
  const reached = ORDER_STEPS_SHOWN.findLastIndex((station) => firstAt(station) !== null)
  const at = stepOf[status]
  const end = at === 'cancelled' || at === 'returned' ? at : undefined
  const current = end || at === null ? reached : ORDER_STEPS_SHOWN.indexOf(at as (typeof ORDER_STEPS_SHOWN)[number])

  const passed = ORDER_STEPS_SHOWN.slice(0, end ? current + 1 : ORDER_STEPS_SHOWN.length).map(
    (station, index): Milestone => {
      const state = end || index < current ? 'done' : index === current ? 'now' : 'next'
      return { station, state, at: state === 'next' ? null : firstAt(station) }
    },
  )
  return end ? [...passed, { station: end, state: 'now', at: firstAt(end) }] : passed
}

/** Business days, both ends included. */
type Span = { readonly from: number; readonly to: number }

type Timing = {
  status: FulfillmentStatus
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
