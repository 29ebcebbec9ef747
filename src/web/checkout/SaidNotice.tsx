import { paths } from '#contract/paths.ts'
import { useCart } from '#web/cart/use-cart.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from './Notice.tsx'
import type { Said } from './use-checkout.ts'

type Props = {
  said: Said
  /** The button that goes on. */
  goOn: string
}

/** What a step says about itself as a whole. */
export function SaidNotice({ said, goOn }: Props) {
  const { openCart } = useCart()
  switch (said.kind) {
    case 'nothing':
      return null
    case 'changed':
      return (
        <Notice title="The total is another one">
          {said.sentence} Nothing was charged; press {goOn} again to go on.
        </Notice>
      )
    case 'trouble':
      return (
        <Notice title={said.trouble.title}>
          {said.trouble.sentence}
          {said.cure === 'cart' && (
            <Button look="plain" className="mt-1 min-h-11!" onClick={openCart}>
              Open your cart
            </Button>
          )}
          {said.cure === 'wallet' && (
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
