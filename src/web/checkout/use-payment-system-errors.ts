import { useEffect, useRef } from 'react'
import type { FailureMessage } from './start-payment.ts'

const TITLE = 'Payment System Error'
/** Specification, section 8. */
const FRAME_ERROR: FailureMessage = { title: TITLE, sentence: 'Please refresh the page and try again.' }
const REJECTION: FailureMessage = {
  title: TITLE,
  sentence: 'An unexpected error occurred. Please refresh the page and try again.',
}

/**
 * What breaks behind the page's back while a payment is open is told, so that the shopper does not wait for nothing: a frame
 * or a script of a payment provider that fails, and a rejection that nobody took.
 * @param tell undefined while no payment is on the screen
 */
export function usePaymentSystemErrors(tell: ((trouble: FailureMessage) => void) | undefined): void {
  const latest = useRef(tell)
  useEffect(() => {
    latest.current = tell
  })
  useEffect(() => {
    const onError = (event: Event) => {
      if (isOfProvider(event)) latest.current?.(FRAME_ERROR)
    }
    const onRejection = () => latest.current?.(REJECTION)
    // A frame's own failure does not bubble, so it is met on its way down.
    addEventListener('error', onError, true)
    addEventListener('unhandledrejection', onRejection)
    return () => {
      removeEventListener('error', onError, true)
      removeEventListener('unhandledrejection', onRejection)
    }
  }, [])
}

/**
 * Whether something failed in a provider's frame or script. Browsers do not say what failed in a script from elsewhere, and
 * the payment pages' policy lets scripts come from the providers only.
 */
const isOfProvider = (event: Event): boolean =>
  event instanceof ErrorEvent
    ? /\bframe\b|^Script error\.?$/i.test(event.message)
    : event.target instanceof HTMLIFrameElement
