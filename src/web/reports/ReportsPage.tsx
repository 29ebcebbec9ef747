import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { paths } from '#contract/paths.ts'
import { FUNNEL_PATH, ORIGINS_PATH } from '#contract/report-figures.ts'
import type { ReportsSummary } from '#contract/reports.ts'
import { presetsOn } from '#domain/reports/range.ts'
import { averageOrderValue } from '#domain/reports/summary.ts'
import { dayFromIso, isoOfDay, timeZoneLabel } from '#shared/calendar-day.ts'
import { formatUsd, sum, ZERO, type Cents } from '#shared/money.ts'
import { fieldsOf } from '#web/api/error-sentence.ts'
import { Form } from '#web/app/Form.tsx'
import { Link } from '#web/app/Link.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { AdminFrame } from '#web/admin/AdminFrame.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { PillLink } from './PillLink.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { Downloads } from './Downloads.tsx'
import { PastOrders } from './PastOrders.tsx'
import { totalMissing, Reconciliation } from './Reconciliation.tsx'
import {
  daysIn,
  funnelQuery,
  linesPath,
  originsQuery,
  pastOrdersQuery,
  summaryQuery,
  withDays,
  type Days,
} from './report-queries.ts'
import { SalesChart } from './SalesChart.tsx'
import { formatChange, formatDay, formatDayRange, formatMomentIn } from './report-format.ts'

/** `/reports`: sales in a period, their reconciliation with the payment providers, and the workbooks. */
export function ReportsPage() {
  const [parameters] = useSearchParams()
  const days = daysIn(parameters)
  const search = parameters.toString()
  const [typed, setTyped] = useState<{ days: Days; search: string }>()
  // Typed dates are dropped once another range is opened.
  const typedDays = typed?.search === search ? typed.days : days
  const summary = useQuery(summaryQuery(days))
  return (
    <AdminFrame
      title="Business Reports"
      actions={
        <Link to={withDays(ORIGINS_PATH, days)} className={buttonClass('outline')}>
          Who brought it
        </Link>
      }
    >
      <RangeForm
        key={search}
        days={days}
        onTyped={(name, day) => {
          const { [name]: _, ...rest } = typedDays
          setTyped({ search, days: day ? { ...rest, [name]: day } : rest })
        }}
        errors={fieldsOf(summary.error)}
        today={summary.data?.range.today}
      />
      <QueryBoundary query={summary}>
        {(report) => <Report report={report} days={days} typedDays={typedDays} />}
      </QueryBoundary>
    </AdminFrame>
  )
}

type RangeProps = {
  days: Days
  /** @param day empty while incomplete */
  onTyped: (name: keyof Days, day: string) => void
  errors: Readonly<Record<string, string>>
  today: string | undefined
}

/** A plain form, so that every range has its own address. */
const RangeForm = ({ days, onTyped, errors, today }: RangeProps) => (
  <div className="mb-8 grid gap-4">
    <Form role="search" aria-label="Days" action={paths.reports} className="flex flex-wrap items-start gap-4">
      <Field
        type="date"
        label="Start date"
        name="start_date"
        defaultValue={days.start_date}
        error={errors['start_date']}
        onValue={(day) => onTyped('start_date', day)}
        optional
      />
      <Field
        type="date"
        label="End date"
        name="end_date"
        defaultValue={days.end_date}
        error={errors['end_date']}
        onValue={(day) => onTyped('end_date', day)}
        optional
      />
      <Button type="submit" className="mt-7.5">
        Show
      </Button>
    </Form>
    {today && (
      <nav aria-label="Common ranges">
        <ul className="flex flex-wrap gap-2">
          <Preset name="All time" days={{}} current={days} />
          {presetsOn(dayFromIso(today) ?? 0).map(({ name, from, to }) => (
            <Preset
              key={name}
              name={name}
              days={{ start_date: isoOfDay(from), end_date: isoOfDay(to) }}
              current={days}
            />
          ))}
        </ul>
      </nav>
    )}
  </div>
)

