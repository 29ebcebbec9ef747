import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { alternateCountries, mainCountries } from '#domain/checkout/countries.ts'
import { blankState, customerReducer, type CustomerChange, type CustomerState } from './customer-changes.ts'
import { emptyForm, type FieldName } from './customer-form.ts'

const after = (changes: readonly CustomerChange[], state = blankState()): CustomerState =>
  changes.reduce(customerReducer, state)

type Field = 'country' | 'line1' | 'line2' | 'city' | 'state' | 'postal_code'
const type = (part: Field, value: string, address = 'shippingAddress' as const): CustomerChange => ({
  kind: 'typed',
  name: `${address}.${part}`,
  value,
})
const leave = (part: Field): CustomerChange => ({ kind: 'left', name: `shippingAddress.${part}` })
const pause: CustomerChange = { kind: 'paused' }
const countryOf = ({ form }: CustomerState) => form.shippingAddress.country

const SYDNEY = [type('line1', '1 George St'), type('city', 'Sydney'), type('state', 'NSW'), type('postal_code', '2000')]

/** Letter by letter, as a hand does it. */
const byHand = (part: Field, text: string): CustomerChange[] =>
  Array.from(text, (_, at) => type(part, text.slice(0, at + 1)))

describe('the country', () => {
  test('is detected from an address that was filled in at once', () => {
    const state = after(SYDNEY)
    expect(state.form.shippingAddress).toEqual({
      line1: '1 George St',
      line2: '',
      city: 'Sydney',
      state: 'NSW',
      postal_code: '2000',
      country: 'AU',
    })
    expect(state.announced.shippingAddress).toBe('AU')
  })

  test('is the one that the browser fills in, wherever it stands among the others', () => {
    const france = [type('country', 'FR'), type('city', 'Paris'), type('postal_code', '75001'), type('line1', '1 Rue')]
    fc.assert(
      fc.property(fc.shuffledSubarray(france, { minLength: 4 }), (changes) => {
        expect(countryOf(after([...changes, pause]))).toBe('FR')
      }),
    )
  })

  test('does not jump about while a code is being typed', () => {
    const countries = new Set<string>()
    byHand('postal_code', '94105').reduce((state, change) => {
      const next = customerReducer(state, change)
      countries.add(countryOf(next))
      return next
    }, blankState())
    expect([...countries]).toEqual(['US'])
  })

  test('is detected from a short code when the field is left, or nothing more comes', () => {
    const typed = after(byHand('postal_code', '2000'))
    expect(countryOf(typed)).toBe('US')
    expect(countryOf(customerReducer(typed, leave('postal_code')))).toBe('AU')
    expect(countryOf(customerReducer(typed, pause))).toBe('AU')
  })

  test('comes back when the address is mended, and that is announced too', () => {
    const mended = after([...SYDNEY, type('postal_code', '94105'), type('state', 'CA'), type('city', 'San Francisco')])
    expect(countryOf(mended)).toBe('US')
    expect(mended.announced.shippingAddress).toBe('US')
  })

  test('that was picked stays while the address is possible there', () => {
    const state = after([type('country', 'FR'), type('postal_code', '75001'), leave('postal_code')])
    expect(countryOf(state)).toBe('FR')
    expect(state.announced.shippingAddress).toBeUndefined()
  })

  test('that was picked stays although an older address stands in the fields', () => {
    const moving = after([...SYDNEY, type('country', 'GB'), ...byHand('line1', '10 Downing Street'), leave('line1')])
    expect(countryOf(moving)).toBe('GB')
    const moved = after([type('city', 'London'), type('postal_code', 'SW1A 2AA'), leave('postal_code')], moving)
    expect(countryOf(moved)).toBe('GB')
    expect(moved.form.shippingAddress.state).toBe('NSW')
  })

  test('that was picked goes when what is typed afterwards is possible elsewhere only', () => {
    expect(countryOf(after([type('country', 'US'), type('postal_code', '01310-100'), pause]))).toBe('BR')
  })

  test('is never one that the face does not offer', () => {
    expect(countryOf(after([type('postal_code', '01310-100'), pause], blankState(alternateCountries)))).toBe('US')
  })

  test('does not depend on the order of typing', () => {
    const values = {
      city: fc.constantFrom('', 'Sydney', 'Berlin', 'Auckland', 'Perth'),
      state: fc.constantFrom('', 'NSW', 'WA', 'ON', 'Bavaria', 'SP'),
      postal_code: fc.constantFrom('', '2000', '8011', '94105', '10117', 'SW1A 2AA', '100-0001', '01310-100'),
      line1: fc.string(),
    }
    const orders = fc.shuffledSubarray(['city', 'state', 'postal_code', 'line1'] as const, { minLength: 4 })
    fc.assert(
      fc.property(fc.record(values), orders, orders, (typed, one, other) => {
        const [first, second] = [one, other].map((order) => after([...order.map((p) => type(p, typed[p])), pause]))
        expect(first?.form).toEqual(second?.form)
      }),
      { numRuns: 500 },
    )
  })
})

