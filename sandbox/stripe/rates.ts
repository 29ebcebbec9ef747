import { z } from 'zod'
import table from 'sales-tax/res/sales_tax_rates.json' with { type: 'json' }

/**
 * Standard rates of sales tax, VAT and GST by country, and by state in the United States and Canada.
 * Source: the data file of the npm package `sales-tax` (MIT, github.com/valeriansaliou/node-sales-tax), read as data only.
 * It knows no county or city rates and no reduced rates, so an American total differs from what Stripe Tax would say.
 */

const rateSchema = z.object({ type: z.string(), rate: z.number() })
const tableSchema = z.record(z.string(), rateSchema.extend({ states: z.record(z.string(), rateSchema).optional() }))
const byCountry = tableSchema.parse(table)

/** `rate` is a share: 0.0825 is 8.25 %. */
export type TaxPart = {
  rate: number
  taxType: 'sales_tax' | 'vat' | 'gst' | 'hst' | 'pst' | 'qst' | 'jct'
  name: string
  level: 'country' | 'state'
}

export type TaxPlace =
  | { kind: 'taxed'; parts: readonly TaxPart[]; state: string | null }
  /** The shop is not registered there, or the place has no such tax: 0 is right. */
  | { kind: 'untaxed'; reason: 'not_collecting' | 'not_subject_to_tax'; state: string | null }
  /** The address does not say where it is. */
  | { kind: 'unknown' }

type Address = {
  country: string
  state?: string | undefined
  postal_code?: string | undefined
  line1?: string | undefined
}

const americanPostcode = /^\d{5}(-?\d{4})?$/
const canadianPostcode = /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i

/** Magic inputs for an address that the tax calculation cannot place. */
const isMarkedUnknown = (address: Address) =>
  address.postal_code?.trim() === '00000' || address.line1?.trim().toUpperCase() === 'FAIL TAX'

export function findTaxPlace(address: Address): TaxPlace {
  if (isMarkedUnknown(address)) return { kind: 'unknown' }
  if (address.country === 'US') return american(address)
  if (address.country === 'CA') return canadian(address)
  const rate = byCountry[address.country]
  const state = address.state ?? null
  if (!rate) return { kind: 'untaxed', reason: 'not_collecting', state }
  if (rate.rate === 0) return { kind: 'untaxed', reason: 'not_subject_to_tax', state }
  const taxType = address.country === 'JP' ? 'jct' : rate.type === 'gst' ? 'gst' : 'vat'
  return {
    kind: 'taxed',
    parts: [{ rate: rate.rate, taxType, name: taxNames[taxType], level: 'country' }],
    state,
  }
}

function american(address: Address): TaxPlace {
  const state = codeOf(address.state, americanStates)
  if (!state || !americanPostcode.test(address.postal_code?.trim() ?? '')) return { kind: 'unknown' }
  const rate = byCountry['US']?.states?.[state]
  if (!rate || rate.rate === 0) return { kind: 'untaxed', reason: 'not_subject_to_tax', state }
  return {
    kind: 'taxed',
    parts: [{ rate: rate.rate, taxType: 'sales_tax', name: 'Sales tax', level: 'state' }],
    state,
  }
}

/** The table gives the federal 5 % and what a province adds; where both are one harmonised tax, one part says so. */
function canadian(address: Address): TaxPlace {
  const state = codeOf(address.state, canadianProvinces)
  if (!state || !canadianPostcode.test(address.postal_code?.trim() ?? '')) return { kind: 'unknown' }
  const federal = byCountry['CA']?.rate ?? 0
  const province = byCountry['CA']?.states?.[state]
  if (province?.type === 'hst') {
    const rate = Number((federal + province.rate).toFixed(6))
    return { kind: 'taxed', parts: [{ rate, taxType: 'hst', name: taxNames.hst, level: 'state' }], state }
  }
  const gst: TaxPart = { rate: federal, taxType: 'gst', name: taxNames.gst, level: 'country' }
  if (!province) return { kind: 'taxed', parts: [gst], state }
  const taxType = province.type === 'qst' ? 'qst' : 'pst'
  return {
    kind: 'taxed',
    parts: [gst, { rate: province.rate, taxType, name: taxNames[taxType], level: 'state' }],
    state,
  }
}

const taxNames = { vat: 'VAT', gst: 'GST', hst: 'HST', pst: 'PST', qst: 'QST', jct: 'JCT' } as const

/** Shoppers write `CA` as well as `California`. */
function codeOf(state: string | undefined, names: ReadonlyMap<string, string>): string | undefined {
  const given = state?.trim() ?? ''
  const code = given.toUpperCase()
  return names.has(code) ? code : [...names].find(([, name]) => name.toLowerCase() === given.toLowerCase())?.[0]
}

const named = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(', ').map((entry) => {
      const [code = '', ...words] = entry.split(' ')
      return [code, words.join(' ')] as const
    }),
  )

const americanStates = named(
  'AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, CT Connecticut, DE Delaware, DC District of Columbia, ' +
    'FL Florida, GA Georgia, HI Hawaii, ID Idaho, IL Illinois, IN Indiana, IA Iowa, KS Kansas, KY Kentucky, LA Louisiana, ME Maine, ' +
    'MD Maryland, MA Massachusetts, MI Michigan, MN Minnesota, MS Mississippi, MO Missouri, MT Montana, NE Nebraska, NV Nevada, ' +
    'NH New Hampshire, NJ New Jersey, NM New Mexico, NY New York, NC North Carolina, ND North Dakota, OH Ohio, OK Oklahoma, OR Oregon, ' +
    'PA Pennsylvania, PR Puerto Rico, RI Rhode Island, SC South Carolina, SD South Dakota, TN Tennessee, TX Texas, UT Utah, VT Vermont, ' +
    'VA Virginia, WA Washington, WV West Virginia, WI Wisconsin, WY Wyoming, AA Armed Forces Americas, AE Armed Forces Europe, ' +
    'AP Armed Forces Pacific, AS American Samoa, GU Guam, MP Northern Mariana Islands, VI Virgin Islands',
)

const canadianProvinces = named(
  'AB Alberta, BC British Columbia, MB Manitoba, NB New Brunswick, NL Newfoundland and Labrador, NS Nova Scotia, NT Northwest Territories, ' +
    'NU Nunavut, ON Ontario, PE Prince Edward Island, QC Quebec, SK Saskatchewan, YT Yukon',
)
