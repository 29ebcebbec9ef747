import { expect, test } from 'vitest'
import { defaultSettings } from '#site/shop-rules.ts'
import { mainCountries } from '#domain/checkout/countries.ts'
import { afterBusinessDays, arrivalWindow, datesOf, dayOf, formatArrival } from './arrival.ts'
import { isoOfDay } from '#shared/calendar-day.ts'
import { seededRandom } from '#sandbox/kit/random.ts'

const day = (iso: string): number => dayOf(new Date(iso))

test.each([
  ['a Monday', '2026-11-16', 1, '2026-11-17'],
  ['a Monday, over the week', '2026-11-16', 5, '2026-11-23'],
  ['a Friday', '2026-11-20', 1, '2026-11-23'],
  ['a Saturday', '2026-11-28', 1, '2026-11-30'],
  ['a Sunday', '2026-11-29', 2, '2026-12-01'],
  ['over Thanksgiving', '2026-11-25', 1, '2026-11-27'],
  ['over Christmas', '2026-12-24', 1, '2026-12-28'],
  ['over New Year', '2026-12-31', 1, '2027-01-04'],
  ['over Memorial Day', '2026-05-22', 1, '2026-05-26'],
  ['over Independence Day', '2028-07-03', 1, '2028-07-05'],
  ['over Labor Day', '2026-09-04', 1, '2026-09-08'],
  ['over the other Mondays of May and September', '2026-05-15', 1, '2026-05-18'],
  ['any day, none later', '2026-11-28', 0, '2026-11-28'],
])('from %s, %s, %i business days later is %s', (_, from, count, to) => {
  expect(isoOfDay(afterBusinessDays(day(from), count))).toBe(to)
})

test.each([
  ['US', 'Nov 20–27'],
  ['DE', 'Nov 25–Dec 3'],
  ['BR', 'Nov 27–Dec 22'],
])('an order of November 13 to %s arrives %s', (country, shown) => {
  expect(formatArrival(arrivalWindow(day('2026-11-13'), country, defaultSettings))).toBe(shown)
})

test('the owner’s days of a country decide', () => {
  const settings = { ...defaultSettings, transitDays: [{ countries: 'DE AT', from: 1, to: 1 }] }
  expect(datesOf(arrivalWindow(day('2026-11-02'), 'AT', settings))).toEqual({ from: '2026-11-05', to: '2026-11-10' })
})

/**
 * Transit in business days as Printful publishes it (printful.com/shipping, 2026). Of its orders, 97.66 % are made in 2-5 business
 * days (its FAQ on fulfillment times).
 */
const published = {
  home: ['US'],
  europe: [
    'AT',
    'BE',
    'CH',
    'CZ',
    'DE',
    'DK',
    'ES',
    'FI',
    'FR',
    'GB',
    'GR',
    'HU',
    'IE',
    'IT',
    'NL',
    'NO',
    'PL',
    'PT',
    'SE',
  ],
  australia: ['AU'],
  japan: ['JP'],
}
const transit = { home: [3, 4], europe: [6, 8], australia: [2, 14], japan: [4, 8], elsewhere: [10, 20] } as const
const regionOf = (country: string): keyof typeof transit =>
  (Object.entries(published).find(([, countries]) => countries.includes(country))?.[0] ??
    'elsewhere') as keyof typeof transit
const [MADE_IN_TIME, DELAYED_ON_THE_WAY, ORDERS_A_DAY] = [0.9766, 0.03, 20]

/** The days on which carriers rest in the year of the simulation. */
const restDays = new Set([
  '2027-01-01',
  '2027-05-31',
  '2027-07-05',
  '2027-09-06',
  '2027-11-25',
  '2027-12-24',
  '2028-01-01',
])

test('of a simulated year of deliveries, at least 90 % arrive inside the window shown, in every country', () => {
  const random = seededRandom(2027)
  const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))
  const start = day('2027-01-01')
  const workdays = Array.from({ length: 500 }, (_, at) => start + at).filter((one) => {
    const date = new Date(one * 86_400_000)
    return date.getUTCDay() % 6 !== 0 && !restDays.has(date.toISOString().slice(0, 10))
  })
  for (const country of mainCountries) {
    const [least, most] = transit[regionOf(country)]
    let inside = 0
    for (let ordered = start; ordered < start + 365; ordered += 1) {
      const { from, to } = arrivalWindow(ordered, country, defaultSettings)
      const next = workdays.findIndex((one) => one > ordered)
      for (let order = 0; order < ORDERS_A_DAY; order += 1) {
        const making = random() < MADE_IN_TIME ? whole(2, 5) : whole(6, 8)
        const traveling = whole(least, most) + (random() < DELAYED_ON_THE_WAY ? whole(1, 5) : 0)
        const arrived = workdays[next + making + traveling - 1] ?? 0
        if (arrived >= from && arrived <= to) inside += 1
      }
    }
    expect(inside / (365 * ORDERS_A_DAY), country).toBeGreaterThanOrEqual(0.9)
  }
})
