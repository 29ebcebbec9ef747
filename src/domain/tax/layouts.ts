import { countryName } from '#domain/checkout/countries.ts'
import { dayFromIso, isoOfDay, type CalendarDay } from '#shared/calendar-day.ts'
import { decimalFromCents, decimalIn, minus, sum, ZERO, type Cents } from '#shared/money.ts'
import { daysOfMonth } from '#shared/month.ts'
import { unknownRates, type TaxPart } from './bookings.ts'
import { europeanUnion } from './european-union.ts'
import { monthsOfPeriod, nameOfPeriod, type TaxPeriod } from './periods.ts'

/** Bookings of a place that were taxed with the same rates. `sale`: also what changes of orders added or took. */
export type TaxSums = { orders: number; net: Cents; tax: Cents; vatProtection: Cents; parts: TaxPart[] }

/** A row of the report: what was sold at a place by the same rates, and what went back. Refunds are positive here. */
export type TaxRow = { country: string; state: string; sold: TaxSums; refunded: TaxSums }

/** A table of a file: a heading and its rows. */
export type TaxTable = readonly (readonly string[])[]

const typeLabels: Readonly<Record<string, string>> = {
  ...{ vat: 'VAT', gst: 'GST', hst: 'HST', pst: 'PST', qst: 'QST', rst: 'RST', jct: 'Consumption tax' },
  sales_tax: 'Sales tax',
  [unknownRates.notStored]: 'Rate not stored',
  [unknownRates.notCalculated]: 'Not calculated',
}

/** `VAT 19%`, `Rate not stored`. */
export const partLabel = ({ type, percentage }: Pick<TaxPart, 'type' | 'percentage'>): string => {
  const name = typeLabels[type] ?? type.replaceAll('_', ' ')
  return percentage === '' ? name : `${name} ${percentage}%`
}

/** `VAT 19%`, `Sales tax 4% + 4.5% + 0.375%`, `GST 5% + QST 9.975%`, `No tax`. */
export function rateLabel(parts: readonly Pick<TaxPart, 'type' | 'percentage'>[]): string {
  if (parts.length === 0) return 'No tax'
  return parts
    .map((part, index) =>
      part.percentage && parts[index - 1]?.type === part.type ? `${part.percentage}%` : partLabel(part),
    )
    .join(' + ')
}

const taxableOf = ({ parts }: TaxSums): Cents =>
  parts.reduce<Cents>((most, { taxable }) => (taxable > most ? taxable : most), ZERO)

/** Everything that the page shows, in US dollars. */
export const plainTable = (rows: readonly TaxRow[]): TaxTable => [
  [
    ...['Country', 'State', 'Rate', 'Orders', 'Net sales', 'Tax on sales', 'Net refunds', 'Tax on refunds', 'Tax due'],
    ...['Collected for the printer’s tax', 'Currency'],
  ],
  ...rows.map(({ country, state, sold, refunded }) => [
    ...[country, state, rateLabel(labelledParts(sold, refunded)), String(sold.orders)],
    ...[sold.net, sold.tax, refunded.net, refunded.tax, minus(sold.tax, refunded.tax)].map(decimalFromCents),
    ...[decimalFromCents(minus(sold.vatProtection, refunded.vatProtection)), 'USD'],
  ]),
]

const labelledParts = (sold: TaxSums, refunded: TaxSums) => (sold.parts.length > 0 ? sold.parts : refunded.parts)

/** What US states ask for, less refunds. A jurisdiction is told by the rates of state, county, city and district, which the tax source names. */
export const statesTable = (rows: readonly TaxRow[]): TaxTable => [
  ['State', 'Jurisdiction (rates)', 'Gross sales', 'Exempt sales', 'Taxable sales', 'Tax', 'Currency'],
  ...rows
    .filter(({ country }) => country === 'US')
    .map(({ state, sold, refunded }) => {
      const gross = minus(sold.net, refunded.net)
      const taxable = minus(taxableOf(sold), taxableOf(refunded))
      return [
        ...[state, rateLabel(labelledParts(sold, refunded))],
        ...[gross, minus(gross, taxable), taxable, minus(sold.tax, refunded.tax)].map(decimalFromCents),
        'USD',
      ]
    }),
]

/** Euros of a day, as the European Central Bank published them. @property perEuro US dollars for a euro */
export type EuroRate = { day: string; perEuro: number }

/** A rate of the last day of a period, or of the next day on which one was published. */
const NEXT_PUBLISHED_DAYS = 5

