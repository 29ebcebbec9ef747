import { lazy, Suspense, type ReactNode, type RefObject } from 'react'
import { spokenLanguage } from '#shared/language.ts'
import { say } from '#words/say.ts'
import { Button } from '#web/ui/Button.tsx'
import { QuantityField } from './QuantityField.tsx'
import type { BuyButtonState } from './use-buy-button.ts'

// Knows the countries, in every language.
const Disclosure = import.meta.env.SSR
  ? (await import('./Disclosure.tsx')).Disclosure
  : lazy(async () => ({ default: (await import('./Disclosure.tsx')).Disclosure }))

type Props = {
  buying: BuyButtonState
  disclosures: readonly string[]
  button: RefObject<HTMLDivElement | null>
  /** Below the button. */
  children: ReactNode
}

export function AddToCart({
  buying: { buy, isBusy, problem, state, label, quantity, quantityMax, setQuantity },
  disclosures,
  button,
  children,
}: Props) {
  return (
    <div>
      <div className="flex gap-2.5">
        {state === 'available' && quantityMax > 1 && (
          <QuantityField value={quantity} max={quantityMax} onValue={setQuantity} />
        )}
        <div ref={button} className="min-w-0 flex-1">
          <Button
            busy={isBusy}
            aria-disabled={state !== 'available'}
            className="h-full w-full px-4! text-[1.0625rem] noscript:hidden"
            onClick={buy}
          >
            {label}
          </Button>
        </div>
      </div>
      <p role="alert" className="mt-2.5 text-[0.9375rem] font-medium text-danger empty:hidden">
        {problem}
      </p>
      {children}
      {state === 'sold_out' && (
        <p className="mt-2.5 text-[0.9375rem] text-ink-soft">
          {say('Sold out for now. Other colors or sizes may be available.')}
        </p>
      )}
      {disclosures.map((sentence) => (
        <p key={sentence} className="mt-4 border-l-2 border-accent pl-3.5 text-[0.9375rem] text-ink-soft">
          {spokenLanguage() === 'en' ? (
            sentence
          ) : (
            <Suspense>
              <Disclosure sentence={sentence} />
            </Suspense>
          )}
        </p>
      ))}
    </div>
  )
}
