import { useEffect, useRef } from 'react'
import type { Step } from '#domain/checkout/steps.ts'

/**
 * A new step is a new place: it begins at its top, and whoever does not see the page hears where they are.
 * @returns where to tie each step's heading
 */
export function useFocusOnStep(step: Step) {
  const title = useRef<HTMLHeadingElement>(null)
  const review = useRef<HTMLHeadingElement>(null)
  const payment = useRef<HTMLHeadingElement>(null)
  const lastStep = useRef(step)
  useEffect(() => {
    // The end of the payment is told where it happened.
    if (lastStep.current === step || step === 'paid') return
    lastStep.current = step
    scrollTo({ top: 0, behavior: 'instant' })
    const heading = step === 'payment' ? payment : step === 'review' ? review : title
    heading.current?.focus({ preventScroll: true })
  }, [step])
  return { title, review, payment }
}
