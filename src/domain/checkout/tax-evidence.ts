import type { Cents } from '#shared/money.ts'
import type { Address } from './address.ts'
import type { FrozenCheckout } from './checkout.ts'
import type { TaxAnswer, TaxShare, VatProtection } from './quote.ts'

/** What a quote's tax is based on; no timestamp, to keep equal quotes equal. */
export type TaxBasis = {
  /** `unavailable`: the tax source could not be reached and the tax is 0. */
  source: 'stripe_tax' | 'unavailable'
  /** The tax source's reasons: `standard_rated`, `not_collecting`, … */
  reasons: string[]
  /** Source of the consumption tax charged to us: Printful's estimate, unavailable, or not requested. */
  vatProtection: 'partner_estimate' | 'unavailable' | 'not_asked'
}

/** Kept with the order as evidence for its tax. */
export type TaxEvidence = {
  /** Time of calculation, ISO 8601. */
  at: string
  source: TaxBasis['source']
  calculationId: string | null
  address: Address
  tax: Cents
  rates: TaxShare[]
  reasons: string[]
  vatProtection: { source: TaxBasis['vatProtection']; amount: Cents }
}

/** @param vatProtection undefined if not requested */
export const taxBasisOf = (tax: TaxAnswer, vatProtection: VatProtection | undefined): TaxBasis => ({
  source: tax.estimated ? 'unavailable' : 'stripe_tax',
  reasons: tax.reasons,
  vatProtection: !vatProtection ? 'not_asked' : vatProtection.estimated ? 'unavailable' : 'partner_estimate',
})

/** @param at when the copy was frozen, just after the calculation */
export const taxEvidenceOf = (
  {
    quote,
    shippingAddress,
    taxCalculationId,
    taxBasis,
  }: Pick<FrozenCheckout, 'quote' | 'shippingAddress' | 'taxCalculationId' | 'taxBasis'>,
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
