import { paths } from '#contract/paths.ts'
import { useCart } from '#web/cart/use-cart.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import type { CheckoutMessage } from './use-checkout.ts'

type Props = {
  message: CheckoutMessage
  /** The button to press again. */
  buttonLabel: string
}

export function StepMessage({ message, buttonLabel }: Props) {
  const { openCart } = useCart()
  switch (message.kind) {
    case 'nothing':
      return null
    case 'changed':
      return (
        <Notice title="Your total has changed">
          {message.sentence} Nothing was charged. Press {buttonLabel} again to continue.
        </Notice>
      )
    case 'failure':
      return (
        <Notice title={message.failure.title}>
          {message.failure.sentence}
          {message.recovery === 'cart' && (
            <Button variant="plain" className="mt-1 min-h-11!" onClick={openCart}>
              Open your cart
            </Button>
          )}
          {message.recovery === 'wallet' && (
            <p className="mt-1">
              You can{' '}
              <a className="link-line" href={paths.checkout}>
                pay with PayPal
              </a>{' '}
              in our other checkout. Your cart is saved.
            </p>
          )}
        </Notice>
      )
  }
}
