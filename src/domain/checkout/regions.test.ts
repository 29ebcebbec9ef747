import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasRegionCodes, regionCode, regionsOf } from './regions.ts'

const listed = ['US', 'CA', 'AU', 'BR'] as const
const helped = ['JP', 'MX', 'IE'] as const

test.each([
  ['US', 54], // 50 states, the District of Columbia, Puerto Rico, Guam, the Virgin Islands
  ['CA', 13],
  ['AU', 8],
  ['BR', 27],
  ['JP', 47],
  ['MX', 32],
  ['IE', 26],
])('%s has %i regions', (country, count) => expect(regionsOf(country)).toHaveLength(count))

test.each(['GB', 'IT', 'HK', ''])('%o has no list', (country) => expect(regionsOf(country)).toBeUndefined())

test('a state has to be on the list only where addresses use codes', () => {
  expect(listed.every(hasRegionCodes)).toBe(true)
  expect(helped.some(hasRegionCodes)).toBe(false)
})

describe('a region', () => {
  test.each([
    ['US', 'california', 'CA'],
    ['US', ' ca ', 'CA'],
    ['CA', 'Québec', 'QC'],
    ['CA', 'quebec', 'QC'],
    ['AU', 'Western Australia', 'WA'],
    ['US', 'Western Australia', undefined],
    ['US', '', undefined],
    ['JP', ' tōkyō ', 'Tokyo'],
    ['BR', 'sao paulo', 'SP'],
    ['AU', 'N.S.W.', 'NSW'],
    ['IT', ' MI ', 'MI'],
  ])('of %s typed as %o becomes %o', (country, text, code) => expect(regionCode(country, text)).toBe(code))

  test('is known by its code and by its name in any case, and its code stays what it is', () => {
    const every = [...listed, ...helped].flatMap((country) =>
      (regionsOf(country) ?? []).map((region) => ({ country, ...region })),
    )
    fc.assert(
      fc.property(fc.constantFrom(...every), fc.boolean(), ({ country, code, name }, isUpper) => {
        const cased = (text: string) => (isUpper ? text.toUpperCase() : text.toLowerCase())
        expect(regionCode(country, cased(name))).toBe(code)
        expect(regionCode(country, cased(code))).toBe(code)
      }),
    )
  })

  test('that is not on the list is unknown', () => {
    fc.assert(
      fc.property(fc.constantFrom(...listed), fc.string({ minLength: 31 }), (country, text) => {
        fc.pre(text.trim().length > 30)
        expect(regionCode(country, text)).toBeUndefined()
      }),
    )
  })
})
