import type { StripeError } from '@stripe/stripe-js'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { paths } from '#contract/paths.ts'
import { cardOutcome, hasChargedNothing, hasMoneyCome } from '#domain/checkout/steps.ts'
import type { Cents } from '#kernel/money.ts'
import { useToast } from '#web/ui/toast.tsx'
import { wireAddress, type CustomerForm } from './customer-form.ts'
import type { PaymentAnswer, Trouble } from './start-payment.ts'
import type { MountedCardForm } from './use-card-form.ts'

/** Where a click on Pay has come to. */
export type Paying =
  | { kind: 'idle' }
  | { kind: 'checking' }
  | { kind: 'asking_bank' }
  /** The form stays as it is. `isCharged`: `no`, or `unknown` after a lost connection. */
  | { kind: 'refused'; trouble: Trouble; isCharged: 'no' | 'unknown' }
  /** The total is another one: nothing was charged, the shopper decides. */
  | { kind: 'changed'; sentence: string }
  /** The provider has not decided yet. */
  | { kind: 'undecided'; trouble: Trouble }
  | { kind: 'paid' }

const NOT_READY = 'Payment system is not ready. Please refresh and try again.'
const INCOMPLETE = 'Please complete all payment fields.'
const UNEXPECTED = 'An unexpected error occurred. Please try again.'
const SYSTEM_REFRESH = 'An unexpected error occurred. Please refresh the page and try again.'

/** `beside`: what stands beside the form, when that is more than the toast says. */
type Refusal = { beside?: string; isCharged?: 'no' | 'unknown' }

type Wanted = {
  mounted: RefObject<MountedCardForm | undefined>
  isReady: boolean
  form: CustomerForm
  clientSecret: string
  /** What the button says; the provider must have been told the same. */
  total: Cents
  /** Asks the shop again: same wish, same payment, or the reason why not. */
  restart: () => Promise<PaymentAnswer>
  onPaid: (paymentIntent: string | undefined) => void
}

/** From the click on Pay to the bank's answer (specification, section 4, Card payment outcomes). */
export function useCardPayment({ mounted, isReady, form, clientSecret, total, restart, onPaid }: Wanted) {
  const { toast } = useToast()
  const [paying, setPaying] = useState<Paying>({ kind: 'idle' })
  const isRunning = useRef(false)
  const toldTotal = useRef(total)

  const refuse = (trouble: Trouble, { beside = trouble.sentence, isCharged = 'no' }: Refusal = {}) => {
    toast({ title: trouble.title, description: trouble.sentence, destructive: true })
    setPaying({ kind: 'refused', trouble: { ...trouble, sentence: beside }, isCharged })
  }

  const finish = (paymentIntent: string | undefined) => {
    setPaying({ kind: 'paid' })
    onPaid(paymentIntent)
  }

  /** @returns whether the payment is the one on the screen, and may be confirmed */
  const isStillOffered = async (): Promise<boolean> => {
    const answer = await restart()
    switch (answer.kind) {
      case 'started':
        if (answer.start.client_secret === clientSecret) return true
        // This form goes away with its secret, so the word stands in a toast.
        toast({ title: 'Payment form renewed', description: 'Nothing was charged. Please enter your card again.' })
        return false
      case 'changed':
        setPaying({ kind: 'changed', sentence: answer.sentence })
        return false
      case 'already_paid':
        finish(undefined)
        return false
      case 'refused':
      case 'failed':
        refuse(answer.trouble)
        return false
    }
  }

  const confirm = async (): Promise<void> => {
    const cardForm = mounted.current
    if (!cardForm || !isReady) return refuse({ title: 'Payment Error', sentence: NOT_READY })
    const { stripe, elements } = cardForm

    setPaying({ kind: 'checking' })
    if (!(await isStillOffered())) return undefined
    if (toldTotal.current !== total) {
      // The amount was changed at the provider behind its form's back.
      await elements.fetchUpdates()
      toldTotal.current = total
    }
    const submitted = await elements.submit()
    if (submitted.error)
      return refuse({ title: 'Payment Error', sentence: INCOMPLETE }, { beside: submitted.error.message ?? INCOMPLETE })

    setPaying({ kind: 'asking_bank' })
    const { paymentIntent, error } = await stripe.confirmPayment({
      elements,
      redirect: 'if_required',
      confirmParams: {
        return_url: new URL(paths.paymentSuccess, location.origin).href,
        payment_method_data: { billing_details: billingDetails(form) },
      },
    })
    if (error) {
      if (hasMoneyCome(error)) return finish(error.payment_intent?.id)
      return refuse(troubleOf(error), { isCharged: hasChargedNothing(error) ? 'no' : 'unknown' })
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
        return setPaying({ kind: 'refused', trouble, isCharged: 'no' })
      }
      case 'processing': {
        const trouble = {
          title: 'Payment Processing',
          sentence: 'Your bank is still working on this payment. You do not need to pay again.',
        }
        toast({ title: trouble.title, description: trouble.sentence })
        return setPaying({ kind: 'undecided', trouble })
      }
    }
  }

  const pay = () => {
    // A second click while the first one is at work must not ask a second time.
    if (isRunning.current) return
    isRunning.current = true
    confirm()
      .catch(() => refuse({ title: 'Payment Error', sentence: UNEXPECTED }, { isCharged: 'unknown' }))
      .finally(() => {
        isRunning.current = false
      })
  }

  usePaymentSystemErrors((trouble) => refuse(trouble, { isCharged: 'unknown' }))
  return { paying, pay }
}

const troubleOf = ({ message, type }: StripeError): Trouble => ({
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

/** A rejection that nobody took while the payment form is open is told, so that the shopper does not wait for nothing. */
function usePaymentSystemErrors(tell: (trouble: Trouble) => void): void {
  const latest = useRef(tell)
  useEffect(() => {
    latest.current = tell
  })
  useEffect(() => {
    const onRejection = () => latest.current({ title: 'Payment System Error', sentence: SYSTEM_REFRESH })
    addEventListener('unhandledrejection', onRejection)
    return () => removeEventListener('unhandledrejection', onRejection)
  }, [])
}
