import type { Cents } from '#shared/money.ts'
import type { Address } from './address.ts'
import type { FrozenCheckout } from './checkout.ts'
import type { TaxAnswer, TaxShare, VatProtection } from './quote.ts'

/** What a quote's tax rests on; without a time, so that equal quotes are equal. */
export type TaxBasis = {
  /** `unavailable`: the tax source could not be asked, and 0 stands in. */
  source: 'stripe_tax' | 'unavailable'
  /** In the tax source's words: `standard_rated`, `not_collecting`, … */
  reasons: string[]
  /** Who said what consumption tax we are charged ourselves: the partner's estimate, nobody who could be asked, or nobody was. */
  vatProtection: 'partner_estimate' | 'unavailable' | 'not_asked'
}

/** Kept with the order, for whoever has to explain its tax. */
export type TaxEvidence = {
  /** When it was calculated, ISO 8601. */
  at: string
  source: TaxBasis['source']
  calculationId: string | null
  address: Address
  tax: Cents
  rates: TaxShare[]
  reasons: string[]
  vatProtection: { source: TaxBasis['vatProtection']; amount: Cents }
}

/** @param vatProtection undefined when nobody was asked for it */
export const taxBasisOf = (tax: TaxAnswer, vatProtection: VatProtection | undefined): TaxBasis => ({
  source: tax.estimated ? 'unavailable' : 'stripe_tax',
  reasons: tax.reasons,
  vatProtection: !vatProtection ? 'not_asked' : vatProtection.estimated ? 'unavailable' : 'partner_estimate',
})

/** @param at when the copy was frozen: the calculation is a moment older */
export const taxEvidenceOf = (
  { quote, shippingAddress, taxCalculationId, taxBasis }: FrozenCheckout,
  at: Date,
): TaxEvidence => ({
  at: at.toISOString(),
  source: taxBasis?.source ?? (taxCalculationId ? 'stripe_tax' : 'unavailable'),
  calculationId: taxCalculationId,
  address: shippingAddress,
  tax: quote.tax,
  rates: quote.taxBreakdown,
  reasons: taxBasis?.reasons ?? [],
  vatProtection: { source: taxBasis?.vatProtection ?? 'not_asked', amount: quote.vatProtection },
})
