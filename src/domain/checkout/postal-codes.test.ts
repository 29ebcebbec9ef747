import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asksForPostalCode, validateAddress } from './address.ts'
import { mainCountries } from './countries.ts'
import { couldBecomePostalCode, outerPostalCode, postalCodeExample, postalCodeIn } from './postal-codes.ts'

const withCodes = mainCountries.filter(asksForPostalCode)

test.each([
  ['US', '94105', '94105'],
  ['US', ' 94105 1234 ', '94105-1234'],
  ['US', '941051234', '94105-1234'],
  ['US', '９４１０５', '94105'],
  ['US', '9410', undefined],
  ['US', '94105-12', undefined],
  ['CA', 'm5h2n2', 'M5H 2N2'],
  ['CA', 'M5H-2N2', 'M5H 2N2'],
  ['CA', 'D5H 2N2', undefined], // no code begins with D
  ['GB', 'sw1a2aa', 'SW1A 2AA'],
  ['GB', 'm1 1ae', 'M1 1AE'],
  ['GB', 'SW1A', undefined],
  ['DE', 'D-10115', '10115'],
  ['DE', '1011', undefined],
  ['JP', '1000001', '100-0001'],
  ['JP', '〒100-0001', '100-0001'],
  ['JP', '１００－０００１', '100-0001'],
  ['BR', '01310100', '01310-100'],
  ['BR', '01310', undefined],
  ['NL', '1012ab', '1012 AB'],
  ['PL', '00001', '00-001'],
  ['PT', '1100148', '1100-148'],
  ['PT', '1100', '1100'],
  ['SE', 'SE-111 22', '111 22'],
  ['CH', 'CH-8001', '8001'],
  ['AT', '0010', undefined],
  ['ES', '53001', undefined], // there are 52 provinces
  ['HK', '999077', undefined],
])('in %s, %o is %o', (country, text, code) => expect(postalCodeIn(country, text)).toBe(code))

test.each([
  ['US', '94105', '941'],
  ['US', '94105-1234', '941'],
  ['GB', 'SW1A 2AA', 'SW1A'],
  ['GB', 'M1 1AE', 'M1'],
  ['CA', 'M5H 2N2', 'M5H'],
  ['IE', 'D02 AF30', 'D02'],
  ['DE', '10115', '10'],
  ['AU', '2000', '20'],
  ['JP', '100-0001', '100'],
  ['HK', null, null],
])('a postal code in %s, %o, is cut to %o', (country, code, outer) =>
  expect(outerPostalCode(country, code)).toBe(outer),
)

test('a cut postal code keeps only its start, names no street and can be cut again unchanged', () => {
  const codes = fc.constantFrom(...withCodes).chain((country) => {
    const digit = fc.constantFrom(...Array.from('0123456789'))
    const letter = fc.constantFrom(...Array.from('ABCEGHJKLMNPRSTVWXYZ'))
    const parts = Array.from(postalCodeExample(country) ?? '', (sign) =>
      /\d/.test(sign) ? digit : /[A-Z]/.test(sign) ? letter : fc.constant(sign),
    )
    return fc.tuple(
      fc.constant(country),
      fc.tuple(...parts).map((signs) => signs.join('')),
    )
  })
  fc.assert(
    fc.property(codes, ([country, text]) => {
      const code = postalCodeIn(country, text)
      fc.pre(code !== undefined)
      const outer = outerPostalCode(country, code) ?? ''
      expect(code.replace(/[ -]/g, '').startsWith(outer)).toBe(true)
      expect([2, 3, 4]).toContain(outer.length)
      expect(outer.length).toBeLessThan(code.length)
      expect(outerPostalCode(country, outer)).toBe(outer)
    }),
  )
})

describe.each(withCodes)('in %s', (country) => {
  const example = postalCodeExample(country) ?? ''

  test('every example postal code is valid and correctly formatted', () => {
    expect(postalCodeIn(country, example)).toBe(example)
  })

  test('spaces, hyphens and lower case are ignored', () => {
    const letters = example.replace(/[ -]/g, '').toLowerCase()
    fc.assert(
      fc.property(fc.nat(letters.length), fc.constantFrom('', ' ', '-'), (at, sign) => {
        expect(postalCodeIn(country, ` ${letters.slice(0, at)}${at ? sign : ''}${letters.slice(at)} `)).toBe(example)
      }),
    )
  })

  test('a normalized postal code stays the same', () => {
    fc.assert(
      fc.property(fc.oneof(fc.stringMatching(/^[0-9]{3,9}$/), fc.stringMatching(/^[A-Z0-9 -]{3,9}$/)), (text) => {
        const once = postalCodeIn(country, text)
        if (once !== undefined) expect(postalCodeIn(country, once)).toBe(once)
      }),
    )
  })

  test('a partial code can become valid, nonsense cannot', () => {
    for (let length = 0; length < example.length; length += 1)
      expect(couldBecomePostalCode(country, example.slice(0, length)), example.slice(0, length)).toBe(true)
    expect(couldBecomePostalCode(country, 'x!')).toBe(false)
  })

  test('a wrong code is answered with a valid example', () => {
    const address = { line1: '1', city: 'C', state: 'S', postal_code: '?', country }
    expect(validateAddress(address)).toContainEqual({
      field: 'postal_code',
      sentence: expect.stringContaining(example),
    })
  })
})
