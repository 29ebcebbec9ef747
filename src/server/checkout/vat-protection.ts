import type { Address } from '#domain/checkout/address.ts'
import type { PricedLine, VatProtection } from '#domain/checkout/quote.ts'
import { cents, ZERO } from '#shared/money.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import { addressRefusal } from './address-refusal.ts'

/** Smaller amounts are not shown (specification, section 9), so they are not charged. */
const NOT_WORTH_A_LINE = cents(1)

/**
 * The consumption tax that the printer will charge the shop, by its own estimate. A missing estimate does not block the sale: the
 * shop covers the tax, and the quote shows the estimate.
 * @param field the address's path in the request
 * @throws Refusal `address_refused` with a sentence for the field: the parcel could not go there either
 */
export async function estimateVatProtection(
  { printful, log }: Needs<'printful' | 'log'>,
  lines: readonly PricedLine[],
  address: Address,
  field: string,
): Promise<VatProtection> {
  try {
    const amount = await printful.estimateTaxes(lines, address)
    return { amount: amount > NOT_WORTH_A_LINE ? amount : ZERO, estimated: false }
  } catch (error) {
    if (error instanceof ProviderRefusal && error.code === 'address_refused') throw addressRefusal(field)
    if (!(error instanceof ProviderRefusal) && !(error instanceof ProviderUnavailable)) throw error
    const facts = { err: error, country: address.country }
    if (error instanceof ProviderRefusal) log.error(facts, 'the printer refused to estimate its tax: using 0')
    else log.warn(facts, 'no estimate of the printer’s tax: using 0')
    return { amount: ZERO, estimated: true }
  }
}
