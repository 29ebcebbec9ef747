import { afterBusinessDays, arrivalWindow, type EpochDay } from '#domain/catalog/arrival.ts'
import { DAY_MS } from '#shared/time.ts'
import type { FulfillmentStatus } from './status.ts'

/** An order's milestones, as its page shows them. The last three are final and replace what never happens. */
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

/** `done` is completed, `now` is current, `next` is upcoming. */
type OrderStepState = 'done' | 'now' | 'next'

export type Milestone = { station: OrderStep; state: OrderStepState; at: Date | null }

/** A state the order entered, and when. */
export type StatusChange = { status: FulfillmentStatus; at: Date }

const ORDER_STEPS_SHOWN = ['paid', 'submitted', 'in_production', 'shipped', 'delivered'] as const

/** The milestone of a state; null for states that can occur at several. */
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
 * An order's milestones with their dates; one that passed unrecorded has none.
 * @param steps oldest first
 */
export function milestonesOf(status: FulfillmentStatus, paidAt: Date, steps: readonly StatusChange[]): Milestone[] {
  const firstAt = (station: OrderStep) =>
    station === 'paid' ? paidAt : (steps.find((step) => stepOf[step.status] === station)?.at ?? null)
  const reached = ORDER_STEPS_SHOWN.findLastIndex((station) => firstAt(station) !== null)
  const at = stepOf[status]
  const end = at === 'cancelled' || at === 'returned' ? at : undefined
  const current = end || at === null ? reached : ORDER_STEPS_SHOWN.findIndex((step) => step === at)

  const passed = ORDER_STEPS_SHOWN.slice(0, end ? current + 1 : ORDER_STEPS_SHOWN.length).map(
    (station, index): Milestone => {
      const state = end || index < current ? 'done' : index === current ? 'now' : 'next'
      return { station, state, at: state === 'next' ? null : firstAt(station) }
    },
  )
  return end ? [...passed, { station: end, state: 'now', at: firstAt(end) }] : passed
}

/** Business days, both inclusive. */
type Span = { readonly from: number; readonly to: number }

type Timing = {
  status: FulfillmentStatus
  paidAt: Date
  /** When the last parcel shipped; null while something is left to ship. */
  sentAt: Date | null
  making: Span
  traveling: Span
}

const dayOf = (moment: Date): EpochDay => Math.floor(moment.getTime() / DAY_MS)

/** The expected delivery dates of the rest; none while an order waits for somebody or is final. */
export function expectedArrival({ status, paidAt, sentAt, making, traveling }: Timing) {
  const isUnderWay = ['waiting', 'submitted', 'in_production', 'partially_shipped', 'shipped'].includes(status)
  if (!isUnderWay) return undefined
  if (!sentAt) return arrivalWindow(dayOf(paidAt), making, traveling)
  const sent = dayOf(sentAt)
  return { from: afterBusinessDays(sent, traveling.from), to: afterBusinessDays(sent, traveling.to) }
}
