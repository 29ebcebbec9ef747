import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TaxEvidence } from '#domain/checkout/tax-evidence.ts'
import { cents, decimalIn, negate, sum, ZERO } from '#shared/money.ts'
import {
  addTax,
  linesToReverse,
  negateTax,
  NO_TAX,
  restOfLines,
  taxOfRefund,
  taxPartsOf,
  taxPlaceOf,
  type TaxAmounts,
} from './bookings.ts'
import {
  euroRateOf,
  objectionToOss,
  ossTable,
  plainTable,
  rateLabel,
  statesTable,
  type EuropeanSum,
} from './layouts.ts'
import { monthsOfPeriod, nameOfPeriod, periodsBetween, quarterOf } from './periods.ts'
import { isTaxPlace, registrationFor } from './registrations.ts'
import { measure, thresholds, thresholdSources, type SalesOfPlace } from './thresholds.ts'

const evidenceOf = (
  rates: readonly [type: string, percentage: string, amount: number][],
  source: TaxEvidence['source'] = 'stripe_tax',
) => ({
  source,
  rates: rates.map(([type, percentage, amount]) => ({ jurisdiction: 'X', type, percentage, amount: cents(amount) })),
})

describe('the rates of a sale', () => {
  const net = cents(10_000)
  test.each<[string, ReturnType<typeof evidenceOf> | null, number, object[]]>([
    [
      'one rate',
      evidenceOf([['vat', '19.0', 1900]]),
      1900,
      [{ type: 'vat', percentage: '19', taxable: net, tax: 1900 }],
    ],
    [
      'two local taxes of the same rate are one with their sum',
      evidenceOf([
        ['sales_tax', '6.25', 625],
        ['sales_tax', '1', 100],
        ['sales_tax', '1.0', 100],
      ]),
      825,
      [
        { type: 'sales_tax', percentage: '6.25', taxable: net, tax: 625 },
        { type: 'sales_tax', percentage: '2', taxable: net, tax: 200 },
      ],
    ],
    ['nothing is taxed', evidenceOf([]), 0, []],
    [
      'the tax source could not be reached',
      evidenceOf([], 'unavailable'),
      0,
      [{ type: 'not_calculated', percentage: '', taxable: net, tax: 0 }],
    ],
    [
      'an order from before rates were stored',
      null,
      800,
      [{ type: 'not_stored', percentage: '', taxable: net, tax: 800 }],
    ],
    [
      'rates that are not those of the tax',
      evidenceOf([['vat', '19', 1900]]),
      800,
      [{ type: 'not_stored', percentage: '', taxable: net, tax: 800 }],
    ],
  ])('%s', (_, evidence, tax, parts) => {
    expect(taxPartsOf(evidence, { net, tax: cents(tax) })).toEqual(parts)
  })

  test.each([
    [
      { country: 'US', state: 'California' },
      { country: 'US', state: 'CA' },
    ],
    [
      { country: 'CA', state: 'QC' },
      { country: 'CA', state: 'QC' },
    ],
    [
      { country: 'DE', state: 'Bayern' },
      { country: 'DE', state: '' },
    ],
    [
      { country: 'AU', state: 'NSW' },
      { country: 'AU', state: '' },
    ],
  ])('are reported at %o', (address, place) => {
    expect(taxPlaceOf(address)).toEqual(place)
  })
})

const wholeOf = (net: number, rates: readonly number[], exempt: number): TaxAmounts => {
  const parts = rates.map((percentage) => ({
    type: 'sales_tax',
    percentage: String(percentage),
    taxable: cents(net - exempt),
    tax: cents(Math.round(((net - exempt) * percentage) / 100)),
  }))
  return { net: cents(net), tax: sum(parts.map(({ tax }) => tax)), vatProtection: ZERO, parts }
}

const orders = fc
  .record({
    net: fc.integer({ min: 1, max: 1_000_000 }),
    rates: fc.uniqueArray(fc.integer({ min: 1, max: 25 }), { maxLength: 4 }),
    exempt: fc.integer({ min: 0, max: 40 }),
    cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
  })
  .map(({ net, rates, exempt, cuts }) => ({ whole: wholeOf(net, rates, Math.floor((net * exempt) / 100)), cuts }))

