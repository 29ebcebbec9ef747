import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addressLines,
  asksForPostalCode,
  isComplete,
  localityParts,
  needsState,
  normalizeAddress,
  placeName,
  validateAddress,
  type TypedAddress,
} from './address.ts'
import { mainCountries } from './countries.ts'

const SAN_FRANCISCO: TypedAddress = {
  line1: '12 Ingot Street',
  line2: null,
  city: 'San Francisco',
  state: 'CA',
  postal_code: '94105',
  country: 'US',
}

const addresses: Record<string, TypedAddress> = {
  'San Francisco': SAN_FRANCISCO,
  Toronto: { line1: '1 King St W', city: 'Toronto', state: 'Ontario', postal_code: 'm5h 1a1', country: 'CA' },
  Sydney: { line1: '1 George St', city: 'Sydney', state: 'NSW', postal_code: '2000', country: 'AU' },
  London: { line1: '10 Downing Street', city: 'London', postal_code: 'sw1a 2aa', country: 'GB' },
  Berlin: { line1: 'Unter den Linden 1', city: 'Berlin', postal_code: '10117', country: 'DE' },
  Tokyo: { line1: '1-1 Chiyoda', city: 'Chiyoda', state: 'Tokyo', postal_code: '100-0001', country: 'JP' },
  'São Paulo': { line1: 'Av. Paulista 1', city: 'São Paulo', state: 'SP', postal_code: '01310-100', country: 'BR' },
  Auckland: { line1: '1 Queen Street', city: 'Auckland', postal_code: '1010', country: 'NZ' },
  Dublin: { line1: '1 Dame Street', city: 'Dublin', postal_code: 'd02af30', country: 'IE' },
  Milano: { line1: 'Via Dante 1', city: 'Milano', state: 'MI', postal_code: '20121', country: 'IT' },
  'Hong Kong': { line1: '1 Queen’s Road Central', city: 'Central', country: 'HK' },
  Mexico: { line1: 'Reforma 1', city: 'Ciudad de México', state: 'CDMX', postal_code: '06600', country: 'MX' },
}

describe('a complete address', () => {
  test.each(Object.entries(addresses))('of %s has no objections', (_, address) =>
    expect(validateAddress(address)).toEqual([]),
  )

  test('accepts a state’s full name and a nine-digit ZIP code', () => {
    expect(isComplete({ ...SAN_FRANCISCO, state: ' california ', postal_code: '94105-1234' })).toBe(true)
  })
})

test.each([
  ['San Francisco', 'San Francisco, CA 94105'],
  ['Berlin', '10117 Berlin'],
  ['Milano', '20121 Milano, MI'],
  ['London', 'London SW1A 2AA'],
  ['Hong Kong', 'Central'],
])('a label for %s says %s', (name, line) =>
  expect(addressLines('Ada', normalizeAddress(addresses[name] ?? SAN_FRANCISCO))[2]).toBe(line),
)

test.each([
  ['San Francisco', 'CA', 'US', 'San Francisco, CA'],
  ['Sydney', 'NSW', 'AU', 'Sydney, Australia'],
  ['', null, 'US', 'United States'],
])('the place %s, %s, %s is called %s', (city, state, country, name) =>
  expect(placeName({ city, state, country })).toBe(name),
)

describe('an address error', () => {
  test.each<[string, Partial<TypedAddress>, string, string]>([
    ['no street', { line1: '  ' }, 'line1', 'Required'],
    ['no city', { city: '' }, 'city', 'Required'],
    ['no state', { state: null }, 'state', 'Required'],
    ['an unknown state', { state: 'Bavaria' }, 'state', 'Please enter a state such as California or CA'],
    ['no postal code', { postal_code: undefined }, 'postal_code', 'Required'],
    ['half a postal code', { postal_code: '9410' }, 'postal_code', 'Please enter a ZIP code such as 94105'],
    ['a country that we do not deliver to', { country: 'AQ' }, 'country', 'We don’t ship to this country.'],
  ])('names the field: %s', (_, part, field, sentence) =>
    expect(validateAddress({ ...SAN_FRANCISCO, ...part })).toContainEqual({ field, sentence }),
  )

  test('lists everything missing at the same time, in field order', () => {
    const fields = validateAddress({ line1: '', city: '', country: 'US' }).map(({ field }) => field)
    expect(fields).toEqual(['line1', 'city', 'state', 'postal_code'])
  })

  test('never concerns a part the country does not have', () => {
    for (const country of mainCountries) {
      const fields = validateAddress({ line1: '', city: '', country }).map(({ field }) => field)
      expect(fields.includes('state'), country).toBe(needsState(country))
      expect(fields.includes('postal_code'), country).toBe(asksForPostalCode(country))
    }
  })
})

