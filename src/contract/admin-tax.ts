import * as z from 'zod/mini'
import { monthsOfPeriod } from '#domain/tax/periods.ts'
import { call } from './call.ts'
import { taxLayouts } from './tax-paths.ts'
import { centsAnswer, isoMoment } from './wire.ts'

const PERIOD_SENTENCE = 'Please enter a month, quarter or year, such as 2026-11, 2026-Q4 or 2026'
const period = z.string(PERIOD_SENTENCE).check(z.refine((text) => monthsOfPeriod(text) !== undefined, PERIOD_SENTENCE))

const Sums = z.object({ orders: z.int(), net: centsAnswer, tax: centsAnswer, vatProtection: centsAnswer })

/** What was sold at a place by the same rates, and what went back in the period. */
const TaxReportRow = z.object({
  country: z.string(),
  countryName: z.string(),
  /** Empty where states have no taxes of their own. */
  state: z.string(),
  stateName: z.string(),
  /** Names the rates in requests. */
  rates: z.string(),
  /** `VAT 19%`, `No tax`. */
  label: z.string(),
  sold: Sums,
  /** Positive. */
  refunded: Sums,
  /** By each of its rates, less refunds. */
  parts: z.array(z.object({ label: z.string(), taxable: centsAnswer, due: centsAnswer })),
  /** The number under which it is reported; null without a registration in the settings. */
  registration: z.nullable(z.string()),
})
export type TaxReportRow = z.output<typeof TaxReportRow>

/** Another book's tax of the period beside the report's, and the orders in which they differ. */
const TaxCheck = z.object({
  total: centsAnswer,
  /** Their total less the report's. */
  difference: centsAnswer,
  /** How many orders differ; `lines` has the first of them. */
  count: z.int(),
  lines: z.array(
    z.object({
      /** Null for bookings without an order. */
      orderNumber: z.nullable(z.string()),
      theirs: centsAnswer,
      report: centsAnswer,
      reason: z.string(),
    }),
  ),
})
export type TaxCheck = z.output<typeof TaxCheck>

const TaxThreshold = z.object({
  place: z.string(),
  name: z.string(),
  /** In whole units of the currency. */
  limit: z.int(),
  currency: z.string(),
  ordersLimit: z.nullable(z.int()),
  /** Both limits have to be reached, not one of them. */
  isBoth: z.boolean(),
  measured: z.enum(['calendar_year', 'previous_year', 'twelve_months']),
  /** In US dollars, without tax and before refunds. */
  net: centsAnswer,
  orders: z.int(),
  /** Null without an exchange rate. */
  percent: z.nullable(z.int()),
  state: z.enum(['below', 'near', 'reached', 'unknown']),
  isRegistered: z.boolean(),
  /** `compared`: what the row was compared with, such as `compared with the article’s text`. */
  source: z.object({ name: z.string(), url: z.string(), asOf: z.string(), compared: z.string() }),
})
export type TaxThreshold = z.output<typeof TaxThreshold>

const TaxReport = z.object({
  period: z.string(),
  name: z.string(),
  from: isoMoment,
  /** Not included. */
  until: isoMoment,
  timeZone: z.string(),
  asOf: isoMoment,
  /** Whether every month of it is closed, so that nothing in it changes. */
  isClosed: z.boolean(),
  /** With bookings, latest first. */
  periods: z.object({ months: z.array(z.string()), quarters: z.array(z.string()), years: z.array(z.string()) }),
  rows: z.array(TaxReportRow),
  sold: Sums,
  refunded: Sums,
  due: centsAnswer,
  ledger: TaxCheck,
  source: TaxCheck,
  /** Those with sales, nearest first. */
  thresholds: z.array(TaxThreshold),
  /** Rates of the settings that thresholds were converted with. */
  thresholdRates: z.array(z.object({ currency: z.string(), perDollar: z.number(), day: z.string() })),
  oss: z.object({
    /** Why there is no such file; null if there is. */
    objection: z.nullable(z.string()),
    rate: z.nullable(z.object({ perEuro: z.number(), day: z.string() })),
  }),
})
export type TaxReport = z.output<typeof TaxReport>

const TaxLine = z.object({
  id: z.string(),
  at: isoMoment,
  what: z.string(),
  place: z.string(),
  orderNumber: z.string(),
  net: centsAnswer,
  tax: centsAnswer,
})
export type TaxLine = z.output<typeof TaxLine>

const TaxLines = z.object({
  name: z.string(),
  timeZone: z.string(),
  lines: z.array(TaxLine),
  /** Of all lines, across pages. */
  count: z.int(),
  net: centsAnswer,
  tax: centsAnswer,
  next: z.nullable(z.string()),
})
export type TaxLines = z.output<typeof TaxLines>

const place = z.string().check(z.maxLength(40))

export const adminTaxCalls = {
  show: call({
    method: 'GET',
    path: '/api/admin/tax',
    access: 'read_figures',
    summary: 'Tax of a period by country, state and rates, with refunds; checked against ledger and tax source.',
    query: z.object({ period: z.optional(period) }),
    answer: TaxReport,
    refusals: [],
  }),
  lines: call({
    method: 'GET',
    path: '/api/admin/tax/lines',
    access: 'read_figures',
    summary: 'The sales, changes and refunds behind a figure of the tax report, latest first, in pages.',
    query: z.object({
      period,
      kind: z.optional(z.enum(['sold', 'refunded'])),
      country: z.optional(place),
      state: z.optional(place),
      rates: z.optional(z.string().check(z.maxLength(300))),
      after: z.optional(z.string().check(z.regex(/^\d{1,15}$/))),
    }),
    answer: TaxLines,
    refusals: [],
  }),
  file: call({
    method: 'GET',
    path: '/api/admin/tax/file',
    access: 'read_figures',
    summary: 'The tax report as CSV: everything, what US states ask for, or a One Stop Shop return in euros.',
    query: z.object({ period, layout: z.enum(taxLayouts) }),
    answer: 'file',
    refusals: ['oss_by_quarter', 'oss_without_dispatch', 'oss_without_rate'],
  }),
}
