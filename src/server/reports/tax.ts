import type { TaxCheck, TaxLines, TaxReport, TaxReportRow, TaxThreshold } from '#contract/admin-tax.ts'
import type { TaxFigure } from '#contract/tax-paths.ts'
import { countryName } from '#domain/checkout/countries.ts'
import { regionsOf } from '#domain/checkout/regions.ts'
import { euroRateOf, objectionToOss, partLabel, rateLabel, type TaxSums } from '#domain/tax/layouts.ts'
import { monthsOfPeriod, nameOfPeriod, periodsBetween, type TaxPeriod } from '#domain/tax/periods.ts'
import { registrationFor } from '#domain/tax/registrations.ts'
import { measure, thresholds, thresholdSources } from '#domain/tax/thresholds.ts'
import { assert } from '#shared/assert.ts'
import { dayFromIso, isoOfDay } from '#shared/calendar-day.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { minus } from '#shared/money.ts'
import { monthOfDay } from '#shared/month.ts'
import { after, dateOf } from '#shared/time.ts'
import { dayIn, startOfDay } from '#shared/time-zone.ts'
import type { SiteSettings } from '#site/shop-rules.ts'
import type { Reader } from '#server/db/db.ts'
import { bodyOfRefusal, Refusal } from '#server/http/refusal.ts'
import { findMonthSpan, listClosedMonths } from '#server/ledger/month-closings.ts'
import { readSiteSettings } from '#server/settings/site-settings.ts'
import { snapshot, type ReportNeeds } from './reports.ts'
import {
  compareTax,
  differenceOf,
  findFirstTaxAt,
  selectTaxLines,
  sumByQuarter,
  sumForThresholds,
  sumTax,
  sumTaxLines,
  totalOf,
  type KeyedTaxRow,
  type Span,
  type TaxComparison,
  type TaxDifference,
} from './tax-store.ts'

const DIFFERENCES_SHOWN = 50
const LINES_A_PAGE = 100

/** A period of the books: its months as they are or will be closed. @param period checked by the contract */
export async function spanOfPeriod({ db, config }: ReportNeeds, period: TaxPeriod): Promise<Span> {
  const months = monthsOfPeriod(period)
  const [first, last] = [months?.[0], months?.at(-1)]
  assert(first !== undefined && last !== undefined, `'${period}' is a period`)
  const from = await findMonthSpan(db, config.reportTimeZone, first)
  const until = await findMonthSpan(db, config.reportTimeZone, last)
  assert(from && until, `'${period}' has months`)
  return { from: from.from, until: until.until }
}

/** The tax report of a period; of the current month without one. */
export async function reportTax(shop: ReportNeeds, asked: TaxPeriod | undefined): Promise<TaxReport> {
  const { db, clock, config } = shop
  const asOf = clock.now()
  const zone = config.reportTimeZone
  const thisMonth = monthOfDay(dayIn(zone, asOf.getTime()))
  const period = asked ?? thisMonth
  const span = await spanOfPeriod(shop, period)
  const site = await readSiteSettings(db)
  const closed = new Set((await listClosedMonths(db)).map(({ month }) => month))
  return snapshot(shop, async (reader) => {
    const first = (await findFirstTaxAt(reader)) ?? asOf
    const rows = await sumTax(reader, span)
    const sold = totalOf(rows.map((row) => row.sold))
    const refunded = totalOf(rows.map((row) => row.refunded))
    const lastDay = isoOfDay(dayIn(zone, after(span.until, -1).getTime()))
    const sums = await sumByQuarter(reader, span, zone)
    const { ossDispatch: from, ecbRates: rates } = site
    const objection = objectionToOss(period, { from, rates, sums })
    return {
      ...{ period, name: nameOfPeriod(period), timeZone: zone, asOf: asOf.toISOString() },
      ...{ from: span.from.toISOString(), until: span.until.toISOString() },
      isClosed: monthsOfPeriod(period)?.every((month) => closed.has(month)) ?? false,
      periods: periodsBetween(monthOfDay(dayIn(zone, first.getTime())), thisMonth),
      rows: rows.map((row) => shownRow(row, site, lastDay)),
      sold: shownSums(sold),
      refunded: shownSums(refunded),
      due: minus(sold.tax, refunded.tax),
      ledger: shownCheck(await compareTax(reader, span, 'ledger', DIFFERENCES_SHOWN), () => NOT_IN_THE_REPORT),
      source: shownCheck(await compareTax(reader, span, 'source', DIFFERENCES_SHOWN), reasonOf),
      thresholds: await listThresholds(reader, site, { asOf, zone }),
      thresholdRates: site.currencyRates.filter(({ currency }) => thresholds.some((one) => one.currency === currency)),
      oss: { objection: objection ? sentenceOf(objection) : null, rate: euroRateOf(period, rates) ?? null },
    }
  })
}

const shownSums = ({ orders, net, tax, vatProtection }: TaxSums) => ({ orders, net, tax, vatProtection })

const stateName = (country: string, state: string): string =>
  regionsOf(country)?.find(({ code }) => code === state)?.name ?? state

/** `European Union`, `Germany`, `New York`. */
function placeName(place: string): string {
  const [country = '', state] = place.split('-')
  return place === 'EU' ? 'European Union' : state === undefined ? countryName(country) : stateName(country, state)
}

