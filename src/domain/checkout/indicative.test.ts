import { expect, test } from 'vitest'
import { dayFromIso } from '#shared/calendar-day.ts'
import { cents } from '#shared/money.ts'
import { mainCountries } from './countries.ts'
import { hiddenRates, indicativeText, rateTo } from './indicative.ts'

const rates = [
  { currency: 'EUR', perDollar: 0.86, day: '2026-11-20' },
  { currency: 'JPY', perDollar: 154.2, day: '2026-11-20' },
]
const on = (day: string, country: string, amount = 3395) => {
  const rate = rateTo(country, rates, dayFromIso(day) ?? 0)
  return rate && indicativeText(cents(amount), rate)
}

test.each([
  ['in whole euros', on('2026-11-20', 'DE'), 'about 29 EUR, charged in US dollars'],
  ['half a euro up', on('2026-11-20', 'AT', 3430), 'about 29 EUR, charged in US dollars'],
  ['in thousands of yen', on('2026-11-20', 'JP'), 'about 5,235 JPY, charged in US dollars'],
  ['by a rate of seven days ago', on('2026-11-27', 'FR'), 'about 29 EUR, charged in US dollars'],
  ['not by an older one', on('2026-11-28', 'FR'), undefined],
  ['not by one of the future', on('2026-11-19', 'FR'), undefined],
  ['not without a rate', on('2026-11-20', 'GB'), undefined],
  ['not at home', on('2026-11-20', 'US'), undefined],
])('an amount is shown %s', (_, shown, text) => expect(shown).toBe(text))

test('every country abroad has a currency', () => {
  const all = [
    'AUD',
    'BRL',
    'CAD',
    'CHF',
    'CZK',
    'DKK',
    'EUR',
    'GBP',
    'HKD',
    'HUF',
    'JPY',
    'KRW',
    'MXN',
    'NOK',
    'NZD',
    'PLN',
  ]
  const today = [...all, 'SEK', 'SGD'].map((currency) => ({ currency, perDollar: 1, day: '2026-11-20' }))
  for (const country of mainCountries)
    expect(rateTo(country, today, dayFromIso('2026-11-20') ?? 0) !== undefined, country).toBe(country !== 'US')
})

test('hidden are rates that are older than a week, of a day to come, or of no day', () => {
  const rates = ['2026-11-16', '2026-11-15', '2026-11-24', 'soon'].map((day) => ({ day }))
  expect(hiddenRates(rates, dayFromIso('2026-11-23') ?? 0).map(({ day }) => day)).toEqual([
    '2026-11-15',
    '2026-11-24',
    'soon',
  ])
})
