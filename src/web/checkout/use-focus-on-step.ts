import { useEffect, useRef } from 'react'
import type { Step } from '#domain/checkout/steps.ts'

/**
 * Scrolls to the top and focuses the heading of a new step.
 * @returns refs for the headings
 */
export function useFocusOnStep(step: Step) {
  const title = useRef<HTMLHeadingElement>(null)
  const review = useRef<HTMLHeadingElement>(null)
  const payment = useRef<HTMLHeadingElement>(null)
  const lastStep = useRef(step)
  useEffect(() => {
    // `paid` is announced in place.
    if (lastStep.current === step || step === 'paid') return
    lastStep.current = step
    scrollTo({ top: 0, behavior: 'instant' })
    const heading = step === 'payment' ? payment : step === 'review' ? review : title
    heading.current?.focus({ preventScroll: true })
  }, [step])
  return { title, review, payment }
}
