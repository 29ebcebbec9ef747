import type { Address } from '#domain/checkout/address.ts'

/** City, postal code and state of the largest or the capital city of each country we deliver to. */
const cities: Readonly<Record<string, readonly [city: string, postalCode: string | null, state?: string]>> = {
  AU: ['Sydney', '2000', 'NSW'],
  AT: ['Vienna', '1010'],
  BE: ['Brussels', '1000'],
  BR: ['São Paulo', '01310-100', 'SP'],
  CA: ['Toronto', 'M5V 3L9', 'ON'],
  CZ: ['Prague', '110 00'],
  DK: ['Copenhagen', '1050'],
  FI: ['Helsinki', '00100'],
  FR: ['Paris', '75001'],
  DE: ['Berlin', '10117'],
  GR: ['Athens', '105 57'],
  HK: ['Hong Kong', null],
  HU: ['Budapest', '1011'],
  IE: ['Dublin', 'D02 AF30'],
  IT: ['Rome', '00184', 'RM'],
  JP: ['Tokyo', '100-0001', 'Tokyo'],
  MX: ['Mexico City', '06600', 'CDMX'],
  NL: ['Amsterdam', '1012 JS'],
  NZ: ['Auckland', '1010'],
  NO: ['Oslo', '0150'],
  PL: ['Warsaw', '00-001'],
  PT: ['Lisbon', '1100-148'],
  SG: ['Singapore', '018956'],
  KR: ['Seoul', '04524', 'Seoul'],
  ES: ['Madrid', '28013', 'Madrid'],
  SE: ['Stockholm', '111 20'],
  CH: ['Zurich', '8001'],
  GB: ['London', 'SW1A 1AA'],
  US: ['Austin', '78701', 'TX'],
}

/** An address that stands for its country in questions to providers, before the shopper's own is known. */
export function usualAddress(country: string): Address | undefined {
  const [city, postalCode, state = null] = cities[country] ?? []
  if (city === undefined || postalCode === undefined) return undefined
  return { line1: '1 Main Street', line2: null, city, state, postalCode, country }
}
