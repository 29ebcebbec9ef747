import type { Product } from '#contract/catalog.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { ACROSS_A_PHONE } from './Picture.tsx'
import { ProductCard } from './ProductCard.tsx'

/** The listing shows up to 3 columns, a collection up to 4 (specification, section 9). */
type Columns = 3 | 4

const grids: Record<Columns, string> = {
  3: 'grid gap-x-6 gap-y-12 sm:grid-cols-2 lg:grid-cols-3 lg:gap-x-9 lg:gap-y-16',
  4: 'grid gap-x-6 gap-y-12 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4 xl:gap-x-8 lg:gap-y-16',
}
const widths: Record<Columns, string> = {
  3: `(min-width: 1312px) 384px, (min-width: 1024px) 29vw, (min-width: 640px) 44vw, ${ACROSS_A_PHONE}`,
  4: `(min-width: 1312px) 280px, (min-width: 1280px) 22vw, (min-width: 1024px) 29vw, (min-width: 640px) 44vw, ${ACROSS_A_PHONE}`,
}

type Props = { products: readonly Product[]; columns: Columns; headingLevel?: 'h2' | 'h3'; firstInSight?: boolean }

export const ProductGrid = ({ products, columns, headingLevel = 'h2', firstInSight = false }: Props) => (
  <ul className={grids[columns]}>
    {products.map((product, index) => (
      <li key={product.id}>
        <ProductCard
          product={product}
          sizes={widths[columns]}
          first={firstInSight && index === 0}
          headingLevel={headingLevel}
        />
      </li>
    ))}
  </ul>
)

const PLACEHOLDERS = [0, 1, 2, 3, 4, 5]

export const ProductGridLoading = ({ columns, children }: { columns: Columns; children: string }) => (
  <div role="status">
    <p className="mb-8 flex items-center gap-3 text-ink-soft">
      <Spinner />
      {children}
    </p>
    <div className={classNames(grids[columns])}>
      {PLACEHOLDERS.map((placeholder) => (
        <div key={placeholder}>
          <Skeleton className="aspect-square w-full" />
          <Skeleton className="mt-5 h-6 w-3/4" />
          <Skeleton className="mt-3 h-4 w-1/3" />
        </div>
      ))}
    </div>
  </div>
)
