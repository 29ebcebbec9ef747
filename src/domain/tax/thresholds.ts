import { decimalFromCents, percentOf, sum, ZERO, type Cents } from '#shared/money.ts'
import { europeanUnion } from './european-union.ts'

/**
 * From which sales on a shop has to register and collect, by the laws' own tables. They are copied by hand and change: each row names
 * its source and the day on which that was current. Not legal advice.
 */
export type Threshold = {
  /** `EU`, `GB`, `US-NY`. */
  place: string
  /** In whole units of its currency. */
  limit: number
  currency: 'USD' | 'EUR' | 'GBP' | 'AUD' | 'CAD'
  /** The number of orders that counts too; `isBoth`: only together with the limit. */
  orders?: { limit: number; isBoth?: boolean }
  /** `calendar_year`: this year or the one before; `previous_year`: only that; `twelve_months`: until today, also for laws that say four quarters. */
  measured: 'calendar_year' | 'previous_year' | 'twelve_months'
  source: ThresholdSource
}

type ThresholdSource = keyof typeof thresholdSources

/**
 * @property asOf the day that the table was current
 * @property compared what the rows were compared with, honestly: nobody has opened each law's own page
 */
export const thresholdSources = {
  states: {
    name: 'Economic nexus by state (Avior)',
    url: 'https://suttax.avior.tax/doc/sut/economic-nexus-by-state',
    asOf: '2025-12-31',
    compared: 'compared with this overview, not with the state’s own page',
  },
  eu: {
    name: 'Directive 2006/112/EC, Article 59c: for shops in one member state',
    url: 'https://eur-lex.europa.eu/eli/dir/2006/112/oj',
    asOf: '2025-01-01',
    compared: 'compared with the article’s text',
  },
  uk: {
    name: 'GOV.UK: Register for VAT',
    url: 'https://www.gov.uk/register-for-vat',
    asOf: '2024-04-01',
    compared:
      'compared with summaries of this page; a business outside the United Kingdom registers from its first sale, whatever the limit',
  },
  australia: {
    name: 'Australian Taxation Office: Registering for GST',
    url: 'https://www.ato.gov.au/businesses-and-organisations/gst-excise-and-indirect-taxes/gst/registering-for-gst',
    asOf: '2025-07-01',
    compared: 'compared with the office’s pages for businesses abroad, which name the same limit',
  },
  canada: {
    name: 'Canada Revenue Agency: When to register for the GST/HST',
    url: 'https://www.canada.ca/en/revenue-agency/services/tax/businesses/topics/gst-hst-businesses/when-register-charge.html',
    asOf: '2025-07-01',
    compared: 'compared with summaries of this page; sales in other countries count too',
  },
} as const

type StateRow = readonly [
  state: string,
  limit: number,
  measured: Threshold['measured'],
  orders?: number,
  isBoth?: boolean,
]

const HUNDRED_THOUSAND = 100_000
const QUARTER_MILLION = 250_000
const HALF_MILLION = 500_000
const MANY = 200

/** Delaware, Montana, New Hampshire and Oregon have no sales tax; Alaska has none of the state, but of many cities. */
const states: readonly StateRow[] = [
  ['AL', QUARTER_MILLION, 'previous_year'],
  ['AK', HUNDRED_THOUSAND, 'calendar_year'],
  ['AZ', HUNDRED_THOUSAND, 'calendar_year'],
  ['AR', HUNDRED_THOUSAND, 'calendar_year', MANY],
  ['CA', HALF_MILLION, 'calendar_year'],
  ['CO', HUNDRED_THOUSAND, 'calendar_year'],
  ['CT', HUNDRED_THOUSAND, 'twelve_months', MANY, true],
  ['DC', HUNDRED_THOUSAND, 'calendar_year', MANY],
  ['FL', HUNDRED_THOUSAND, 'previous_year'],
  ['GA', HUNDRED_THOUSAND, 'calendar_year', MANY],
  ['HI', HUNDRED_THOUSAND, 'calendar_year', MANY],
  ['ID', HUNDRED_THOUSAND, 'calendar_year'],
  ['IL', HUNDRED_THOUSAND, 'twelve_months'],
  ['IN', HUNDRED_THOUSAND, 'calendar_year'],
  ['IA', HUNDRED_THOUSAND, 'calendar_year'],
  ['KS', HUNDRED_THOUSAND, 'calendar_year'],
  ['KY', HUNDRED_THOUSAND, 'calendar_year', MANY],
  ['LA', HUNDRED_THOUSAND, 'calendar_year'],
  ['ME', HUNDRED_THOUSAND, 'calendar_year'],
  ['MD', HUNDRED_THOUSAND, 'calendar_year', MANY],
  ['MA', HUNDRED_THOUSAND, 'calendar_year'],
  ['MI', HUNDRED_THOUSAND, 'previous_year', MANY],
  ['MN', HUNDRED_THOUSAND, 'twelve_months', MANY],
  ['MS', QUARTER_MILLION, 'twelve_months'],
  ['MO', HUNDRED_THOUSAND, 'twelve_months'],
  ['NE', HUNDRED_THOUSAND, 'calendar_year', MANY],
  ['NV', HUNDRED_THOUSAND, 'calendar_year', MANY],
  ['NJ', HUNDRED_THOUSAND, 'calendar_year', MANY],
  ['NM', HUNDRED_THOUSAND, 'previous_year'],
  ['NY', HALF_MILLION, 'twelve_months', 100, true],
  ['NC', HUNDRED_THOUSAND, 'calendar_year'],
  ['ND', HUNDRED_THOUSAND, 'calendar_year'],
  ['OH', HUNDRED_THOUSAND, 'calendar_year', MANY],
  ['OK', HUNDRED_THOUSAND, 'calendar_year'],
  ['PA', HUNDRED_THOUSAND, 'previous_year'],
  ['PR', HUNDRED_THOUSAND, 'calendar_year', MANY],
  ['RI', HUNDRED_THOUSAND, 'previous_year', MANY],
  ['SC', HUNDRED_THOUSAND, 'calendar_year'],
  ['SD', HUNDRED_THOUSAND, 'calendar_year'],
  ['TN', HUNDRED_THOUSAND, 'twelve_months'],
  ['TX', HALF_MILLION, 'twelve_months'],
  ['UT', HUNDRED_THOUSAND, 'calendar_year'],
  ['VT', HUNDRED_THOUSAND, 'twelve_months', MANY],
  ['VA', HUNDRED_THOUSAND, 'calendar_year', MANY],
  ['WA', HUNDRED_THOUSAND, 'calendar_year'],
  ['WV', HUNDRED_THOUSAND, 'calendar_year', MANY],
  ['WI', HUNDRED_THOUSAND, 'calendar_year'],
  ['WY', HUNDRED_THOUSAND, 'calendar_year'],
]

