import type { OrderView } from '#contract/orders.ts'
import { say } from '#words/say.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { shortDay, orderStepLabels } from './order-labels.ts'

/** The steps of an order with their dates: in a row on wide screens, stacked on a phone. */
export const Milestones = ({ milestones, isPaid }: Pick<OrderView, 'milestones'> & { isPaid: boolean }) => (
  <ol aria-label={say('Progress')} className="grid md:flex">
    {milestones.map(({ station, state, at }, index) => (
      <li
        key={station}
        {...(state === 'now' && { 'aria-current': 'step' as const })}
        className="relative flex gap-4 not-last:pb-4 md:block md:not-last:flex-1 md:not-last:pr-4 md:not-last:pb-0"
      >
        {index < milestones.length - 1 && (
          <span
            aria-hidden="true"
            className={classNames(
              'absolute top-7 bottom-0 left-[0.8125rem] w-0.5 md:top-[0.8125rem] md:right-0 md:bottom-auto md:left-7 md:h-0.5 md:w-auto',
              milestones[index + 1]?.state === 'next' ? 'bg-line' : 'bg-strong',
            )}
          />
        )}
        <span
          aria-hidden="true"
          className={classNames(
            'relative grid size-7 shrink-0 place-items-center rounded-full',
            state === 'done' && 'bg-strong text-ivory',
            state === 'now' && 'bg-accent text-ivory ring-4 ring-accent/25',
            state === 'next' && 'border border-ink/40 bg-surface',
          )}
        >
          {state !== 'next' && <Icon name="check" className="size-4" />}
        </span>
        <p className="leading-snug md:mt-3">
          <span className={classNames(state === 'next' ? 'text-ink-soft' : 'font-semibold')}>
            {say(station === 'paid' && !isPaid ? 'Ordered' : orderStepLabels[station])}
          </span>
          <span className="sr-only">
            {say(state === 'done' ? ', done' : state === 'now' ? ', current step' : ', not yet')}
          </span>
          {at && <span className="block text-sm text-ink-soft tabular-nums">{shortDay(at)}</span>}
        </p>
      </li>
    ))}
  </ol>
)
