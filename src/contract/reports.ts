import * as z from 'zod/mini'
import { checkoutStops, funnelSteps, sources } from '#domain/visits/visits.ts'
import { dayFromIso } from '#shared/calendar-day.ts'
import { call } from './call.ts'
import { figures, originColumns, originKinds, providers, workbookPath, type WorkbookType } from './report-figures.ts'
import { centsAnswer, singleLineText } from './wire.ts'

/** ISO 8601, UTC. */
const moment = z.string()
/** `2026-11-21`, in the reports' time zone. */
const day = z.string()

/** Centuries without orders would only waste time. */
const YEARS = { from: '2000-01-01', to: '2099-12-31' }
const DAY_SENTENCE = `Please enter a date between ${YEARS.from} and ${YEARS.to}, such as 2026-01-31`

/** An empty form field is sent as an empty string. */
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
      error: 'The end date is before the start date',
      path: ['end_date'],
    }),
  )

/** Both days inclusive and optional: from the first order, until now. */
export const ReportQuery = inOrder(z.object(rangeFields))
export type ReportQuery = z.output<typeof ReportQuery>

const Sales = z.object({ orders: z.int(), revenue: centsAnswer, tax: centsAnswer })

/** How a provider's own list compares with the shop's payments. */
const Reconciliation = z.object({
  /** Captured payments known to the shop. */
  databaseTotal: centsAnswer,
  missingFromDatabase: centsAnswer,
  refundedTotal: centsAnswer,
  reconciliationStatus: z.enum(['reconciled', 'action_required', 'not_read']),
  /** Included above: without an order. */
  withoutOrder: centsAnswer,
  /** Included above: newer than the provider's list. */
  notYetListed: centsAnswer,
  /** Included above: older than the provider's list, but missing from it. */
  unknownToProvider: centsAnswer,
  /** Payments listed with a different amount. */
  differing: z.int(),
  /** Charges by other programs with the same account; in no other figure. */
  ofOthers: centsAnswer,
  /** The list is complete until then; null before it was first read. */
  listedUntil: z.nullable(moment),
  readAt: z.nullable(moment),
  /** Since when it cannot be read. */
  failingSince: z.nullable(moment),
})
export type Reconciliation = z.output<typeof Reconciliation>

export const ReportsSummary = z.object({
  totalOrders: z.int(),
  /** Captured for orders, with tax and shipping, before refunds. */
  totalRevenue: centsAnswer,
  totalTax: centsAnswer,
  averageOrderValue: centsAnswer,
  /** From order lines, without shipping and tax. */
  collections: z.array(z.object({ id: z.string(), name: z.string(), orders: z.int(), revenue: centsAnswer })),
  /** Shipping, surcharges and tax: total revenue minus the collections. */
  besidesCollections: centsAnswer,
  stripeReconciliation: z.extend(Reconciliation, { stripeTotal: centsAnswer }),
  paypalReconciliation: z.extend(Reconciliation, { paypalTotal: centsAnswer }),
  range: z.object({ from: z.nullable(day), to: z.nullable(day), timeZone: z.string(), today: day }),
  asOf: moment,
  /** The same number of days right before; null if the range has no start. */
  before: z.nullable(z.extend(Sales, { from: day, to: day })),
  /** Days, or months of a long range, without gaps; `revenueBefore`: of the same days of the period before, null if the range has no start. */
  steps: z.array(z.extend(Sales, { from: day, to: day, revenueBefore: z.nullable(centsAnswer) })),
})
export type ReportsSummary = z.output<typeof ReportsSummary>

const FigureQueryShape = z.object({
  ...rangeFields,
  figure: z.enum(figures),
  /** For figures of a single provider. */
  provider: z.optional(z.enum(providers)),
  collection: z.optional(singleLineText(100)),
  /** For `brought`: a group of orders. */
  by: z.optional(z.enum(originKinds)),
  key: z.optional(z.string().check(z.maxLength(200))),
  column: z.optional(z.enum(originColumns)),
  /** The cursor of the previous page's last line. */
  after: z.optional(z.string().check(z.regex(/^\d{1,15}:[\w:-]{1,120}$/))),
})

export const FigureQuery = inOrder(FigureQueryShape)
export type FigureQuery = z.output<typeof FigureQueryShape>

/** The lines behind a figure. */
const ReportLine = z.object({
  /** Unique within a figure. */
  id: z.string(),
  at: moment,
  what: z.string(),
  orderNumber: z.nullable(z.string()),
  paymentKey: z.nullable(z.string()),
  /** The provider's id of the movement. */
  providerId: z.nullable(z.string()),
  amount: centsAnswer,
})
export type ReportLine = z.output<typeof ReportLine>

export const ReportLines = z.object({
  /** Of a group of orders; null for other figures. */
  name: z.nullable(z.string()),
  lines: z.array(ReportLine),
  /** Of all lines, across pages. */
  count: z.int(),
  total: centsAnswer,
  reported: centsAnswer,
  /** The figure in the ledger; null if only the provider has it. */
  booked: z.nullable(centsAnswer),
  next: z.nullable(z.string()),
  timeZone: z.string(),
  asOf: moment,
})
export type ReportLines = z.output<typeof ReportLines>

export const OriginsQuery = inOrder(z.object({ ...rangeFields, by: z.enum(originKinds) }))
export type OriginsQuery = z.output<typeof OriginsQuery>

