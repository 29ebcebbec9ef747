import { EMAIL_SENTENCE } from '#contract/email-sentence.ts'
import { asksForPostalCode, asksForState, validateAddress } from '#domain/checkout/address.ts'
import { regionCode } from '#domain/checkout/regions.ts'
import { orderTexts, orderTextsIn } from '#domain/orders/order-texts.ts'
import { asksForTaxNumber, taxNumberObjection } from '#domain/checkout/tax-number.ts'
import { isOneOf } from '#shared/one-of.ts'

/** Parts that a country does not use are empty. */
export type AddressForm = {
  line1: string
  line2: string
  city: string
  state: string
  postal_code: string
  country: string
}

/** Specification, section 3, Customer info. */
export type CustomerForm = {
  email: string
  name: string
  shippingAddress: AddressForm
  billingAddress: AddressForm
  sameBillingAddress: boolean
  /** CPF or CNPJ, for parcels to Brazil. */
  tax_number: string
  /** `orderTexts` by name. */
  texts: Readonly<Record<string, string>>
}

export type AddressName = 'shippingAddress' | 'billingAddress'
export type AddressPart = keyof AddressForm
/** The field's path in the request, which refusals use too. */
export type FieldName = PlainName | `${AddressName}.${AddressPart}` | `texts.${string}`
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
  texts: Object.fromEntries(Object.keys(orderTexts).map((name) => [name, ''])),
}

const REQUIRED = 'Required'

/** Catches typos; the server is stricter. */
export const looksLikeEmail = (text: string): boolean => /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text.trim())

/** Invalid fields with their sentences, in page order. */
export function validateCustomer(form: CustomerForm): Map<FieldName, string> {
  const mistakes = new Map<FieldName, string>()
  if (!form.email.trim()) mistakes.set('email', REQUIRED)
  else if (!looksLikeEmail(form.email)) mistakes.set('email', EMAIL_SENTENCE)
  if (!form.name.trim()) mistakes.set('name', REQUIRED)
  const validate = (name: AddressName) => {
    for (const { field, sentence } of validateAddress(form[name])) mistakes.set(`${name}.${field}`, sentence)
  }
  validate('shippingAddress')
  if (asksForTaxNumber(form.shippingAddress.country)) {
    const objection = taxNumberObjection(form.tax_number)
    if (objection) mistakes.set('tax_number', objection)
  }
  if (!form.sameBillingAddress) validate('billingAddress')
  return mistakes
}

const bothAddresses: readonly AddressName[] = ['shippingAddress', 'billingAddress']

/** Undefined for fields outside of an address. */
export function addressFieldOf(name: FieldName): { address: AddressName; part: AddressPart } | undefined {
  const [address, part] = name.split('.')
  if (part === undefined || address === 'texts') return undefined
  return { address: address as AddressName, part: part as AddressPart }
}

export const valueOf = (form: CustomerForm, name: FieldName): string => {
  const [group, key] = name.split('.') as [keyof CustomerForm, string | undefined]
  const value = key === undefined ? form[group] : (form[group] as Record<string, string>)[key]
  return typeof value === 'string' ? value : ''
}

/** Changes no other field, even if it no longer fits a new country. */
export function withValue(form: CustomerForm, name: FieldName, value: string): CustomerForm {
  const [group, key] = name.split('.') as [keyof CustomerForm, string | undefined]
  return { ...form, [group]: key === undefined ? value : { ...(form[group] as object), [key]: value } }
}

/** The address as sent: without parts that its country does not use. */
export const wireAddress = (address: AddressForm): AddressForm => ({
  ...address,
  state: asksForState(address.country) ? (regionCode(address.country, address.state) ?? address.state) : '',
  postal_code: asksForPostalCode(address.country) ? address.postal_code : '',
})

/** For browser storage, which must never hold a tax number. */
export const withoutTaxNumber = (form: CustomerForm): CustomerForm => ({ ...form, tax_number: '' })

export const wireCustomer = (form: CustomerForm) => ({
  email: form.email.trim(),
  name: form.name.trim(),
  shippingAddress: wireAddress(form.shippingAddress),
  billingAddress: wireAddress(form.sameBillingAddress ? form.shippingAddress : form.billingAddress),
  sameBillingAddress: form.sameBillingAddress,
  ...(asksForTaxNumber(form.shippingAddress.country) && { tax_number: form.tax_number }),
  texts: orderTextsIn(form.texts),
})

/** Maps paths such as `customerInfo.shippingAddress.city` or `destination.city` to field names; drops unknown ones. */
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
  ...Object.keys(orderTexts).map((name) => `texts.${name}` as const),
  ...bothAddresses.flatMap((address) => parts.map((part) => `${address}.${part}` as const)),
]
const isFieldName = (name: string): name is FieldName => isOneOf(fieldNames, name)

/**
 * Merges values typed or autofilled before hydration.
 * @param read undefined when the field is not on the page
 */
export const mergeTypedFields = (form: CustomerForm, read: (name: FieldName) => string | undefined): CustomerForm =>
  fieldNames.reduce((filled, name) => {
    const value = read(name)
    return value && value !== valueOf(emptyForm, name) ? withValue(filled, name, value) : filled
  }, form)

/**
 * What was saved in the browser, in today's shape: a value of the same type is kept, any other field is as in `empty`. So a field
 * that is added later is empty and asked for, and the rest stays as typed.
 * @param saved not trusted
 */
export const restore = <T extends object>(empty: T, saved: unknown): T =>
  Object.fromEntries(
    Object.entries(empty).map(([name, value]: [string, unknown]) => {
      const found = (saved as Partial<Record<string, unknown>> | null | undefined)?.[name]
      if (typeof value === 'object' && value !== null) return [name, restore(value, found)]
      return [name, typeof found === typeof value ? found : value]
    }),
  ) as T
