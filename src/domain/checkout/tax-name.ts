import type { TaxShare } from './quote.ts'
import { regionsOf } from './regions.ts'
import { adjectives } from './say-tax-name.ts'

const typeNames: Readonly<Record<string, string>> = {
  ...{ vat: 'VAT', gst: 'GST', hst: 'HST', pst: 'PST', qst: 'QST', rst: 'RST' },
  jct: 'consumption tax',
}

/** `US-NY` is `New York`, `DE` is `German`, `CA-QC` is `Quebec`. */
function placeOf(jurisdiction: string): string {
  const [country = '', state] = jurisdiction.split('-')
  const region = state === undefined ? undefined : regionsOf(country)?.find(({ code }) => code === state)?.name
  return region ?? adjectives[country] ?? country
}

const DECIMALS = 6
const SCALE = 10 ** DECIMALS

/** `19.0` and `0.5` are `19.5`: exact, because percentages are counted in millionths. */
const percentSum = (percentages: readonly string[]): string =>
  String(percentages.reduce((total, one) => total + Math.round(Number(one) * SCALE), 0) / SCALE)

/**
 * The taxes of a quote or order by their names, from the tax source's own breakdown: `German VAT 19%`, `New York sales tax 8.875%`,
 * `Canadian GST 5% and Quebec QST 9.975%`. The parts of a state, county and city are one sales tax.
 * @returns undefined without any tax
 */
export function taxNameOf(
  breakdown: readonly Pick<TaxShare, 'jurisdiction' | 'type' | 'percentage'>[],
): string | undefined {
  const taxes = Map.groupBy(
    breakdown,
    ({ jurisdiction, type }) => `${placeOf(jurisdiction)} ${typeNames[type] ?? type.replaceAll('_', ' ')}`,
  )
  const named = [...taxes].map(([name, parts]) => `${name} ${percentSum(parts.map(({ percentage }) => percentage))}%`)
  return named.length > 0 ? named.join(' and ') : undefined
}
