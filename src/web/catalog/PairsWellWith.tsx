import { say } from '#words/say.ts'
import { ProductGrid } from './ProductGrid.tsx'
import { useRelated } from './use-related.ts'

/** A row of four, or two rows of two. */
const OFFERS = 4

type Props = { products: readonly (string | number)[]; className: string }

/** What goes with the first of these products, by id, and isn't among them. Orders give their last first, since carts showed the other. */
export function PairsWellWith({ products, className }: Props) {
  const offers = useRelated(products, OFFERS).slice(0, OFFERS)
  if (offers.length === 0) return null
  return (
    <section aria-labelledby="more" className={className}>
      <h2 id="more" className="text-title">
        {say('Pairs well with')}
      </h2>
      <div className="mt-6">
        <ProductGrid columns="row" products={offers} headingLevel="h3" />
      </div>
    </section>
  )
}
