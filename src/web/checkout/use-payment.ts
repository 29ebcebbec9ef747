import { useEffect, useEffectEvent, useReducer } from 'react'
import { useToast, type ToastMessage } from '#web/ui/toast.tsx'
import { sayKnown } from '#words/say.ts'
import type { Word } from '#words/words.ts'
import { cardBroken } from './card-payment.ts'
import { isBusy, nextPayment, noPayment, type Payment } from './payment.ts'
import type { CheckoutState } from './use-checkout.ts'

const TITLE = 'Payment System Error' satisfies Word
/** Specification, section 8. */
const FRAME_ERROR = cardBroken({
  title: TITLE,
  sentence: 'Please refresh the page and try again.' satisfies Word,
})
const REJECTION = cardBroken({
  title: TITLE,
  sentence: 'An unexpected error occurred. Please refresh the page and try again.' satisfies Word,
})

/**
 * The payment of the page, and what follows its end: the confirmation, or the page of the payment made before. Failures of a
 * provider's frame or script and unhandled rejections are reported, so the shopper does not wait in vain.
 */
export function usePayment({ step: checkoutStep, close, closeFor, finish }: CheckoutState) {
  const { toast } = useToast()
  const [payment, send] = useReducer(nextPayment, noPayment)
  useEffect(() => {
    if (payment.toast) toast(spoken(payment.toast))
  }, [payment, toast])

  const end = useEffectEvent((step: Payment['step']) => {
    const { confirmation = {}, outcome } = payment
    if (step === 'paid') finish(payment.by, confirmation)
    else if (step === 'held') close(false)
    else if (step === 'paid_before' && (outcome?.kind === 'already_paid' || outcome?.kind === 'held')) closeFor(outcome)
  })
  useEffect(() => end(payment.step), [payment.step])

  const report = useEffectEvent((failure: typeof REJECTION) => {
    if (checkoutStep !== 'payment') return
    // PayPal's window is open, or its capture is running: their own answer counts.
    if (failure.toast && payment.by === 'wallet' && isBusy(payment)) toast(spoken(failure.toast))
    else send(failure)
  })
  useEffect(() => {
    const onError = (event: Event) => {
      if (isProviderError(event)) report(FRAME_ERROR)
    }
    const onRejection = () => report(REJECTION)
    // Error events of frames do not bubble, so capture them.
    addEventListener('error', onError, true)
    addEventListener('unhandledrejection', onRejection)
    return () => {
      removeEventListener('error', onError, true)
      removeEventListener('unhandledrejection', onRejection)
    }
  }, [])

  return { payment, send }
}

const spoken = ({ title, description, ...more }: ToastMessage): ToastMessage => ({
  ...more,
  title: sayKnown(title),
  ...(description !== undefined && { description: sayKnown(description) }),
})

export type PaymentControls = ReturnType<typeof usePayment>

/**
 * Browsers report errors in cross-origin scripts only as 'Script error.', and the payment pages' content security policy allows
 * such scripts from the providers only.
 */
const isProviderError = (event: Event): boolean =>
  event instanceof ErrorEvent
    ? /\bframe\b|^Script error\.?$/i.test(event.message)
    : event.target instanceof HTMLIFrameElement
