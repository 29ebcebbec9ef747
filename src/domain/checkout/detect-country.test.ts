import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isComplete } from './address.ts'
import { alternateCountries, mainCountries } from './countries.ts'
import { detectCountry, type CountryChoice, type AddressHint, type AddressHints } from './detect-country.ts'
import { postalCodeExample } from './postal-codes.ts'
import { regionsOf } from './regions.ts'

const nothing: ReadonlySet<AddressHint> = new Set()
const begun = (country: string): CountryChoice => ({ country, isPicked: false, stale: nothing })
const picked = (country: string, stale = nothing): CountryChoice => ({ country, isPicked: true, stale })
const clues = (postal_code: string, state = '', city = ''): AddressHints => ({ postal_code, state, city })
const detect = (about: AddressHints, choice: CountryChoice, unfinished?: AddressHint) =>
  detectCountry(about, choice, mainCountries, unfinished)

describe('in a form that defaults to the United States', () => {
  test.each<[why: string, clues: AddressHints, country: string]>([
    ['nothing is typed', clues(''), 'US'],
    ['a state’s name', clues('', 'New South Wales'), 'AU'],
    ['a state’s code', clues('', 'NSW'), 'AU'],
    ['a four-digit code', clues('2000'), 'AU'],
    ['the lowest code of the Northern Territory', clues('0800'), 'AU'],
    ['a code of Canberra’s post boxes', clues('0200'), 'AU'],
    ['a code that Australia has not given out', clues('0799'), 'US'],
    ['a province’s code', clues('', 'ON'), 'CA'],
    ['a province’s name with its accent', clues('', 'Québec'), 'CA'],
    ['a Canadian postal code', clues('k1a 0b1'), 'CA'],
    ['a British postcode', clues('SW1A 2AA'), 'GB'],
    ['a British postcode without its blank', clues('m11ae'), 'GB'],
    ['five digits and a German state', clues('80331', 'Bayern'), 'DE'],
    ['five digits and a German state in English', clues('80331', 'Bavaria'), 'DE'],
    ['five digits and a German state with its umlaut', clues('70173', 'Baden-Württemberg'), 'DE'],
    ['five digits and a German city', clues('10117', '', 'Berlin'), 'DE'],
    ['five digits and a German city without its umlaut', clues('80331', '', 'Muenchen'), 'DE'],
    ['a German postal code with its country', clues('D-10117'), 'DE'],
    ['five digits alone', clues('10117'), 'US'],
    ['a German city in an American state', clues('07419', 'NJ', 'Hamburg'), 'US'],
    ['a German state without a postal code', clues('', 'Bavaria'), 'US'],
    ['seven digits', clues('1000001'), 'JP'],
    ['seven digits with a hyphen', clues('100-0001'), 'JP'],
    ['seven full-width digits', clues('〒１００－０００１'), 'JP'],
    ['seven digits with Portugal’s hyphen', clues('1100-148'), 'US'],
    ['five and three digits', clues('01310-100', 'SP', 'São Paulo'), 'BR'],
    ['eight digits', clues('01310100'), 'BR'],
    ['a Brazilian code with a state that America has too', clues('80010-000', 'PR'), 'BR'],
    ['four digits and a city of New Zealand', clues('6011', '', 'Wellington'), 'NZ'],
    ['a city of New Zealand', clues('', '', 'Auckland'), 'NZ'],
    ['a city that is also in Ohio', clues('', '', 'Hamilton'), 'US'],
    ['that city with four digits', clues('3204', '', 'Hamilton'), 'NZ'],
    ['four digits of both, with a city of New Zealand', clues('8011', '', 'Christchurch'), 'NZ'],
    ['four digits of both, with an Australian city', clues('8001', '', 'Melbourne'), 'AU'],
    ['four digits of both, with an Australian state', clues('9000', 'QLD'), 'AU'],
    ['four digits of both', clues('8011'), 'AU'],
    ['a state’s code', clues('', 'CA'), 'US'],
    ['a state that Australia has too', clues('', 'WA'), 'US'],
    ['a state that Australia has too, with its city', clues('', 'WA', 'Perth'), 'AU'],
    ['a territory of Australia and of Canada', clues('', 'NT'), 'AU'],
    ['an unfinished code and an American state', clues('9410', 'CA'), 'US'],
    ['five and four digits', clues('94105-1234'), 'US'],
    ['a city that nobody knows', clues('', '', 'Entenhausen'), 'US'],
    ['a state that nobody knows', clues('', 'Mordor'), 'US'],
    ['an Irish code', clues('D02 AF30'), 'US'],
  ])('%s: %o is %s', (_, about, country) => expect(detect(about, begun('US'))).toBe(country))
})

