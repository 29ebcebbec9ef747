import { defaultSettings, type SiteSettings } from '#site/shop-rules.ts'
import { legalFactsOf } from '#domain/legal/legal-facts.ts'
import type { LegalFacts } from '#domain/legal/legal-text.ts'
import type { Needs } from '#server/shop.ts'
import { shippingTermsOf } from './public-config.ts'
import { readSurcharges } from './surcharges.ts'

/** What the placeholders of legal pages stand for, from the settings that differ from their defaults; undefined while unknown. */
export type LegalFigures = (changed: Partial<SiteSettings>) => LegalFacts | undefined

/** Call before a transaction that computes them. */
export async function readLegalFigures({ config, db }: Needs<'config' | 'db'>): Promise<LegalFigures> {
  const surcharges = await readSurcharges(db)
  return (changed) => {
    const terms = shippingTermsOf(config, changed, surcharges)
    return terms ? legalFactsOf({ ...defaultSettings, ...changed }, terms) : undefined
  }
}
