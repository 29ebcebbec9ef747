import { useQuery } from '@tanstack/react-query'
import { say } from '#words/say.ts'
import { bestSellersQuery } from '#web/api/queries.ts'
import { paths } from '#contract/paths.ts'
import { Link } from '#web/app/Link.tsx'
import { ProductGrid } from './ProductGrid.tsx'

/** Four products with their prices, for pages that would otherwise end nowhere. @property withAll as a section of a page: a larger title, and the way to all of them */
export function BestSellers({ className, withAll = false }: { className: string; withAll?: boolean }) {
  const { data: products = [] } = useQuery(bestSellersQuery)
  if (products.length === 0) return null
  return (
    <section aria-labelledby="best-sellers" className={`without-badges ${className}`}>
      <div className="mb-6 flex flex-wrap items-baseline justify-between gap-x-4 lg:mb-8">
        <h2 id="best-sellers" className={withAll ? 'text-headline' : 'text-title'}>
          {say('Best sellers')}
        </h2>
        {withAll && (
          <Link to={paths.products} className="link-line inline-flex min-h-11 items-center font-semibold">
            {say('See all products')}
          </Link>
        )}
      </div>
      <ProductGrid columns="row" products={products} headingLevel="h3" />
    </section>
  )
}
