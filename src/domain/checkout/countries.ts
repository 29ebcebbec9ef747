import { spokenLanguage } from '#shared/language.ts'
import { isOneOf } from '#shared/one-of.ts'
import { sayKnown } from '#words/say.ts'
import type { Word } from '#words/words.ts'

/** Where the main checkout delivers, in the specification's order (section 5). */
export const mainCountries = [
  ...['AU', 'AT', 'BE', 'BR', 'CA', 'CZ', 'DK', 'FI', 'FR', 'DE', 'GR', 'HK', 'HU', 'IE', 'IT', 'JP', 'MX', 'NL'],
  ...['NZ', 'NO', 'PL', 'PT', 'SG', 'KR', 'ES', 'SE', 'CH', 'GB', 'US'],
] as const

/** Where the alternate checkout delivers. */
export const alternateCountries = [
  ...['AU', 'AT', 'BE', 'CA', 'DK', 'FI', 'FR', 'DE', 'IT', 'JP', 'NL', 'NZ', 'NO', 'SG', 'ES', 'SE', 'CH', 'GB', 'US'],
] as const

/**
 * English names from CLDR 48 (Hong Kong in its short form); the catalog of words has the others. Hard-coded because `Intl`
 * differs between server and browser, which would break hydration.
 */
const names: Readonly<Record<string, Word>> = {
  AU: 'Australia',
  AT: 'Austria',
  BE: 'Belgium',
  BR: 'Brazil',
  CA: 'Canada',
  CZ: 'Czechia',
  DK: 'Denmark',
  FI: 'Finland',
  FR: 'France',
  DE: 'Germany',
  GR: 'Greece',
  HK: 'Hong Kong',
  HU: 'Hungary',
  IE: 'Ireland',
  IT: 'Italy',
  JP: 'Japan',
  MX: 'Mexico',
  NL: 'Netherlands',
  NZ: 'New Zealand',
  NO: 'Norway',
  PL: 'Poland',
  PT: 'Portugal',
  SG: 'Singapore',
  KR: 'South Korea',
  ES: 'Spain',
  SE: 'Sweden',
  CH: 'Switzerland',
  GB: 'United Kingdom',
  US: 'United States',
}

/** `DE` becomes `Germany`; a country we do not deliver to keeps its code. */
export const countryName = (code: string): string => sayKnown(names[code] ?? code)

/** As in a sentence: “the United States”. Of the countries we deliver to, these have an article. */
export const countryInSentence = (code: string): string =>
  spokenLanguage() === 'en' && ['NL', 'GB', 'US'].includes(code) ? `the ${countryName(code)}` : countryName(code)

export const isDelivered = (country: string): boolean => isOneOf(mainCountries, country)
