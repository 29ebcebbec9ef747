import type { Cents } from '#shared/money.ts'

/** A product's surcharge and restrictions (specification, section 3, Product metadata); amounts in cents. */
export type ProductMetadata = {
  shippingSurcharge?: { amount: Cents; regions: string[]; description: string; enabled: boolean }
  restrictions?: { blockedCountries: string[]; minimumAge?: number | undefined; delayRegions: string[] }
}

/** @returns the surcharge per piece for a country, if any */
export const surchargeTo = ({ shippingSurcharge }: ProductMetadata, country: string) =>
  shippingSurcharge?.enabled && shippingSurcharge.regions.includes(country) ? shippingSurcharge : undefined
