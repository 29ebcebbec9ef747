import { stepsOf, type CheckoutVariant, type Step } from '#domain/checkout/steps.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { say } from '#words/say.ts'
import type { Word } from '#words/words.ts'

const names = {
  customer_info: 'Customer Info',
  review: 'Review',
  payment: 'Payment',
  paid: 'Paid',
} as const satisfies Record<Step, Word>

export function StepList({ variant, current }: { variant: CheckoutVariant; current: Step }) {
  const steps = stepsOf(variant)
  const reached = current === 'paid' ? steps.length : steps.indexOf(current)
  return (
    <ol aria-label={say('Checkout steps')} className="flex items-center gap-2.5 text-sm sm:gap-4 sm:text-[0.9375rem]">
      {steps.map((step, index) => (
        <li
          key={step}
          {...(step === current && { 'aria-current': 'step' as const })}
          className={classNames(
            'flex items-center gap-2.5',
            index > 0 && 'before:h-px before:w-4 before:bg-ink/30 sm:before:mr-1 sm:before:w-12',
            index <= reached ? 'font-semibold text-ink' : 'text-ink-soft',
          )}
        >
          <span
            aria-hidden={index < reached}
            className={classNames(
              'grid size-6 shrink-0 sm:size-7 place-items-center rounded-full text-sm font-semibold',
              index <= reached ? 'bg-strong text-ivory' : 'border border-ink/40',
            )}
          >
            {index < reached ? <Icon name="check" className="size-4" /> : index + 1}
          </span>
          {/* A phone has room for the current name beside the title. */}
          <span className={classNames(step !== current && 'max-sm:sr-only')}>{say(names[step])}</span>
          {index < reached && <span className="sr-only">{say(', done')}</span>}
        </li>
      ))}
    </ol>
  )
}
