import { useEffect, useRef } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import {
  stepAfter,
  reachableStep,
  type StepProgress,
  type CheckoutVariant,
  type Step,
  type StepEvent,
} from '#domain/checkout/steps.ts'

/** State of a history entry: the step before it. */
type StepHistory = { from: Step }

/**
 * The step is in the address (`?step=payment`), so Back and Forward change steps. An address cannot skip steps.
 */
export function useSteps(variant: CheckoutVariant, progress: StepProgress) {
  const [search, setSearch] = useSearchParams()
  const { state } = useLocation()
  const navigate = useNavigate()
  const requested = search.get('step')
  const step = reachableStep(variant, requested, progress)

  const open = (to: Step, replace: boolean) =>
    setSearch(
      (current) => {
        const next = new URLSearchParams(current)
        if (to === 'customer_info') next.delete('step')
        else next.set('step', to)
        return next
      },
      { replace, state: replace ? (state as unknown) : { from: step }, preventScrollReset: true },
    )

  return {
    step,
    /** The step in the address; after a reload it may be ahead of the progress. */
    requested,
    go: (event: Exclude<StepEvent, 'went_back' | 'money_came'>) => {
      const to = stepAfter(variant, step, event)
      if (to !== step) open(to, requested === to)
    },
    /** Like the browser's Back, if the previous entry is that step. */
    back: () => {
      const to = stepAfter(variant, step, 'went_back')
      if (isFrom(state, to)) void navigate(-1)
      else open(to, true)
    },
    /** Replaces an address that cannot be reached. */
    stay: () => open(step, true),
  }
}

const isFrom = (state: unknown, step: Step): boolean =>
  typeof state === 'object' && state !== null && (state as Partial<StepHistory>).from === step

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
