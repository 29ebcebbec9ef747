import { useEffect, useRef } from 'react'
import type { Trouble } from './start-payment.ts'

const TITLE = 'Payment System Error'
/** Specification, section 8. */
const FRAME_ERROR: Trouble = { title: TITLE, sentence: 'Please refresh the page and try again.' }
const REJECTION: Trouble = {
  title: TITLE,
  sentence: 'An unexpected error occurred. Please refresh the page and try again.',
}

/**
 * What breaks behind the page's back while a payment is open is told, so that the shopper does not wait for nothing: a frame
 * or a script of a payment provider that fails, and a rejection that nobody took.
 * @param origins where the providers' scripts come from
 */
export function usePaymentSystemErrors(origins: readonly string[], tell: (trouble: Trouble) => void): void {
  const latest = useRef({ origins, tell })
  useEffect(() => {
    latest.current = { origins, tell }
  })
  useEffect(() => {
    const onError = (event: Event) => {
      if (isOfFrame(event, latest.current.origins)) latest.current.tell(FRAME_ERROR)
    }
    const onRejection = () => latest.current.tell(REJECTION)
    // A frame's own failure does not bubble, so it is met on its way down.
    addEventListener('error', onError, true)
    addEventListener('unhandledrejection', onRejection)
    return () => {
      removeEventListener('error', onError, true)
      removeEventListener('unhandledrejection', onRejection)
    }
  }, [])
}

/** Whether something failed in a provider's frame or script. Pictures and the page's own scripts are another matter. */
function isOfFrame(event: Event, origins: readonly string[]): boolean {
  if (event instanceof ErrorEvent)
    return /\bframe\b/i.test(event.message) || origins.some((origin) => event.filename.startsWith(`${origin}/`))
  return event.target instanceof HTMLIFrameElement
}
