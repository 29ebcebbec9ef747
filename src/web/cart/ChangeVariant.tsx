import { lazy, Suspense, useState } from 'react'
import type { CartLine } from '#contract/cart.ts'
import { sayVariant } from '#domain/catalog/variant-name.ts'
import { say } from '#words/say.ts'
import { Button } from '#web/ui/Button.tsx'
import { classNames } from '#web/ui/class-names.ts'

// Loaded when it is first opened, with the product page's picker.
const VariantDialog = lazy(async () => ({ default: (await import('./VariantDialog.tsx')).VariantDialog }))

/** Changes a line's color and size in the cart; nothing for a product without another variant to change to. */
export function ChangeVariant({ line, className }: { line: CartLine; className?: string }) {
  const [dialog, setDialog] = useState<'never' | 'open' | 'closed'>('never')
  if (!line.hasOtherVariants) return null
  return (
    <>
      <Button
        variant="plain"
        aria-haspopup="dialog"
        data-change={line.id}
        className={classNames('noscript:hidden', className)}
        onClick={() => setDialog('open')}
      >
        {say('Change')}
        <span className="sr-only">
          {` ${say('options of {name}', { name: `${line.productName}, ${sayVariant(line.variantName ?? '')}` })}`}
        </span>
      </Button>
      {dialog !== 'never' && (
        <Suspense>
          <VariantDialog line={line} open={dialog === 'open'} onClose={() => setDialog('closed')} />
        </Suspense>
      )}
    </>
  )
}
