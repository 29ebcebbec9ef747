import { useEffect, useRef, useState, type ReactNode } from 'react'
import { label } from '#site/label.ts'
import type { OrderSummary } from '#contract/checkout.ts'
import { paths } from '#contract/paths.ts'
import { formatUsd } from '#shared/money.ts'
import { Button } from '#web/ui/Button.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Notice } from './Notice.tsx'
import { QuoteNotices } from './Summary.tsx'
import type { CardState } from './use-card.ts'
import { isBusy, isOver, type PaymentState } from './use-payment-state.ts'

type Props = {
  card: CardState
  paying: PaymentState
  summary: OrderSummary
  /** What the button says before the amount. */
  buttonLabel: string
  /** What there is to say of the payment. */
  message: ReactNode
}

/** The provider's card form and the button that pays. */
export function CardSection({ card, paying, summary, buttonLabel, message }: Props) {
  const { state, place } = card
  if (state === 'absent') return <CardUnavailable card={card} isAsking={paying.kind === 'checking'} told={message} />
  if (state === 'unavailable') return <ConfigurationError />
  return (
    <form
      noValidate
      aria-labelledby="payment-title"
      className="mt-5 grid gap-6"
      onSubmit={(event) => {
        event.preventDefault()
        card.pay()
      }}
    >
      <div className="rounded-card border border-line bg-surface p-5 shadow-card sm:p-7">
        <p className="mb-5 flex items-center justify-between gap-4 font-semibold">
          Card details
          <span className="flex items-center gap-1.5 text-sm font-normal text-ink-soft">
            <Lock /> Encrypted
          </span>
        </p>
        <div className="relative min-h-42">
          {state === 'loading' && <PendingForm />}
          <div ref={place} className={classNames(state === 'loading' && 'invisible')} />
          {state === 'broken' && <FormError />}
        </div>
      </div>
      {/* On small screens the summary is folded, and nobody shall pay a surcharge unread. */}
      <div className="-mt-4 empty:hidden lg:hidden">
        <QuoteNotices summary={summary} />
      </div>
      {message}
      {!isOver(paying) && (
        <>
          <Button type="submit" busy={isBusy(paying)} className="w-full text-lg">
            {payButtonLabel(paying, buttonLabel, summary)}
          </Button>
          <p className="-mt-2 flex items-start gap-2 text-sm text-ink-soft">
            <Lock className="mt-0.5 size-4" />
            <span>
              Your card goes straight to our payment provider; we never see its number. You are charged{' '}
              {formatUsd(summary.total)} in US dollars, once.
            </span>
          </p>
        </>
      )}
    </form>
  )
}

function payButtonLabel(paying: PaymentState, words: string, { total }: OrderSummary): string {
  if (paying.kind === 'checking') return 'Checking your order …'
  return paying.kind === 'asking_bank' ? 'Asking your bank …' : `${words}${formatUsd(total)}`
}

/** While the provider is away the place of the wallet is named; where cards were closed the shop says why. */
const sentenceOf = ({ absence, hasWallet }: CardState): string =>
  absence?.isClosed
    ? absence.sentence
    : `Card payment is not available at the moment.${hasWallet ? ' Please use PayPal above.' : ''}`

const CardUnavailable = ({ card, isAsking, told }: { card: CardState; isAsking: boolean; told: ReactNode }) => (
  <div className="mt-5 grid gap-6">
    <div className="rounded-card border border-line bg-surface p-5 shadow-card sm:p-7">
      <p className="font-semibold">Card details</p>
      <p role="alert" className="mt-2 text-[0.9375rem] text-ink-soft">
        {sentenceOf(card)}
      </p>
      {!card.hasWallet && (
        <p className="mt-2 text-[0.9375rem]">
          <a className="link-line" href={paths.checkout}>
            Pay with PayPal
          </a>{' '}
          in our other checkout.
        </p>
      )}
      {card.absence?.canRetry !== false && (
        <Button variant="outline" className="mt-4" busy={isAsking} onClick={card.retry}>
          Try card payment again
        </Button>
      )}
    </div>
    {told}
  </div>
)

const PendingForm = () => (
  <div className="absolute inset-0 grid content-start gap-5">
    <span className="sr-only" role="status">
      Loading the payment form
    </span>
    <Skeleton className="h-18" />
    <div className="grid grid-cols-2 gap-4">
      <Skeleton className="h-18" />
      <Skeleton className="h-18" />
    </div>
  </div>
)

const FORM_ERROR = { title: 'Payment Form Error', description: 'Unable to load payment form. Please refresh the page.' }

function FormError() {
  const { toast } = useToast()
  const isTold = useRef(false)
  useEffect(() => {
    if (!isTold.current) toast({ ...FORM_ERROR, destructive: true })
    isTold.current = true
  }, [toast])
  return (
    <Notice title={FORM_ERROR.title}>
      {FORM_ERROR.description} Nothing was charged. <ReloadButton />
    </Notice>
  )
}

const ConfigurationError = () => (
  <div className="mt-5">
    <Notice title="Stripe Configuration Error">
      <p>
        The card form could not be started. Nothing was charged and your cart is as you left it. If refreshing does not
        help, a browser extension may keep the form away, or write to{' '}
        <a className="link-line" href={`mailto:${label.supportEmail}`}>
          {label.supportEmail}
        </a>
        .
      </p>
      <ReloadButton />
    </Notice>
  </div>
)

/** A fresh document comes with the policy that lets the provider's script in, and walks on to this step. */
function ReloadButton() {
  const [isLeaving, setLeaving] = useState(false)
  return (
    <Button
      variant="outline"
      className="mt-4"
      busy={isLeaving}
      onClick={() => {
        setLeaving(true)
        location.reload()
      }}
    >
      Refresh the page
    </Button>
  )
}

const Lock = ({ className = 'size-4' }: { className?: string }) => (
  <svg
    viewBox="0 0 24 24"
    aria-hidden="true"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.8"
    strokeLinejoin="round"
    className={classNames('shrink-0', className)}
  >
    <path d="M5.5 10.5h13v9.5h-13zM8.5 10.5V7.5a3.5 3.5 0 0 1 7 0v3" />
  </svg>
)