describe('the parts of an address', () => {
  test.each([
    ['US', 'city state postal_code'],
    ['DE', 'postal_code city'],
    ['GB', 'city postal_code'],
    ['JP', 'city state postal_code'],
    ['IT', 'postal_code city state'],
    ['SG', 'city postal_code'],
    ['HK', 'city'],
  ])('follow the postal order of %s: %s', (country, written) => expect(localityParts(country).join(' ')).toBe(written))

  test('always include a city', () => {
    for (const country of mainCountries) expect(localityParts(country), country).toContain('city')
  })

  test('require a state in six countries', () => {
    expect(mainCountries.filter(needsState).join(' ')).toBe('AU BR CA JP MX US')
  })

  test('include a postal code everywhere except Hong Kong', () => {
    expect(mainCountries.filter((country) => !asksForPostalCode(country))).toEqual(['HK'])
  })
})

test.each([
  ['CA', 'state', 'Please enter a province such as Ontario or ON'],
  ['AU', 'state', 'Please enter a state or territory such as New South Wales or NSW'],
  ['BR', 'state', 'Please enter a state such as São Paulo or SP'],
  ['DE', 'postal_code', 'Please enter a postal code such as 10115'],
  ['IE', 'postal_code', 'Please enter an Eircode such as D02 AF30'],
  ['GB', 'postal_code', 'Please enter a postcode such as SW1A 2AA'],
])('in %s, a wrong %s is explained with an example', (country, field, sentence) =>
  expect(validateAddress({ line1: '1', city: 'C', state: '?', postal_code: '?', country })).toContainEqual({
    field,
    sentence,
  }),
)

describe('a stored address', () => {
  test('has its state as a code and its postal code in capitals', () => {
    expect(normalizeAddress(addresses['Toronto'] ?? SAN_FRANCISCO)).toEqual({
      line1: '1 King St W',
      line2: null,
      city: 'Toronto',
      state: 'ON',
      postalCode: 'M5H 1A1',
      country: 'CA',
    })
  })

  test('has no postal code in countries without them, whatever was typed', () => {
    expect(normalizeAddress({ ...SAN_FRANCISCO, country: 'HK', state: '' })).toMatchObject({
      postalCode: null,
      state: null,
    })
  })

  const typed = fc.record<TypedAddress>({
    line1: fc.string(),
    line2: fc.option(fc.string()),
    city: fc.string(),
    state: fc.option(fc.oneof(fc.string(), fc.constantFrom('CA', 'Ontario', 'nsw', 'Tokyo'))),
    postal_code: fc.option(fc.oneof(fc.string(), fc.constantFrom('94105', 'M5H 1A1', '2000', '100-0001', 'SW1A 2AA'))),
    country: fc.constantFrom(...mainCountries),
  })

  test('stays the same when normalized twice', () => {
    fc.assert(
      fc.property(typed, (address) => {
        const once = normalizeAddress(address)
        const again = normalizeAddress({ ...once, postal_code: once.postalCode })
        expect(again).toEqual(once)
      }),
    )
  })

  test('stays complete, without surrounding spaces', () => {
    const complete = fc.constantFrom(...Object.values(addresses))
    const blanks = fc.constantFrom('', ' ', '\t', '  ')
    fc.assert(
      fc.property(complete, blanks, blanks, (address, before, after) => {
        const spaced = { ...address, line1: before + address.line1 + after, city: before + address.city + after }
        expect(normalizeAddress(spaced)).toEqual(normalizeAddress(address))
        const kept = normalizeAddress(spaced)
        expect(isComplete({ ...kept, postal_code: kept.postalCode })).toBe(true)
      }),
    )
  })
})
