import type { ShownOrder } from '#contract/orders.ts'
import { ProductGrid } from '#web/catalog/ProductGrid.tsx'
import { useRelated } from '#web/catalog/use-related.ts'
import { say } from '#words/say.ts'

/** A row of four, or two rows of two. */
const OFFERS = 4

type Props = { lines: ShownOrder['lines']; className: string }

/** What goes with an order, and isn't in it. */
export function PairsWellWith({ lines, className }: Props) {
  const offers = useRelated(lines, OFFERS).slice(0, OFFERS)
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
