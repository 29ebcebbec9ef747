import { label } from '#site/label.ts'
import { paths } from '#contract/paths.ts'
import { paymentKey, type PaymentKey } from '#shared/ids.ts'
import { useCart } from '#web/cart/use-cart.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PAYMENT_FAILED } from './start-payment.ts'
import { paymentMethodOf, type PaidBy, type PaymentState } from './use-payment-state.ts'

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

type Refused = Extract<PaymentState, { kind: 'refused' }>

type Props = {
  paying: PaymentState
  /** The part of the page that shows it: each shows its own messages. */
  beside: PaidBy
  /** Returns to the address. */
  onEdit: () => void
  /** Whether the page also offers PayPal. */
  hasWallet: boolean
}

/** The message for the current payment state, in the part of the page that started the payment. */
export function PaymentMessage({ paying, beside, onEdit, hasWallet }: Props) {
  const { openCart } = useCart()
  if (paymentMethodOf(paying) !== beside) return null
  switch (paying.kind) {
    case 'refused':
      return (
        <Notice title={paying.failure.title}>
          <p>{paying.failure.sentence}</p>
          {paying.alert && <p className="mt-1">{paying.alert}</p>}
          <p className="mt-1">{paying.recovery === 'cart' ? FIX_CART : adviceAfter(paying, beside, hasWallet)}</p>
          {paying.recovery === 'cart' && (
            <Button variant="plain" className="mt-1 min-h-11!" onClick={openCart}>
              Open your cart
            </Button>
          )}
          {paying.alert && (
            <Button variant="plain" className="mt-1 min-h-11!" onClick={onEdit}>
              Edit your address
            </Button>
          )}
        </Notice>
      )
    case 'changed':
      return <Notice title="Nothing was charged">{paying.sentence} Press the button again to continue.</Notice>
    case 'canceled':
      return (
        <Notice tone="calm" title="You canceled">
          Nothing was charged. Try PayPal again, or use a card.
        </Notice>
      )
    case 'taking':
      return paying.isLate ? (
        <Notice title="This is taking longer than usual">
          <p>{TAKING_LONG}</p>
          <p className="mt-1">
            You do not need to pay again. <PaymentStatusLink payment={paymentKey('paypal', paying.walletOrder)} /> or
            write to{' '}
            <a className="link-line" href={`mailto:${label.supportEmail}`}>
              {label.supportEmail}
            </a>
            .
          </p>
        </Notice>
      ) : (
        <Notice tone="calm" title="Processing your payment...">
          PayPal has your approval, and we are taking the payment. Please keep this page open.
        </Notice>
      )
    case 'held':
      return (
        <Notice tone="calm" title="Your payment is on hold">
          <p>{paying.sentence}</p>
          <p className="mt-1">
            You do not need to pay again; we will email you when it is cleared.{' '}
            {paying.payment && <PaymentStatusLink payment={paying.payment} />}
          </p>
        </Notice>
      )
    case 'undecided':
      return (
        <Notice tone="calm" title={paying.failure.title}>
          {paying.failure.sentence} We will email you when it is decided.
        </Notice>
      )
    case 'paid_before':
      return (
        <Notice tone="calm" title={paying.sentence}>
          You do not need to pay again: your confirmation arrives by email.{' '}
          {paying.payment ? (
            <PaymentStatusLink payment={paying.payment} />
          ) : (
            <a className="link-line" href={paths.products}>
              Continue Shopping
            </a>
          )}
        </Notice>
      )
    case 'paid':
      return (
        <Notice tone="calm" title="Payment received">
          Thank you. Your confirmation will open in a moment.
        </Notice>
      )
    case 'checking':
    case 'contacting_bank':
    case 'in_wallet':
    case 'idle':
      return (
        <p role="status" className="sr-only">
          {paying.kind === 'idle' ? '' : 'This may take a moment. Please keep this page open.'}
        </p>
      )
  }
}

const PaymentStatusLink = ({ payment }: { payment: PaymentKey }) => (
  <a className="link-line" href={paths.payment(payment)}>
    Check its status
  </a>
)
