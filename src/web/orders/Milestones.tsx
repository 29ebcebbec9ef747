import type { OrderView } from '#contract/orders.ts'
import { say } from '#words/say.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { shortDay, orderStepLabels } from './order-labels.ts'

/** The steps of an order with their dates in a row, stacked where there is no room. */
export const Milestones = ({ milestones, isPaid }: Pick<OrderView, 'milestones'> & { isPaid: boolean }) => (
  <ol aria-label={say('Progress')} className="grid min-[22.5rem]:flex">
    {milestones.map(({ station, state, at }, index) => (
      <li
        key={station}
        {...(state === 'now' && { 'aria-current': 'step' as const })}
        className="relative flex gap-4 not-last:pb-4 min-[22.5rem]:block min-[22.5rem]:not-last:flex-1 min-[22.5rem]:not-last:pr-2 lg:not-last:pr-4 min-[22.5rem]:not-last:pb-0 min-[22.5rem]:last:grid lg:last:w-7 lg:last:grid-cols-[1.75rem] min-[22.5rem]:last:content-start min-[22.5rem]:last:justify-items-end min-[22.5rem]:last:gap-0 min-[22.5rem]:last:text-right"
      >
        {/* In a row the last step stands at its end, so the line goes on to it. */}
        <span
          aria-hidden="true"
          className={classNames(
            'absolute min-[22.5rem]:top-[0.8125rem] min-[22.5rem]:h-0.5',
            index < milestones.length - 1
              ? 'top-7 bottom-0 left-[0.8125rem] w-0.5 min-[22.5rem]:right-0 min-[22.5rem]:bottom-auto min-[22.5rem]:left-7 min-[22.5rem]:w-auto'
              : 'right-7 left-0',
            (milestones[index + 1]?.state ?? state) === 'next' ? 'bg-line' : 'bg-strong',
          )}
        />
        <span
          aria-hidden="true"
          className={classNames(
            'relative grid size-7 shrink-0 place-items-center rounded-full',
            state === 'done' && 'bg-strong text-ivory',
            state === 'now' && 'bg-accent text-ivory ring-4 ring-accent/25',
            state === 'next' && 'border border-ink/40 bg-surface',
          )}
        >
          {state === 'now' && index < milestones.length - 1 ? (
            <span className="size-2.5 rounded-full bg-ivory" />
          ) : (
            state !== 'next' && <Icon name="check" className="size-4" />
          )}
        </span>
        <p
          className={classNames(
            'leading-snug hyphens-auto max-lg:text-[0.8125rem] min-[22.5rem]:mt-2.5',
            index === milestones.length - 1 && 'lg:w-max',
          )}
        >
          <span className={classNames(state === 'next' ? 'text-ink-soft' : 'font-semibold')}>
            {say(station === 'paid' && !isPaid ? 'Ordered' : orderStepLabels[station])}
          </span>
          <span className="sr-only">
            {say(state === 'done' ? ', done' : state === 'now' ? ', current step' : ', not yet')}
          </span>
          {at && <span className="block text-[0.8125rem] text-ink-soft sm:text-sm">{shortDay(at)}</span>}
        </p>
      </li>
    ))}
  </ol>
)