function Preset({ name, days, current }: { name: string; days: Days; current: Days }) {
  const isCurrent = days.start_date === current.start_date && days.end_date === current.end_date
  return (
    <li>
      <PillLink to={withDays(paths.reports, days)} isCurrent={isCurrent}>
        {name}
      </PillLink>
    </li>
  )
}

function Report({ report, days, typedDays }: { report: ReportsSummary; days: Days; typedDays: Days }) {
  const { totalOrders, totalRevenue, totalTax, averageOrderValue: averageValue, before, range, asOf } = report
  const { stripeReconciliation: stripe, paypalReconciliation: paypal } = report
  const { data: pastOrders } = useQuery(pastOrdersQuery(days))
  const missing = totalMissing([stripe, paypal])
  const isEmpty = totalOrders === 0
  const compared = before && { ...before, average: averageOrderValue(before) }
  const period = compared && previousPeriod(compared)
  const change = (now: number, then: number | undefined) => (period ? formatChange(now, then ?? 0, period) : undefined)
  const orders = linesPath(days, { figure: 'revenue', of: '' })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <p className="text-ink-soft">
        {range.from ? formatDay(range.from) : 'From the first order'}{' '}
        {range.to ? `to ${formatDay(range.to)}` : 'until now'}, {timeZoneLabel(range.timeZone)} time. As of{' '}
        <time dateTime={asOf}>{formatMomentIn(range.timeZone, asOf)}</time>.
        {compared && ` Compared with ${formatDayRange(compared)}.`}
      </p>
      <dl className="grid gap-3 min-[22rem]:grid-cols-2 sm:gap-4 xl:grid-cols-4">
        <Card
          title="Total Orders"
          value={totalOrders.toLocaleString('en-US')}
          to={orders}
          note={change(totalOrders, compared?.orders)}
        >
          {isEmpty && 'No orders in this period.'}
        </Card>
        <Card
          title="Total Revenue"
          value={formatUsd(totalRevenue)}
          to={orders}
          note={change(totalRevenue, compared?.revenue)}
        >
          {missing > ZERO && <span className="font-semibold text-danger">+{formatUsd(missing)} missing</span>}
        </Card>
        <Card
          title="Tax Collected"
          value={formatUsd(totalTax)}
          to={linesPath(days, { figure: 'tax', of: '' })}
          note={change(totalTax, compared?.tax)}
        />
        <Card
          title="Avg Order Value"
          value={isEmpty ? 'No orders' : formatUsd(averageValue)}
          to={orders}
          note={isEmpty ? undefined : change(averageValue, compared?.average)}
        />
      </dl>
      <Left days={days} />
      <SalesChart steps={report.steps} />
      <div className="grid gap-4 xl:grid-cols-2">
        <Reconciliation
          title="Payment Reconciliation Status"
          provider="stripe"
          name="Stripe"
          figures={stripe}
          listed={stripe.stripeTotal}
          days={days}
          timeZone={range.timeZone}
        />
        <Reconciliation
          title="PayPal Reconciliation Status"
          provider="paypal"
          name="PayPal"
          figures={paypal}
          listed={paypal.paypalTotal}
          days={days}
          timeZone={range.timeZone}
        />
      </div>
      <Collections report={report} days={days} />
      {pastOrders && <PastOrders months={pastOrders.months} />}
      <Downloads days={typedDays} isShown={withDays('', typedDays) === withDays('', days)} />
    </div>
  )
}

