import { paths } from '#contract/paths.ts'
import { spokenAddress } from '#shared/language.ts'
import { say } from '#words/say.ts'
import { useShippingTerms } from '#web/app/use-shipping-terms.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Sentence } from '#web/ui/Sentence.tsx'

export function ShippingNote({ className }: { className: string }) {
  const isFree = useShippingTerms()?.isFree ?? false
  return (
    <p className={classNames('text-sm text-ink-soft', className)}>
      <Sentence
        word={
          isFree
            ? '{shipping}. You’ll see the taxes before you pay.'
            : '{shipping} and taxes: you’ll see them before you pay.'
        }
        parts={{
          shipping: (
            <a href={spokenAddress(paths.shippingReturns)} className="link-line">
              {isFree ? say('Free shipping*') : say('Shipping*')}
            </a>
          ),
        }}
      />
    </p>
  )
}
