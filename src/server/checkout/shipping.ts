import type { Address } from '#domain/checkout/address.ts'
import {
  firstParcel,
  FREE_SHIPPING,
  rateForAll,
  STANDARD_SHIPPING,
  type PricedLine,
  type ShippingRate,
} from '#domain/checkout/quote.ts'
import { assert } from '#shared/assert.ts'
import { catalogVariantsOf } from '#server/catalog/catalog.ts'
import type { Db } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import { addressRefusal } from './address-refusal.ts'

/**
 * The cart's shipping before surcharges: free, or the printer's rate if the shop passes it through. The standard rate replaces it
 * only while the printer is down, and the quote shows the estimate.
 * @param field the address's path in the request
 * @throws Refusal `address_refused` with a sentence for the field
 * @throws Refusal `provider_unavailable` when the printer refuses or its answer is unusable: a made-up rate could cost the shop money
 */
export async function shippingRate(
  { config, db, printful, log }: Needs<'config' | 'db' | 'printful' | 'log'>,
  lines: readonly PricedLine[],
  address: Address,
  field: string,
): Promise<ShippingRate> {
  if (config.shipping === 'free') return FREE_SHIPPING
  try {
    const { cost, name } = await printful.shippingRate(await piecesOf(db, firstParcel(lines)), address)
    return { cost: rateForAll(cost, lines), method: name, estimated: false }
  } catch (error) {
    if (error instanceof ProviderRefusal && error.code === 'address_refused') throw addressRefusal(field)
    if (error instanceof ProviderRefusal || (error instanceof ProviderUnavailable && !error.isOutage)) {
      log.error({ err: error }, 'the printer refused a shipping rate')
      throw new Refusal('provider_unavailable')
    }
    if (!(error instanceof ProviderUnavailable)) throw error
    log.warn({ err: error, country: address.country }, 'shipping rate unavailable: using the standard rate')
    return STANDARD_SHIPPING
  }
}

/** The printer's rates need its catalog variants; the shop's ids are sync variants. */
async function piecesOf(db: Db, lines: readonly PricedLine[]) {
  const catalogVariants = await catalogVariantsOf(
    db,
    lines.map(({ variantId }) => variantId),
  )
  return lines.map(({ variantId, quantity }) => {
    const catalogVariantId = catalogVariants.get(variantId)
    assert(catalogVariantId, `variant ${variantId} has no catalog variant`)
    return { catalogVariantId, quantity }
  })
}
