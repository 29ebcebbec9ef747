import { useQuery } from '@tanstack/react-query'
import type { ProductCard } from '#contract/catalog.ts'
import { BEST_SELLERS_SHOWN } from '#domain/catalog/best-sellers.ts'
import { paths } from '#contract/paths.ts'
import { say } from '#words/say.ts'
import { bestSellersQuery } from '#web/api/queries.ts'
import { Link } from '#web/app/Link.tsx'
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
      <div className="mb-6 flex flex-wrap items-baseline justify-between gap-x-6 lg:mb-8">
        <h2 id="best-sellers" className="text-title">
          {say('Best sellers')}
        </h2>
        <Link to={paths.products} className="link-line inline-flex min-h-11 items-center font-semibold">
          {say('See all products')}
        </Link>
      </div>
      <ProductGrid columns="row" products={products} headingLevel="h3" />
    </section>
  )
}
