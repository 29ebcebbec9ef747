import * as z from 'zod/mini'
import { dayFromIso } from '#shared/time-zone.ts'
import { call } from './call.ts'
import { figures, providers, workbookPath, type WorkbookType } from './report-figures.ts'
import { centsAnswer } from './wire.ts'

/** ISO 8601, UTC. */
const moment = z.string()
/** `2026-11-21`, by the calendar of the reports' time zone. */
const day = z.string()

/** Centuries in which there is no order would only cost time. */
const YEARS = { from: '2000-01-01', to: '2099-12-31' }
const DAY_SENTENCE = `Please write a day between ${YEARS.from} and ${YEARS.to}, such as 2026-01-31`

/** A form that leaves a field empty sends an empty text. */
const dayQuery = z.optional(
  z.pipe(
    z.string(DAY_SENTENCE).check(
      z.refine((text) => text === '' || (dayFromIso(text) !== undefined && text >= YEARS.from && text <= YEARS.to), {
        error: DAY_SENTENCE,
      }),
    ),
    z.transform((text) => (text === '' ? undefined : dayFromIso(text))),
  ),
)

const rangeFields = { start_date: dayQuery, end_date: dayQuery }
type AskedRange = { start_date?: number | undefined; end_date?: number | undefined }

const inOrder = <S extends z.ZodMiniType<AskedRange>>(schema: S) =>
  schema.check(
    z.refine(({ start_date: start, end_date: end }) => start === undefined || end === undefined || start <= end, {
      error: 'The end date lies before the start date',
      path: ['end_date'],
    }),
  )

/** Days are both included, and both optional: without a start from the first order on, without an end until now. */
export const ReportQuery = inOrder(z.object(rangeFields))
export type ReportQuery = z.output<typeof ReportQuery>

const Sales = z.object({ orders: z.int(), revenue: centsAnswer, tax: centsAnswer })

/** What a provider's own list says of the shop's payments. */
const Reconciliation = z.object({
  /** Captured payments that the shop knows. */
  databaseTotal: centsAnswer,
  missingFromDatabase: centsAnswer,
  refundedTotal: centsAnswer,
  reconciliationStatus: z.enum(['reconciled', 'action_required', 'not_read']),
  /** Of the database's total: made no order. */
  withoutOrder: centsAnswer,
  /** Of the database's total: younger than the provider's list. */
  notYetListed: centsAnswer,
  /** Of the database's total: older than the provider's list, and not in it. */
  unknownToProvider: centsAnswer,
  /** Payments that the provider lists with another amount. */
  differing: z.int(),
  /** Charges of other programs with the same account; in no other figure. */
  ofOthers: centsAnswer,
  /** Until when the list is complete; null before it was first read. */
  listedUntil: z.nullable(moment),
  readAt: z.nullable(moment),
  /** Since when it cannot be read. */
  failingSince: z.nullable(moment),
})
export type Reconciliation = z.output<typeof Reconciliation>

export const ReportsSummary = z.object({
  totalOrders: z.int(),
  /** Captured for orders, gross, with tax and shipping. Refunds stand apart. */
  totalRevenue: centsAnswer,
  totalTax: centsAnswer,
  averageOrderValue: centsAnswer,
  /** By the lines of orders, without shipping and tax. */
  collections: z.array(z.object({ id: z.string(), name: z.string(), orders: z.int(), revenue: centsAnswer })),
  /** Shipping, surcharges and tax: what the collections leave of the total revenue. */
  besidesCollections: centsAnswer,
  stripeReconciliation: z.extend(Reconciliation, { stripeTotal: centsAnswer }),
  paypalReconciliation: z.extend(Reconciliation, { paypalTotal: centsAnswer }),
  range: z.object({ from: z.nullable(day), to: z.nullable(day), timeZone: z.string(), today: day }),
  asOf: moment,
  /** As many days right before; null where the range has no beginning. */
  before: z.nullable(z.extend(Sales, { from: day, to: day })),
  /** In the order of time, without gaps: days, or months of a long range. */
  steps: z.array(z.extend(Sales, { from: day, to: day })),
})
export type ReportsSummary = z.output<typeof ReportsSummary>

const FigureQueryShape = z.object({
  ...rangeFields,
  figure: z.enum(figures),
  /** For figures of a provider. */
  provider: z.optional(z.enum(providers)),
  collection: z.optional(z.string().check(z.maxLength(40))),
  /** The mark of the last line of the page before. */
  after: z.optional(z.string().check(z.regex(/^\d{1,15}:[\w:-]{1,120}$/))),
})

export const FigureQuery = inOrder(FigureQueryShape)
export type FigureQuery = z.output<typeof FigureQueryShape>

/** What a figure is made of. */
const ReportLine = z.object({
  /** Unique among the lines of a figure. */
  id: z.string(),
  at: moment,
  what: z.string(),
  orderNumber: z.nullable(z.string()),
  paymentKey: z.nullable(z.string()),
  /** The provider's own number of the movement. */
  providerId: z.nullable(z.string()),
  amount: centsAnswer,
})
export type ReportLine = z.output<typeof ReportLine>

export const ReportLines = z.object({
  lines: z.array(ReportLine),
  /** Of all lines, not only of this page. */
  count: z.int(),
  total: centsAnswer,
  /** The same figure as the report shows it. */
  reported: centsAnswer,
  /** The same figure as the ledger has it; null for what only a provider says. */
  booked: z.nullable(centsAnswer),
  next: z.nullable(z.string()),
  timeZone: z.string(),
  asOf: moment,
})
export type ReportLines = z.output<typeof ReportLines>

/** @param access `owner_fresh` for a workbook that names customers */
const workbook = <Type extends WorkbookType, Who extends 'owner' | 'owner_fresh'>(
  type: Type,
  access: Who,
  summary: string,
) =>
  call({
    method: 'GET',
    path: workbookPath(type),
    access,
    summary,
    query: ReportQuery,
    answer: 'file',
    refusals: [],
  })

export const reportCalls = {
  summary: call({
    method: 'GET',
    path: '/api/reports/summary',
    access: 'owner',
    summary: 'Sales of a range of days, and what the payment providers say of them.',
    query: ReportQuery,
    answer: ReportsSummary,
    refusals: [],
  }),
  lines: call({
    method: 'GET',
    path: '/api/reports/lines',
    access: 'owner',
    summary: 'What a figure of the summary is made of, the latest first, page by page.',
    query: FigureQuery,
    answer: ReportLines,
    refusals: [],
  }),
  orders: workbook('orders', 'owner_fresh', 'Every paid order of a range of days and its lines, as a workbook.'),
  stripeComplete: workbook('stripe-complete', 'owner', 'Everything that the payment providers list, as a workbook.'),
  profit: workbook('profit', 'owner', 'What orders, products and collections brought and cost, as a workbook.'),
  recovery: workbook(
    'recovery',
    'owner_fresh',
    'Payments without an order and the reverse, and what to do, as a workbook.',
  ),
}
