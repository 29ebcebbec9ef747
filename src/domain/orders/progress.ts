import { isOneOf } from '#shared/one-of.ts'
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

/** In these, something of an order is still expected: it does not wait for somebody, and is not final. */
export const underWayStatuses = [
  'waiting',
  'submitted',
  'in_production',
  'partially_shipped',
  'shipped',
] as const satisfies readonly FulfillmentStatus[]

export const isUnderWay = (status: FulfillmentStatus): boolean => isOneOf(underWayStatuses, status)
