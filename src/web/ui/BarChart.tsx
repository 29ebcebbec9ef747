import { classNames } from './class-names.ts'

type Props = {
  /** What a screen reader says; the same numbers are in a table nearby. */
  label: string
  bars: readonly { key: string; value: number; className: string }[]
  /** Values to compare with, one for each bar, as a faint line. */
  line?: readonly number[]
  /** The value at the top; the highest bar by default. */
  maximum?: number
  /** Lines at the top, the middle and the bottom. */
  hasLines?: boolean
  className: string
}

/** Drawing units; the SVG stretches to its container. */
const HEIGHT = 100
/** Of a bar with the space around it: each has the same part of the width, so that a label can stand under its middle. */
const SLOT = 13
const BAR_MAX = 10
/** A bar is at most this part of the whole width: few bars are narrow, in the middle of wide slots. */
const PARTS_MIN = 14

/** One bar for each value; those below zero hang from the zero line. */
export function BarChart({ label, bars, line, maximum, hasLines = false, className }: Props) {
  const values = bars.map(({ value }) => value)
  const top = maximum ?? Math.max(0, ...values)
  const range = top - Math.min(0, ...values) || 1
  const width = bars.length * SLOT
  const barWidth = Math.min(BAR_MAX, width / PARTS_MIN)
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
      {bars.map(({ key, value, className: color }, index) => (
        <rect
          key={key}
          x={(index + 0.5) * SLOT - barWidth / 2}
          y={((top - Math.max(value, 0)) / range) * HEIGHT}
          width={barWidth}
          height={(Math.abs(value) / range) * HEIGHT}
          className={color}
        />
      ))}
      {line && (
        <polyline
          points={line
            .map((value, index) => `${(index + 0.5) * SLOT},${((top - Math.max(value, 0)) / range) * HEIGHT}`)
            .join(' ')}
          fill="none"
          vectorEffect="non-scaling-stroke"
          className="stroke-accent"
          strokeWidth={1.5}
          strokeDasharray="4 3"
        />
      )}
    </svg>
  )
}
