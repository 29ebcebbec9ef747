import type { StripeError, StripeExpressCheckoutElementConfirmEvent } from '@stripe/stripe-js'
import { useState, type RefObject } from 'react'
import { paths } from '#contract/paths.ts'
import { cardOutcome, hasChargedNothing, hasMoneyCome } from '#domain/checkout/steps.ts'
import type { Cents } from '#shared/money.ts'
import { useToast } from '#web/ui/toast.tsx'
import { wireAddress, type CustomerForm } from './customer-form.ts'
import type { PaidBefore, PaymentAnswer, FailureMessage } from './start-payment.ts'
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
  /** What the button says; the provider must have been told the same. */
  total: Cents
  /** Asks the shop again: same wish, same payment, or the reason why not. */
  restart: () => Promise<PaymentAnswer>
  /** The bank has declined. @returns whether no further card may be used here */
  onDeclined: () => Promise<boolean>
  /** Keeps what was typed, should the provider lead to a bank's own page. @returns ends it */
  keepForReturn: () => () => void
  onPaid: (paymentIntent: string | undefined) => void
  /** Nothing more is to be paid here. */
  onPaidBefore: (answer: PaidBefore) => void
}

type Express = StripeExpressCheckoutElementConfirmEvent

/** From the click on Pay to the bank's answer (specification, section 4, Card payment outcomes). */
export function useCardPayment({
  payment,
  mounted,
  isReady,
  form,
  clientSecret,
  total,
  restart,
  ...ask
}: CardPaymentInput) {
  const { toast } = useToast()
  const { set, turn } = payment
  const [told, setTold] = useState({ clientSecret, total })
  if (told.clientSecret !== clientSecret) setTold({ clientSecret, total })

  const refuse = (...[trouble, more]: [FailureMessage, Parameters<typeof payment.refuse>[2]?]) =>
    payment.refuse('card', trouble, more)

  const finish = (paymentIntent: string | undefined) => {
    set({ kind: 'paid', by: 'card' })
    ask.onPaid(paymentIntent)
  }

  /** @returns whether the payment is the one on the screen, and may be confirmed */
  const isStillOffered = async (): Promise<boolean> => {
    const answer = await restart()
    switch (answer.kind) {
      case 'started':
        if (answer.start.client_secret === clientSecret) return true
        // This form goes away with its secret, so the word stands in a toast.
        toast({ title: 'Payment form renewed', description: 'Nothing was charged. Please enter your card again.' })
        set({ kind: 'idle' })
        return false
      case 'changed':
        set({ kind: 'changed', by: 'card', sentence: answer.sentence })
        return false
      case 'already_paid':
      case 'held':
        payment.setPaidBefore('card', answer)
        ask.onPaidBefore(answer)
        return false
      case 'card_unavailable':
        set({ kind: 'idle' })
        return false
      case 'refused':
        refuse(answer.trouble, { cure: answer.cure })
        return false
      case 'failed':
        refuse(answer.trouble)
        return false
    }
  }

  const confirm = async (express: Express | undefined): Promise<void> => {
    const cardForm = mounted.current
    if (!cardForm || !isReady) return refuse({ title: 'Payment Error', sentence: NOT_READY })
    const { stripe, elements } = cardForm

    set({ kind: 'checking' })
    if (!(await isStillOffered())) return express?.paymentFailed({ reason: 'fail' })
    if (told.total !== total) {
      // The amount was changed at the provider behind its form's back.
      await elements.fetchUpdates()
      setTold({ clientSecret, total })
    }
    const submitted = await elements.submit()
    if (submitted.error)
      return refuse({ title: 'Payment Error', sentence: INCOMPLETE }, { beside: submitted.error.message ?? INCOMPLETE })

    set({ kind: 'asking_bank' })
    const keepNoLonger = ask.keepForReturn()
    const { paymentIntent, error } = await stripe
      .confirmPayment({
        elements,
        redirect: 'if_required',
        confirmParams: {
          return_url: new URL(paths.paymentSuccess, location.origin).href,
          // The express sheet brings its own.
          ...(!express && { payment_method_data: { billing_details: billingDetails(form) } }),
        },
      })
      .finally(keepNoLonger)
    if (error) {
      if (hasMoneyCome(error)) return finish(error.payment_intent?.id)
      express?.paymentFailed({ reason: 'fail' })
      if (error.type === 'card_error' && (await ask.onDeclined())) {
        // The form goes away; why stands in its place, and what the bank said in a toast.
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
        const trouble = {
          title: 'Additional Authentication Required',
          sentence: 'Please complete the additional authentication step.',
        }
        toast({ title: trouble.title, description: trouble.sentence })
        return set({ kind: 'refused', by: 'card', trouble, isCharged: 'no' })
      }
      case 'processing': {
        const trouble = {
          title: 'Payment Processing',
          sentence: 'Your bank is still working on this payment. You do not need to pay again.',
        }
        toast({ title: trouble.title, description: trouble.sentence })
        return set({ kind: 'undecided', by: 'card', trouble })
      }
    }
  }

  /** @param express the sheet that was confirmed; undefined for the card form */
  const pay = (express?: Express) => {
    if (!turn.take()) return
    confirm(express)
      .catch(() => refuse({ title: 'Payment Error', sentence: UNEXPECTED }, { isCharged: 'unknown' }))
      .finally(turn.give)
  }

  return { pay }
}

const failureMessageOf = ({ message, type }: StripeError): FailureMessage => ({
  title: type === 'validation_error' ? 'Payment Error' : 'Payment Failed',
  sentence: message ?? (type === 'validation_error' ? INCOMPLETE : UNEXPECTED),
})

/** Of the billing address; the fields that we ask ourselves are switched off in the provider's form and named here. */
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
