import type { Cents } from '#shared/money.ts'

/** What a product asks beyond its price (specification, section 3, Product metadata), with amounts in cents. */
export type ProductMetadata = {
  shippingSurcharge?: { amount: Cents; regions: string[]; description: string; enabled: boolean }
  restrictions?: { blockedCountries: string[]; minimumAge?: number | undefined; delayRegions: string[] }
}

/** @returns the surcharge of one piece to a country, if the product asks one there */
export const surchargeTo = ({ shippingSurcharge }: ProductMetadata, country: string) =>
  shippingSurcharge?.enabled && shippingSurcharge.regions.includes(country) ? shippingSurcharge : undefined
