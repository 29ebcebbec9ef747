import type { StripeError, StripeExpressCheckoutElementConfirmEvent } from '@stripe/stripe-js'
import { useState, type RefObject } from 'react'
import { paths } from '#contract/paths.ts'
import { cardOutcome, hasChargedNothing, hasMoneyCome } from '#domain/checkout/steps.ts'
import type { Cents } from '#shared/money.ts'
import { useToast } from '#web/ui/toast.tsx'
import { wireAddress, type CustomerForm } from './customer-form.ts'
import { PAYMENT_FAILED, type PaidBefore, type PaymentAnswer, type FailureMessage } from './start-payment.ts'
import type { MountedCardForm } from './use-card-form.ts'
import type { PaymentControls } from './use-payment-state.ts'

const NOT_READY = 'Payment system is not ready. Please refresh and try again.'
const INCOMPLETE = 'Please complete all payment fields.'
const UNEXPECTED = 'An unexpected error occurred. Please try again.'

type CardPaymentInput = {
  payment: PaymentControls
  mounted: RefObject<MountedCardForm | undefined>
  isReady: boolean
  form: CustomerForm
  clientSecret: string | undefined
  /** On the pay button; Stripe's form must have the same amount. */
  total: Cents
  /** Repeats the start: the same payment, or the reason why not. */
  restart: () => Promise<PaymentAnswer>
  /** @returns whether the shop now refuses cards */
  onDeclined: () => Promise<boolean>
  /** Saves the draft in case Stripe redirects to a bank. @returns stops it */
  saveForReturn: () => () => void
  onPaid: (paymentIntent: string | undefined) => void
  onPaidBefore: (answer: PaidBefore) => void
}

type Express = StripeExpressCheckoutElementConfirmEvent

/** Specification, section 4, Card payment outcomes. */
export function useCardPayment({
  payment,
  mounted,
  isReady,
  form,
  clientSecret,
  total,
  restart,
  ...handlers
}: CardPaymentInput) {
  const { toast } = useToast()
  const { set, lock } = payment
  const [confirmed, setConfirmed] = useState({ clientSecret, total })
  if (confirmed.clientSecret !== clientSecret) setConfirmed({ clientSecret, total })

  const refuse = (...[failure, more]: [FailureMessage, Parameters<typeof payment.refuse>[2]?]) =>
    payment.refuse('card', failure, more)

  const finish = (paymentIntent: string | undefined) => {
    set({ kind: 'paid', by: 'card' })
    handlers.onPaid(paymentIntent)
  }

  /** @returns whether the payment on the screen is still current and may be confirmed */
  const isStillOffered = async (): Promise<boolean> => {
    const answer = await restart()
    switch (answer.kind) {
      case 'started':
        if (answer.start.client_secret === clientSecret) return true
        // The form is remounted, so only a toast can explain it.
        toast({ title: 'Payment form refreshed', description: 'Nothing was charged. Please enter your card again.' })
        set({ kind: 'idle' })
        return false
      case 'changed':
        set({ kind: 'changed', by: 'card', sentence: answer.sentence })
        return false
      case 'already_paid':
      case 'held':
        payment.setPaidBefore('card', answer)
        handlers.onPaidBefore(answer)
        return false
      case 'card_unavailable':
        set({ kind: 'idle' })
        return false
      case 'refused':
        refuse(answer.failure, { recovery: answer.recovery })
        return false
      case 'failed':
        refuse(answer.failure)
        return false
    }
  }

  const confirm = async (express: Express | undefined): Promise<void> => {
    const cardForm = mounted.current
    if (!cardForm || !isReady) return refuse({ title: 'Payment Error', sentence: NOT_READY })
    const { stripe, elements } = cardForm

    set({ kind: 'checking' })
    if (!(await isStillOffered())) return express?.paymentFailed({ reason: 'fail' })
    if (confirmed.total !== total) {
      // The amount has changed since Stripe's form loaded it.
      await elements.fetchUpdates()
      setConfirmed({ clientSecret, total })
    }
    const submitted = await elements.submit()
    if (submitted.error)
      return refuse({ title: 'Payment Error', sentence: INCOMPLETE }, { beside: submitted.error.message ?? INCOMPLETE })

    set({ kind: 'contacting_bank' })
    const discardDraft = handlers.saveForReturn()
    const { paymentIntent, error } = await stripe
      .confirmPayment({
        elements,
        redirect: 'if_required',
        confirmParams: {
          return_url: new URL(paths.paymentSuccess, location.origin).href,
          // The express sheet has its own billing details.
          ...(!express && { payment_method_data: { billing_details: billingDetails(form) } }),
        },
      })
      .finally(discardDraft)
    if (error) {
      if (hasMoneyCome(error)) return finish(error.payment_intent?.id)
      express?.paymentFailed({ reason: 'fail' })
      if (error.type === 'card_error' && (await handlers.onDeclined())) {
        // The form disappears: the page shows why, and a toast shows the bank's reason.
        const { title, sentence } = failureMessageOf(error)
        toast({ title, description: sentence, destructive: true })
        return set({ kind: 'idle' })
      }
      return refuse(failureMessageOf(error), { isCharged: hasChargedNothing(error) ? 'no' : 'unknown' })
    }
    switch (cardOutcome(paymentIntent.status)) {
      case 'paid':
        return finish(paymentIntent.id)
      case 'authentication_required': {
        const failure = {
          title: 'Additional Authentication Required',
          sentence: 'Please complete the additional authentication step.',
        }
        toast({ title: failure.title, description: failure.sentence })
        return set({ kind: 'refused', by: 'card', failure, isCharged: 'no' })
      }
      case 'processing': {
        const failure = {
          title: 'Payment Processing',
          sentence: 'Your bank is still processing this payment. You do not need to pay again.',
        }
        toast({ title: failure.title, description: failure.sentence })
        return set({ kind: 'undecided', by: 'card', failure })
      }
    }
  }

  /** @param express undefined for the card form */
  const pay = (express?: Express) => {
    if (!lock.acquire()) return
    confirm(express)
      .catch(() => refuse({ title: 'Payment Error', sentence: UNEXPECTED }, { isCharged: 'unknown' }))
      .finally(lock.release)
  }

  return { pay }
}

const failureMessageOf = ({ message, type }: StripeError): FailureMessage => ({
  title: type === 'validation_error' ? 'Payment Error' : PAYMENT_FAILED,
  sentence: message ?? (type === 'validation_error' ? INCOMPLETE : UNEXPECTED),
})

/** Stripe's form has these fields turned off, because ours collects them. */
function billingDetails(form: CustomerForm) {
  const { line1, line2, city, state, postal_code, country } = wireAddress(
    form.sameBillingAddress ? form.shippingAddress : form.billingAddress,
  )
  return {
    name: form.name.trim(),
    email: form.email.trim(),
    address: { line1, line2, city, state, postal_code, country },
  }
}
