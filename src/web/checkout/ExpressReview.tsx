import { Fragment, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { ExpressPayer, OrderSummary } from '#contract/checkout.ts'
import { taxRowsOf } from '#domain/checkout/quote.ts'
import { formatUsd } from '#shared/money.ts'
import { ApiError } from '#web/api/client.ts'
import { sentenceOf } from '#web/api/error-sentence.ts'
import { configQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { Button } from '#web/ui/Button.tsx'
import { DateRange } from '#web/ui/DateRange.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { say } from '#words/say.ts'
import { AgeCheckbox } from './AgeCheckbox.tsx'
import { CustomerSummary } from './CustomerSummary.tsx'
import { ExpressTerms } from './ExpressTerms.tsx'
import { isBusy, isClosed } from './payment.ts'
import { PaymentMessage } from './PaymentMessage.tsx'
import { StepMessage } from './StepMessage.tsx'
import { QuoteNotices } from './Summary.tsx'
import type { CheckoutState } from './use-checkout.ts'
import { useFallback } from './use-fallback.ts'
import { usePayment } from './use-payment.ts'
import { useWalletCapture } from './use-wallet-capture.ts'
import { withPayer } from './wallet-payer.ts'
import { walletApproved } from './wallet-payment.ts'

type Props = {
  checkout: CheckoutState
  /** Approved at PayPal, with an address of the payer's own. */
  order: string
  /** To step 1, where everything known is filled in. */
  onLeave: () => void
}

/**
 * The last sheet of an express purchase: what PayPal told of the payer, tax, total and arrival for that address, and the one
 * question whether to pay. What cannot be paid here continues in step 1.
 */
export function ExpressReview({ checkout, order, onLeave }: Props) {
  const { data: config } = useQuery(configQuery)
  const controls = usePayment(checkout)
  const { payment, send } = controls
  useWalletCapture(checkout, controls)
  const heading = useRef<HTMLHeadingElement>(null)
  const isRead = usePayer(checkout, order, onLeave)
  const { customer, quote, message, doing, age, isPending } = checkout
  const summary = quote.kind === 'quoted' ? quote.summary : undefined

  const isLeaving = useFallback(checkout, payment, onLeave)
  useEffect(() => {
    if (isRead) heading.current?.focus({ preventScroll: true })
  }, [isRead])

  const canPrice = isRead && !isPending
  const price = useEffectEvent(() => {
    if (customer.mistakes.size === 0) return void checkout.calculate()
    const [[first, sentence] = []] = customer.mistakes
    checkout.showFailure(
      {
        title: say('Almost there'),
        sentence: say('PayPal didn’t tell us everything we need. Please complete the marked fields.'),
      },
      new Map(first && sentence ? [[first, sentence]] : []),
    )
    customer.change({ kind: 'submitted' })
  })
  useEffect(() => {
    if (canPrice) price()
  }, [canPrice])

  if (!isRead || !config)
    return (
      <div className="grid gap-5">
        <p role="status" className="text-ink-soft">
          {say('Getting your details from PayPal...')}
        </p>
        <Skeleton className="h-28" />
        <Skeleton className="h-12" />
      </div>
    )

  const isWorking = doing === 'starting' || isBusy(payment)
  const pay = async () => {
    if (!summary || isWorking) return
    if (age && !age.accepted) return void checkout.requireConsent('age')
    if (await checkout.orderExpress(order, summary)) send(walletApproved(order))
  }

  return (
    <form
      noValidate
      aria-labelledby="express-review-title"
      className="grid gap-6"
      onSubmit={(event) => {
        event.preventDefault()
        void pay()
      }}
    >
      <h2 ref={heading} id="express-review-title" tabIndex={-1} className="text-[1.375rem] leading-tight outline-none">
        {say('Review and pay')}
      </h2>
      <CustomerSummary
        form={customer.form}
        phone={checkout.phone.value}
        edit={isWorking || isClosed(payment) ? undefined : { label: 'Edit', onEdit: onLeave }}
      />
      {summary && <Amounts summary={summary} />}
      {age && !isClosed(payment) && <AgeCheckbox age={age} />}
      {!isLeaving && (
        <>
          <StepMessage message={message} buttonLabel={say('the button')} />
          <PaymentMessage payment={payment} beside="wallet" onEdit={onLeave} hasWallet />
        </>
      )}
      {!isClosed(payment) && (
        <div className="grid gap-3">
          <Button type="submit" busy={isWorking || !summary} className="w-full text-lg">
            {summary
              ? say('Pay {amount} with PayPal', { amount: formatUsd(summary.total) })
              : say('Calculating shipping and tax...')}
          </Button>
          <ExpressTerms />
        </div>
      )}
    </form>
  )
}

/** On small screens the order summary is collapsed, and shoppers must see tax and surcharges before they pay. */
const Amounts = ({ summary }: { summary: OrderSummary }) => (
  <div className="md:hidden">
    <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 text-[0.9375rem]">
      <dt>{say('Shipping')}</dt>
      <dd className="text-right">{summary.shipping === 0 ? say('Free') : formatUsd(summary.shipping)}</dd>
      {taxRowsOf(summary).map(({ label, amount }) => (
        <Fragment key={label}>
          <dt>{label}</dt>
          <dd className="text-right">{formatUsd(amount)}</dd>
        </Fragment>
      ))}
      {summary.arrival && (
        <>
          <dt>{say('Arrives')}</dt>
          <dd className="text-right">
            <DateRange dates={summary.arrival} />
          </dd>
        </>
      )}
    </dl>
    <QuoteNotices summary={summary} />
  </div>
)

/** Fills the form with what PayPal tells. @returns whether it is filled */
function usePayer(checkout: CheckoutState, order: string, onLeave: () => void): boolean {
  const api = useApi()
  const [isRead, setRead] = useState(false)
  const { isFilled } = checkout

  const fill = useEffectEvent((payer: ExpressPayer) => {
    checkout.customer.change({ kind: 'filled', fill: (form) => withPayer(form, payer) })
    checkout.phone.onValue(payer.phone)
    setRead(true)
  })
  const fail = useEffectEvent((error: unknown) => {
    const { code, message: sentence, payment } = (error instanceof ApiError && error.refusal) || {}
    if ((code === 'already_paid' || code === 'payment_held') && sentence !== undefined)
      return checkout.closeFor({ kind: code === 'payment_held' ? 'held' : code, sentence, payment })
    checkout.showFailure({
      title: 'PayPal',
      sentence: say('{sentence} Please pay below.', { sentence: sentenceOf(error) }),
    })
    onLeave()
  })
  useEffect(() => {
    if (!isFilled) return undefined
    let isGone = false
    api('GET /paypal/express/:id', { params: { id: order } }).then(
      (payer) => !isGone && fill(payer),
      (error: unknown) => !isGone && fail(error),
    )
    return () => {
      isGone = true
    }
  }, [api, order, isFilled])
  return isRead
}
