import type { RefObject } from 'react'
import { say } from '#words/say.ts'
import { Button } from '#web/ui/Button.tsx'
import { Price } from '#web/ui/Price.tsx'
import { StickyBar } from '#web/ui/StickyBar.tsx'
import { ProductName } from './ProductName.tsx'
import type { BuyButtonState } from './use-buy-button.ts'

type Props = {
  name: string
  buying: BuyButtonState
  /** Where colors and sizes are chosen, if there is a choice. */
  options: RefObject<HTMLElement | null>
  /** The main button. */
  button: RefObject<HTMLElement | null>
}

/** Its first press leads to the sizes if the shopper has chosen none. */
export function BuyBar({ name, buying, options, button }: Props) {
  const chooseOptions = () => {
    buying.onSentToSizes()
    const target = options.current ?? button.current
    target?.scrollIntoView({ behavior: 'smooth', block: 'center' })
    const choices = [...(target?.querySelectorAll<HTMLElement>('input:checked, button') ?? [])]
    const inputs = choices.filter((choice) => choice instanceof HTMLInputElement)
    // Sizes come after colors.
    const first = buying.isSizeOpen ? inputs.at(-1) : (inputs[0] ?? choices[0])
    first?.focus({ preventScroll: true })
  }
  return (
    <StickyBar label={say('Buy')}>
      <button type="button" onClick={chooseOptions} className="min-h-11 min-w-0 flex-1 text-left leading-snug">
        <span className="line-clamp-1 pb-0.5 font-display text-base leading-tight [&_.kind]:sr-only">
          <ProductName name={name} />
        </span>
        <span className="block truncate text-sm text-ink-soft">
          {buying.quantity > 1 && `${buying.quantity} × `}
          <Price amount={buying.price} />
          {buying.variantName && ` · ${buying.variantName}`}
          <span className="sr-only">{`, ${say('change the options')}`}</span>
        </span>
      </button>
      <Button
        busy={buying.isBusy}
        aria-disabled={!buying.isSizeOpen && buying.state !== 'available'}
        className="shrink-0 px-5!"
        onClick={buying.isSizeOpen ? chooseOptions : buying.buy}
      >
        {labelOf(buying)}
      </Button>
    </StickyBar>
  )
}

function labelOf({ state, label, isSizeOpen }: BuyButtonState): string {
  if (isSizeOpen) return say('Choose size')
  return state === 'not_made' ? say('Unavailable') : label
}
