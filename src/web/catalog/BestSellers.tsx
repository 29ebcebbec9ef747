import { useQuery } from '@tanstack/react-query'
import { say } from '#words/say.ts'
import { bestSellersQuery } from '#web/api/queries.ts'
import { ProductGrid } from './ProductGrid.tsx'

/** Four products with their prices, for pages that would otherwise end nowhere. */
export function BestSellers({ className }: { className: string }) {
  const { data: products = [] } = useQuery(bestSellersQuery)
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
