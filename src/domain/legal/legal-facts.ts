import { RETENTION } from '#site/policy-texts.ts'
import type { PageSettings } from '#site/settings.ts'
import { formatRange } from '#site/text-format.ts'
import { shippingInBrief, shippingInPolicy, shippingInTerms } from '#domain/catalog/shipping-in-legal.ts'
import type { ShippingTerms } from '#domain/catalog/shipping-terms.ts'
import { ATTRIBUTION_DAYS } from '#domain/partners/attribution.ts'
import { say, sayKnown } from '#words/say.ts'
import type { LegalFacts } from './legal-text.ts'

/** What the placeholders of legal pages stand for, in the spoken language. @param terms null while unknown */
export function legalFactsOf(site: PageSettings, terms: ShippingTerms | null): LegalFacts {
  const { withinHours, days, hours } = site.responsePromise
  const { rule, exceptions } = shippingInPolicy(terms)
  const hasSurcharge = !terms || terms.surcharges.length > 0
  return {
    shop: site.name,
    'support-email': site.supportEmail,
    'processing-days': formatRange(site.processingDays),
    'standard-days': formatRange(site.standardDays),
    'international-days': formatRange(site.internationalDays),
    'return-days': String(site.returnDays),
    'refund-days': formatRange(site.refundDays),
    'answer-hours': String(withinHours),
    'answer-days': sayKnown(days),
    'answer-times': hours,
    'shipping-terms': shippingInTerms(terms),
    'shipping-brief': shippingInBrief(terms),
    'shipping-rule': rule,
    'shipping-exceptions': isOnlyForPillows(terms)
      ? `${exceptions} ${say('A pillow is mostly air, and air is expensive to fly that far.')}`
      : exceptions,
    'shipping-in-summary': hasSurcharge ? say('any shipping surcharge') : say('shipping'),
    'shipping-note': hasSurcharge
      ? say(
          'You see the surcharge on the product page and in your order summary before you pay. It is never added later.',
        )
      : '',
    'refunded-with': hasSurcharge ? say('the tax and any surcharge') : say('the tax'),
    'raffle-age': String(site.raffleAgeMin),
    'raffle-winner-days': formatRange(site.raffleWinnerDays),
    'raffle-claim-days': String(site.raffleClaimDays),
    'attribution-days': String(ATTRIBUTION_DAYS),
    'unpaid-checkout-days': String(RETENTION.unpaidCheckoutDays),
    'mail-copy-days': String(RETENTION.mailCopyDays),
    'message-days': String(RETENTION.settledLetterDays),
  }
}

const isOnlyForPillows = (terms: ShippingTerms | null): boolean =>
  terms !== null && terms.surcharges.length > 0 && terms.surcharges.every(({ piece }) => piece === 'pillow')
