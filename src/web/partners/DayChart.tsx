import { BarChart } from '#web/ui/BarChart.tsx'
import { shortDay } from './earnings-format.ts'

type Props = {
  title: string
  days: readonly { day: string; value: number }[]
  format: (value: number) => string
}

/** One bar per day; the same numbers are in a table below. */
export function DayChart({ title, days, format }: Props) {
  const best = days.reduce((a, b) => (b.value > a.value ? b : a), { day: '', value: 0 })
  const summary =
    best.value > 0 ? `Best day: ${shortDay(best.day)} (${format(best.value)}).` : 'Nothing in this period.'
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
      <p aria-hidden className="mt-1.5 flex justify-between text-sm text-ink-soft tabular-nums">
        <span>{shortDay(days[0]?.day ?? '')}</span>
        <span>{shortDay(days.at(-1)?.day ?? '')}</span>
      </p>
    </figure>
  )
}