test('no change of any kind loses or moves what was typed', () => {
  const parts = ['line1', 'line2', 'city', 'state', 'postal_code'] as const
  const texts = fc.oneof(fc.constantFrom('2000', 'NSW', 'SW1A 2AA', 'Berlin', '🐶', ''), fc.string())
  const change = fc.oneof(
    fc.tuple(fc.constantFrom(...parts), texts).map(([part, text]) => type(part, text)),
    fc.constantFrom(...mainCountries).map((country) => type('country', country)),
    fc.constantFrom<CustomerChange>(leave('postal_code'), pause, { kind: 'insisted' }),
    fc.boolean().map((same): CustomerChange => ({ kind: 'same_billing', same })),
  )
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
      const typed: Record<string, string> = {}
      for (const one of changes) if (one.kind === 'typed') typed[one.name] = one.value
      const { shippingAddress } = after(changes).form
      for (const part of parts) expect(shippingAddress[part]).toBe(typed[`shippingAddress.${part}`] ?? '')
    }),
  )
})

describe('the billing address', () => {
  test('begins in the country of the parcel, also when that was detected', () => {
    const { form } = after([...SYDNEY, { kind: 'same_billing', same: false }])
    expect(form.billingAddress).toEqual({ ...emptyForm.billingAddress, country: 'AU' })
  })

  test('keeps its own country once something stands in it', () => {
    const { form } = after([
      { kind: 'same_billing', same: false },
      { kind: 'typed', name: 'billingAddress.line1', value: 'Unter den Linden 77' },
      { kind: 'typed', name: 'billingAddress.city', value: 'Berlin' },
      { kind: 'typed', name: 'billingAddress.postal_code', value: '10117' },
      { kind: 'same_billing', same: true },
      ...SYDNEY,
      { kind: 'same_billing', same: false },
    ])
    expect([form.billingAddress.country, form.shippingAddress.country]).toEqual(['DE', 'AU'])
  })
})

describe('what was there before the page’s script', () => {
  const filled = (shippingAddress: object): CustomerState =>
    after([
      {
        kind: 'filled',
        fill: (form) => ({ ...form, shippingAddress: { ...form.shippingAddress, ...shippingAddress } }),
      },
    ])

  test('tells its country as typing does', () => {
    expect(countryOf(filled({ city: 'Berlin', postal_code: '10117' }))).toBe('DE')
  })

  test('does not bring a country that this face does not offer', () => {
    const kept: CustomerChange = {
      kind: 'filled',
      fill: (form) => ({ ...form, shippingAddress: { ...form.shippingAddress, line1: '1', country: 'HK' } }),
    }
    const state = after([kept], blankState(alternateCountries))
    expect(state.form.shippingAddress).toMatchObject({ line1: '1', country: 'US' })
    expect(state.choices.shippingAddress.isPicked).toBe(false)
  })

  test('keeps the country that came with it', () => {
    const state = filled({ country: 'FR', city: 'Paris', postal_code: '75001' })
    expect(countryOf(customerReducer(state, type('line2', 'Hall B')))).toBe('FR')
  })
})

test('a refusal stands until its field is changed', () => {
  const field: FieldName = 'shippingAddress.postal_code'
  const refused = after([{ kind: 'refused', fields: new Map([[field, 'Please check the postal code.']]) }])
  expect(customerReducer(refused, type('city', 'Sydney')).refused.has(field)).toBe(true)
  expect(customerReducer(refused, type('postal_code', '2000')).refused.has(field)).toBe(false)
})

test('a form that was only looked at is still the same form', () => {
  const state = after([leave('city'), pause, { kind: 'insisted' }])
  expect(state.form).toBe(emptyForm)
  expect(after([{ kind: 'cleared' }], after(SYDNEY)).form).toBe(emptyForm)
})
