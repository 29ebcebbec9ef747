import { label } from '#site/label.ts'
import { paths } from '#contract/paths.ts'
import { paymentKey, type PaymentKey } from '#shared/ids.ts'
import { useCart } from '#web/cart/use-cart.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from './Notice.tsx'
import { partOf, type ChargeCertainty, type PaidBy, type PaymentState } from './use-payment-state.ts'

/** Specification, section 8, Wallet payment. */
const TAKES_LONG =
  'Payment processing is taking longer than expected. Please check your order confirmation email or contact support.'

const FIX_CART = 'Nothing was charged. Choose another one or take it out of your cart; everything you typed stays here.'

const afterRefusal: Record<PaidBy, Record<ChargeCertainty, string>> = {
  card: {
    no: 'Nothing was charged. Everything you typed is still here: try again, or use another card.',
    unknown:
      'If the payment came through, your confirmation arrives by email. Pressing the button again is safe: you are never charged twice.',
  },
  wallet: {
    no: 'Nothing was charged. Try again, or choose another way to pay.',
    unknown:
      'If the payment came through, your confirmation arrives by email. Trying again is safe: you are never charged twice.',
  },
}

type Props = {
  paying: PaymentState
  /** The part of the page that asks: each says what belongs to it. */
  beside: PaidBy
  /** Back to the address; where it can be mended there. */
  onEdit: () => void
}

/** What there is to say of the payment, beside the part that it was begun in. */
export function PaymentMessage({ paying, beside, onEdit }: Props) {
  const { openCart } = useCart()
  if (partOf(paying) !== beside) return null
  switch (paying.kind) {
    case 'refused':
      return (
        <Notice title={paying.trouble.title}>
          <p>{paying.trouble.sentence}</p>
          {paying.alert && <p className="mt-1">{paying.alert}</p>}
          <p className="mt-1">{paying.cure === 'cart' ? FIX_CART : afterRefusal[beside][paying.isCharged]}</p>
          {paying.cure === 'cart' && (
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
      return <Notice title="Nothing was charged">{paying.sentence} Press the button again to go on.</Notice>
    case 'cancelled':
      return (
        <Notice tone="calm" title="You cancelled">
          Nothing was charged. Pay with PayPal again whenever you like, or use a card.
        </Notice>
      )
    case 'taking':
      return paying.isLate ? (
        <Notice title="This takes longer than usual">
          <p>{TAKES_LONG}</p>
          <p className="mt-1">
            You do not need to pay again. <SeePayment payment={paymentKey('paypal', paying.walletOrder)} /> or write to{' '}
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
            You do not need to pay again; we write to you when it is cleared.{' '}
            {paying.payment && <SeePayment payment={paying.payment} />}
          </p>
        </Notice>
      )
    case 'undecided':
      return (
        <Notice tone="calm" title={paying.trouble.title}>
          {paying.trouble.sentence} We write to you as soon as it is decided.
        </Notice>
      )
    case 'paid_before':
      return (
        <Notice tone="calm" title={paying.sentence}>
          You do not need to pay again: your confirmation comes by email.{' '}
          {paying.payment ? (
            <SeePayment payment={paying.payment} />
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
          Thank you. Your confirmation opens in a moment …
        </Notice>
      )
    case 'checking':
    case 'asking_bank':
    case 'in_wallet':
    case 'idle':
      return (
        <p role="status" className="sr-only">
          {paying.kind === 'idle' ? '' : 'This may take a moment. Please keep this page open.'}
        </p>
      )
  }
}

const SeePayment = ({ payment }: { payment: PaymentKey }) => (
  <a className="link-line" href={paths.payment(payment)}>
    See how it stands
  </a>
)
