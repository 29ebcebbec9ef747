import { paths } from '#contract/paths.ts'
import { classNames } from '#web/ui/class-names.ts'

/** What a cart promises of shipping; the star leads to where it ends. */
export const ShippingNote = ({ className }: { className: string }) => (
  <p className={classNames('text-sm text-ink-soft', className)}>
    <a href={paths.shippingReturns} className="link-line">
      Free shipping*
    </a>
    . Taxes are calculated at checkout.
  </p>
)
