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
 * What carrying a cart costs before surcharges: nothing, or the partner's rate where the shop passes it through. The
 * standard rate stands in only for one that could not be had, and the quote says so.
 * @param field where the address stands in the request
 * @throws Refusal `address_refused` with a sentence for the field
 * @throws Refusal `provider_unavailable` when the partner is there and will not say, or says what cannot be: selling at a made-up rate would be at our cost
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
      log.error({ err: error }, 'the printer refuses to name a shipping rate')
      throw new Refusal('provider_unavailable')
    }
    if (!(error instanceof ProviderUnavailable)) throw error
    log.warn({ err: error, country: address.country }, 'no shipping rate could be had: the standard rate stands in')
    return STANDARD_SHIPPING
  }
}

/** Rates are asked by the partner's catalog variants; the shop's own ids are those of its sync variants. */
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
