import type { ReactNode } from 'react'
import type { ProductCard as CardProduct } from '#contract/catalog.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { ACROSS_A_PHONE } from './Picture.tsx'
import { ProductCard } from './ProductCard.tsx'

/**
 * The listing shows up to 3 columns, a collection up to 4 (specification, section 9); offers are a row of four, two on phones; groups
 * share the grid around them.
 */
type Columns = 3 | 4 | 'row' | 'group'

const quarter = '(min-width:80rem) 290px,(min-width:48rem) 22vw,44vw'
const widths: Record<Columns, string> = {
  3: '(min-width:80rem) 384px,(min-width:48rem) 30vw,44vw',
  4: '(min-width:80rem) 290px,(min-width:48rem) 30vw,44vw',
  row: quarter,
  group: quarter,
}

/** Beside its words in two columns of three; on tablets as others. */
const LARGE = `(min-width:80rem) 580px,(min-width:64rem) 40vw,(min-width:48rem) 30vw,${ACROSS_A_PHONE}`

/** Two of four columns beside rows of three: the first of a collection on tablets, if its last row would not be full. */
const HALF = '(min-width:80rem) 290px,44vw'
const halves = (count: number): number => [0, 4, 2][count % 3] ?? 0

type Props = {
  products: readonly CardProduct[]
  columns: Columns
  headingLevel?: 'h2' | 'h3'
  firstInSight?: boolean
  /** Above the first card. */
  children?: ReactNode
  /** After the last one. */
  last?: ReactNode
}

export const ProductGrid = ({
  products,
  columns,
  headingLevel = 'h2',
  firstInSight = false,
  children,
  last,
}: Props) => (
  <ul className={`cards cards-${columns}`}>
    {products.map((product, index) => (
      <li key={product.id} className={product.isLarge ? 'large' : undefined}>
        {index === 0 && children}
        <ProductCard
          product={product}
          sizes={product.isLarge ? LARGE : columns === 4 && index < halves(products.length) ? HALF : widths[columns]}
          // A phone's first row. More would take the connections that the styles need.
          first={firstInSight && index < 2}
          headingLevel={headingLevel}
        />
      </li>
    ))}
    {last}
  </ul>
)

const PLACEHOLDERS = [0, 1, 2, 3, 4, 5]

export const ProductGridLoading = ({ columns, children }: { columns: Columns; children: string }) => (
  <div role="status">
    <p className="mb-8 flex items-center gap-3 text-ink-soft">
      <Spinner />
      {children}
    </p>
    <div className={`cards cards-${columns}`}>
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
