import { unknownZip } from '../sentinels.ts'
import { PrintfulError } from './answers.ts'
import { findCountry, needsZip } from './places.ts'
import type { Country } from './places.ts'

export type Recipient = {
  name?: string | null | undefined
  company?: string | null | undefined
  address1?: string | null | undefined
  address2?: string | null | undefined
  city?: string | null | undefined
  state_code?: string | null | undefined
  state_name?: string | null | undefined
  country_code?: string | null | undefined
  country_name?: string | null | undefined
  zip?: string | null | undefined
  phone?: string | null | undefined
  email?: string | null | undefined
  tax_number?: string | null | undefined
}

type Method = { id: string; name: string; first: number; each: number; days: readonly [number, number] }

const standard = (first: number, each: number, least: number, most: number): Method => ({
  id: 'STANDARD',
  name: 'Flat Rate',
  first,
  each,
  days: [least, most],
})

/** Cents for the first piece and for each further one, and days in transit. */
const methodsByRegion: Record<Country['region'], readonly Method[]> = {
  north_america: [
    standard(475, 160, 3, 6),
    { id: 'PRINTFUL_FAST', name: 'Express', first: 1499, each: 250, days: [1, 3] },
  ],
  europe: [standard(499, 145, 3, 8)],
  asia: [standard(799, 210, 6, 14)],
  oceania: [standard(749, 195, 5, 12)],
  latin_america: [standard(899, 225, 8, 20)],
  africa: [standard(1099, 250, 10, 25)],
}

/** @throws PrintfulError when an address cannot be delivered to. `full`: as an order needs it, with name and tax number */
export function countryOf(recipient: Recipient | undefined, full: boolean): Country {
  if (!recipient) throw new PrintfulError(400, 'Missing required parameters: recipient')
  const country = findCountry(recipient.country_code ?? '')
  if (!country) throw new PrintfulError(400, 'Recipient: Country code is missing or invalid')
  if (!recipient.city) throw new PrintfulError(400, 'Recipient: City is missing')
  if (full && !recipient.name) throw new PrintfulError(400, 'Recipient: Name is missing')
  if (full && !recipient.address1) throw new PrintfulError(400, 'Recipient: Address is missing')
  if (country.states && !country.states.some(({ code }) => code === recipient.state_code))
    throw new PrintfulError(400, 'Recipient: State code is missing or invalid')
  if (needsZip(country.code) && !recipient.zip) throw new PrintfulError(400, 'Recipient: ZIP/Postal code is missing')
  if (recipient.zip === unknownZip) throw new PrintfulError(400, 'Recipient: ZIP/Postal code is invalid')
  if (full && country.code === 'BR' && !taxNumber.test(recipient.tax_number ?? ''))
    throw new PrintfulError(400, 'Recipient: Tax number (CPF/CNPJ) is required for Brazil')
  return country
}

/** CPF or CNPJ with their punctuation, as Printful's description of `tax_number` has them. */
const taxNumber = /^(?:\d{3}\.\d{3}\.\d{3}-\d{2}|[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}\/[0-9A-Z]{4}-\d{2})$/

type Rate = { id: string; name: string; cents: number; days: readonly [number, number] }

export const ratesTo = (country: Country, pieces: number): Rate[] =>
  methodsByRegion[country.region].map(({ id, name, first, each, days }) => ({
    id,
    name,
    cents: first + each * Math.max(0, pieces - 1),
    days,
  }))
