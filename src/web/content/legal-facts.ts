import { legalFactsOf } from '#domain/legal/legal-facts.ts'
import type { LegalFacts } from '#domain/legal/legal-text.ts'
import { useSite } from '#web/api/use-site.ts'
import { useShippingTerms } from '#web/app/use-shipping-terms.ts'

/** Today's values of the placeholders of legal pages. */
export const useLegalFacts = (): LegalFacts => legalFactsOf(useSite(), useShippingTerms())
