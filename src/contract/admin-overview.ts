import * as z from 'zod/mini'
import { overviewPeriods } from '#domain/reports/range.ts'
import { OpenOrders, OrderRow } from './admin-orders.ts'
import { call } from './call.ts'
import { Queue } from './reconciliation.ts'
import { centsAnswer, isoMoment } from './wire.ts'

/** Of some days, in the reports' time zone. */
const Figures = z.object({
  orders: z.int(),
  /** Captured for orders, with tax and shipping, before refunds: the total revenue of the reports. */
  gross: centsAnswer,
  /** What the books of these days have on revenue accounts: without tax, less refunds that were booked then. */
  net: centsAnswer,
  /** The same, less expenses: fees, printing, commission, lost disputes. */
  profit: centsAnswer,
})

/** `2026-11-21`. */
const day = z.string()

export const Overview = z.object({
  periods: z.array(
    z.object({
      name: z.enum(overviewPeriods),
      from: day,
      to: day,
      now: Figures,
      /** As many days right before. */
      before: Figures,
    }),
  ),
  states: OpenOrders,
  /** Where a crowd waits. */
  queues: z.array(Queue),
  /** Newest first. */
  lastOrders: z.array(OrderRow),
  /** `unread`: nothing is known yet. */
  providers: z.array(
    z.object({
      name: z.string(),
      state: z.enum(['fine', 'failing', 'unread']),
      /** When its list was last read, or since when it fails; null if unknown. */
      at: z.nullable(isoMoment),
    }),
  ),
})
export type Overview = z.output<typeof Overview>

export const adminOverviewCalls = {
  show: call({
    method: 'GET',
    path: '/api/admin/overview',
    access: 'read_figures',
    summary: 'How the shop is doing: sales of the last days, orders by state, the last orders, the providers.',
    answer: Overview,
    refusals: [],
  }),
}