describe('in a form with a different country', () => {
  test.each<[why: string, from: string, clues: AddressHints, country: string]>([
    ['four digits of both stay in New Zealand', 'NZ', clues('8011'), 'NZ'],
    ['four digits of Australia alone', 'NZ', clues('2000'), 'AU'],
    ['five digits stay in Germany', 'DE', clues('94105'), 'DE'],
    ['five digits with an American state', 'DE', clues('94105', 'CA'), 'US'],
    ['five digits with an American city', 'DE', clues('94105', '', 'San Francisco'), 'US'],
    ['a state of both stays in Australia', 'AU', clues('', 'WA'), 'AU'],
    ['neither of the countries stands there: the specification’s order', 'JP', clues('10117'), 'DE'],
  ])('%s: from %s', (_, from, about, country) => expect(detect(about, begun(from))).toBe(country))
})

describe('a country that was picked by hand', () => {
  test.each<[country: string, clues: AddressHints]>([
    ['FR', clues('75001', '', 'Paris')],
    ['FR', clues('80331', '', 'München')],
    ['DK', clues('2000', '', 'Sydney')],
    ['NZ', clues('2000')],
    ['KR', clues('10117', 'Bavaria')],
    ['IT', clues('', 'CA')],
    ['HK', clues('94105', 'Kowloon')],
    ['US', clues('10117', 'NJ', 'Berlin')],
    ['CA', clues('', 'NT')],
  ])('%s stays while the address fits: %o', (country, about) => expect(detect(about, picked(country))).toBe(country))

  test.each<[country: string, clues: AddressHints, detected: string]>([
    ['US', clues('SW1A 2AA'), 'GB'],
    ['US', clues('01310-100', 'SP'), 'BR'],
    ['US', clues('', 'Ontario'), 'CA'],
    ['US', clues('2000', '', 'Sydney'), 'AU'],
    ['FR', clues('100-0001'), 'JP'],
    ['AU', clues('94105', 'CA'), 'US'],
  ])('%s changes when the address does not fit: %o', (country, about, detected) =>
    expect(detect(about, picked(country))).toBe(detected),
  )

  test('is not overridden by what was typed before', () => {
    const american = clues('94105', 'CA', 'San Francisco')
    expect(detect(american, picked('GB', new Set<AddressHint>(['postal_code', 'state', 'city'])))).toBe('GB')
    expect(detect(clues('10001', 'CA', 'San Francisco'), picked('GB', new Set<AddressHint>(['state', 'city'])))).toBe(
      'US',
    )
  })
})

describe('while a part is being typed', () => {
  test.each<[from: CountryChoice, clues: AddressHints, typing: AddressHint, whenLeft: string]>([
    [begun('US'), clues('9410'), 'postal_code', 'AU'],
    [picked('US'), clues('2000'), 'postal_code', 'AU'],
    [picked('JP'), clues('2000'), 'postal_code', 'AU'],
    [picked('BR'), clues('01310', 'SP'), 'postal_code', 'BR'],
    [begun('US'), clues('', 'Pe'), 'state', 'CA'], // Pennsylvania, not Prince Edward Island
    [picked('CA'), clues('', 'Al'), 'state', 'US'], // Alberta, not Alabama
  ])('it is ignored as long as it may become valid: %o %o', (from, about, typing, whenLeft) => {
    expect(detect(about, from, typing)).toBe(from.country)
    expect(detect(about, from)).toBe(whenLeft)
  })

  test('it counts as soon as it cannot become valid', () => {
    expect(detect(clues('SW1'), begun('US'), 'postal_code')).toBe('US')
    expect(detect(clues('SW1A 2AA'), begun('US'), 'postal_code')).toBe('GB')
    expect(detect(clues('', 'NSW'), begun('US'), 'state')).toBe('AU')
  })
})

