import { legalFactsOf } from '#domain/legal/legal-facts.ts'
import type { LegalFacts } from '#domain/legal/legal-text.ts'
import { inLanguage, type Language } from '#shared/language.ts'
import { useSite } from '#web/api/use-site.ts'
import { useShippingTerms } from '#web/app/use-shipping-terms.ts'

/** Today's values of the placeholders of legal pages. @param language of the text around them */
export function useLegalFacts(language: Language): LegalFacts {
  const [site, terms] = [useSite(), useShippingTerms()]
  return inLanguage(language, () => legalFactsOf(site, terms))
}
