import type { ReportsSummary } from '#contract/reports.ts'
import { average, formatUsd, ZERO, type Cents } from '#shared/money.ts'
import { BarChart } from '#web/ui/BarChart.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { chartMaximumFor } from './chart-scale.ts'
import { formatDayRange, formatStep } from './report-format.ts'

type Step = ReportsSummary['steps'][number]

/** Fewer bars are drawn as narrow as this many. */
const BARS_MIN = 12
const LABELS_MAX = 6

/** Revenue by day or month, as a chart and as a table. */
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
              columns={columns}
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

function Bars({ steps, best, title }: { steps: readonly Step[]; best: Step; title: string }) {
  const top = chartMaximumFor(best.revenue)
  const every = Math.ceil(steps.length / LABELS_MAX)
  return (
    <div className="mt-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
      <div aria-hidden className="flex h-48 flex-col justify-between text-right text-xs text-ink-soft tabular-nums">
        {[top, average(top, 2), ZERO].map((tick) => (
          <span key={tick} className="-my-2">
            {wholeDollars(tick)}
          </span>
        ))}
      </div>
      <BarChart
        label={`${title}. Highest: ${formatUsd(best.revenue)}, ${formatDayRange(best)}. The figures are in the table below.`}
        bars={steps.map((step) => ({
          key: step.from,
          value: step.revenue,
          hint: `${formatDayRange(step)}: ${formatUsd(step.revenue)}, ${step.orders} ${step.orders === 1 ? 'order' : 'orders'}`,
          className: 'fill-strong',
        }))}
        maximum={top}
        barsMin={BARS_MIN}
        hasLines
        className="h-48"
      />
      <div aria-hidden className="col-start-2 mt-2 flex justify-between text-xs text-ink-soft">
        {steps
          .filter((_, index) => index % every === 0)
          .map((step) => (
            <span key={step.from}>{formatStep(step)}</span>
          ))}
      </div>
    </div>
  )
}

/** `$1,500`: whole amounts without cents. */
const wholeDollars = (amount: Cents): string => formatUsd(amount).replace(/\.00$/, '')

const columns: readonly [Column<Step>, ...Column<Step>[]] = [
  { key: 'days', title: 'Days', cell: formatDayRange },
  { key: 'orders', title: 'Orders', isNumber: true, cell: ({ orders }) => orders },
  { key: 'revenue', title: 'Revenue', isNumber: true, cell: ({ revenue }) => formatUsd(revenue) },
  { key: 'tax', title: 'Tax', isNumber: true, cell: ({ tax }) => formatUsd(tax) },
]