function shownRow(row: KeyedTaxRow, site: SiteSettings, lastDay: string): TaxReportRow {
  const { country, state, rates, sold, refunded } = row
  return {
    ...{ country, countryName: countryName(country), state, stateName: stateName(country, state), rates },
    ...{ label: rateLabel(sold.parts), sold: shownSums(sold), refunded: shownSums(refunded) },
    parts: sold.parts.map((part, index) => {
      const back = refunded.parts[index]
      return {
        label: partLabel(part),
        taxable: back ? minus(part.taxable, back.taxable) : part.taxable,
        due: back ? minus(part.tax, back.tax) : part.tax,
      }
    }),
    registration: registrationFor(row, site.taxRegistrations, lastDay)?.number ?? null,
  }
}

const NOT_IN_THE_REPORT = 'booked without the tax report; it follows within minutes'

const shownCheck = (found: TaxComparison, reason: (difference: TaxDifference) => string): TaxCheck => ({
  total: found.total,
  difference: differenceOf(found),
  count: found.count,
  lines: found.differences.map((difference) => ({
    orderNumber: difference.orderNumber && formatOrderNumber(difference.orderNumber),
    ...{ theirs: difference.theirs, report: difference.report, reason: reason(difference) },
  })),
})

/** Why the tax source has another amount for an order in a period. */
function reasonOf({ theirsEver, reportEver, taxReport }: TaxDifference): string {
  if (theirsEver === reportEver) return 'recorded there on another day, in another period'
  if (taxReport === 'waiting') return 'not recorded there yet'
  if (taxReport === 'not_reported') return 'not recorded there: its calculation is missing or expired'
  return 'another amount there, or recorded before the shop kept its answers'
}

const sentenceOf = (objection: NonNullable<ReturnType<typeof objectionToOss>>): string =>
  bodyOfRefusal(refusalOf(objection)).message

export const refusalOf = (objection: NonNullable<ReturnType<typeof objectionToOss>>): Refusal =>
  objection.code === 'oss_without_rate'
    ? new Refusal('oss_without_rate', { period: objection.period, day: objection.day })
    : new Refusal(objection.code)

/** The thresholds of places with sales, nearest first. */
async function listThresholds(
  db: Reader,
  { currencyRates, ossDispatch, taxRegistrations }: SiteSettings,
  { asOf, zone }: { asOf: Date; zone: string },
): Promise<TaxThreshold[]> {
  const sales = await sumForThresholds(db, spansUntil(asOf, zone))
  const today = isoOfDay(dayIn(zone, asOf.getTime()))
  return thresholds
    .map((threshold) => {
      const perDollar = currencyRates.find(({ currency }) => currency === threshold.currency)?.perDollar
      return measure(threshold, sales, perDollar, ossDispatch)
    })
    .filter(({ net, orders }) => net > 0 || orders > 0)
    .toSorted((a, b) => (b.percent ?? 0) - (a.percent ?? 0))
    .map(({ threshold: { place, limit, currency, orders: counted, measured, source }, ...found }) => ({
      ...{ place, name: placeName(place), limit, currency, measured, ...found },
      ...{ ordersLimit: counted?.limit ?? null, isBoth: counted?.isBoth ?? false },
      isRegistered: taxRegistrations.some((one) => one.place === place && one.since <= today),
      source: thresholdSources[source],
    }))
}

function spansUntil(asOf: Date, zone: string): Parameters<typeof sumForThresholds>[1] {
  const today = isoOfDay(dayIn(zone, asOf.getTime()))
  const year = Number(today.slice(0, 4))
  const at = (iso: string): Date => dateOf(startOfDay(zone, dayFromIso(iso) ?? 0))
  const until = after(asOf, 1)
  // February 29 has no day a year before; March 1 is one day later.
  const yearAgo = `${year - 1}${today.slice(4) === '-02-29' ? '-03-01' : today.slice(4)}`
  return {
    thisYear: { from: at(`${year}-01-01`), until },
    previousYear: { from: at(`${year - 1}-01-01`), until: at(`${year}-01-01`) },
    twelveMonths: { from: at(yearAgo), until },
  }
}

type LinesQuery = { [Name in keyof TaxFigure]?: TaxFigure[Name] | undefined } & {
  period: TaxPeriod
  after?: string | undefined
}

const WHAT: Readonly<Record<string, string>> = { sale: 'Sale', change: 'Change', refund: 'Refund' }

/** A page of what is behind a figure of the report. */
export async function listTaxLines(shop: ReportNeeds, query: LinesQuery): Promise<TaxLines> {
  const { period, after: last, kind, country, state, rates } = query
  const request = { ...(await spanOfPeriod(shop, period)), kind, country, state, rates }
  return snapshot(shop, async (db) => {
    const found = await selectTaxLines(db, request, last === undefined ? undefined : Number(last), LINES_A_PAGE + 1)
    const lines = found.slice(0, LINES_A_PAGE)
    return {
      ...{ name: nameOfPeriod(period), timeZone: shop.config.reportTimeZone },
      ...(await sumTaxLines(db, request)),
      lines: lines.map((line) => ({
        ...{ id: String(line.id), at: line.at.toISOString(), what: WHAT[line.kind] ?? line.kind },
        place: [line.state && stateName(line.country, line.state), countryName(line.country), rateLabel(line.parts)]
          .filter(Boolean)
          .join(', '),
        ...{ orderNumber: formatOrderNumber(line.orderNumber), net: line.net, tax: line.tax },
      })),
      next: found.length > LINES_A_PAGE ? String(lines.at(-1)?.id) : null,
    }
  })
}
