import { EMAIL_SENTENCE } from '#contract/email-sentence.ts'
import { asksForPostalCode, asksForState, validateAddress } from '#domain/checkout/address.ts'
import { regionCode } from '#domain/checkout/regions.ts'
import { asksForTaxNumber, taxNumberObjection } from '#domain/checkout/tax-number.ts'

/** An address as it stands in its fields; what a country does not ask for is empty. */
export type AddressForm = {
  line1: string
  line2: string
  city: string
  state: string
  postal_code: string
  country: string
}

/** Everything that step 1 asks (specification, section 3, Customer info). */
export type CustomerForm = {
  email: string
  name: string
  shippingAddress: AddressForm
  billingAddress: AddressForm
  sameBillingAddress: boolean
  /** CPF or CNPJ, for parcels to Brazil. */
  tax_number: string
}

export type AddressName = 'shippingAddress' | 'billingAddress'
export type AddressPart = keyof AddressForm
/** A field by its place in the request, so that the shop's sentences find it. */
export type FieldName = PlainName | `${AddressName}.${AddressPart}`
type PlainName = 'email' | 'name' | 'tax_number'

const DEFAULT_COUNTRY = 'US'

const emptyAddress: AddressForm = {
  line1: '',
  line2: '',
  city: '',
  state: '',
  postal_code: '',
  country: DEFAULT_COUNTRY,
}

export const emptyForm: CustomerForm = {
  email: '',
  name: '',
  shippingAddress: emptyAddress,
  billingAddress: emptyAddress,
  sameBillingAddress: true,
  tax_number: '',
}

const REQUIRED = 'Required'

/** Something, an @, something with a dot in it: enough to catch a slip; the shop itself is stricter. */
export const looksLikeEmail = (text: string): boolean => /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text.trim())

/** Every field that keeps the form from being sent, in the order in which the fields stand on the page. */
export function validateCustomer(form: CustomerForm): Map<FieldName, string> {
  const mistakes = new Map<FieldName, string>()
  if (!form.email.trim()) mistakes.set('email', REQUIRED)
  else if (!looksLikeEmail(form.email)) mistakes.set('email', EMAIL_SENTENCE)
  if (!form.name.trim()) mistakes.set('name', REQUIRED)
  const judge = (name: AddressName) => {
    for (const { field, sentence } of validateAddress(form[name])) mistakes.set(`${name}.${field}`, sentence)
  }
  judge('shippingAddress')
  if (asksForTaxNumber(form.shippingAddress.country)) {
    const objection = taxNumberObjection(form.tax_number)
    if (objection) mistakes.set('tax_number', objection)
  }
  if (!form.sameBillingAddress) judge('billingAddress')
  return mistakes
}

const bothAddresses: readonly AddressName[] = ['shippingAddress', 'billingAddress']

/** Where in which address a field stands; undefined for the fields around them. */
export function addressFieldOf(name: FieldName): { address: AddressName; part: AddressPart } | undefined {
  const [address, part] = name.split('.')
  return part === undefined ? undefined : { address: address as AddressName, part: part as AddressPart }
}

const valueOf = (form: CustomerForm, name: FieldName): string => {
  const place = addressFieldOf(name)
  return place ? form[place.address][place.part] : form[name as PlainName]
}

/** Nothing else changes: what was typed for another country stays in its field, however wrong it is here. */
export function withValue(form: CustomerForm, name: FieldName, value: string): CustomerForm {
  const place = addressFieldOf(name)
  if (!place) return { ...form, [name]: value }
  return { ...form, [place.address]: { ...form[place.address], [place.part]: value } }
}

/** What is sent: parts that the country does not have stay behind, also when they were typed for another country. */
export const wireAddress = (address: AddressForm): AddressForm => ({
  ...address,
  state: asksForState(address.country) ? (regionCode(address.country, address.state) ?? address.state) : '',
  postal_code: asksForPostalCode(address.country) ? address.postal_code : '',
})

/** What of the form a browser may keep for another day: a tax number goes with its order and is kept nowhere else. */
export const withoutTaxNumber = (form: CustomerForm): CustomerForm => ({ ...form, tax_number: '' })

/** The customer as a request carries it. */
export const wireCustomer = (form: CustomerForm) => ({
  email: form.email.trim(),
  name: form.name.trim(),
  shippingAddress: wireAddress(form.shippingAddress),
  billingAddress: wireAddress(form.sameBillingAddress ? form.shippingAddress : form.billingAddress),
  sameBillingAddress: form.sameBillingAddress,
  ...(asksForTaxNumber(form.shippingAddress.country) && { tax_number: form.tax_number }),
})

/** Paths in a refusal's `fields`, such as `customerInfo.shippingAddress.city` or `destination.city`, as names of our fields; others are left out. */
export function refusedFields(fields: Record<string, string> | undefined): Map<FieldName, string> {
  const entries = Object.entries(fields ?? {}).flatMap(([path, sentence]) => {
    const name = path.replace(/^customerInfo\./, '').replace(/^(?:customerAddress|destination)\./, 'shippingAddress.')
    return isFieldName(name) ? [[name, sentence] as const] : []
  })
  return new Map(entries)
}

const parts = Object.keys(emptyAddress) as AddressPart[]
const fieldNames: readonly FieldName[] = [
  'email',
  'name',
  'tax_number',
  ...bothAddresses.flatMap((address) => parts.map((part) => `${address}.${part}` as const)),
]
const isFieldName = (name: string): name is FieldName => (fieldNames as readonly string[]).includes(name)

/**
 * Takes over what already stands in the fields, typed or filled in by the browser before the page's script came.
 * @param read gives a field's value; undefined when the field is not on the page
 */
export const mergeTypedFields = (form: CustomerForm, read: (name: FieldName) => string | undefined): CustomerForm =>
  fieldNames.reduce((filled, name) => {
    const value = read(name)
    return value && value !== valueOf(emptyForm, name) ? withValue(filled, name, value) : filled
  }, form)

/** What was found in the browser's storage, where anybody can write. */
export function isCustomerForm(value: unknown): value is CustomerForm {
  if (typeof value !== 'object' || value === null) return false
  const form = value as Record<string, unknown>
  return (
    typeof form['email'] === 'string' &&
    typeof form['name'] === 'string' &&
    typeof form['sameBillingAddress'] === 'boolean' &&
    typeof form['tax_number'] === 'string' &&
    bothAddresses.every((name) => isAddressForm(form[name]))
  )
}

const isAddressForm = (value: unknown): value is AddressForm =>
  typeof value === 'object' &&
  value !== null &&
  parts.every((part) => typeof (value as Record<string, unknown>)[part] === 'string')
