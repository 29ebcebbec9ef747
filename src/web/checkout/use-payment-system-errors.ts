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
 * Reports failures of a provider's frame or script and unhandled rejections, so the shopper does not wait in vain.
 * @param onFailure undefined while no payment is on the screen
 */
export function usePaymentSystemErrors(onFailure: ((failure: FailureMessage) => void) | undefined): void {
  const latest = useRef(onFailure)
  useEffect(() => {
    latest.current = onFailure
  })
  useEffect(() => {
    const onError = (event: Event) => {
      if (isProviderError(event)) latest.current?.(FRAME_ERROR)
    }
    const onRejection = () => latest.current?.(REJECTION)
    // Error events of frames do not bubble, so capture them.
    addEventListener('error', onError, true)
    addEventListener('unhandledrejection', onRejection)
    return () => {
      removeEventListener('error', onError, true)
      removeEventListener('unhandledrejection', onRejection)
    }
  }, [])
}

/**
 * Browsers report errors in cross-origin scripts only as 'Script error.', and the payment pages' content security policy allows
 * such scripts from the providers only.
 */
const isProviderError = (event: Event): boolean =>
  event instanceof ErrorEvent
    ? /\bframe\b|^Script error\.?$/i.test(event.message)
    : event.target instanceof HTMLIFrameElement
