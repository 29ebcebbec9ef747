import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import regionData from 'country-region-data/data.json' with { type: 'json' }
import { formatAddress } from 'localized-address-format'
import { POSTCODE_REGEXES } from 'postcode-validator/lib/cjs/postcode-regexes.js'
import type { AddressShape } from '#domain/checkout/address-shape.ts'
import { mainCountries } from '#domain/checkout/countries.ts'

/** `npm run address-data`: extracts from the data packages what the shop needs for the countries it delivers to. */

const FILE = 'src/domain/checkout/address-data.ts'

/** Countries that write states as codes, where the package has the postal codes of the states. */
const withCodes = new Set(['AU', 'BR', 'CA', 'US'])

/**
 * Countries that write states by name, where the package has the names in use. German addresses have no state, but the list
 * distinguishes German postal codes from American ones. Left out: Italy (the package has regions, addresses use provinces),
 * Spain (it has both) and Korea (it has long official names).
 */
const withNames = new Set(['DE', 'IE', 'JP', 'MX'])

/** Places with American postal codes that Printful or the tax provider does not accept as states. */
const notDelivered = new Set(['AA', 'AE', 'AP', 'AS', 'FM', 'MH', 'MP', 'PW'])

const lettersOf = (country: string): string =>
  formatAddress(
    { postalCountry: country, locality: '{C}', administrativeArea: '{S}', postalCode: '{Z}' },
    'latin',
  ).join()

function shapeOf(country: string): AddressShape {
  const regions = regionData.find(({ countryShortCode }) => countryShortCode === country)?.regions ?? []
  const written = [...lettersOf(country).matchAll(/\{([CSZ])\}/g)].map(([, letter]) => letter)
  // A single region, as in Hong Kong, is no choice.
  const parts = written.filter((letter) => letter !== 'S' || regions.length > 1)
  const postalCode = POSTCODE_REGEXES.get(country)
  return {
    // Tokyo and Singapore addresses have no city line; the shop requires one everywhere.
    order: (parts.includes('C') ? parts : ['C', ...parts]).join('') as AddressShape['order'],
    ...(postalCode && { postalCode: new RegExp(postalCode.source.replaceAll('[\\-]', '-')) }),
    ...(withCodes.has(country) && {
      regions: Object.fromEntries(
        regions
          .filter(({ shortCode = '' }) => country !== 'US' || !notDelivered.has(shortCode))
          .map(({ shortCode = '', name }) => [shortCode, name] as const)
          .toSorted(([, a], [, b]) => a.localeCompare(b, 'en')),
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
