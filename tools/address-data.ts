import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import regionData from 'country-region-data/data.json' with { type: 'json' }
import { formatAddress } from 'localized-address-format'
import { POSTCODE_REGEXES } from 'postcode-validator/lib/cjs/postcode-regexes.js'
import type { AddressShape } from '#domain/checkout/address-shape.ts'
import { mainCountries } from '#domain/checkout/countries.ts'

/** `npm run address-data`: takes what the shop needs of the data packages, for the countries that it delivers to. */

const FILE = 'src/domain/checkout/address-data.ts'

/** Where a state stands in an address by its code, and the package has the codes that the post has. */
const withCodes = new Set(['AU', 'BR', 'CA', 'US'])

/**
 * Where it stands there in words, and the package has the words that people write. Germany asks for none, but its
 * states tell its postal codes from American ones. Of Italy the package has regions where letters name provinces, of
 * Spain both, of Korea long official names.
 */
const withNames = new Set(['DE', 'IE', 'JP', 'MX'])

/** Places with American postal codes that the print partner or the tax source does not take as states. */
const notDelivered = new Set(['AA', 'AE', 'AP', 'AS', 'FM', 'MH', 'MP', 'PW'])

const lettersOf = (country: string): string =>
  formatAddress(
    { postalCountry: country, locality: '{C}', administrativeArea: '{S}', postalCode: '{Z}' },
    'latin',
  ).join()

function shapeOf(country: string): AddressShape {
  const regions = regionData.find(({ countryShortCode }) => countryShortCode === country)?.regions ?? []
  const written = [...lettersOf(country).matchAll(/\{([CSZ])\}/g)].map(([, letter]) => letter)
  // A list of one region, as Hong Kong has it, asks for nothing.
  const parts = written.filter((letter) => letter !== 'S' || regions.length > 1)
  const postalCode = POSTCODE_REGEXES.get(country)
  return {
    // Tokyo's and Singapore's addresses have no line for a city; the shop asks everybody for one.
    order: (parts.includes('C') ? parts : ['C', ...parts]).join('') as AddressShape['order'],
    ...(postalCode && { postalCode: new RegExp(postalCode.source.replaceAll('[\\-]', '-')) }),
    ...(withCodes.has(country) && {
      regions: Object.fromEntries(
        regions
          .filter(({ shortCode = '' }) => country !== 'US' || !notDelivered.has(shortCode))
          .map(({ shortCode = '', name }) => [shortCode, name] as const)
          .toSorted(([, one], [, other]) => one.localeCompare(other, 'en')),
      ),
    }),
    ...(withNames.has(country) && { regionNames: regions.map(({ name }) => name) }),
  }
}

export const shapesFromPackages = (): Record<string, AddressShape> =>
  Object.fromEntries(mainCountries.map((country) => [country, shapeOf(country)]))

function sourceOf(shapes: Record<string, AddressShape>): string {
  const rows = Object.entries(shapes).map(([country, { postalCode, ...rest }]) => {
    const code = postalCode ? `, postalCode: ${postalCode.toString()}` : ''
    return `${country}: { ${JSON.stringify(rest).slice(1, -1)}${code} }`
  })
  return `// Written by \`npm run address-data\`; do not edit.
import type { AddressShape } from './address-shape.ts'

export const addressData: Readonly<Record<string, AddressShape>> = {${rows.join(',\n')}}
`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeFileSync(FILE, sourceOf(shapesFromPackages()))
