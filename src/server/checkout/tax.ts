import type { Address } from '#domain/checkout/address.ts'
import type { PricedLine, TaxAnswer } from '#domain/checkout/quote.ts'
import { ZERO, type Cents } from '#shared/money.ts'
import { Refusal } from '#server/http/refusal.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import { addressRefusal } from './address-refusal.ts'

/** Stripe's codes for an address it cannot locate. */
const addressCodes = new Set(['customer_tax_location_invalid', 'shipping_address_invalid', 'postal_code_invalid'])

/**
 * Calculates the tax. Only while the tax provider is down is it 0, and the quote shows the estimate; a refused address is never taxed
 * at 0.
 * @param field the address's path in the request
 * @throws Refusal `provider_unavailable` when the provider refuses to calculate
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
      // Tax not set up, or a key without permission. Not the shopper's fault, but untaxed sales would cost the shop money.
      log.error({ err: error }, 'the tax provider refused to calculate')
      throw new Refusal('provider_unavailable')
    }
    if (!(error instanceof ProviderUnavailable)) throw error
    log.warn({ err: error, country: address.country }, 'tax provider unavailable: using 0 tax')
    return { amount: ZERO, breakdown: [], calculationId: null, estimated: true, reasons: [] }
  }
}