test('refunds of any parts of an order, and then of the rest, take each rate back to the cent', () => {
  fc.assert(
    fc.property(orders, ({ whole, cuts }) => {
      let rest = whole
      for (const cut of [...cuts, 1]) {
        const refunded = {
          net: cents(Math.floor(rest.net * cut)),
          tax: cents(Math.floor(rest.tax * cut)),
          vatProtection: ZERO,
        }
        const taken = taxOfRefund(rest, refunded)
        expect(sum(taken.parts.map(({ tax }) => tax))).toBe(refunded.tax)
        rest = addTax(rest, negateTax(taken))
        for (const part of rest.parts) {
          expect(part.tax).toBeGreaterThanOrEqual(0)
          expect(part.taxable).toBeGreaterThanOrEqual(0)
        }
      }
      expect({ ...rest, parts: rest.parts.map(({ tax, taxable }) => [tax, taxable]) }).toEqual({
        ...NO_TAX,
        parts: whole.parts.map(() => [0, 0]),
      })
    }),
  )
})

test('reversals over the recorded lines sum to the refund and never take more than a line has', () => {
  const lines = fc.array(fc.tuple(fc.nat(100_000), fc.nat(25_000)), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(lines, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 }), (amounts, cuts) => {
      const recorded = amounts.map(([amount, tax], index) => ({
        id: `l${index}`,
        amount: cents(amount),
        tax: cents(tax),
      }))
      let reversed: typeof recorded = []
      for (const cut of [...cuts, 1]) {
        const rest = restOfLines(recorded, reversed)
        const refunded = {
          net: cents(Math.floor(sum(rest.map(({ amount }) => amount)) * cut)),
          tax: cents(Math.floor(sum(rest.map(({ tax }) => tax)) * cut)),
        }
        const taken = linesToReverse(rest, refunded) ?? []
        expect(sum(taken.map(({ amount }) => amount))).toBe(refunded.net)
        expect(sum(taken.map(({ tax }) => tax))).toBe(refunded.tax)
        reversed = [
          ...reversed,
          ...taken.map((line) => ({ ...line, amount: negate(line.amount), tax: negate(line.tax) })),
        ]
        for (const line of restOfLines(recorded, reversed))
          expect(Math.min(line.amount, line.tax)).toBeGreaterThanOrEqual(0)
      }
      expect(restOfLines(recorded, reversed).every(({ amount, tax }) => amount === 0 && tax === 0)).toBe(true)
      expect(linesToReverse(restOfLines(recorded, reversed), { net: cents(1), tax: ZERO })).toBeUndefined()
    }),
  )
})

describe('periods', () => {
  test.each([
    ['2026-11', ['2026-11'], 'November 2026'],
    ['2026-Q4', ['2026-10', '2026-11', '2026-12'], '4th quarter of 2026'],
    ['2027-Q1', ['2027-01', '2027-02', '2027-03'], '1st quarter of 2027'],
  ])('%s', (period, months, name) => {
    expect(monthsOfPeriod(period)).toEqual(months)
    expect(nameOfPeriod(period)).toBe(name)
    if (months.length === 3) expect(new Set(months.map(quarterOf))).toEqual(new Set([period]))
  })
  test('a year has twelve months', () => {
    expect(monthsOfPeriod('2026')).toHaveLength(12)
    expect(nameOfPeriod('2026')).toBe('2026')
  })
  test.each(['', '2026-13', '2026-Q5', '26', '2026-1', 'now', '2026-Q4 '])('‘%s’ is none', (text) => {
    expect(monthsOfPeriod(text)).toBeUndefined()
  })
  test('all between two months, latest first', () => {
    expect(periodsBetween('2026-11', '2027-01')).toEqual({
      months: ['2027-01', '2026-12', '2026-11'],
      quarters: ['2027-Q1', '2026-Q4'],
      years: ['2027', '2026'],
    })
  })
})

