import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asksForTaxNumber, taxNumberFrom, taxNumberObjection } from './tax-number.ts'

test('only Brazil requires a tax number', () => {
  expect(['BR', 'US', 'PT', ''].map(asksForTaxNumber)).toEqual([true, false, false, false])
})

test.each([
  ['529.982.247-25', '529.982.247-25'],
  [' 529 982 247 25 ', '529.982.247-25'],
  ['５２９９８２２４７２５', '529.982.247-25'],
  ['12345678909', '123.456.789-09'],
  ['11222333000181', '11.222.333/0001-81'],
  ['12ABC34501DE35', '12.ABC.345/01DE-35'], // the tax office's own example
  ['12.abc.345/01de-35', '12.ABC.345/01DE-35'],
  ['529.982.247-24', undefined],
  ['529.982.247-2', undefined],
  ['111.111.111-11', undefined],
  ['00000000000000', undefined],
  ['11.222.333/0001-82', undefined],
  ['12.ABC.345/01DE-36', undefined],
  ['12.ABC.345/01DE-3A', undefined],
  ['ABC.DEF.GHI-09', undefined],
  ['🐶', undefined],
])('%o is %o', (text, number) => expect(taxNumberFrom(text)).toBe(number))

describe('the check digits', () => {
  const numbers = fc.constantFrom('52998224725', '12345678909', '11222333000181', '12ABC34501DE35')

  test('are unique for each number', () => {
    fc.assert(
      fc.property(numbers, fc.integer({ min: 1, max: 99 }), (number, by) => {
        const checks = String((Number(number.slice(-2)) + by) % 100).padStart(2, '0')
        expect(taxNumberFrom(number.slice(0, -2) + checks)).toBeUndefined()
      }),
    )
  })

  test('ignore formatting', () => {
    const sign = fc.constantFrom('', ' ', '.', '-', '/')
    fc.assert(
      fc.property(numbers, fc.array(sign, { minLength: 14, maxLength: 14 }), (number, signs) => {
        const written = number
          .split('')
          .map((digit, at) => digit + (signs[at] ?? ''))
          .join('')
        expect(taxNumberFrom(written)?.replace(/[./-]/g, '')).toBe(number)
      }),
    )
  })

  test('are found in any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const number = taxNumberFrom(text)
        expect(number === undefined || taxNumberFrom(number) === number).toBe(true)
      }),
    )
  })
})

test('a missing or wrong tax number is explained', () => {
  expect(taxNumberObjection('  ')).toBe('Required')
  expect(taxNumberObjection('123')).toMatch(/^Please enter a CPF such as .* or a CNPJ such as /)
  for (const [, example] of (taxNumberObjection('123') ?? '').matchAll(/such as ([^ ]+)/g))
    expect(taxNumberObjection(example ?? '')).toBeUndefined()
})
