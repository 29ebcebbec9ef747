// cspell:ignore XFER
import { expect, test } from 'vitest'
import { dayFromIso } from '#shared/calendar-day.ts'
import type { Cents } from '#shared/money.ts'
import { columnsOf, keysOfLines, lineOfRow, readAmount, readDay } from './bank-lines.ts'
import { matchDeposits, standingOfPayout, type OpenLine, type OpenPayout } from './bank-matching.ts'

const dayOf = (iso: string): number => dayFromIso(iso) ?? 0
const line = (id: number, day: string, amount: number, text = 'STRIPE TRANSFER', currency = 'usd'): OpenLine => ({
  ...{ id, day: dayOf(day), amount: amount as Cents, currency, text },
})
const payout = (
  payoutId: string,
  day: string,
  amount: number,
  provider: 'stripe' | 'paypal' = 'stripe',
): OpenPayout => ({
  ...{ provider, payoutId, day: dayOf(day), amount: amount as Cents },
})
const po1 = payout('po_1', '2026-11-20', 12_345)

test.each<[string, OpenLine[], OpenPayout[], string[]]>([
  ['the same amount within days', [line(1, '2026-11-23', 12_345)], [po1], ['1 po_1']],
  ['the day before, in another time zone', [line(1, '2026-11-19', 12_345)], [po1], ['1 po_1']],
  ['another amount', [line(1, '2026-11-23', 12_344)], [po1], []],
  ['another currency', [line(1, '2026-11-23', 12_345, 'STRIPE', 'eur')], [po1], []],
  ['two days before', [line(1, '2026-11-18', 12_345)], [po1], []],
  ['eleven days after', [line(1, '2026-12-01', 12_345)], [po1], []],
  ['another provider’s name', [line(1, '2026-11-23', 12_345, 'PAYPAL INST XFER')], [po1], []],
  ['no provider’s name', [line(1, '2026-11-23', 12_345, 'ACH CREDIT')], [po1], ['1 po_1']],
  ['two lines alike', [line(1, '2026-11-23', 12_345), line(2, '2026-11-24', 12_345)], [po1], []],
  ['two payouts alike', [line(1, '2026-11-23', 12_345)], [po1, payout('po_2', '2026-11-21', 12_345)], []],
  [
    'the payout’s id decides between two alike',
    [line(1, '2026-11-23', 12_345, 'STRIPE po_2'), line(2, '2026-11-23', 12_345)],
    [po1, payout('po_2', '2026-11-21', 12_345)],
    ['1 po_2', '2 po_1'],
  ],
  ['a debit of the provider', [line(1, '2026-11-21', -500)], [payout('po_3', '2026-11-20', -500)], ['1 po_3']],
])('deposits match by amount, day and name: %s', (_, lines, payouts, expected) => {
  const pairs = matchDeposits(lines, payouts).map((pair) => `${pair.line.id} ${pair.payout.payoutId}`)
  expect(pairs).toEqual(expected)
})

test('a pair that the owner took apart is not made again', () => {
  expect(matchDeposits([line(1, '2026-11-23', 12_345)], [po1], () => true)).toEqual([])
})

test('a payout is missing once the statements go ten days beyond it, unless it left before they begin', () => {
  const standing = (from: string, until: string) => standingOfPayout(po1, { from: dayOf(from), until: dayOf(until) })
  expect(standingOfPayout(po1, undefined)).toBe('expected')
  expect(standing('2026-11-01', '2026-11-30')).toBe('expected')
  expect(standing('2026-11-01', '2026-12-01')).toBe('missing')
  expect(standing('2026-11-22', '2026-12-01')).toBe('before')
})

test.each([
  ['1,234.56', 123_456],
  ['1.234,56', 123_456],
  ['1234,5', 123_450],
  ['-12.00', -1200],
  ['(12.00)', -1200],
  ['$1,234', 123_400],
  ['12.345', undefined],
  ['1,23,4', undefined],
  ['twelve', undefined],
  ['', undefined],
])('the amount %s is %s cents', (text, amount) => {
  expect(readAmount(text)).toBe(amount)
})

test('days are read as Americans, Europeans and ISO write them', () => {
  expect(['11/21/2026', '21.11.2026', '2026-11-21', '2026-11-21T09:00:00Z'].map(readDay)).toEqual(
    Array.from({ length: 4 }, () => dayOf('2026-11-21')),
  )
  expect(['21/11/2026', '2026-02-30', '', 'yesterday'].map(readDay)).toEqual(Array.from({ length: 4 }, () => undefined))
})

test('rows of a bank say where they are wrong', () => {
  const columns = columnsOf(['Date', 'Description', 'Credit', 'Debit'])
  const cells = ['11/21/2026', 'STRIPE TRANSFER', '1,234.56', '']
  expect(lineOfRow(columns, { row: 2, cells })).toMatchObject({ amount: 123_456, text: 'STRIPE TRANSFER' })
  expect(lineOfRow(columns, { row: 3, cells: ['11/21/2026', 'FEE', '', '5.00'] })).toMatchObject({ amount: -500 })
  expect(() => lineOfRow(columns, { row: 4, cells: ['soon', 'x', '1.00', ''] })).toThrow('Row 4: “soon” is not a date')
  expect(() => lineOfRow(columns, { row: 5, cells: ['11/21/2026', 'x', 'much', ''] })).toThrow('Row 5: “much” is not')
  expect(() => columnsOf(['Name', 'Amount'])).toThrow('Row 1 needs a column for the date')
})

test('the same line has the same key in two statements, and two alike on a day are two', () => {
  const one = { day: 1, amount: 100 as Cents, currency: 'usd', text: 'STRIPE', reference: null }
  const keys = keysOfLines({ account: 'DE1', lines: [one, one] })
  expect(new Set(keys).size).toBe(2)
  expect(keysOfLines({ account: 'DE1', lines: [one] })).toEqual(keys.slice(0, 1))
})
