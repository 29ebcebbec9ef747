import { demoProducts } from '#sandbox/catalog/products.ts'
import { seedProducts } from '#sandbox/printful/products.ts'
import { centsFromDecimal } from '#shared/money.ts'
import type { Evidence } from './checker.ts'

/** Prices from the printer's store and surcharges from the catalog, for every variant of the demo shop. */
export function readCatalog(): Evidence['catalog'] {
  return new Map(
    seedProducts(demoProducts).flatMap(({ external_id: slug, variants }) => {
      const rule = demoProducts.find((product) => product.slug === slug)?.metadata?.shipping_surcharge
      return variants.map((variant) => [
        variant.id,
        {
          price: centsFromDecimal(variant.retail_price) ?? 0,
          surcharge: rule ? Math.round(rule.amount * 100) : 0,
          countries: rule?.regions ?? [],
        },
      ])
    }),
  )
}
