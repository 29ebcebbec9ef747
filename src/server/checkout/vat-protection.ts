import type { Address } from '#domain/checkout/address.ts'
import type { PricedLine, VatProtection } from '#domain/checkout/quote.ts'
import { cents, ZERO } from '#shared/money.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import { addressRefusal } from './address-refusal.ts'

/** Only what is more is shown (specification, section 9), and what is not shown is not charged. */
const NOT_WORTH_A_LINE = cents(1)

/**
 * The consumption tax that the partner will charge us for a cart, by its own estimate. Nobody is kept from buying by an
 * estimate that could not be had: 0 stands in, at our cost, and the quote says so.
 * @param field where the address stands in the request
 * @throws Refusal `address_refused` with a sentence for the field: an order could not be sent there either
 */
export async function vatProtectionOn(
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
    if (error instanceof ProviderRefusal) log.error(facts, 'the printer refuses to estimate its tax: 0 stands in')
    else log.warn(facts, 'no estimate of the printer’s tax could be had: 0 stands in')
    return { amount: ZERO, estimated: true }
  }
}
