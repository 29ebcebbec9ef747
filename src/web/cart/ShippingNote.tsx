import { paths } from '#contract/paths.ts'
import { useShippingTerms } from '#web/app/use-shipping-terms.ts'
import { classNames } from '#web/ui/class-names.ts'

export function ShippingNote({ className }: { className: string }) {
  const isFree = useShippingTerms()?.isFree ?? false
  return (
    <p className={classNames('text-sm text-ink-soft', className)}>
      <a href={paths.shippingReturns} className="link-line">
        {isFree ? 'Free shipping*' : 'Shipping*'}
      </a>
      {isFree ? '. You’ll see the taxes' : ' and taxes: you’ll see them'} before you pay.
    </p>
  )
}