const lastDayOf = (period: TaxPeriod): CalendarDay | undefined => {
  const last = monthsOfPeriod(period)?.at(-1)
  const days = last === undefined ? undefined : daysOfMonth(last)
  return days && days.next - 1
}

/** The rate that the law asks for: of the period's last day, or of the next one with a rate (Directive 2006/112/EC, Article 369h). */
export function euroRateOf(period: TaxPeriod, rates: readonly EuroRate[]): EuroRate | undefined {
  const last = lastDayOf(period)
  if (last === undefined) return undefined
  return rates
    .toSorted((a, b) => (a.day < b.day ? -1 : 1))
    .find(({ day }) => {
      const of = dayFromIso(day) ?? 0
      return of >= last && of < last + NEXT_PUBLISHED_DAYS
    })
}

/** What was sold or went back in a period, by the quarter in which its order was placed. */
export type EuropeanSum = {
  country: string
  type: string
  percentage: string
  placedIn: TaxPeriod
  taxable: Cents
  tax: Cents
}

export type OssObjection =
  | { code: 'oss_by_quarter' }
  | { code: 'oss_without_dispatch' }
  | { code: 'oss_without_rate'; period: string; day: string }

const isTaxedThere = ({ country, type }: EuropeanSum, from: string): boolean =>
  europeanUnion.has(country) && country !== from && type !== unknownRates.notCalculated

/** Why there is no One Stop Shop file of a period: nothing in it is guessed. */
export function objectionToOss(
  period: TaxPeriod,
  { from, rates, sums }: { from: string; rates: readonly EuroRate[]; sums: readonly EuropeanSum[] },
): OssObjection | undefined {
  if (monthsOfPeriod(period)?.length !== 3) return { code: 'oss_by_quarter' }
  if (from === '') return { code: 'oss_without_dispatch' }
  const needed = new Set([period, ...sums.filter((one) => isTaxedThere(one, from)).map(({ placedIn }) => placedIn)])
  const without = [...needed].find((one) => !euroRateOf(one, rates))
  if (without === undefined) return undefined
  return { code: 'oss_without_rate', period: nameOfPeriod(without), day: isoOfDay(lastDayOf(without) ?? 0) }
}

/**
 * The layout of a One Stop Shop return of the Union scheme: supplies by member state of consumption and rate; corrections of earlier
 * quarters by quarter and member state, each at its own quarter's exchange rate. Sales within the country of dispatch are no distance
 * sales and are left out.
 */
export function ossTable(
  period: TaxPeriod,
  { from, rates, sums }: { from: string; rates: readonly EuroRate[]; sums: readonly EuropeanSum[] },
): TaxTable {
  const rows = sums.filter((one) => isTaxedThere(one, from))
  const inEuros = (amount: Cents, of: TaxPeriod): string =>
    decimalIn(amount, euroRateOf(of, rates)?.perEuro ?? Number.NaN)
  const rateCells = (of: TaxPeriod): string[] => {
    const rate = euroRateOf(of, rates)
    return [String(rate?.perEuro ?? ''), rate?.day ?? '']
  }
  const supplies = rows
    .filter(({ placedIn }) => placedIn === period)
    .map(({ country, percentage, taxable, tax }) => [
      ...['Supply', period, from, country, countryName(country), percentage],
      ...[inEuros(taxable, period), inEuros(tax, period), ...rateCells(period)],
    ])
  const earlier = Map.groupBy(
    rows.filter(({ placedIn }) => placedIn !== period),
    ({ placedIn, country }) => `${placedIn} ${country}`,
  )
  const corrections = [...earlier.values()].flatMap((alike) => {
    const [first] = alike
    if (!first) return []
    const tax = sum(alike.map((one) => one.tax))
    const { placedIn, country } = first
    return [
      [
        'Correction',
        placedIn,
        '',
        country,
        countryName(country),
        '',
        '',
        inEuros(tax, placedIn),
        ...rateCells(placedIn),
      ],
    ]
  })
  return [
    [
      ...['Row', 'Period', 'Country of dispatch', 'Member state of consumption', 'Name', 'VAT rate in percent'],
      ...['Taxable amount in EUR', 'VAT in EUR', 'US dollars for a euro (ECB)', 'Day of the rate'],
    ],
    ...supplies,
    ...corrections.toSorted((a, b) => ((a[1] ?? '') + (a[3] ?? '') < (b[1] ?? '') + (b[3] ?? '') ? -1 : 1)),
  ]
}
