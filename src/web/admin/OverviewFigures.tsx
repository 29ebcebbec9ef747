import type { Overview } from '#contract/admin-overview.ts'
import { paths } from '#contract/paths.ts'
import { formatUsd } from '#shared/money.ts'
import { Link } from '#web/app/Link.tsx'
import { changeOf } from './change.ts'

type Period = Overview['periods'][number]

const names: Readonly<Record<Period['name'], { title: string; before: string }>> = {
  today: { title: 'Today', before: 'yesterday' },
  yesterday: { title: 'Yesterday', before: 'the day before' },
  week: { title: 'Last 7 days', before: 'the 7 days before' },
  month: { title: 'Last 30 days', before: 'the 30 days before' },
}

/** Sales of the last days beside those before. Each opens its report. */
export const OverviewFigures = ({ periods }: Pick<Overview, 'periods'>) => (
  <section aria-labelledby="sales">
    <h2 id="sales" className="mb-2">
      Sales
    </h2>
    <ul className="grid grid-cols-2 border-y border-line xl:grid-cols-4 xl:divide-x xl:divide-line">
      {periods.map((period) => (
        <li
          key={period.name}
          className="min-w-0 border-line py-3.5 max-xl:odd:border-r max-xl:odd:pr-3 max-xl:even:pl-3 max-xl:nth-[n+3]:border-t sm:max-xl:odd:pr-5 sm:max-xl:even:pl-5 xl:px-5 xl:first:pl-0"
        >
          <Column period={period} />
        </li>
      ))}
    </ul>
  </section>
)

function Column({ period: { name, from, to, now, before } }: { period: Period }) {
  const { title, before: earlier } = names[name]
  return (
    <>
      <p className="text-[0.8125rem] text-ink-soft">{title}</p>
      <p className="mt-0.5 flex flex-wrap items-baseline gap-x-2">
        <Link
          to={`${paths.reports}?start_date=${from}&end_date=${to}`}
          aria-label={`${title}: ${formatUsd(now.gross)} gross`}
          className="text-[1.125rem] leading-tight sm:text-[1.375rem] font-semibold tracking-[-0.015em] whitespace-nowrap hover:underline"
        >
          {formatUsd(now.gross)}
        </Link>
        <Change now={now.gross} before={before.gross} />
      </p>
      <p className="text-[0.8125rem] text-ink-soft">
        {formatUsd(before.gross)} {earlier}
      </p>
      <dl className="mt-2.5 grid max-w-[22rem] grid-cols-[1fr_auto] items-baseline gap-x-2 gap-y-1 text-[0.8125rem] sm:grid-cols-[1fr_auto_3.25rem] sm:gap-x-3 sm:text-[0.875rem]">
        <Figure title="Orders" now={now.orders} before={before.orders} text={countOf} />
        <Figure title="Net revenue" now={now.net} before={before.net} text={formatUsd} />
        <Figure title="Profit" now={now.profit} before={before.profit} text={formatUsd} />
      </dl>
    </>
  )
}

type FigureProps<Value> = { title: string; now: Value; before: Value; text: (value: Value) => string }

const countOf = (count: number): string => count.toLocaleString('en-US')

const Figure = <Value extends number>({ title, now, before, text }: FigureProps<Value>) => (
  <div className="contents">
    <dt className="text-ink-soft">{title}</dt>
    <dd className="text-right font-medium whitespace-nowrap">{text(now)}</dd>
    <dd className="text-right max-sm:hidden">
      <Change now={now} before={before} />
    </dd>
  </div>
)

/** Also told by a sign: color alone would not be seen by all. */
function Change({ now, before }: { now: number; before: number }) {
  const change = changeOf(now, before)
  if (!change) return <span className="text-[0.8125rem] text-ink-soft">&nbsp;</span>
  return (
    <span className={`text-[0.8125rem] font-medium whitespace-nowrap ${change.isUp ? 'text-good' : 'text-danger'}`}>
      <span aria-hidden="true">{change.isUp ? '+' : '−'}</span>
      <span className="sr-only">{change.isUp ? 'up ' : 'down '}</span>
      {change.share}
    </span>
  )
}
