import * as z from 'zod/mini'
import { closingKinds } from '#domain/ledger/closing.ts'
import { Acceptance } from './below-floor.ts'
import { call } from './call.ts'
import { centsAnswer, isoMoment, multilineText, pathId } from './wire.ts'

const REASON = 'Please enter a reason of 3 to 300 characters'

/** A month was closed, or reopened by a counter-entry. */
const MonthClosing = z.object({
  number: z.int(),
  kind: z.enum(closingKinds),
  /** `2026-11`. */
  month: z.string(),
  at: isoMoment,
  reason: z.nullable(z.string()),
  /** The ledger's last seal then. */
  seal: z.int(),
  hash: z.string(),
  /** Whether no counter-entry took it back. */
  isStanding: z.boolean(),
  /** SHA-256 of each. */
  files: z.array(z.object({ name: z.string(), isStatement: z.boolean(), hash: z.string() })),
})
export type MonthClosing = z.output<typeof MonthClosing>

const MonthBooks = z.object({
  month: z.string(),
  from: isoMoment,
  /** Not included. */
  until: isoMoment,
  isClosed: z.boolean(),
  /** Why it cannot be closed; null if it can, or is. */
  objection: z.nullable(z.string()),
  /** What should be settled before, a sentence each. */
  openItems: z.array(z.string()),
  /** By account: its balance before the month and its change. */
  figures: z.array(z.object({ account: z.string(), name: z.string(), opening: centsAnswer, change: centsAnswer })),
  /** Bookings of the month for orders of earlier months; `lines` has the first of them. */
  corrections: z.object({
    count: z.int(),
    lines: z.array(
      z.object({
        id: z.int(),
        at: isoMoment,
        what: z.string(),
        orderNumber: z.nullable(z.string()),
        placedAt: z.nullable(isoMoment),
        /** What it added to profit, and to the tax owed. */
        result: centsAnswer,
        tax: centsAnswer,
      }),
    ),
  }),
})
export type MonthBooks = z.output<typeof MonthBooks>

const month = z.object({ month: z.string() })

export const adminMonthCalls = {
  list: call({
    method: 'GET',
    path: '/api/admin/months',
    access: 'read_figures',
    summary: 'Closings of months and counter-entries, newest first, and the month to close next.',
    answer: z.object({
      closings: z.array(MonthClosing),
      /** Null while nothing was ever booked. */
      next: z.nullable(z.string()),
      timeZone: z.string(),
    }),
    refusals: [],
  }),
  show: call({
    method: 'GET',
    path: '/api/admin/months/:month',
    access: 'read_figures',
    summary: 'A month’s books: accounts, corrections, and what is open before it is closed.',
    params: month,
    answer: MonthBooks,
    refusals: ['unknown_month'],
  }),
  close: call({
    method: 'POST',
    path: '/api/admin/months/:month/close',
    access: 'close_months_fresh',
    summary: 'Closes a month and freezes its figures and files. `accepted` closes it with open items.',
    params: month,
    query: Acceptance,
    answer: z.object({ done: z.string(), number: z.int(), hash: z.string() }),
    refusals: [
      ...(['unknown_month', 'month_closed', 'month_not_over', 'earlier_month_open', 'nothing_to_close'] as const),
      ...(['month_has_open_items', 'books_moved'] as const),
    ],
  }),
  reopen: call({
    method: 'POST',
    path: '/api/admin/months/:month/reopen',
    access: 'owner_fresh',
    summary: 'Reopens the last closed month by a counter-entry; what was frozen stays.',
    params: month,
    body: z.object({ reason: multilineText(3, 300, REASON) }),
    answer: z.object({ done: z.string(), number: z.int(), hash: z.string() }),
    refusals: ['month_not_last', 'books_moved'],
  }),
  file: call({
    method: 'GET',
    path: '/api/admin/month-files/:closing/:name',
    access: 'read_figures',
    summary: 'A file as it was frozen with a month.',
    params: z.object({ closing: pathId<number>(), name: z.string().check(z.maxLength(100)) }),
    answer: 'file',
    refusals: ['unknown_month_file'],
  }),
}
