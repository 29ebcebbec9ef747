import { paths } from '#contract/paths.ts'
import type { PaymentKey } from '#shared/ids.ts'
import { SupportEmail } from '#web/app/SupportEmail.tsx'
import { useCart } from '#web/cart/use-cart.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { say, sayKnown } from '#words/say.ts'
import { Sentence } from '#web/ui/Sentence.tsx'
import { spokenAddress } from '#shared/language.ts'
import type { Word } from '#words/words.ts'
import { PAYMENT_FAILED } from './start-payment.ts'
import type { PaidBy, Payment } from './payment.ts'
import type { Refused } from './payment-outcome.ts'

/** Specification, section 8, Wallet payment. */
const TAKING_LONG =
  'Payment processing is taking longer than expected. Please check your order confirmation email or contact support.' satisfies Word

const FIX_CART =
  'Nothing was charged. Remove it from your cart or choose another option. Your details stay here.' satisfies Word

function adviceAfter({ failure, isCharged }: Refused, beside: PaidBy, hasWallet: boolean): string {
  if (isCharged === 'unknown')
    return beside === 'card'
      ? say(
          'If the payment went through, your confirmation arrives by email. Pressing the button again is safe: you are never charged twice.',
        )
      : say(
          'If the payment went through, your confirmation arrives by email. Trying again is safe: you are never charged twice.',
        )
  if (beside === 'wallet') return say('Nothing was charged. Try again, or choose another way to pay.')
  if (failure.title !== PAYMENT_FAILED)
    return say('Nothing was charged. Your details are still here. Please try again.')
  return hasWallet
    ? say('Nothing was charged. Your details are still here. Try another card, or pay with PayPal.')
    : say('Nothing was charged. Your details are still here. Try another card.')
}

type Props = {
  payment: Payment
  /** The part of the page that shows it: each shows its own messages. */
  beside: PaidBy
  /** Returns to the address. */
  onEdit: () => void
  /** Whether the page also offers PayPal. */
  hasWallet: boolean
}

/** The message for the current payment state, in the part of the page that started the payment. */
export function PaymentMessage({ payment: { by, step, outcome }, beside, onEdit, hasWallet }: Props) {
  const { openCart } = useCart()
  if (by !== beside) return null
  if (step === 'paid')
    return (
      <Notice tone="calm" title={say('Payment received')}>
        {say('Thank you. Your confirmation will open in a moment.')}
      </Notice>
    )
  switch (outcome?.kind) {
    case 'refused':
      return (
        <Notice title={sayKnown(outcome.failure.title)}>
          <p>{sayKnown(outcome.failure.sentence)}</p>
          {outcome.alert && <p className="mt-1">{sayKnown(outcome.alert)}</p>}
          <p className="mt-1">
            {outcome.recovery === 'cart' ? say(FIX_CART) : adviceAfter(outcome, beside, hasWallet)}
          </p>
          {outcome.recovery === 'cart' && (
            <Button variant="plain" className="mt-1 min-h-11!" onClick={openCart}>
              {say('Open your cart')}
            </Button>
          )}
          {outcome.alert && (
            <Button variant="plain" className="mt-1 min-h-11!" onClick={onEdit}>
              {say('Edit your address')}
            </Button>
          )}
        </Notice>
      )
    case 'changed':
      return (
        <Notice title={say('Nothing was charged')}>
          {say('{sentence} Press the button again to continue.', { sentence: outcome.sentence })}
        </Notice>
      )
    case 'canceled':
      return (
        <Notice tone="calm" title={say('You canceled')}>
          {say('Nothing was charged. Try PayPal again, or use a card.')}
        </Notice>
      )
    case 'late':
      return (
        <Notice title={say('This is taking longer than usual')}>
          <p>{say(TAKING_LONG)}</p>
          <p className="mt-1">
            <Sentence
              word="You do not need to pay again. {link} or write to {email}."
              parts={{ link: <PaymentStatusLink payment={outcome.payment} />, email: <SupportEmail /> }}
            />
          </p>
        </Notice>
      )
    case 'held':
      return (
        <Notice tone="calm" title={say('Your payment is on hold')}>
          <p>{sayKnown(outcome.sentence)}</p>
          <p className="mt-1">
            {say('You do not need to pay again; we will email you when it is cleared.')}{' '}
            {outcome.payment && <PaymentStatusLink payment={outcome.payment} />}
          </p>
        </Notice>
      )
    case 'undecided':
      return (
        <Notice tone="calm" title={sayKnown(outcome.failure.title)}>
          {say('{sentence} We will email you when it is decided.', { sentence: sayKnown(outcome.failure.sentence) })}
        </Notice>
      )
    case 'already_paid':
      return (
        <Notice tone="calm" title={outcome.sentence}>
          {say('You do not need to pay again: your confirmation arrives by email.')}{' '}
          {outcome.payment ? (
            <PaymentStatusLink payment={outcome.payment} />
          ) : (
            <a className="link-line" href={spokenAddress(paths.products)}>
              {say('Continue Shopping')}
            </a>
          )}
        </Notice>
      )
    case undefined:
      return step === 'capturing' ? (
        <Notice tone="calm" title={say('Processing your payment...')}>
          {say('PayPal has your approval, and we are taking the payment. Please keep this page open.')}
        </Notice>
      ) : (
        <p role="status" className="sr-only">
          {step === 'ready' ? '' : say('This may take a moment. Please keep this page open.')}
        </p>
      )
  }
}

const PaymentStatusLink = ({ payment }: { payment: PaymentKey }) => (
  <a className="link-line" href={spokenAddress(paths.payment(payment))}>
    {say('Check its status')}
  </a>
)