/** What was left of the gross figures above, and what did not come to a sale. */
function Left({ days }: { days: Days }) {
  const { data: { total } = {} } = useQuery(originsQuery(days, 'payment'))
  const { data: funnel } = useQuery(funnelQuery(days))
  const declined = funnel?.stops.find(({ stop }) => stop === 'declined')
  const origins = withDays(ORIGINS_PATH, days, { by: 'payment' })
  const amount = (figure: Cents | undefined) => (figure === undefined ? '…' : formatUsd(figure))
  return (
    <section aria-labelledby="left-title">
      <h2 id="left-title" className="mb-3 text-[1.375rem]">
        What is left
      </h2>
      <dl className="grid gap-3 min-[22rem]:grid-cols-2 sm:gap-4 xl:grid-cols-4">
        <Card title="Net Revenue" value={amount(total?.net)} to={origins} note="Without tax, after refunds" />
        <Card title="Refunded" value={amount(total?.refunded)} to={origins} note="Of these orders, to date" />
        <Card
          title="Profit"
          value={amount(total?.margin)}
          to={origins}
          note="After refunds, making, fees and commission"
        />
        <Card
          title="Declined Cards"
          value={funnel ? formatUsd(declined?.amount ?? ZERO) : '…'}
          to={withDays(FUNNEL_PATH, days)}
          note={declined && `${count(declined.checkouts)} never paid`}
        />
      </dl>
    </section>
  )
}

const count = (checkouts: number): string =>
  `${checkouts.toLocaleString('en-US')} ${checkouts === 1 ? 'checkout' : 'checkouts'}`

function previousPeriod({ from, to }: { from: string; to: string }): string {
  const days = (dayFromIso(to) ?? 0) - (dayFromIso(from) ?? 0) + 1
  return days === 1 ? 'the previous day' : `the previous ${days} days`
}

type CardProps = { title: string; value: string; to: string; note?: string | undefined; children?: ReactNode }

const Card = ({ title, value, to, note, children }: CardProps) => (
  <div className="min-w-0 rounded-card border border-line bg-surface p-4 sm:p-5">
    <dt className="text-[0.9375rem] text-ink-soft">{title}</dt>
    <dd className="mt-1 grid gap-1">
      <Link
        to={to}
        className="link-line w-fit min-w-6 text-2xl leading-tight whitespace-nowrap max-sm:text-lg xl:max-[1400px]:text-xl"
      >
        {value}
      </Link>
      {children && <span className="text-sm">{children}</span>}
      {note && <span className="text-sm text-ink-soft">{note}</span>}
    </dd>
  </div>
)

type CollectionRow = ReportsSummary['collections'][number]

const Collections = ({ report, days }: { report: ReportsSummary; days: Days }) => (
  <section aria-labelledby="collections-title">
    <h2 id="collections-title" className="mb-3 text-[1.375rem]">
      Revenue by Collection
    </h2>
    <Table
      caption="Collections and their revenue"
      isCaptionHidden
      columns={collectionColumns(report, days)}
      rows={report.collections}
      keyOf={({ id }) => id}
      totalTitle="All collections"
      sorting={{ key: 'revenue', direction: 'descending' }}
      empty="No orders in this period."
    />
    {report.totalOrders > 0 && (
      <p className="mt-3 text-sm text-ink-soft">
        Counted by line; an order with items from two collections counts in both. With{' '}
        {formatUsd(report.besidesCollections)} in shipping, surcharges and tax, this makes the total revenue of{' '}
        {formatUsd(report.totalRevenue)}.
      </p>
    )}
  </section>
)

const collectionColumns = (
  { collections }: ReportsSummary,
  days: Days,
): readonly [Column<CollectionRow>, ...Column<CollectionRow>[]] => [
  {
    key: 'name',
    title: 'Collection',
    cell: ({ id, name }) => (
      <Link to={linesPath(days, { figure: 'collection', of: id })} className="link-line">
        {name}
      </Link>
    ),
    sortBy: ({ name }) => name,
  },
  {
    key: 'orders',
    title: 'Orders',
    isNumber: true,
    cell: ({ orders }) => orders.toLocaleString('en-US'),
    sortBy: ({ orders }) => orders,
  },
  {
    key: 'revenue',
    title: 'Revenue',
    isNumber: true,
    cell: ({ revenue }) => formatUsd(revenue),
    sortBy: ({ revenue }) => revenue,
    total: formatUsd(sum(collections.map(({ revenue }) => revenue))),
  },
  {
    key: 'average',
    title: 'Average',
    isNumber: true,
    cell: (row) => formatUsd(averageOrderValue(row)),
    sortBy: averageOrderValue,
  },
]
