import { BarChart } from '#web/ui/BarChart.tsx'
import { shortDay } from './earnings-format.ts'

type Props<Value extends number> = {
  title: string
  days: readonly { day: string; value: Value }[]
  format: (value: Value) => string
}

/** One bar per day; the same numbers are in a table below. */
export function DayChart<Value extends number>({ title, days, format }: Props<Value>) {
  const best = days.reduce<(typeof days)[number] | undefined>((a, b) => (b.value > (a?.value ?? 0) ? b : a), undefined)
  const summary = best ? `Best day: ${shortDay(best.day)} (${format(best.value)}).` : 'Nothing in this period.'
  return (
    <figure className="min-w-0">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-semibold">{title}</span>
        <span className="text-sm text-ink-soft">{summary}</span>
      </figcaption>
      <BarChart
        label={`${title}. ${summary}`}
        bars={days.map(({ day, value }) => ({
          key: day,
          value,
          className: value >= 0 ? 'fill-(--theme-accent)' : 'fill-danger',
        }))}
        className="mt-3 h-32 border-b border-ink/40"
      />
      <p aria-hidden className="mt-1.5 flex justify-between text-sm text-ink-soft">
        <span>{shortDay(days[0]?.day ?? '')}</span>
        <span>{shortDay(days.at(-1)?.day ?? '')}</span>
      </p>
    </figure>
  )
}
