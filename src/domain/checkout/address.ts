import { cleanLine } from '#shared/text.ts'
import { addressData } from './address-data.ts'
import { postalCodeSentence, stateSentence } from './address-labels.ts'
import { countryName, isDelivered } from './countries.ts'
import { postalCodeIn } from './postal-codes.ts'
import { hasRegionCodes, regionCode } from './regions.ts'

/** A complete postal address, as quoted, charged and sent to the printer. */
export type Address = {
  line1: string
  line2: string | null
  city: string
  /** The state's code if addresses use codes, otherwise its name; null if the country has none or it is optional. */
  state: string | null
  postalCode: string | null
  /** ISO 3166-1 alpha-2. */
  country: string
}

/** An address as typed; surrounding spaces are ignored. */
export type TypedAddress = {
  line1: string
  line2?: string | null | undefined
  city: string
  state?: string | null | undefined
  postal_code?: string | null | undefined
  country: string
}

/** The postal code already determines the state: the field is shown because people fill it in, but is optional. */
const stateMayMiss = new Set(['ES', 'IE', 'IT', 'KR'])

/** The parts that name the place, in the country's order. */
export const localityParts = (country: string): readonly ('city' | 'state' | 'postal_code')[] =>
  (addressData[country]?.order ?? 'CZ').split('').map((letter) => parts[letter as keyof typeof parts])
const parts = { C: 'city', S: 'state', Z: 'postal_code' } as const

export const asksForState = (country: string): boolean => localityParts(country).includes('state')
export const needsState = (country: string): boolean => asksForState(country) && !stateMayMiss.has(country)
export const asksForPostalCode = (country: string): boolean => localityParts(country).includes('postal_code')

export type AddressObjection = { field: 'country' | 'line1' | 'city' | 'state' | 'postal_code'; sentence: string }

const REQUIRED = 'Required'
const NO_COUNTRY = 'Please choose a country'
export const NOT_DELIVERED = 'We don’t ship to this country.'

/** Everything that prevents a quote; empty for a complete address. */
export function validateAddress(address: TypedAddress): AddressObjection[] {
  const { country } = address
  const objections: AddressObjection[] = []
  const object = (field: AddressObjection['field'], sentence: string) => objections.push({ field, sentence })
  const state = address.state?.trim() ?? ''
  const postalCode = address.postal_code?.trim() ?? ''

  if (!country) return [{ field: 'country', sentence: NO_COUNTRY }]
  if (!isDelivered(country)) return [{ field: 'country', sentence: NOT_DELIVERED }]
  if (!address.line1.trim()) object('line1', REQUIRED)
  if (!address.city.trim()) object('city', REQUIRED)
  if (!state) {
    if (needsState(country)) object('state', REQUIRED)
  } else if (hasRegionCodes(country) && !regionCode(country, state)) object('state', stateSentence(country))
  if (asksForPostalCode(country)) {
    if (!postalCode) object('postal_code', REQUIRED)
    else if (!postalCodeIn(country, postalCode)) object('postal_code', postalCodeSentence(country))
  }
  return objections
}

export const isComplete = (address: TypedAddress): boolean => validateAddress(address).length === 0

/** The one form in which an address is quoted, stored and sent. Expects a valid address. */
export function normalizeAddress(address: TypedAddress): Address {
  const { country } = address
  const text = (value: string | null | undefined) => cleanLine(value ?? '') || null
  const state = text(address.state)
  return {
    line1: text(address.line1) ?? '',
    line2: text(address.line2),
    city: text(address.city) ?? '',
    state: state && (regionCode(country, state) ?? state),
    postalCode: postalCodeIn(country, address.postal_code ?? '') ?? null,
    country,
  }
}

/** An address as on a shipping label of its country, one line each: "Berlin" follows its postal code, "Austin, TX" precedes it. */
export function addressLines(name: string, { line1, line2, city, state, postalCode, country }: Address): string[] {
  const known = { city, state, postal_code: postalCode }
  const place = localityParts(country)
    .filter((part) => known[part])
    .map((part, index, present) => `${index > 0 && isPair(present[index - 1], part) ? ', ' : ' '}${known[part] ?? ''}`)
  return [name, line1, line2 ?? '', place.join('').trim(), countryName(country)].filter(Boolean)
}

/** Where an address is, without its street: `San Francisco, CA`, `Sydney, Australia`. */
export const placeName = ({ city, state, country }: Pick<Address, 'city' | 'state' | 'country'>): string =>
  [city, country === 'US' && state ? state : countryName(country)].filter(Boolean).join(', ')

/** Whether a comma belongs between two parts of a place. */
const isPair = (before: string | undefined, part: string): boolean => before !== 'postal_code' && part !== 'postal_code'
