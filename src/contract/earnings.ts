import * as z from 'zod/mini'
import { attributionObjections } from '#domain/partners/attribution.ts'
import { commissionKinds } from '#domain/partners/commission.ts'
import { call } from './call.ts'
import { centsAnswer } from './wire.ts'

/** ISO 8601, UTC. */
const moment = z.string()
/** `2026-11-21`, of the zone that the answer names. */
const day = z.string()

const countedFields = {
  clicks: z.int(),
  /** Clicks after which something was put into a cart. */
  carts: z.int(),
  orders: z.int(),
}
const earnedFields = {
  /** Goods sold, after discounts, without tax and shipping. */
  sales: centsAnswer,
  /** Of goods, what went back; negative, or 0. */
  returned: centsAnswer,
  earned: centsAnswer,
}

const Earnings = z.object({
  asOf: moment,
  timeZone: z.string(),
  from: day,
  to: day,
  displayName: z.string(),
  code: z.string(),
  /** In hundredths of a percent. */
  rate: z.int(),
  productRates: z.array(z.object({ productName: z.string(), rate: z.int() })),
  holdingDays: z.int(),
  balance: z.object({
    pending: centsAnswer,
    /** What may be paid out; negative where more was taken back after a payout than was earned since. */
    approved: centsAnswer,
    paid: centsAnswer,
    /** On which day how much of what is pending becomes approved. */
    approvals: z.array(z.object({ day, amount: centsAnswer })),
  }),
  totals: z.object({ ...countedFields, ...earnedFields }),
  days: z.array(z.object({ day, ...countedFields, ...earnedFields })),
  products: z.array(z.object({ productId: z.int(), productName: z.string(), orders: z.int(), ...earnedFields })),
  links: z.array(
    z.object({ code: z.string(), path: z.string(), campaign: z.string(), ...countedFields, ...earnedFields }),
  ),
  /** Months that have a statement, the latest first: `2026-11`. */
  months: z.array(z.string()),
})
export type Earnings = z.output<typeof Earnings>

const Change = z.object({
  kind: z.enum(commissionKinds),
  at: moment,
  productName: z.string(),
  base: centsAnswer,
  rate: z.int(),
  amount: centsAnswer,
})

const EarnedOrder = z.object({
  orderNumber: z.string(),
  paidAt: moment,
  link: z.string(),
  clickedAt: z.nullable(moment),
  goods: centsAnswer,
  returned: centsAnswer,
  earned: centsAnswer,
  state: z.enum(['pending', 'approved', 'paid']),
  /** Why it earns nothing; null where it does. */
  objection: z.nullable(z.enum(attributionObjections)),
  approvedFrom: moment,
  changes: z.array(Change),
})
export type EarnedOrder = z.output<typeof EarnedOrder>

/** Why an order earns the partner who asks something, or nothing. */
const Explanation = z.object({
  orderNumber: z.string(),
  /** not_by_your_links: of such an order, or of none, nothing else is said. */
  why: z.enum(['last_click', 'not_by_your_links', ...attributionObjections]),
  clickedAt: z.nullable(moment),
  link: z.nullable(z.string()),
  order: z.nullable(EarnedOrder),
})
export type Explanation = z.output<typeof Explanation>

const StatementLine = z.object({
  ...Change.shape,
  orderNumber: z.string(),
  /** What a page goes on after: the order, and the how manieth of its entries. It says nothing of how many the shop has. */
  mark: z.string(),
})

const Statement = z.object({
  month: z.string(),
  timeZone: z.string(),
  displayName: z.string(),
  madeAt: moment,
  /** While it is not, more may come. */
  isOver: z.boolean(),
  opening: centsAnswer,
  earned: centsAnswer,
  takenBack: centsAnswer,
  paidOut: centsAnswer,
  paidBack: centsAnswer,
  closing: centsAnswer,
  payouts: z.array(
    z.object({ reference: z.string(), amount: centsAnswer, madeAt: moment, returnedAt: z.nullable(moment) }),
  ),
  lines: z.array(StatementLine),
  hasMore: z.boolean(),
})
export type Statement = z.output<typeof Statement>

const dayQuery = z.optional(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'Please give a day such as 2026-11-21')))

/** What a partner can ask of what its links brought: figures, never a person. */
export const earningsCalls = {
  earnings: call({
    method: 'GET',
    path: '/api/partnership/earnings',
    access: 'partner',
    summary:
      'Clicks, orders and earnings of the partner who asks, by day, product and link; the last 30 days unless asked.',
    query: z.object({ from: dayQuery, to: dayQuery }),
    answer: Earnings,
    refusals: ['not_a_range'],
  }),
  orders: call({
    method: 'GET',
    path: '/api/partnership/earnings/orders',
    access: 'partner',
    summary:
      'Orders that the partner’s links brought, the latest first; `older` is the order after which a page goes on.',
    query: z.object({ older: z.optional(z.string().check(z.maxLength(40))) }),
    answer: z.object({ orders: z.array(EarnedOrder), hasMore: z.boolean() }),
    refusals: [],
  }),
  why: call({
    method: 'GET',
    path: '/api/partnership/earnings/why',
    access: 'partner',
    summary: 'Why an order earns the partner something, or nothing.',
    query: z.object({ order: z.string('Required').check(z.maxLength(40, 'This is no order number')) }),
    answer: Explanation,
    refusals: [],
  }),
  statementFile: call({
    method: 'GET',
    path: '/api/partnership/statement-file',
    access: 'partner',
    summary: 'A month’s statement as a PDF or as a workbook.',
    query: z.object({ month: z.string('Required'), kind: z.enum(['pdf', 'xlsx']) }),
    answer: 'file',
    refusals: ['unknown_statement'],
  }),
  statement: call({
    method: 'GET',
    path: '/api/partnership/statements/:month',
    access: 'partner',
    summary: 'A month’s statement: balances, payouts and a page of its lines, the earliest first.',
    params: z.object({ month: z.string() }),
    query: z.object({ after: z.optional(z.string().check(z.maxLength(40))) }),
    answer: Statement,
    refusals: ['unknown_statement'],
  }),
}
