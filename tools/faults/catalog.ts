import { demoProducts } from '#sandbox/catalog/products.ts'
import { seedProducts } from '#sandbox/printful/products.ts'
import { centsFromDecimal } from '#shared/money.ts'
import type { Evidence } from './checker.ts'

/** What every variant of the demo shop costs, from the partner's store and the catalog's own words on surcharges. */
export function readCatalog(): Evidence['catalog'] {
  return new Map(
    seedProducts(demoProducts).flatMap(({ external_id: slug, variants }) => {
      const asked = demoProducts.find((one) => one.slug === slug)?.metadata?.shipping_surcharge
      return variants.map((variant) => [
        variant.id,
        {
          price: centsFromDecimal(variant.retail_price) ?? 0,
          surcharge: asked ? Math.round(asked.amount * 100) : 0,
          countries: asked?.regions ?? [],
        },
      ])
    }),
  )
}