describe('thresholds', () => {
  const sold = (country: string, state: string, net: number, count = 1): SalesOfPlace => {
    const none = { net: ZERO, orders: 0 }
    return {
      country,
      state,
      thisYear: { net: cents(net), orders: count },
      previousYear: none,
      twelveMonths: { net: cents(net), orders: count },
    }
  }
  const of = (place: string) => {
    const found = thresholds.find((one) => one.place === place)
    if (!found) throw new Error(`${place} has no threshold`)
    return found
  }
  const dollars = (amount: number) => amount * 100

  test.each<[string, string, SalesOfPlace[], number | undefined, string, number | null, string]>([
    [
      'the European Union counts together',
      'EU',
      [sold('DE', '', dollars(5000)), sold('FR', '', dollars(4000))],
      0.9,
      '',
      81,
      'near',
    ],
    [
      'without what stays in the country of dispatch',
      'EU',
      [sold('LV', '', dollars(9000)), sold('FR', '', dollars(4000))],
      1,
      'LV',
      40,
      'below',
    ],
    ['without a rate nothing is guessed', 'EU', [sold('DE', '', dollars(5000))], undefined, '', null, 'unknown'],
    ['Switzerland is not in it', 'EU', [sold('CH', '', dollars(90_000))], 1, '', 0, 'below'],
    ['a cent below 80 percent', 'US-CA', [sold('US', 'CA', dollars(400_000) - 1)], undefined, '', 79, 'below'],
    ['80 percent', 'US-CA', [sold('US', 'CA', dollars(400_000))], undefined, '', 80, 'near'],
    ['all of it', 'US-CA', [sold('US', 'CA', dollars(500_000))], undefined, '', 100, 'reached'],
    ['Canada is not California', 'CA', [sold('US', 'CA', dollars(500_000))], 1.4, '', 0, 'below'],
    ['either of two limits: orders', 'US-GA', [sold('US', 'GA', dollars(3000), 170)], undefined, '', 85, 'near'],
    [
      'both of two limits: the lower share',
      'US-NY',
      [sold('US', 'NY', dollars(500_000), 40)],
      undefined,
      '',
      40,
      'below',
    ],
    ['pounds', 'GB', [sold('GB', '', dollars(120_000))], 0.75, '', 100, 'reached'],
  ])('%s', (_, place, sales, rate, from, percent, state) => {
    expect(measure(of(place), sales, rate, from)).toMatchObject({ percent, state })
  })

  test('last year counts where the law says so, and not for twelve months', () => {
    const last: SalesOfPlace = {
      ...{ country: 'US', state: 'CA', thisYear: { net: ZERO, orders: 0 }, twelveMonths: { net: ZERO, orders: 0 } },
      previousYear: { net: cents(dollars(600_000)), orders: 9 },
    }
    expect(measure(of('US-CA'), [last], undefined)).toMatchObject({ percent: 120, orders: 9 })
    expect(measure(of('US-TX'), [{ ...last, state: 'TX' }], undefined)).toMatchObject({ percent: 0 })
  })

  test('each state with a sales tax is there once, and each row has a source with address and day', () => {
    const places = thresholds.map(({ place }) => place)
    expect(new Set(places).size).toBe(places.length)
    const withoutTax = ['DE', 'MT', 'NH', 'OR'].map((state) => `US-${state}`)
    expect(places.filter((place) => withoutTax.includes(place))).toEqual([])
    expect(places.filter((place) => place.startsWith('US-'))).toHaveLength(48)
    for (const { place } of thresholds) expect(isTaxPlace(place), place).toBe(true)
    for (const { url, asOf } of Object.values(thresholdSources)) {
      expect(url).toMatch(/^https:\/\//)
      expect(asOf).toMatch(/^\d{4}-\d\d-\d\d$/)
    }
  })
})

test.each<[{ country: string; state: string }, string | undefined]>([
  [{ country: 'DE', state: '' }, 'DE1'],
  [{ country: 'FR', state: '' }, 'OSS'],
  [{ country: 'US', state: 'NY' }, 'NY1'],
  [{ country: 'US', state: 'TX' }, undefined],
  [{ country: 'GB', state: '' }, undefined],
])('the registration for %o', (place, number) => {
  const registrations = [
    { place: 'EU', number: 'OSS', since: '2026-01-01' },
    { place: 'DE', number: 'DE1', since: '2026-01-01' },
    { place: 'US-NY', number: 'NY1', since: '2026-11-30' },
    { place: 'US-TX', number: 'TX1', since: '2026-12-01' },
  ]
  expect(registrationFor(place, registrations, '2026-11-30')?.number).toBe(number)
})

describe('files', () => {
  const row = (country: string, state: string, sold: TaxAmounts, refunded: TaxAmounts = NO_TAX) => ({
    ...{ country, state, sold: { ...sold, orders: 1 } },
    refunded: {
      ...refunded,
      orders: 0,
      parts: sold.parts.map((part, index) => refunded.parts[index] ?? { ...part, tax: ZERO, taxable: ZERO }),
    },
  })
  const rate = (type: string, percentage: string) => ({ type, percentage })

  test.each([
    [[], 'No tax'],
    [[rate('vat', '25.5')], 'VAT 25.5%'],
    [[rate('sales_tax', '4.5'), rate('sales_tax', '4'), rate('sales_tax', '0.375')], 'Sales tax 4.5% + 4% + 0.375%'],
    [[rate('gst', '5'), rate('qst', '9.975')], 'GST 5% + QST 9.975%'],
    [[rate('not_stored', '')], 'Rate not stored'],
  ])('rates %o are ‘%s’', (parts, label) => {
    expect(rateLabel(parts)).toBe(label)
  })

  test('US states: gross is exempt and taxable, less refunds, and other countries are left out', () => {
    const sold = wholeOf(10_000, [4, 5], 1000)
    const refunded = taxOfRefund(sold, { net: cents(1000), tax: cents(81), vatProtection: ZERO })
    const rows = [
      row('US', 'NY', sold, refunded),
      row('US', 'OR', { ...NO_TAX, net: cents(5000) }),
      row('DE', '', wholeOf(10_000, [19], 0)),
    ]
    expect(statesTable(rows)).toEqual([
      ['State', 'Jurisdiction (rates)', 'Gross sales', 'Exempt sales', 'Taxable sales', 'Tax', 'Currency'],
      ['NY', 'Sales tax 4% + 5%', '90.00', '9.00', '81.00', '7.29', 'USD'],
      ['OR', 'No tax', '50.00', '50.00', '0.00', '0.00', 'USD'],
    ])
    expect(plainTable(rows)[1]?.slice(0, 9)).toEqual([
      ...['US', 'NY', 'Sales tax 4% + 5%', '1', '100.00', '8.10', '10.00', '0.81', '7.29'],
    ])
  })

  const sums = (country: string, placedIn: string, taxable: number, tax: number, percentage = '19'): EuropeanSum => ({
    ...{ country, type: 'vat', percentage, placedIn, taxable: cents(taxable), tax: cents(tax) },
  })
  const rates = [
    { day: '2026-12-31', perEuro: 1.25 },
    { day: '2026-10-02', perEuro: 1 },
    { day: '2026-10-01', perEuro: 1.1 },
  ]

  test('the euro rate is of the last day, or of the next one with a rate', () => {
    expect(euroRateOf('2026-Q4', rates)?.perEuro).toBe(1.25)
    expect(euroRateOf('2026-Q3', rates)?.perEuro).toBe(1.1)
    expect(euroRateOf('2026-Q2', rates)).toBeUndefined()
    expect(
      euroRateOf('2026-Q3', [
        { day: '2026-09-29', perEuro: 1 },
        { day: '2026-10-06', perEuro: 1 },
      ]),
    ).toBeUndefined()
  })

  test.each<[string, string, EuropeanSum[], object | undefined]>([
    ['2026-11', 'LV', [], { code: 'oss_by_quarter' }],
    ['2026', 'LV', [], { code: 'oss_by_quarter' }],
    ['2026-Q4', '', [], { code: 'oss_without_dispatch' }],
    ['2026-Q1', 'LV', [], { code: 'oss_without_rate', day: '2026-03-31' }],
    ['2026-Q4', 'LV', [sums('DE', '2026-Q2', -1, -1)], { code: 'oss_without_rate', day: '2026-06-30' }],
    ['2026-Q4', 'LV', [sums('GB', '2026-Q2', -1, -1)], undefined],
    ['2026-Q4', 'LV', [sums('DE', '2026-Q3', -1, -1)], undefined],
  ])('a return of %s from ‘%s’', (period, from, found, objection) => {
    const answer = objectionToOss(period, { from, rates, sums: found })
    if (objection) expect(answer).toMatchObject(objection)
    else expect(answer).toBeUndefined()
  })

  test('a return: supplies by rate, corrections by quarter at its own rate; not the country of dispatch, nor others', () => {
    const found = [
      ...[sums('DE', '2026-Q4', 12_500, 2375), sums('LV', '2026-Q4', 999, 99), sums('GB', '2026-Q4', 999, 99)],
      ...[sums('FR', '2026-Q3', -1100, -220, '20'), sums('DE', '2026-Q3', -550, -110)],
    ]
    expect(ossTable('2026-Q4', { from: 'LV', rates, sums: found }).slice(1)).toEqual([
      ['Supply', '2026-Q4', 'LV', 'DE', 'Germany', '19', '100.00', '19.00', '1.25', '2026-12-31'],
      ['Correction', '2026-Q3', '', 'DE', 'Germany', '', '', '-1.00', '1.1', '2026-10-01'],
      ['Correction', '2026-Q3', '', 'FR', 'France', '', '', '-2.00', '1.1', '2026-10-01'],
    ])
  })

  test.each([
    [100, 1.25, '0.80'],
    [1, 2, '0.01'],
    [-1, 2, '-0.01'],
    [1, 2.1, '0.00'],
    [123_456_789, 1.0858, '1137012.24'],
  ])('%d cents at %d', (amount, perUnit, text) => {
    expect(decimalIn(cents(amount), perUnit)).toBe(text)
  })
})
