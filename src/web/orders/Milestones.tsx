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
        className="relative flex gap-4 not-last:pb-4 min-[22.5rem]:grid min-[22.5rem]:flex-1 min-[22.5rem]:content-start min-[22.5rem]:justify-items-center min-[22.5rem]:gap-0 min-[22.5rem]:px-0.5 min-[22.5rem]:text-center min-[22.5rem]:not-last:pb-0 lg:flex-2 lg:first:flex-[1_1_0.875rem] lg:first:justify-items-start lg:first:pl-0 lg:first:text-left lg:last:flex-[1_1_0.875rem] lg:last:justify-items-end lg:last:pr-0 lg:last:text-right"
      >
        {/* To the next step, from the middle of the one to the middle of the other; on a wide screen the row fills its column. */}
        {index < milestones.length - 1 && (
          <span
            aria-hidden="true"
            className={classNames(
              'absolute top-7 bottom-0 left-[0.8125rem] w-0.5 min-[22.5rem]:top-[0.8125rem] min-[22.5rem]:bottom-auto min-[22.5rem]:left-1/2 min-[22.5rem]:h-0.5 min-[22.5rem]:w-full',
              index === 0 && 'lg:left-0 lg:w-[200%]',
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
          {state === 'now' && index < milestones.length - 1 ? (
            <span className="size-2.5 rounded-full bg-ivory" />
          ) : (
            state !== 'next' && <Icon name="check" className="size-4" />
          )}
        </span>
        <p className="leading-snug hyphens-auto max-lg:text-[0.8125rem] min-[22.5rem]:mt-2.5">
          <span className={classNames(state === 'next' ? 'text-ink-soft' : 'font-semibold')}>
            {say(station === 'paid' && !isPaid ? 'Ordered' : orderStepLabels[station])}
          </span>
          <span className="sr-only">
            {say(state === 'done' ? ', done' : state === 'now' ? ', current step' : ', not yet')}
          </span>
          {at && <span className="block text-[0.8125rem] text-ink-soft lg:text-sm">{shortDay(at)}</span>}
        </p>
      </li>
    ))}
  </ol>
)
