import { classNames } from './class-names.ts'

type Props = {
  /** What a screen reader says; the same numbers are in a table nearby. */
  label: string
  bars: readonly { key: string; value: number; hint?: string; className: string }[]
  /** The value at the top; the highest bar by default. */
  maximum?: number
  /** Fewer bars are drawn as narrow as this many. */
  barsMin?: number
  /** Lines at the top, the middle and the bottom. */
  hasLines?: boolean
  className: string
}

/** Drawing units; the SVG stretches to its container. */
const HEIGHT = 100
const BAR = 10
const GAP = 3

/** One bar for each value; those below zero hang from the zero line. */
export function BarChart({ label, bars, maximum, barsMin = 1, hasLines = false, className }: Props) {
  const values = bars.map(({ value }) => value)
  const top = maximum ?? Math.max(0, ...values)
  const range = top - Math.min(0, ...values) || 1
  const width = Math.max(bars.length, barsMin) * (BAR + GAP)
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={classNames('block w-full', className)}
    >
      {hasLines &&
        [0, HEIGHT / 2, HEIGHT].map((y) => (
          <line
            key={y}
            x1={0}
            x2={width}
            y1={y}
            y2={y}
            vectorEffect="non-scaling-stroke"
            className="stroke-line"
            strokeWidth={1}
          />
        ))}
      {bars.map(({ key, value, hint, className: color }, index) => (
        <rect
          key={key}
          x={index * (BAR + GAP) + GAP / 2}
          y={((top - Math.max(value, 0)) / range) * HEIGHT}
          width={BAR}
          height={(Math.abs(value) / range) * HEIGHT}
          className={color}
        >
          {hint && <title>{hint}</title>}
        </rect>
      ))}
    </svg>
  )
}
