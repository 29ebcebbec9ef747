import { z } from 'zod'
import table from 'sales-tax/res/sales_tax_rates.json' with { type: 'json' }
import {
  americanEverywhere,
  americanPlaces,
  americanStateRates,
  canadianGst,
  canadianProvinces as provincialTaxes,
  consumptionTaxes,
  UNCOLLECTED_COUNTRIES,
  withoutTax,
} from './published-rates.ts'

/**
 * The tax for an address. For the countries that the shop delivers to, from the authorities' own tables; for all
 * others, where Printful ships, too, from the npm package `sales-tax` (MIT, github.com/valeriansaliou/node-sales-tax),
 * read as data only. A US address that is in none of our tables pays its state's general rate alone.
 */

const rateSchema = z.object({ type: z.string(), rate: z.number() })
const byCountry = z.record(z.string(), rateSchema).parse(table)

/** `rate` is a share: 0.0825 is 8.25 %. */
export type TaxPart = {
  rate: number
  taxType: 'sales_tax' | 'vat' | 'gst' | 'hst' | 'pst' | 'qst' | 'jct'
  name: string
  level: 'country' | 'state' | 'county' | 'city' | 'district'
  /** Lower than the country's own rate. */
  reduced?: boolean
}

export type TaxPlace =
  | { kind: 'taxed'; parts: readonly TaxPart[]; state: string | null }
  /** The shop is not registered there, or the place has no such tax: 0 is right. */
  | { kind: 'untaxed'; reason: 'not_collecting' | 'not_subject_to_tax' | 'not_supported'; state: string | null }
  /** The address cannot be found. */
  | { kind: 'unknown' }

type Address = {
  country: string
  state?: string | undefined
  postal_code?: string | undefined
  line1?: string | undefined
}

const americanPostcode = /^\d{5}(-?\d{4})?$/
const canadianPostcode = /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i

/** Magic inputs for an address that the tax calculation cannot find. */
const isMarkedUnknown = (address: Address) =>
  address.postal_code?.trim() === '00000' || address.line1?.trim().toUpperCase() === 'FAIL TAX'

/** Stripe's answer: nothing where the demo's account does not collect. */
export function findTaxPlace(address: Address): TaxPlace {
  const place = findTaxedPlace(address)
  const reason = UNCOLLECTED_COUNTRIES[address.country]
  return reason && place.kind !== 'unknown' ? { kind: 'untaxed', reason, state: address.state ?? null } : place
}

/** The legal rate, even where the shop does not collect it. */
export function findTaxedPlace(address: Address): TaxPlace {
  if (isMarkedUnknown(address)) return { kind: 'unknown' }
  if (address.country === 'US') return americanTax(address)
  if (address.country === 'CA') return canadianTax(address)
  const state = address.state ?? null
  const published = consumptionTaxes[address.country]
  if (!published) return taxOutsideNorthAmerica(address.country, state)
  const postcode = address.postal_code?.trim().toUpperCase() ?? ''
  const special = published.places?.find(({ postcodes }) => postcodes.test(postcode))
  if (special?.rate === null) return { kind: 'untaxed', reason: 'not_subject_to_tax', state }
  const { taxType } = published
  const part = { taxType, name: taxNames[taxType], level: 'country' } as const
  return {
    kind: 'taxed',
    parts: [{ ...part, rate: shareOf(special?.rate ?? published.rate), ...(special && { reduced: true }) }],
    state,
  }
}

function taxOutsideNorthAmerica(country: string, state: string | null): TaxPlace {
  const rate = byCountry[country]
  if (!rate || rate.rate === 0 || withoutTax.includes(country))
    return { kind: 'untaxed', reason: 'not_subject_to_tax', state }
  const taxType = rate.type === 'gst' ? 'gst' : 'vat'
  return { kind: 'taxed', parts: [{ rate: rate.rate, taxType, name: taxNames[taxType], level: 'country' }], state }
}

