import { useQuery } from '@tanstack/react-query'
import type { ProductCard } from '#contract/catalog.ts'
import { BEST_SELLERS_SHOWN } from '#domain/catalog/best-sellers.ts'
import { say } from '#words/say.ts'
import { bestSellersQuery } from '#web/api/queries.ts'
import { ProductGrid } from './ProductGrid.tsx'

type Props = {
  className: string
  /** Shown above already. */
  without?: readonly Pick<ProductCard, 'id'>[]
}

/** Four products with their prices, for pages that would otherwise end nowhere. */
export function BestSellers({ className, without = [] }: Props) {
  const { data = [] } = useQuery(bestSellersQuery)
  const products = data.filter(({ id }) => without.every((shown) => shown.id !== id)).slice(0, BEST_SELLERS_SHOWN)
  if (products.length === 0) return null
  return (
    <section aria-labelledby="best-sellers" className={`without-badges ${className}`}>
      <h2 id="best-sellers" className="mb-6 text-title lg:mb-8">
        {say('Best sellers')}
      </h2>
      <ProductGrid columns="row" products={products} headingLevel="h3" />
    </section>
  )
}