export const thresholds: readonly Threshold[] = [
  { place: 'EU', limit: 10_000, currency: 'EUR', measured: 'calendar_year', source: 'eu' },
  { place: 'GB', limit: 90_000, currency: 'GBP', measured: 'twelve_months', source: 'uk' },
  { place: 'AU', limit: 75_000, currency: 'AUD', measured: 'twelve_months', source: 'australia' },
  { place: 'CA', limit: 30_000, currency: 'CAD', measured: 'twelve_months', source: 'canada' },
  ...states.map(([state, limit, measured, orders, isBoth]): Threshold => ({
    ...{ place: `US-${state}`, limit, currency: 'USD', measured, source: 'states' },
    ...(orders !== undefined && { orders: { limit: orders, ...(isBoth && { isBoth }) } }),
  })),
]

/** Sales of a place by the years that laws count. In US dollars without tax; refunds are not deducted, as most laws say. */
export type SalesOfPlace = {
  country: string
  state: string
  thisYear: Counted
  previousYear: Counted
  twelveMonths: Counted
}
type Counted = { net: Cents; orders: number }

type ThresholdState = 'below' | 'near' | 'reached'

export type Measured = {
  threshold: Threshold
  net: Cents
  orders: number
  /** In percent, rounded down; null without a rate for its currency. */
  percent: number | null
  state: ThresholdState | 'unknown'
}

/** From this share on, a threshold is near. */
const NEAR_PERCENT = 80

const isIn = (place: string, { country, state }: SalesOfPlace, from: string): boolean =>
  place === 'EU'
    ? europeanUnion.has(country) && country !== from
    : place.startsWith('US-')
      ? country === 'US' && `US-${state}` === place
      : country === place

const totalOf = (counts: readonly Counted[]): Counted => ({
  net: sum(counts.map(({ net }) => net)),
  orders: counts.reduce((all, { orders }) => all + orders, 0),
})

/**
 * How near a threshold is.
 * @param perDollar units of its currency for a US dollar; undefined if there is no rate
 * @param from the country that goods to the European Union are sent from: sales there are no distance sales
 */
export function measure(
  threshold: Threshold,
  sales: readonly SalesOfPlace[],
  perDollar: number | undefined,
  from = '',
): Measured {
  const here = sales.filter((one) => isIn(threshold.place, one, from))
  const years = {
    calendar_year: [
      totalOf(here.map(({ thisYear }) => thisYear)),
      totalOf(here.map(({ previousYear }) => previousYear)),
    ],
    // What this year reaches counts from the next one on.
    previous_year: [
      totalOf(here.map(({ thisYear }) => thisYear)),
      totalOf(here.map(({ previousYear }) => previousYear)),
    ],
    twelve_months: [totalOf(here.map(({ twelveMonths }) => twelveMonths))],
  }[threshold.measured]
  const rated = years.map((counted) => ({ counted, percent: shareOf(threshold, counted, perDollar) }))
  const [first = { counted: { net: ZERO, orders: 0 }, percent: 0 }] = rated.toSorted(
    (a, b) => (b.percent ?? 0) - (a.percent ?? 0) || b.counted.net - a.counted.net,
  )
  const { counted, percent } = first
  return { threshold, ...counted, percent, state: stateOf(percent) }
}

const stateOf = (percent: number | null): Measured['state'] =>
  percent === null ? 'unknown' : percent >= 100 ? 'reached' : percent >= NEAR_PERCENT ? 'near' : 'below'

function shareOf(
  { limit, orders, currency }: Threshold,
  counted: Counted,
  perDollar: number | undefined,
): number | null {
  const rate = currency === 'USD' ? 1 : perDollar
  if (rate === undefined) return null
  const ofAmount = percentOf(Number(decimalFromCents(counted.net)) * rate, limit)
  if (!orders) return ofAmount
  const ofOrders = percentOf(counted.orders, orders.limit)
  return orders.isBoth ? Math.min(ofAmount, ofOrders) : Math.max(ofAmount, ofOrders)
}
