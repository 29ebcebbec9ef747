import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { OrderSummary } from '#contract/checkout.ts'
import { paths } from '#contract/paths.ts'
import { formatUsd } from '#shared/money.ts'
import { SupportEmail } from '#web/app/SupportEmail.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { say } from '#words/say.ts'
import { Sentence } from '#web/ui/Sentence.tsx'
import { spokenAddress } from '#shared/language.ts'
import type { Word } from '#words/words.ts'
import { FaultPromise } from './FaultPromise.tsx'
import { Lock } from './Lock.tsx'
import { QuoteNotices } from './Summary.tsx'
import type { CardState } from './use-card.ts'
import { isBusy, isClosed, type Payment } from './payment.ts'

type Props = {
  card: CardState
  payment: Payment
  summary: OrderSummary
  buttonLabel: (amount: string) => string
  message: ReactNode
}

export function CardSection({ card, payment, summary, buttonLabel, message }: Props) {
  const { state, place } = card
  if (state === 'absent')
    return <CardUnavailable card={card} isRetrying={payment.step === 'retrying'} message={message} />
  if (state === 'unavailable') return <ConfigurationError />
  return (
    <form
      noValidate
      aria-labelledby="payment-title"
      className="mt-4 grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        card.pay()
      }}
    >
      {/* Stripe's own list, of the card and whatever else the account offers. */}
      <div className={classNames('relative', state === 'loading' && 'min-h-72')}>
        {state === 'loading' && <PendingForm />}
        <div ref={place} className={classNames(state === 'loading' && 'invisible')} />
        {state === 'broken' && <FormError />}
      </div>
      {/* On small screens the summary is collapsed, and shoppers must see a surcharge before they pay. */}
      <div className="-mt-4 empty:hidden md:hidden">
        <QuoteNotices summary={summary} />
      </div>
      {message}
      {!isClosed(payment) && (
        <>
          <Button type="submit" busy={isBusy(payment)} className="w-full text-lg">
            {payButtonLabel(payment, buttonLabel, summary)}
          </Button>
          <p className="-mt-2 flex items-start gap-2 text-sm text-ink-soft">
            <Lock className="mt-0.5 size-4" />
            <span>
              {say('Card details go straight to Stripe; we never see them. You pay {amount} USD, once.', {
                amount: formatUsd(summary.total),
              })}
            </span>
          </p>
          <FaultPromise />
        </>
      )}
    </form>
  )
}

function payButtonLabel({ step }: Payment, label: Props['buttonLabel'], { total }: OrderSummary): string {
  if (step === 'checking') return say('Checking your order...')
  return step === 'contacting_bank' ? say('Contacting your bank...') : label(formatUsd(total))
}

const sentenceOf = ({ absence, hasWallet }: CardState): string =>
  absence?.isClosed
    ? absence.sentence
    : hasWallet
      ? say('Card payment is not available right now. Please use PayPal above.')
      : say('Card payment is not available right now.')

const CardUnavailable = ({
  card,
  isRetrying,
  message,
}: {
  card: CardState
  isRetrying: boolean
  message: ReactNode
}) => (
  <div className="mt-5 grid gap-6">
    <div>
      <p className="font-semibold">{say('Card details')}</p>
      <p role="alert" className="mt-2 text-[0.9375rem] text-ink-soft">
        {sentenceOf(card)}
      </p>
      {!card.hasWallet && (
        <p className="mt-2 text-[0.9375rem]">
          <Sentence
            word="{link} in our other checkout."
            parts={{
              link: (
                <a className="link-line" href={spokenAddress(paths.checkout)}>
                  {say('Pay with PayPal')}
                </a>
              ),
            }}
          />
        </p>
      )}
      {card.absence?.canRetry !== false && (
        <Button variant="outline" className="mt-4" busy={isRetrying} onClick={card.retry}>
          {say('Try card payment again')}
        </Button>
      )}
    </div>
    {message}
  </div>
)

const PendingForm = () => (
  <div className="absolute inset-x-0 top-0 grid gap-4 rounded-card border border-line bg-surface p-4">
    <span className="sr-only" role="status">
      {say('Loading the payment form')}
    </span>
    <Skeleton className="h-6 w-24" />
    <Skeleton className="h-18" />
    <div className="grid grid-cols-2 gap-4">
      <Skeleton className="h-18" />
      <Skeleton className="h-18" />
    </div>
    <Skeleton className="h-6 w-36" />
  </div>
)

const FORM_ERROR = {
  title: 'Payment Form Error',
  description: 'Unable to load payment form. Please refresh the page.',
} as const satisfies Record<string, Word>

function FormError() {
  const { toast } = useToast()
  const hasToasted = useRef(false)
  useEffect(() => {
    if (!hasToasted.current)
      toast({ title: say(FORM_ERROR.title), description: say(FORM_ERROR.description), destructive: true })
    hasToasted.current = true
  }, [toast])
  return (
    <Notice title={say(FORM_ERROR.title)}>
      <Sentence
        word="{sentence} Nothing was charged. {button}"
        parts={{ sentence: say(FORM_ERROR.description), button: <ReloadButton /> }}
      />
    </Notice>
  )
}

const ConfigurationError = () => (
  <div className="mt-5">
    <Notice title={say('Stripe Configuration Error')}>
      <p>
        <Sentence
          word="The card form did not start. Nothing was charged, and your cart is saved. If refreshing does not help, a browser extension may be blocking the form. Or write to {email}."
          parts={{ email: <SupportEmail /> }}
        />
      </p>
      <ReloadButton />
    </Notice>
  </div>
)

/** Reloading returns to this step, in a document whose content security policy allows the provider's script. */
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
      {say('Refresh the page')}
    </Button>
  )
}
