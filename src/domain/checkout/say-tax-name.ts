import { formatList, numberFormat, spokenLanguage } from '#shared/language.ts'
import { say, sayKnown } from '#words/say.ts'
import { countryName } from './countries.ts'

/** Of the countries we deliver to, before the name of a tax. */
export const adjectives: Readonly<Record<string, string>> = {
  AU: 'Australian',
  AT: 'Austrian',
  BE: 'Belgian',
  BR: 'Brazilian',
  CA: 'Canadian',
  CZ: 'Czech',
  DK: 'Danish',
  FI: 'Finnish',
  FR: 'French',
  DE: 'German',
  GR: 'Greek',
  HK: 'Hong Kong',
  HU: 'Hungarian',
  IE: 'Irish',
  IT: 'Italian',
  JP: 'Japanese',
  MX: 'Mexican',
  NL: 'Dutch',
  NZ: 'New Zealand',
  NO: 'Norwegian',
  PL: 'Polish',
  PT: 'Portuguese',
  SG: 'Singapore',
  KR: 'South Korean',
  ES: 'Spanish',
  SE: 'Swedish',
  CH: 'Swiss',
  GB: 'UK',
  US: 'US',
}

const placeOf = (adjective: string): string => {
  const code = Object.keys(adjectives).find((country) => adjectives[country] === adjective)
  return code === undefined ? adjective : countryName(code)
}

const oneTax = /^(.+?) ([A-Z]{3}|sales tax|consumption tax|[a-z ]+) ([\d.]+)%$/

/** A name of taxes as `taxNameOf` makes it, in the spoken language: `Deutschland: MwSt. 19 %`. */
export function sayTaxName(name: string): string {
  if (spokenLanguage() === 'en') return name
  return formatList(
    name.split(' and ').map((one) => {
      const [, place, tax, percent] = oneTax.exec(one) ?? []
      if (place === undefined || tax === undefined || percent === undefined) return one
      return say('{place} {tax} {percent}%', {
        place: placeOf(place),
        tax: sayKnown(tax),
        percent: numberFormat({ maximumFractionDigits: 6 }).format(Number(percent)),
      })
    }),
  )
}
