import { paths } from '#contract/paths.ts'
import { useCart } from '#web/cart/use-cart.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { say, sayKnown } from '#words/say.ts'
import { Sentence } from '#web/ui/Sentence.tsx'
import { spokenAddress } from '#shared/language.ts'
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
        <Notice title={say('Your total has changed')}>
          {say('{sentence} Nothing was charged. Press {button} again to continue.', {
            sentence: message.sentence,
            button: buttonLabel,
          })}
        </Notice>
      )
    case 'failure':
      return (
        <Notice title={sayKnown(message.failure.title)}>
          {sayKnown(message.failure.sentence)}
          {message.recovery === 'cart' && (
            <Button variant="plain" className="mt-1 min-h-11!" onClick={openCart}>
              {say('Open your cart')}
            </Button>
          )}
          {message.recovery === 'wallet' && (
            <p className="mt-1">
              <Sentence
                word="You can {link} in our other checkout. Your cart is saved."
                parts={{
                  link: (
                    <a className="link-line" href={spokenAddress(paths.checkout)}>
                      {say('pay with PayPal')}
                    </a>
                  ),
                }}
              />
            </p>
          )}
        </Notice>
      )
  }
}
