import { useLocation, useNavigate, useSearchParams } from 'react-router'
import {
  stepAfter,
  reachableStep,
  type StepProgress,
  type CheckoutVariant,
  type Step,
  type StepEvent,
} from '#domain/checkout/steps.ts'

/** Which step led to an entry of the browser's history. */
type StepHistory = { from: Step }

/**
 * The step is part of the page's address, `?step=payment`, so that Back and Forward walk the steps; an address leads only as
 * far as the shopper has come.
 */
export function useSteps(variant: CheckoutVariant, earned: StepProgress) {
  const [search, setSearch] = useSearchParams()
  const { state } = useLocation()
  const navigate = useNavigate()
  const wished = search.get('step')
  const step = reachableStep(variant, wished, earned)

  const open = (to: Step, replace: boolean) =>
    setSearch(
      (now) => {
        const next = new URLSearchParams(now)
        if (to === 'customer_info') next.delete('step')
        else next.set('step', to)
        return next
      },
      { replace, state: replace ? (state as unknown) : { from: step }, preventScrollReset: true },
    )

  return {
    step,
    /** What the address asks for: after a reload that is further than anything has been earned. */
    wished,
    go: (event: Exclude<StepEvent, 'went_back' | 'money_came'>) => {
      const to = stepAfter(variant, step, event)
      if (to !== step) open(to, wished === to)
    },
    /** As the browser's own Back does it, where that leads to the step before. */
    back: () => {
      const to = stepAfter(variant, step, 'went_back')
      if (isFrom(state, to)) void navigate(-1)
      else open(to, true)
    },
    /** The address asks for something that is not there, and nothing will bring it. */
    stay: () => open(step, true),
  }
}

const isFrom = (state: unknown, step: Step): boolean =>
  typeof state === 'object' && state !== null && (state as Partial<StepHistory>).from === step
