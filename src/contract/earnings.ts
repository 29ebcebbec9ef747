import * as z from 'zod/mini'
import { attributionObjections } from '#domain/partners/attribution.ts'
import { commissionKinds } from '#domain/partners/commission.ts'
import { call } from './call.ts'
import { centsAnswer } from './wire.ts'

/** ISO 8601, UTC. */
const moment = z.string()
/** `2026-11-21`, in the time zone named by the answer. */
const day = z.string()

const countedFields = {
  clicks: z.int(),
  /** Clicks followed by an add to cart. */
  carts: z.int(),
  orders: z.int(),
}
const earnedFields = {
  /** Sales after discounts, without tax and shipping. */
  sales: centsAnswer,
  /** Refunded sales; negative or 0. */
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
  /** In basis points. */
  rate: z.int(),
  productRates: z.array(z.object({ productName: z.string(), rate: z.int() })),
  holdingDays: z.int(),
  balance: z.object({
    pending: centsAnswer,
    /** Payable now; negative if deductions after a payout exceed earnings since. */
    approved: centsAnswer,
    paid: centsAnswer,
    /** How much of the pending amount becomes approved on which day. */
    approvals: z.array(z.object({ day, amount: centsAnswer })),
  }),
  totals: z.object({ ...countedFields, ...earnedFields }),
  days: z.array(z.object({ day, ...countedFields, ...earnedFields })),
  products: z.array(z.object({ productId: z.int(), productName: z.string(), orders: z.int(), ...earnedFields })),
  links: z.array(
    z.object({ code: z.string(), path: z.string(), campaign: z.string(), ...countedFields, ...earnedFields }),
  ),
  /** The partner's codes. */
  codes: z.array(z.object({ code: z.string(), orders: z.int(), ...earnedFields })),
  /** The price that commission on new orders is on: as paid, or as listed. */
  commissionOn: z.enum(['paid', 'list']),
  /** Months with a statement, latest first: `2026-11`. */
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
  link: z.nullable(z.string()),
  /** The code that made it the partner's sale, whatever link came before. */
  code: z.nullable(z.string()),
  clickedAt: z.nullable(moment),
  goods: centsAnswer,
  returned: centsAnswer,
  earned: centsAnswer,
  state: z.enum(['pending', 'approved', 'paid']),
  /** Why it earns nothing; otherwise null. */
  objection: z.nullable(z.enum(attributionObjections)),
  approvedFrom: moment,
  changes: z.array(Change),
})
export type EarnedOrder = z.output<typeof EarnedOrder>

/** Why an order earns this partner something, or nothing. */
const Explanation = z.object({
  orderNumber: z.string(),
  /** not_by_your_links: nothing else is revealed about such an order, or an unknown one. */
  why: z.enum(['last_click', 'code', 'not_by_your_links', ...attributionObjections]),
  clickedAt: z.nullable(moment),
  link: z.nullable(z.string()),
  code: z.nullable(z.string()),
  order: z.nullable(EarnedOrder),
})
export type Explanation = z.output<typeof Explanation>

const StatementLine = z.object({
  ...Change.shape,
  orderNumber: z.string(),
  /** Where a page continues: the order, and the index of its entry. Reveals nothing about the number of orders. */
  mark: z.string(),
})

const Statement = z.object({
  month: z.string(),
  timeZone: z.string(),
  displayName: z.string(),
  madeAt: moment,
  /** While false, the month may still change. */
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

const dayQuery = z.optional(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'Please enter a date, such as 2026-11-21')))

/** html: a page that checks the commission against the sealed ledger. */
const statementKinds = ['pdf', 'xlsx', 'html'] as const
export type StatementKind = (typeof statementKinds)[number]

/** A partner's figures; never personal data. */
export const earningsCalls = {
  earnings: call({
    method: 'GET',
    path: '/api/partnership/earnings',
    access: 'partner',
    summary:
      'Clicks, orders and earnings of the signed-in partner, by day, product and link; the last 30 days by default.',
    query: z.object({ from: dayQuery, to: dayQuery }),
    answer: Earnings,
    refusals: ['not_a_range'],
  }),
  orders: call({
    method: 'GET',
    path: '/api/partnership/earnings/orders',
    access: 'partner',
    summary: 'Orders through the partner’s links, latest first; `older` continues after this order.',
    query: z.object({ older: z.optional(z.string().check(z.maxLength(40))) }),
    answer: z.object({ orders: z.array(EarnedOrder), hasMore: z.boolean() }),
    refusals: [],
  }),
  why: call({
    method: 'GET',
    path: '/api/partnership/earnings/why',
    access: 'partner',
    summary: 'Explains why an order does or doesn’t earn commission.',
    query: z.object({ order: z.string('Required').check(z.maxLength(40, 'This isn’t an order number')) }),
    answer: Explanation,
    refusals: [],
  }),
  statementFile: call({
    method: 'GET',
    path: '/api/partnership/statement-file',
    access: 'partner',
    summary: 'A month’s statement as a PDF, a workbook, or a page that checks it against the sealed ledger.',
    query: z.object({ month: z.string('Required'), kind: z.enum(statementKinds) }),
    answer: 'file',
    refusals: ['unknown_statement'],
  }),
  statement: call({
    method: 'GET',
    path: '/api/partnership/statements/:month',
    access: 'partner',
    summary: 'A month’s statement: balances, payouts and a page of its lines, earliest first.',
    params: z.object({ month: z.string() }),
    query: z.object({ after: z.optional(z.string().check(z.maxLength(40))) }),
    answer: Statement,
    refusals: ['unknown_statement'],
  }),
}
