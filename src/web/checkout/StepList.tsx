import type { MainStep } from '#domain/checkout/steps.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { classNames } from '#web/ui/class-names.ts'

const steps = [
  { step: 'customer_info', text: 'Customer Info' },
  { step: 'payment', text: 'Payment' },
] as const

/** Where one is, of how many. */
export function StepList({ at }: { at: MainStep }) {
  const reached = at === 'customer_info' ? 0 : at === 'payment' ? 1 : 2
  return (
    <ol aria-label="Checkout steps" className="flex items-center gap-3 text-[0.9375rem] sm:gap-4">
      {steps.map(({ step, text }, index) => (
        <li
          key={step}
          {...(step === at && { 'aria-current': 'step' as const })}
          className={classNames(
            'flex items-center gap-2.5',
            index > 0 && 'before:mr-1 before:h-px before:w-6 before:bg-ink/30 sm:before:w-12',
            index <= reached ? 'font-semibold text-ink' : 'text-ink-soft',
          )}
        >
          <span
            aria-hidden={index < reached}
            className={classNames(
              'grid size-7 place-items-center rounded-full text-sm font-semibold tabular-nums',
              index <= reached ? 'bg-strong text-ivory' : 'border border-ink/40',
            )}
          >
            {index < reached ? <Icon name="check" className="size-4" /> : index + 1}
          </span>
          {text}
          {index < reached && <span className="sr-only">, done</span>}
        </li>
      ))}
    </ol>
  )
}