/**
 * From the ledger to date, whenever it was booked. `net`: without tax and refunds. `margin`: what remains after all costs and
 * commission.
 */
const broughtFields = { net: centsAnswer, refunded: centsAnswer, commission: centsAnswer, margin: centsAnswer }

export const Origins = z.object({
  /** Largest revenue first. */
  rows: z.array(
    z.object({
      /** Empty: orders without any. */
      key: z.string(),
      name: z.string(),
      /** Clicks of a partner's links; of a product or collection, how often its pages were opened. Null where it is not known. */
      visits: z.nullable(z.int()),
      /** Of a product or collection, how often it was put into a cart. */
      carts: z.nullable(z.int()),
      /** Whose payment was started. */
      checkouts: z.nullable(z.int()),
      /** Of a product, those that have it: then an order is in several rows. */
      orders: z.int(),
      /** With a refund. */
      refundedOrders: z.int(),
      /** As `totalRevenue`. */
      revenue: centsAnswer,
      ...broughtFields,
    }),
  ),
  total: z.object({ revenue: centsAnswer, ...broughtFields }),
  /** The report's total revenue, computed without groups. */
  reported: centsAnswer,
  timeZone: z.string(),
  asOf: moment,
})
export type Origins = z.output<typeof Origins>

const stepCounts = { all: z.int(), phone: z.int(), tablet: z.int(), computer: z.int() }

export const Funnel = z.object({
  /** In their order. `all` includes what has no known device. */
  steps: z.array(z.object({ step: z.enum(funnelSteps), ...stepCounts })),
  /** Where visits came from, most first. */
  sources: z.array(z.object({ source: z.enum(sources), visits: z.int() })),
  /** Started payments that were not paid, by how far they came. */
  stops: z.array(z.object({ stop: z.enum(checkoutStops), checkouts: z.int(), amount: centsAnswer })),
  /** Sold-out variants that somebody looked at, those that cost most first. */
  soldOut: z.array(
    z.object({
      variantId: z.int(),
      productId: z.int(),
      name: z.string(),
      /** Whether it can be bought again. */
      isBack: z.boolean(),
      views: z.int(),
      presses: z.int(),
      price: centsAnswer,
      /** If each press had been a sale of one piece. */
      pressedValue: centsAnswer,
      /** If of the views as many had led to a sale as of all views of products. */
      usualValue: centsAnswer,
    }),
  ),
  /** Searches that found nothing, by days of UTC. */
  misses: z.int(),
  /** The first day of the range that was counted; null: none. All figures begin with it. */
  countedFrom: z.nullable(day),
  today: day,
  timeZone: z.string(),
  asOf: moment,
})
export type Funnel = z.output<typeof Funnel>

/** @param access `read_figures_fresh` for a workbook that names customers */
const workbook = <Type extends WorkbookType, Who extends 'read_figures' | 'read_figures_fresh'>(
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

/** Orders of a former shop, which are in no other figure. */
export const PastOrderMonths = z.object({
  /** Newest first; a row for each month and shop with orders. */
  months: z.array(
    z.object({
      /** `2026-11`, in the reports' time zone. */
      month: z.string(),
      /** Such as `Shopify`. */
      shop: z.string(),
      /** Without canceled ones. */
      orders: z.int(),
      /** The lines, before discounts and refunds, without shipping and tax. */
      goods: centsAnswer,
      refunded: centsAnswer,
    }),
  ),
})
export type PastOrderMonths = z.output<typeof PastOrderMonths>

export const reportCalls = {
  summary: call({
    method: 'GET',
    path: '/api/reports/summary',
    access: 'read_figures',
    summary: 'Sales in a date range, compared with the payment providers.',
    query: ReportQuery,
    answer: ReportsSummary,
    refusals: [],
  }),
  lines: call({
    method: 'GET',
    path: '/api/reports/lines',
    access: 'read_figures',
    summary: 'The lines behind a figure, latest first, in pages.',
    query: FigureQuery,
    answer: ReportLines,
    refusals: [],
  }),
  origins: call({
    method: 'GET',
    path: '/api/reports/origins',
    access: 'read_figures',
    summary: 'Orders in a date range by who or what brought them.',
    query: OriginsQuery,
    answer: Origins,
    refusals: [],
  }),
  funnel: call({
    method: 'GET',
    path: '/api/reports/funnel',
    access: 'read_figures',
    summary: 'From visits to paid orders in a date range, where people leave, and what sold-out variants cost.',
    query: ReportQuery,
    answer: Funnel,
    refusals: [],
  }),
  pastOrders: call({
    method: 'GET',
    path: '/api/reports/past-orders',
    access: 'read_figures',
    summary: 'Orders of a former shop by month; no other figure counts them.',
    query: ReportQuery,
    answer: PastOrderMonths,
    refusals: [],
  }),
  orders: workbook('orders', 'read_figures_fresh', 'Every paid order in a date range with its lines, as a workbook.'),
  stripeComplete: workbook('stripe-complete', 'read_figures', 'Everything the payment providers list, as a workbook.'),
  profit: workbook('profit', 'read_figures', 'Profit by order, product and collection, as a workbook.'),
  recovery: workbook(
    'recovery',
    'read_figures_fresh',
    'Payments without an order and orders without a payment, with remedies, as a workbook.',
  ),
}