function americanTax(address: Address): TaxPlace {
  const state = codeOf(address.state, americanStates)
  const zip = address.postal_code?.trim() ?? ''
  if (!state || !americanPostcode.test(zip)) return { kind: 'unknown' }
  const rate = americanStateRates[state]
  if (rate === undefined) return { kind: 'untaxed', reason: 'not_subject_to_tax', state }
  const part = { taxType: 'sales_tax', name: 'Sales tax' } as const
  const local = [
    ...(americanEverywhere[state] ?? []),
    ...(americanPlaces.find((place) => place.zip.test(zip) && place.state === state)?.local ?? []),
  ]
  return {
    kind: 'taxed',
    parts: [
      { ...part, rate: shareOf(rate), level: 'state' },
      ...local.map(({ level, rate, name }) => ({ ...part, rate: shareOf(rate), level, name: `${name} sales tax` })),
    ],
    state,
  }
}

/** Where federal and provincial tax are one harmonized tax (HST), they are one part. */
function canadianTax(address: Address): TaxPlace {
  const state = codeOf(address.state, canadianProvinces)
  if (!state || !canadianPostcode.test(address.postal_code?.trim() ?? '')) return { kind: 'unknown' }
  const province = provincialTaxes[state]
  const own = province && {
    rate: shareOf(province.rate),
    taxType: province.taxType,
    name: taxNames[province.taxType],
    level: 'state' as const,
  }
  if (own?.taxType === 'hst') return { kind: 'taxed', parts: [own], state }
  const gst: TaxPart = { rate: shareOf(canadianGst), taxType: 'gst', name: taxNames.gst, level: 'country' }
  return { kind: 'taxed', parts: own ? [gst, own] : [gst], state }
}

/** 8.25 (percent) is 0.0825, without binary rounding errors. */
const shareOf = (percent: number): number => Number((percent / 100).toFixed(8))

const taxNames = { vat: 'VAT', gst: 'GST', hst: 'HST', pst: 'PST', qst: 'QST', jct: 'JCT' } as const

/** Shoppers write `CA` as well as `California`. */
function codeOf(state: string | undefined, names: ReadonlyMap<string, string>): string | undefined {
  const given = state?.trim() ?? ''
  const code = given.toUpperCase()
  return names.has(code) ? code : [...names].find(([, name]) => name.toLowerCase() === given.toLowerCase())?.[0]
}

const namesByCode = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(', ').map((entry) => {
      const [code = '', ...words] = entry.split(' ')
      return [code, words.join(' ')] as const
    }),
  )

const americanStates = namesByCode(
  'AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, CT Connecticut, DE Delaware, DC District of Columbia, ' +
    'FL Florida, GA Georgia, HI Hawaii, ID Idaho, IL Illinois, IN Indiana, IA Iowa, KS Kansas, KY Kentucky, LA Louisiana, ME Maine, ' +
    'MD Maryland, MA Massachusetts, MI Michigan, MN Minnesota, MS Mississippi, MO Missouri, MT Montana, NE Nebraska, NV Nevada, ' +
    'NH New Hampshire, NJ New Jersey, NM New Mexico, NY New York, NC North Carolina, ND North Dakota, OH Ohio, OK Oklahoma, OR Oregon, ' +
    'PA Pennsylvania, PR Puerto Rico, RI Rhode Island, SC South Carolina, SD South Dakota, TN Tennessee, TX Texas, UT Utah, VT Vermont, ' +
    'VA Virginia, WA Washington, WV West Virginia, WI Wisconsin, WY Wyoming, AA Armed Forces Americas, AE Armed Forces Europe, ' +
    'AP Armed Forces Pacific, AS American Samoa, GU Guam, MP Northern Mariana Islands, VI Virgin Islands',
)

const canadianProvinces = namesByCode(
  'AB Alberta, BC British Columbia, MB Manitoba, NB New Brunswick, NL Newfoundland and Labrador, NS Nova Scotia, NT Northwest Territories, ' +
    'NU Nunavut, ON Ontario, PE Prince Edward Island, QC Quebec, SK Saskatchewan, YT Yukon',
)
