import { expect, test } from 'vitest'
import { alternateCountries, countryInSentence, countryName, isDelivered, mainCountries } from './countries.ts'

test('the main checkout ships to the 29 specified countries', () => {
  expect(mainCountries.join(' ')).toBe(
    'AU AT BE BR CA CZ DK FI FR DE GR HK HU IE IT JP MX NL NZ NO PL PT SG KR ES SE CH GB US',
  )
})

test('the alternate checkout ships to 19 of them', () => {
  expect(alternateCountries.join(' ')).toBe('AU AT BE CA DK FI FR DE IT JP NL NZ NO SG ES SE CH GB US')
  expect(alternateCountries.every(isDelivered)).toBe(true)
})

test('in a sentence some countries have an article', () => {
  expect(['US', 'DE'].map(countryInSentence)).toEqual(['the United States', 'Germany'])
})

test.each([
  ['DE', 'Germany'],
  ['GB', 'United Kingdom'],
  ['HK', 'Hong Kong'],
  ['KR', 'South Korea'],
  ['US', 'United States'],
  ['AQ', 'AQ'],
])('%s is %s', (code, name) => expect(countryName(code)).toBe(name))

test('every country has a unique name, as in Unicode’s CLDR', () => {
  const unicode = new Intl.DisplayNames(['en'], { type: 'region' })
  expect(new Set(mainCountries.map(countryName)).size).toBe(mainCountries.length)
  for (const code of mainCountries) expect(unicode.of(code)).toContain(countryName(code))
})

test.each(['AQ', 'us', '', 'USA', 'RU'])('nothing is delivered to %o', (code) => expect(isDelivered(code)).toBe(false))
