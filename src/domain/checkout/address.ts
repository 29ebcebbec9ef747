import { isDelivered } from './countries.ts'
import { regionCode } from './regions.ts'

/** A complete postal address: priced, charged for and sent to the partner as it stands here. */
export type Address = {
  line1: string
  line2: string | null
  city: string
  /** A postal code of the state where the country has a list, otherwise as typed; null where it has none. */
  state: string | null
  postalCode: string | null
  /** ISO 3166-1 alpha-2. */
  country: string
}

/** An address as it was typed; blanks around it do not count. */
export type TypedAddress = {
  line1: string
  line2?: string | null | undefined
  city: string
  state?: string | null | undefined
  postal_code?: string | null | undefined
  country: string
}

/** Countries whose addresses name a state, province or prefecture. */
const withState = new Set(['US', 'CA', 'AU', 'BR', 'JP', 'MX'])
/** Countries without postal codes. */
const withoutPostalCode = new Set(['HK'])

export const asksForState = (country: string): boolean => withState.has(country)
export const asksForPostalCode = (country: string): boolean => !withoutPostalCode.has(country)

/** Formats that are checked before anything is asked over the network; other countries' codes are taken as typed. */
const postalCodeFormat: Readonly<Record<string, RegExp>> = {
  US: /^\d{5}(?:-\d{4})?$/,
  CA: /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/,
  AU: /^\d{4}$/,
  DE: /^\d{5}$/,
  GB: /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/,
  JP: /^\d{3}-?\d{4}$/,
  BR: /^\d{5}-?\d{3}$/,
  NZ: /^\d{4}$/,
}

export type AddressObjection = { field: 'country' | 'line1' | 'city' | 'state' | 'postal_code'; sentence: string }

const REQUIRED = 'Required'

/** Everything that keeps an address from being priced; empty when it is complete. */
export function objectionsTo(address: TypedAddress): AddressObjection[] {
  const objections: AddressObjection[] = []
  const object = (field: AddressObjection['field'], sentence: string) => objections.push({ field, sentence })
  const state = address.state?.trim() ?? ''
  const postalCode = address.postal_code?.trim().toUpperCase() ?? ''

  if (!isDelivered(address.country)) object('country', 'We do not deliver to this country.')
  if (!address.line1.trim()) object('line1', REQUIRED)
  if (!address.city.trim()) object('city', REQUIRED)
  if (asksForState(address.country)) {
    if (!state) object('state', REQUIRED)
    else if (!regionCode(address.country, state)) object('state', 'We do not know this state or province.')
  }
  if (asksForPostalCode(address.country)) {
    const format = postalCodeFormat[address.country]
    if (!postalCode) object('postal_code', REQUIRED)
    else if (format && !format.test(postalCode)) object('postal_code', 'Please check the postal code.')
  }
  return objections
}

export const isComplete = (address: TypedAddress): boolean => objectionsTo(address).length === 0

/** The one form in which an address is priced, stored and sent on. Only for an address without objections. */
export function normalised(address: TypedAddress): Address {
  const text = (value: string | null | undefined) => value?.trim().replace(/\s+/g, ' ') || null
  return {
    line1: text(address.line1) ?? '',
    line2: text(address.line2),
    city: text(address.city) ?? '',
    state: asksForState(address.country)
      ? (regionCode(address.country, address.state ?? '') ?? null)
      : text(address.state),
    postalCode: asksForPostalCode(address.country) ? (text(address.postal_code)?.toUpperCase() ?? null) : null,
    country: address.country,
  }
}
