import { useState, type PointerEvent } from 'react'
import type { ReportsSummary } from '#contract/reports.ts'
import { average, formatUsd, ZERO, type Cents } from '#shared/money.ts'
import { BarChart } from '#web/ui/BarChart.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { chartMaximumFor } from './chart-scale.ts'
import { formatDayRange, formatStep } from './report-format.ts'

type Step = ReportsSummary['steps'][number]

/** Every second one is hidden on phones. */
const LABELS_MAX = 6

/** Revenue by day or month, as a chart and as a table, with the period before as a faint line and a column. */
export function SalesChart({ steps }: { steps: readonly Step[] }) {
  const isDaily = steps.every(({ from, to }) => from === to)
  const title = isDaily ? 'Revenue by day' : 'Revenue by month'
  const best = steps.reduce<Step | undefined>(
    (highest, step) => (step.revenue > (highest?.revenue ?? 0) ? step : highest),
    undefined,
  )
  return (
    <section aria-labelledby="chart-title" className="rounded-card border border-line bg-surface p-5">
      <h2 id="chart-title" className="text-[1.1875rem] leading-snug">
        {title}
      </h2>
      {best ? (
        <Bars steps={steps} best={best} title={title} />
      ) : (
        <p className="py-8 text-ink-soft">No orders in this period.</p>
      )}
      {best && (
        <details className="mt-4">
          <summary className="inline-flex min-h-10 cursor-pointer items-center text-[0.9375rem] underline underline-offset-4">
            Show as table
          </summary>
          <div className="mt-3">
            <Table
              caption={`${title} as a table`}
              isCaptionHidden
              columns={steps.some(({ revenueBefore }) => revenueBefore !== null) ? [...columns, beforeColumn] : columns}
              rows={steps}
              keyOf={({ from }) => from}
              empty="No orders in this period."
            />
          </div>
        </details>
      )}
    </section>
  )
}

type BarsProps = { steps: readonly Step[]; best: Step; title: string }

function Bars({ steps, best, title }: BarsProps) {
  const [pointed, setPointed] = useState<number>()
  const line = steps.flatMap(({ revenueBefore }) => revenueBefore ?? [])
  const hasLine = line.length === steps.length && line.some((revenue) => revenue > ZERO)
  const top = chartMaximumFor(line.reduce((most, revenue) => (revenue > most ? revenue : most), best.revenue))
  const every = Math.ceil(steps.length / LABELS_MAX)
  const shown = pointed === undefined ? undefined : steps[pointed]
  const last = steps.length - 1
  const point = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    setPointed(Math.min(last, Math.max(0, Math.floor(((event.clientX - left) / width) * steps.length))))
  }
  return (
    <>
      <p className="mt-1 text-[0.9375rem] text-ink-soft">{shown ? saidOf(shown) : `Highest: ${saidOf(best)}`}</p>
      {hasLine && (
        <p className="mt-0.5 flex items-center gap-2 text-sm text-ink-soft">
          <span aria-hidden="true" className="w-6 border-t-2 border-dashed border-accent" /> The period before
        </p>
      )}
      <div className="mt-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
        <div aria-hidden className="flex h-48 flex-col justify-between text-right text-xs text-ink-soft">
          {[top, average(top, 2), ZERO].map((tick) => (
            <span key={tick} className="-my-2">
              {wholeDollars(tick)}
            </span>
          ))}
        </div>
        <div
          role="slider"
          tabIndex={0}
          aria-label={`${title}, one after the other`}
          aria-valuemin={1}
          aria-valuemax={steps.length}
          aria-valuenow={(pointed ?? steps.indexOf(best)) + 1}
          aria-valuetext={saidOf(shown ?? best)}
          className="rounded-card"
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => setPointed(undefined)}
          onBlur={() => setPointed(undefined)}
          onKeyDown={(event) => {
            const to = stepTo(event.key, pointed ?? steps.indexOf(best), last)
            if (to === undefined) return
            event.preventDefault()
            setPointed(to)
          }}
        >
          <BarChart
            label={`${title}. Highest: ${saidOf(best)}. The figures are in the table below.`}
            bars={steps.map((step) => ({
              key: step.from,
              value: step.revenue,
              className: step === shown ? 'fill-accent' : 'fill-strong',
            }))}
            {...(hasLine && { line })}
            maximum={top}
            hasLines
            className="h-48"
          />
        </div>
        <div aria-hidden className="relative col-start-2 mt-2 h-4 text-xs text-ink-soft">
          {steps.map(
            (step, index) =>
              index % every === 0 && (
                <span
                  key={step.from}
                  style={{ left: `calc(100% * ${(index + 0.5) / steps.length})` }}
                  className={classNames(
                    'absolute -translate-x-1/2 whitespace-nowrap',
                    (index / every) % 2 === 1 && 'max-sm:hidden',
                  )}
                >
                  {formatStep(step)}
                </span>
              ),
          )}
        </div>
      </div>
    </>
  )
}

/** `Nov 21, 2026: $107.61, 3 orders`. */
const saidOf = (step: Step): string =>
  `${formatDayRange(step)}: ${formatUsd(step.revenue)}, ${step.orders.toLocaleString('en-US')} ${step.orders === 1 ? 'order' : 'orders'}${
    step.revenueBefore === null ? '' : `; ${formatUsd(step.revenueBefore)} in the period before`
  }`

/** Where a key leads from a bar; undefined for other keys. */
function stepTo(key: string, from: number, last: number): number | undefined {
  if (key === 'ArrowLeft' || key === 'ArrowDown') return Math.max(0, from - 1)
  if (key === 'ArrowRight' || key === 'ArrowUp') return Math.min(last, from + 1)
  if (key === 'Home') return 0
  return key === 'End' ? last : undefined
}

/** `$1,500`: whole amounts without cents. */
const wholeDollars = (amount: Cents): string => formatUsd(amount).replace(/\.00$/, '')

const columns: readonly [Column<Step>, ...Column<Step>[]] = [
  { key: 'days', title: 'Days', cell: formatDayRange },
  { key: 'orders', title: 'Orders', isNumber: true, cell: ({ orders }) => orders.toLocaleString('en-US') },
  { key: 'revenue', title: 'Revenue', isNumber: true, cell: ({ revenue }) => formatUsd(revenue) },
  { key: 'tax', title: 'Tax', isNumber: true, cell: ({ tax }) => formatUsd(tax) },
]

const beforeColumn: Column<Step> = {
  key: 'before',
  title: 'Revenue before',
  isNumber: true,
  cell: ({ revenueBefore }) => revenueBefore !== null && formatUsd(revenueBefore),
}
