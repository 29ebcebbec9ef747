import { useEffect, useRef, useState, type RefObject } from 'react'
import { label } from '#brand/label.ts'
import type { OrderSummary } from '#contract/checkout.ts'
import { paths } from '#contract/paths.ts'
import type { PublicConfig } from '#contract/public-config.ts'
import { countryName } from '#domain/checkout/countries.ts'
import { formatUsd } from '#kernel/money.ts'
import { Button } from '#web/ui/Button.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { wireAddress, type CustomerForm } from './customer-form.ts'
import { Notice } from './Notice.tsx'
import type { PaymentAnswer } from './start-payment.ts'
import { Remarks } from './Summary.tsx'
import { useCardForm } from './use-card-form.ts'
import { useCardPayment, type Paying } from './use-card-payment.ts'

type Props = {
  config: PublicConfig['stripe']
  clientSecret: string
  form: CustomerForm
  summary: OrderSummary
  headingRef: RefObject<HTMLHeadingElement | null>
  restart: () => Promise<PaymentAnswer>
  onEdit: () => void
  onPaid: (paymentIntent: string | undefined) => void
}

/** Step 2. Mounted anew for another client secret; hidden, not gone, while step 1 is edited, so that the card stays typed in. */
export function PaymentStep({ config, clientSecret, form, summary, headingRef, restart, onEdit, onPaid }: Props) {
  const { place, mounted, state } = useCardForm(config, clientSecret)
  const { paying, pay } = useCardPayment({
    mounted,
    isReady: state === 'ready',
    form,
    clientSecret,
    total: summary.total,
    restart,
    onPaid,
  })
  const isBusy = paying.kind === 'checking' || paying.kind === 'asking_bank'
  const isOver = paying.kind === 'paid' || paying.kind === 'undecided'

  return (
    <div className="grid gap-9">
      <Customer form={form} onEdit={isBusy || isOver ? undefined : onEdit} />
      <section aria-labelledby="payment-title">
        <h2 ref={headingRef} id="payment-title" tabIndex={-1} className="text-[1.375rem] leading-tight outline-none">
          Payment
        </h2>
        {state === 'unavailable' ? (
          <ConfigurationError />
        ) : (
          <form
            noValidate
            aria-labelledby="payment-title"
            className="mt-5 grid gap-6"
            onSubmit={(event) => {
              event.preventDefault()
              pay()
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
              <Remarks summary={summary} />
            </div>
            <Told paying={paying} />
            {!isOver && (
              <Button type="submit" busy={isBusy} className="w-full text-lg">
                {wordsOn(paying, summary)}
              </Button>
            )}
            {!isOver && (
              <p className="-mt-2 flex items-start gap-2 text-sm text-ink-soft">
                <Lock className="mt-0.5 size-4" />
                <span>
                  Your card goes straight to our payment provider; we never see its number. You are charged{' '}
                  {formatUsd(summary.total)} in US dollars, once.
                </span>
              </p>
            )}
          </form>
        )}
      </section>
    </div>
  )
}

function wordsOn(paying: Paying, { total }: OrderSummary): string {
  if (paying.kind === 'checking') return 'Checking your order …'
  return paying.kind === 'asking_bank' ? 'Asking your bank …' : `Pay ${formatUsd(total)}`
}

/** Step 1 in short. */
function Customer({ form, onEdit }: { form: CustomerForm; onEdit: (() => void) | undefined }) {
  const { line1, line2, city, state, postal_code, country } = wireAddress(form.shippingAddress)
  const place = [line1, line2, [city, state, postal_code].filter(Boolean).join(' '), countryName(country)]
  return (
    <section aria-labelledby="customer-title" className="rounded-card border border-line bg-surface p-5 sm:p-6">
      <div className="flex items-start justify-between gap-4">
        <h2 id="customer-title" className="font-text! text-base font-semibold tracking-normal">
          Customer Info
        </h2>
        {onEdit && (
          <button type="button" onClick={onEdit} className="link-line -m-2.5 min-h-11 p-2.5 font-semibold">
            Edit<span className="sr-only"> customer info</span>
          </button>
        )}
      </div>
      <dl className="mt-2 grid gap-1 text-[0.9375rem] text-ink-soft [overflow-wrap:anywhere]">
        <div>
          <dt className="sr-only">Email</dt>
          <dd>{form.email.trim()}</dd>
        </div>
        <div>
          <dt className="sr-only">Ships to</dt>
          <dd>
            {form.name.trim()}, {place.filter(Boolean).join(', ')}
          </dd>
        </div>
      </dl>
    </section>
  )
}

const afterRefusal = {
  no: 'Nothing was charged. Everything you typed is still here: try again, or use another card.',
  unknown:
    'If the payment came through, your confirmation arrives by email. Pressing the button again is safe: you are never charged twice.',
}

function Told({ paying }: { paying: Paying }) {
  switch (paying.kind) {
    case 'refused':
      return (
        <Notice title={paying.trouble.title}>
          <p>{paying.trouble.sentence}</p>
          <p className="mt-1">{afterRefusal[paying.isCharged]}</p>
        </Notice>
      )
    case 'changed':
      return <Notice title="Nothing was charged">{paying.sentence} Press the button again to go on.</Notice>
    case 'undecided':
      return (
        <Notice tone="calm" title={paying.trouble.title}>
          {paying.trouble.sentence} We write to you as soon as it is decided.
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
    case 'idle':
      return (
        <p role="status" className="sr-only">
          {paying.kind === 'idle' ? '' : 'This may take a moment. Please keep this page open.'}
        </p>
      )
  }
}

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
      {FORM_ERROR.description} Nothing was charged. <Refresh />
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
      <Refresh />
    </Notice>
  </div>
)

/** By address, so that the page comes with the policy that lets the provider's script in. */
function Refresh() {
  const [isLeaving, setLeaving] = useState(false)
  return (
    <Button
      look="outline"
      className="mt-4"
      busy={isLeaving}
      onClick={() => {
        setLeaving(true)
        location.assign(paths.checkout)
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
