import { cleanLine } from '#shared/text.ts'
import { addressData } from './address-data.ts'
import { postalCodeSentence, stateSentence } from './address-labels.ts'
import { isDelivered } from './countries.ts'
import { postalCodeIn } from './postal-codes.ts'
import { hasRegionCodes, regionCode } from './regions.ts'

/** A complete postal address: priced, charged for and sent to the partner as it stands here. */
export type Address = {
  line1: string
  line2: string | null
  city: string
  /** Its code where addresses carry codes, otherwise in words; null where the country has none or may leave it out. */
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

/** Countries whose postal code names the state already: it is asked for, since people there write it, and may be left out. */
const stateMayMiss = new Set(['ES', 'IE', 'IT', 'KR'])

/** The parts of an address that name the place, in the order in which the country writes them. */
export const localityParts = (country: string): readonly ('city' | 'state' | 'postal_code')[] =>
  (addressData[country]?.order ?? 'CZ').split('').map((letter) => parts[letter as keyof typeof parts])
const parts = { C: 'city', S: 'state', Z: 'postal_code' } as const

export const asksForState = (country: string): boolean => localityParts(country).includes('state')
export const needsState = (country: string): boolean => asksForState(country) && !stateMayMiss.has(country)
export const asksForPostalCode = (country: string): boolean => localityParts(country).includes('postal_code')

export type AddressObjection = { field: 'country' | 'line1' | 'city' | 'state' | 'postal_code'; sentence: string }

const REQUIRED = 'Required'
const NO_COUNTRY = 'Please choose a country'
export const NOT_DELIVERED = 'We do not deliver to this country.'

/** Everything that keeps an address from being priced; empty when it is complete. */
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

/** The one form in which an address is priced, stored and sent on. Only for an address without objections. */
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
