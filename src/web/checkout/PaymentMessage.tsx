import { paths } from '#contract/paths.ts'
import type { PaymentKey } from '#shared/ids.ts'
import { SupportEmail } from '#web/app/SupportEmail.tsx'
import { useCart } from '#web/cart/use-cart.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PAYMENT_FAILED } from './start-payment.ts'
import type { PaidBy, Payment } from './payment.ts'
import type { Refused } from './payment-outcome.ts'

/** Specification, section 8, Wallet payment. */
const TAKING_LONG =
  'Payment processing is taking longer than expected. Please check your order confirmation email or contact support.'

const FIX_CART = 'Nothing was charged. Remove it from your cart or choose another option. Your details stay here.'

const SAFE_AGAIN = 'is safe: you are never charged twice.'

function adviceAfter({ failure, isCharged }: Refused, beside: PaidBy, hasWallet: boolean): string {
  if (isCharged === 'unknown')
    return `If the payment went through, your confirmation arrives by email. ${beside === 'card' ? 'Pressing the button again' : 'Trying again'} ${SAFE_AGAIN}`
  if (beside === 'wallet') return 'Nothing was charged. Try again, or choose another way to pay.'
  const next =
    failure.title !== PAYMENT_FAILED
      ? 'Please try again.'
      : hasWallet
        ? 'Try another card, or pay with PayPal.'
        : 'Try another card.'
  return `Nothing was charged. Your details are still here. ${next}`
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
      <Notice tone="calm" title="Payment received">
        Thank you. Your confirmation will open in a moment.
      </Notice>
    )
  switch (outcome?.kind) {
    case 'refused':
      return (
        <Notice title={outcome.failure.title}>
          <p>{outcome.failure.sentence}</p>
          {outcome.alert && <p className="mt-1">{outcome.alert}</p>}
          <p className="mt-1">{outcome.recovery === 'cart' ? FIX_CART : adviceAfter(outcome, beside, hasWallet)}</p>
          {outcome.recovery === 'cart' && (
            <Button variant="plain" className="mt-1 min-h-11!" onClick={openCart}>
              Open your cart
            </Button>
          )}
          {outcome.alert && (
            <Button variant="plain" className="mt-1 min-h-11!" onClick={onEdit}>
              Edit your address
            </Button>
          )}
        </Notice>
      )
    case 'changed':
      return <Notice title="Nothing was charged">{outcome.sentence} Press the button again to continue.</Notice>
    case 'canceled':
      return (
        <Notice tone="calm" title="You canceled">
          Nothing was charged. Try PayPal again, or use a card.
        </Notice>
      )
    case 'late':
      return (
        <Notice title="This is taking longer than usual">
          <p>{TAKING_LONG}</p>
          <p className="mt-1">
            You do not need to pay again. <PaymentStatusLink payment={outcome.payment} /> or write to <SupportEmail />.
          </p>
        </Notice>
      )
    case 'held':
      return (
        <Notice tone="calm" title="Your payment is on hold">
          <p>{outcome.sentence}</p>
          <p className="mt-1">
            You do not need to pay again; we will email you when it is cleared.{' '}
            {outcome.payment && <PaymentStatusLink payment={outcome.payment} />}
          </p>
        </Notice>
      )
    case 'undecided':
      return (
        <Notice tone="calm" title={outcome.failure.title}>
          {outcome.failure.sentence} We will email you when it is decided.
        </Notice>
      )
    case 'already_paid':
      return (
        <Notice tone="calm" title={outcome.sentence}>
          You do not need to pay again: your confirmation arrives by email.{' '}
          {outcome.payment ? (
            <PaymentStatusLink payment={outcome.payment} />
          ) : (
            <a className="link-line" href={paths.products}>
              Continue Shopping
            </a>
          )}
        </Notice>
      )
    case undefined:
      return step === 'capturing' ? (
        <Notice tone="calm" title="Processing your payment...">
          PayPal has your approval, and we are taking the payment. Please keep this page open.
        </Notice>
      ) : (
        <p role="status" className="sr-only">
          {step === 'ready' ? '' : 'This may take a moment. Please keep this page open.'}
        </p>
      )
  }
}

const PaymentStatusLink = ({ payment }: { payment: PaymentKey }) => (
  <a className="link-line" href={paths.payment(payment)}>
    Check its status
  </a>
)
