import type { Cents } from '#shared/money.ts'

/** A product's surcharge and restrictions (specification, section 3, Product metadata), and keywords; amounts in cents. */
export type ProductMetadata = {
  shippingSurcharge?: { amount: Cents; regions: string[]; description: string; enabled: boolean }
  restrictions?: { blockedCountries: string[]; minimumAge?: number | undefined; delayRegions: string[] }
  /** Search words beside those of name and type; missing without any. */
  keywords?: string[]
}

/** @returns the surcharge per piece for a country, if any */
export const surchargeTo = ({ shippingSurcharge }: ProductMetadata, country: string) =>
  shippingSurcharge?.enabled && shippingSurcharge.regions.includes(country) ? shippingSurcharge : undefined

export const KEYWORDS_MAX = 30

/** `puppy, Dog mom` becomes two keywords. */
export const keywordsIn = (typed: string): string[] =>
  [
    ...new Map(
      typed
        .split(/[,;\n]+/)
        .map((keyword) => keyword.replaceAll(/\s+/g, ' ').trim().slice(0, 60))
        .filter(Boolean)
        .map((keyword) => [keyword.toLowerCase(), keyword] as const),
    ).values(),
  ].slice(0, KEYWORDS_MAX)
