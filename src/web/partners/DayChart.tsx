import { shortDay } from './earnings-format.ts'

type Props = {
  title: string
  days: readonly { day: string; value: number }[]
  format: (value: number) => string
}

const BAR = 10
const GAP = 3
const HEIGHT = 100

/** One bar per day; the same numbers are in a table below. */
export function DayChart({ title, days, format }: Props) {
  const values = days.map(({ value }) => value)
  const top = Math.max(0, ...values)
  const bottom = Math.min(0, ...values)
  const range = top - bottom || 1
  const heightOf = (value: number) => (Math.abs(value) / range) * HEIGHT
  const zero = (top / range) * HEIGHT
  const best = days.reduce((a, b) => (b.value > a.value ? b : a), { day: '', value: 0 })
  const summary =
    best.value > 0 ? `Best day: ${shortDay(best.day)} (${format(best.value)}).` : 'Nothing in this period.'
  const width = days.length * (BAR + GAP) - GAP
  return (
    <figure className="min-w-0">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-semibold">{title}</span>
        <span className="text-sm text-ink-soft">{summary}</span>
      </figcaption>
      <svg
        role="img"
        aria-label={`${title}. ${summary}`}
        viewBox={`0 0 ${Math.max(width, 1)} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="mt-3 block h-32 w-full border-b border-ink/40"
      >
        {days.map(({ day, value }, at) => (
          <rect
            key={day}
            x={at * (BAR + GAP)}
            y={value >= 0 ? zero - heightOf(value) : zero}
            width={BAR}
            height={heightOf(value)}
            className={value >= 0 ? 'fill-(--theme-accent)' : 'fill-danger'}
          />
        ))}
      </svg>
      <p aria-hidden className="mt-1.5 flex justify-between text-sm text-ink-soft tabular-nums">
        <span>{shortDay(days[0]?.day ?? '')}</span>
        <span>{shortDay(days.at(-1)?.day ?? '')}</span>
      </p>
    </figure>
  )
}
