import { paths } from '#contract/paths.ts'
import { useCart } from '#web/cart/use-cart.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from './Notice.tsx'
import type { CheckoutMessage } from './use-checkout.ts'

type Props = {
  message: CheckoutMessage
  /** The button that goes on. */
  goOn: string
}

/** What a step says about itself as a whole. */
export function StepMessage({ message, goOn }: Props) {
  const { openCart } = useCart()
  switch (message.kind) {
    case 'nothing':
      return null
    case 'changed':
      return (
        <Notice title="The total is another one">
          {message.sentence} Nothing was charged; press {goOn} again to go on.
        </Notice>
      )
    case 'trouble':
      return (
        <Notice title={message.trouble.title}>
          {message.trouble.sentence}
          {message.cure === 'cart' && (
            <Button variant="plain" className="mt-1 min-h-11!" onClick={openCart}>
              Open your cart
            </Button>
          )}
          {message.cure === 'wallet' && (
            <p className="mt-1">
              You can{' '}
              <a className="link-line" href={paths.checkout}>
                pay with PayPal
              </a>{' '}
              in our other checkout; your cart stays as it is.
            </p>
          )}
        </Notice>
      )
  }
}
