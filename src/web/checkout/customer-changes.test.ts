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

/** One change per keystroke. */
const typeSlowly = (part: Field, text: string): CustomerChange[] =>
  Array.from(text, (_, at) => type(part, text.slice(0, at + 1)))

test('filling in what is there already is no change: an open payment belongs to the form as it is', () => {
  const state = after(SYDNEY)
  expect(after([{ kind: 'filled', fill: (form) => form }], state)).toBe(state)
})

describe('the country', () => {
  test('is detected from an address filled in all at once', () => {
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

  test('is the one that the browser fills in, in any order of the fields', () => {
    const france = [type('country', 'FR'), type('city', 'Paris'), type('postal_code', '75001'), type('line1', '1 Rue')]
    fc.assert(
      fc.property(fc.shuffledSubarray(france, { minLength: 4 }), (changes) => {
        expect(countryOf(after([...changes, pause]))).toBe('FR')
      }),
    )
  })

  test('does not change while a postal code is being typed', () => {
    const countries = new Set<string>()
    typeSlowly('postal_code', '94105').reduce((state, change) => {
      const next = customerReducer(state, change)
      countries.add(countryOf(next))
      return next
    }, blankState())
    expect([...countries]).toEqual(['US'])
  })

  test('is detected from a short postal code when the field is left or typing pauses', () => {
    const typed = after(typeSlowly('postal_code', '2000'))
    expect(countryOf(typed)).toBe('US')
    expect(countryOf(customerReducer(typed, leave('postal_code')))).toBe('AU')
    expect(countryOf(customerReducer(typed, pause))).toBe('AU')
  })

  test('changes back when the address is corrected, and that is announced too', () => {
    const corrected = after([
      ...SYDNEY,
      type('postal_code', '94105'),
      type('state', 'CA'),
      type('city', 'San Francisco'),
    ])
    expect(countryOf(corrected)).toBe('US')
    expect(corrected.announced.shippingAddress).toBe('US')
  })

  test('that was picked stays while the address is possible there', () => {
    const state = after([type('country', 'FR'), type('postal_code', '75001'), leave('postal_code')])
    expect(countryOf(state)).toBe('FR')
    expect(state.announced.shippingAddress).toBeUndefined()
  })

  test('that was picked stays although the fields still hold an older address', () => {
    const moving = after([
      ...SYDNEY,
      type('country', 'GB'),
      ...typeSlowly('line1', '10 Downing Street'),
      leave('line1'),
    ])
    expect(countryOf(moving)).toBe('GB')
    const moved = after([type('city', 'London'), type('postal_code', 'SW1A 2AA'), leave('postal_code')], moving)
    expect(countryOf(moved)).toBe('GB')
    expect(moved.form.shippingAddress.state).toBe('NSW')
  })

  test('that was picked changes when the new fields fit another country only', () => {
    expect(countryOf(after([type('country', 'US'), type('postal_code', '01310-100'), pause]))).toBe('BR')
  })

  test('is never one that this checkout does not deliver to', () => {
    expect(countryOf(after([type('postal_code', '01310-100'), pause], blankState(alternateCountries)))).toBe('US')
  })

  test('does not depend on the order in which fields are typed', () => {
    const values = {
      city: fc.constantFrom('', 'Sydney', 'Berlin', 'Auckland', 'Perth'),
      state: fc.constantFrom('', 'NSW', 'WA', 'ON', 'Bavaria', 'SP'),
      postal_code: fc.constantFrom('', '2000', '8011', '94105', '10117', 'SW1A 2AA', '100-0001', '01310-100'),
      line1: fc.string(),
    }
    const orders = fc.shuffledSubarray(['city', 'state', 'postal_code', 'line1'] as const, { minLength: 4 })
    fc.assert(
      fc.property(fc.record(values), orders, orders, (typed, orderA, orderB) => {
        const [first, second] = [orderA, orderB].map((order) => after([...order.map((p) => type(p, typed[p])), pause]))
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
    fc.constantFrom<CustomerChange>(leave('postal_code'), pause, { kind: 'submitted' }),
    fc.boolean().map((same): CustomerChange => ({ kind: 'same_billing', same })),
  )
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
      const typed: Record<string, string> = {}
      for (const entry of changes) if (entry.kind === 'typed') typed[entry.name] = entry.value
      const { shippingAddress } = after(changes).form
      for (const part of parts) expect(shippingAddress[part]).toBe(typed[`shippingAddress.${part}`] ?? '')
    }),
  )
})

describe('the billing address', () => {
  test('starts in the shipping country, also when that was detected', () => {
    const { form } = after([...SYDNEY, { kind: 'same_billing', same: false }])
    expect(form.billingAddress).toEqual({ ...emptyForm.billingAddress, country: 'AU' })
  })

  test('keeps its own country once it has been filled in', () => {
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

describe('a form filled in before the page’s script has loaded', () => {
  const filled = (shippingAddress: object): CustomerState =>
    after([
      {
        kind: 'filled',
        fill: (form) => ({ ...form, shippingAddress: { ...form.shippingAddress, ...shippingAddress } }),
      },
    ])

  test('has its country detected as if it were typed', () => {
    expect(countryOf(filled({ city: 'Berlin', postal_code: '10117' }))).toBe('DE')
  })

  test('does not keep a country that this checkout does not deliver to', () => {
    const saved: CustomerChange = {
      kind: 'filled',
      fill: (form) => ({ ...form, shippingAddress: { ...form.shippingAddress, line1: '1', country: 'HK' } }),
    }
    const state = after([saved], blankState(alternateCountries))
    expect(state.form.shippingAddress).toMatchObject({ line1: '1', country: 'US' })
    expect(state.choices.shippingAddress.isPicked).toBe(false)
  })

  test('keeps a country that was filled in with it', () => {
    const state = filled({ country: 'FR', city: 'Paris', postal_code: '75001' })
    expect(countryOf(customerReducer(state, type('line2', 'Hall B')))).toBe('FR')
  })
})

test('a refusal stays until its field is changed', () => {
  const field: FieldName = 'shippingAddress.postal_code'
  const refused = after([{ kind: 'refused', fields: new Map([[field, 'Please check the postal code.']]) }])
  expect(customerReducer(refused, type('city', 'Sydney')).refused.has(field)).toBe(true)
  expect(customerReducer(refused, type('postal_code', '2000')).refused.has(field)).toBe(false)
})

test('a form without input is still the same form', () => {
  const state = after([leave('city'), pause, { kind: 'submitted' }])
  expect(state.form).toBe(emptyForm)
  expect(after([{ kind: 'cleared' }], after(SYDNEY)).form).toBe(emptyForm)
})
