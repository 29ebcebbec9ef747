import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mainCountries } from '#domain/checkout/countries.ts'
import {
  emptyForm,
  looksLikeEmail,
  validateCustomer,
  refusedFields,
  restore,
  wireAddress,
  wireCustomer,
  mergeTypedFields,
  withValue,
  withoutTaxNumber,
  type CustomerForm,
  type FieldName,
} from './customer-form.ts'

const filled = [
  ['email', ' fan@example.com '],
  ['name', 'Ada Lovelace'],
  ['shippingAddress.line1', '12 Ingot Street'],
  ['shippingAddress.city', 'San Francisco'],
  ['shippingAddress.state', 'CA'],
  ['shippingAddress.postal_code', '94105'],
] as const satisfies readonly (readonly [FieldName, string])[]

const ADA: CustomerForm = filled.reduce((form, [name, value]) => withValue(form, name, value), emptyForm)

test.each([
  ['fan@example.com', true],
  [' fan@mail.example.com ', true],
  ['ö@müller.example', true],
  ['fan@', false],
  ['fan@example', false],
  ['fan@example..com', false],
  ['fan example.com', false],
  ['a@b@c.example', false],
])('%o looks like an address: %s', (text, expected) => expect(looksLikeEmail(text)).toBe(expected))

describe('the form', () => {
  test('without mistakes can be sent', () => expect([...validateCustomer(ADA)]).toEqual([]))

  test('names what is missing in the order of the page', () => {
    expect([...validateCustomer(emptyForm).keys()]).toEqual([
      'email',
      'name',
      'shippingAddress.line1',
      'shippingAddress.city',
      'shippingAddress.state',
      'shippingAddress.postal_code',
    ])
  })

  test('checks the billing address only when it differs', () => {
    const other = { ...ADA, sameBillingAddress: false }
    expect([...validateCustomer(other).keys()].every((name) => name.startsWith('billingAddress.'))).toBe(true)
    expect(validateCustomer(other).size).toBe(4)
  })

  test('keeps everything that was typed when the country changes', () => {
    const toCanada = withValue(ADA, 'shippingAddress.country', 'CA')
    expect(toCanada.shippingAddress).toEqual({ ...ADA.shippingAddress, country: 'CA' })
    expect([...validateCustomer(toCanada).keys()]).toEqual(['shippingAddress.state', 'shippingAddress.postal_code'])
  })

  test('requires a tax number for Brazil only, and sends it for no other country', () => {
    const brazil = {
      ...ADA.shippingAddress,
      city: 'São Paulo',
      state: 'SP',
      postal_code: '01310-100',
      country: 'BR',
    }
    const without = { ...ADA, shippingAddress: brazil }
    expect([...validateCustomer(without)]).toEqual([['tax_number', 'Required']])
    const wrong = withValue(without, 'tax_number', '529.982.247-24')
    expect(validateCustomer(wrong).get('tax_number')).toMatch(/^Please enter a CPF/)
    const right = withValue(without, 'tax_number', '529.982.247-25')
    expect(validateCustomer(right).size).toBe(0)
    expect(wireCustomer(right)).toMatchObject({ tax_number: '529.982.247-25' })
    expect(wireCustomer({ ...right, shippingAddress: ADA.shippingAddress })).not.toHaveProperty('tax_number')
    expect(withoutTaxNumber(right)).toEqual(without)
  })

  test('sends a state by its code, however it was typed', () => {
    const typed = withValue(ADA, 'shippingAddress.state', ' california ')
    expect(wireAddress(typed.shippingAddress).state).toBe('CA')
  })

  test('sends no state and no postal code for countries without them', () => {
    const hongKong = { ...ADA.shippingAddress, country: 'HK' }
    expect(wireAddress(hongKong)).toMatchObject({ state: '', postal_code: '' })
    expect(wireAddress({ ...ADA.shippingAddress, country: 'DE' })).toMatchObject({ state: '', postal_code: '94105' })
  })

  test('sends the shipping address as billing address when it is the same', () => {
    const customer = wireCustomer(ADA)
    expect(customer.billingAddress).toEqual(customer.shippingAddress)
    expect(customer.email).toBe('fan@example.com')
  })

  test('takes over fields typed before the script has loaded, and no others', () => {
    const typed = new Map<FieldName, string>([
      ['name', 'Grace'],
      ['shippingAddress.country', 'DE'],
      ['email', ''],
    ])
    const form = mergeTypedFields({ ...emptyForm, email: 'kept@example.com' }, (name) => typed.get(name))
    expect(form).toMatchObject({ email: 'kept@example.com', name: 'Grace', shippingAddress: { country: 'DE' } })
  })

  test('never loses a field while another is typed', () => {
    const names: FieldName[] = ['email', 'name', 'shippingAddress.line1', 'shippingAddress.city', 'billingAddress.city']
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.string(), (name, value) => {
        const back = withValue(withValue(ADA, name, value), name, String(valueAt(ADA, name)))
        expect(back).toEqual(ADA)
      }),
    )
  })

  test('is complete for every country exactly when the server’s rule finds it complete', () => {
    fc.assert(
      fc.property(fc.constantFrom(...mainCountries), (country) => {
        const form = { ...ADA, shippingAddress: { ...ADA.shippingAddress, country, state: '', postal_code: '' } }
        expect(validateCustomer(form).has('shippingAddress.line1')).toBe(false)
        expect(validateCustomer(form).size === 0).toBe(country === 'HK')
      }),
    )
  })
})

const valueAt = (form: CustomerForm, name: FieldName): unknown =>
  name.split('.').reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], form)

describe('a refusal’s fields', () => {
  test('find their fields on the page, for every call', () => {
    const fields = refusedFields({
      'destination.state': 'State?',
      'customerInfo.shippingAddress.postal_code': 'Please enter a ZIP code such as 94105',
      'customerAddress.city': 'Required',
      'customerInfo.email': 'Please enter a valid email address',
      'customerInfo.tax_number': 'Required',
      'cartItems.0.quantity': 'Too many',
    })
    expect([...fields.keys()]).toEqual([
      'shippingAddress.state',
      'shippingAddress.postal_code',
      'shippingAddress.city',
      'email',
      'tax_number',
    ])
  })

  test('may be absent', () => expect(refusedFields(undefined).size).toBe(0))
})

describe('a saved form', () => {
  const { name: _, ...withoutName } = ADA
  const { city: __, ...withoutCity } = ADA.shippingAddress

  test('from before a field was added keeps everything else, and the field is required', () => {
    const restored = restore(emptyForm, { ...withoutName, shippingAddress: withoutCity })
    expect(restored).toEqual({ ...ADA, name: '', shippingAddress: { ...ADA.shippingAddress, city: '' } })
    expect([...validateCustomer(restored)]).toEqual([
      ['name', 'Required'],
      ['shippingAddress.city', 'Required'],
    ])
  })

  test.each([
    ['with a field that no longer exists', { ...ADA, fax: '1' }, ADA],
    ['with a value of another type', { ...ADA, email: 7 }, { ...ADA, email: '' }],
    ['without one address', { ...ADA, billingAddress: null }, ADA],
    ['that is none', 'form', emptyForm],
    ['that is missing', null, emptyForm],
  ])('%s is restored as far as it fits', (_, saved, expected) => expect(restore(emptyForm, saved)).toEqual(expected))
})