const known = mainCountries.flatMap((country) => (regionsOf(country) ?? []).flatMap(({ code, name }) => [code, name]))
const states = fc.oneof(fc.constantFrom('', 'Bavaria', 'Mordor', ...known), fc.string())
const codes = fc.oneof(
  fc.constantFrom('', ...mainCountries.map((country) => postalCodeExample(country) ?? '')),
  fc.stringMatching(/^\d{1,9}$/),
  fc.string(),
)
const places = fc.oneof(fc.constantFrom('', 'Berlin', 'Perth', 'Hamilton', 'Auckland', 'Boston'), fc.string())
const anyClues = fc.record({ postal_code: codes, state: states, city: places })
const anyCountry = fc.constantFrom(...mainCountries)
const anyChoice = fc.record({
  country: anyCountry,
  isPicked: fc.boolean(),
  stale: fc.subarray<AddressHint>(['city', 'state', 'postal_code']).map((stale) => new Set(stale)),
})

describe('for any input', () => {
  test('a picked country with a complete address stays', () => {
    fc.assert(
      fc.property(anyClues, anyCountry, (about, country) => {
        fc.pre(isComplete({ ...about, line1: '1', city: about.city || 'X', country }))
        expect(detect(about, picked(country))).toBe(country)
      }),
      { numRuns: 2000 },
    )
  })

  test('asking twice gives the same answer', () => {
    fc.assert(
      fc.property(anyClues, anyChoice, (about, choice) => {
        const once = detect(about, choice)
        expect(detect(about, { ...choice, country: once })).toBe(once)
      }),
      { numRuns: 2000 },
    )
  })

  test('only countries offered by the checkout are detected', () => {
    const offers = fc.subarray<string>([...mainCountries], { minLength: 1 })
    fc.assert(
      fc.property(anyClues, offers, fc.boolean(), fc.nat(), (about, offered, isPicked, at) => {
        const country = offered[at % offered.length] ?? 'US'
        expect(offered).toContain(detectCountry(about, { country, isPicked, stale: nothing }, offered))
      }),
      { numRuns: 2000 },
    )
    expect(detectCountry(clues('01310-100', 'SP'), begun('US'), alternateCountries)).toBe('US')
  })

  test('case, spaces and accents are ignored', () => {
    const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '')
    const shout = (text: string) => ` ${plain(text).toUpperCase()} `
    fc.assert(
      fc.property(fc.constantFrom(...known), fc.constantFrom('', '10117', '2000'), anyChoice, (state, code, choice) => {
        expect(detect(clues(` ${code} `, shout(state)), choice)).toBe(detect(clues(code, state), choice))
      }),
    )
  })

  test('nonsense gets an answer quickly', () => {
    const junk = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 50 }),
      fc.constantFrom('🐶', '\u202E2000\u202C', 'שלום', '٢٠٠٠', '東京都', '\0', '%00', '__proto__', 'constructor'),
      fc.constantFrom('9', ' ', '-', 'ß', '🐶', '́').map((one) => one.repeat(10_240)),
    )
    fc.assert(
      fc.property(junk, junk, junk, anyChoice, (postal_code, state, city, choice) => {
        for (const typing of [undefined, 'city', 'state', 'postal_code'] as const)
          expect(mainCountries).toContain(detect({ postal_code, state, city }, choice, typing))
      }),
    )
    expect(detect({ city: '' }, begun('US'))).toBe('US')
  })
})
