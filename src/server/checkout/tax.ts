import type { Address } from '#domain/checkout/address.ts'
import type { PricedLine, TaxAnswer } from '#domain/checkout/quote.ts'
import { ZERO, type Cents } from '#shared/money.ts'
import { Refusal } from '#server/http/refusal.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import { addressRefusal } from './address-refusal.ts'

/** Stripe's codes for an address that cannot be placed. */
const addressCodes = new Set(['customer_tax_location_invalid', 'shipping_address_invalid', 'postal_code_invalid'])

/**
 * The tax port. 0 stands in only for an answer that could not be had, and the quote says so; an address that the
 * source refuses is never taxed at 0.
 * @param field where the address stands in the request
 * @throws Refusal `provider_unavailable` when the source will not calculate at all
 * @throws Refusal `address_refused`, with a sentence for the field
 */
export async function taxOn(
  { stripe, log }: Needs<'stripe' | 'log'>,
  lines: readonly PricedLine[],
  shipping: Cents,
  address: Address,
  field: string,
): Promise<TaxAnswer> {
  try {
    return await stripe.calculateTax(lines, shipping, address)
  } catch (error) {
    if (error instanceof ProviderRefusal && addressCodes.has(error.code ?? '')) throw addressRefusal(field)
    if (error instanceof ProviderRefusal || (error instanceof ProviderUnavailable && !error.isOutage)) {
      // Tax that is not set up, or a key without the right to it, is nobody's address; untaxed sales would be at our cost.
      log.error({ err: error }, 'the tax source refuses to calculate')
      throw new Refusal('provider_unavailable')
    }
    if (!(error instanceof ProviderUnavailable)) throw error
    log.warn({ err: error, country: address.country }, 'tax source unavailable: 0 stands in')
    return { amount: ZERO, breakdown: [], calculationId: null, estimated: true, reasons: [] }
  }
}
