import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { paths } from '#contract/paths.ts'
import { FUNNEL_PATH, originKinds, ORIGINS_PATH, type OriginColumn, type OriginKind } from '#contract/report-figures.ts'
import type { Origins } from '#contract/reports.ts'
import { formatUsd, ZERO, type Cents } from '#shared/money.ts'
import { Link } from '#web/app/Link.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { AdminFrame } from '#web/admin/AdminFrame.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { Check } from '#web/ui/Check.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { PillLink } from './PillLink.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { formatDay, formatMomentIn } from './report-format.ts'
import { daysIn, linesPath, originKindIn, originsQuery, withDays, type Days } from './report-queries.ts'

const kindNames: Readonly<Record<OriginKind, string>> = {
  partner: 'Partner',
  link: 'Link',
  campaign: 'Campaign',
  code: 'Discount',
  product: 'Product',
  collection: 'Collection',
  country: 'Country',
  device: 'Device',
  payment: 'Payment',
  day: 'Day',
}

/** `/reports/origins`: orders by who or what brought them, with what they left. */
export function OriginsPage() {
  const [parameters] = useSearchParams()
  const days = daysIn(parameters)
  const by = originKindIn(parameters)
  const query = useQuery(originsQuery(days, by))
  return (
    <AdminFrame
      title="Who brought it"
      actions={
        <>
          <Link to={withDays(FUNNEL_PATH, days)} className={buttonClass('outline')}>
            Where people leave
          </Link>
          <Link to={withDays(paths.reports, days)} className={buttonClass('outline')}>
            <Icon name="left" className="size-5" /> Back to the report
          </Link>
        </>
      }
    >
      <nav aria-label="By" className="mb-6">
        <ul className="flex flex-wrap gap-2">
          {originKinds.map((kind) => (
            <li key={kind}>
              <PillLink to={withDays(ORIGINS_PATH, days, { by: kind })} isCurrent={kind === by}>
                {kindNames[kind]}
              </PillLink>
            </li>
          ))}
        </ul>
      </nav>
      <p className="mb-4 text-ink-soft">
        {days.start_date ? formatDay(days.start_date) : 'From the first order'}{' '}
        {days.end_date ? `to ${formatDay(days.end_date)}` : 'until now'}. Refunds, commission and what is left are those
        of these orders to date. {notes[by]}
      </p>
      <QueryBoundary query={query}>
        {(origins) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
            <Tie origins={origins} />
            <Table
              caption={`Orders by ${kindNames[by].toLowerCase()}`}
              isCaptionHidden
              stacks
              columns={columnsOf(origins, by, days)}
              rows={origins.rows}
              keyOf={({ key }) => key}
              totalTitle="All orders"
              sorting={{ key: by === 'day' ? 'name' : 'revenue', direction: 'descending' }}
              empty="No orders in this period."
            />
          </div>
        )}
      </QueryBoundary>
    </AdminFrame>
  )
}

/** The rows add up to the report's own total. */
const Tie = ({ origins: { total, reported, timeZone, asOf } }: { origins: Origins }) => (
  <Check passed={total.revenue === reported} failure="These totals don’t match">
    These rows add up to {formatUsd(total.revenue)}; the report shows {formatUsd(reported)}. As of{' '}
    {formatMomentIn(timeZone, asOf)}.
  </Check>
)

type Row = Origins['rows'][number]

const percent = (part: number, whole: number): string => (whole ? `${Math.round((part / whole) * 1000) / 10}%` : '')

/** What is counted before a cart: a link's clicks, a page's openings, or visits. */
const visitTitles: Partial<Record<OriginKind, string>> = {
  ...{ partner: 'Clicks', link: 'Clicks', campaign: 'Clicks' },
  ...{ product: 'Views', collection: 'Views', device: 'Visits', day: 'Visits' },
}

const shared = 'An order of several is shared among them, to the cent, and counts in each of their rows.'
const notes: Partial<Record<OriginKind, string>> = {
  product: shared,
  collection: shared,
  device: 'The device is that on which the payment was started.',
  day: 'Orders count on the day on which they were placed.',
}

function columnsOf({ total }: Origins, by: OriginKind, days: Days): [Column<Row>, ...Column<Row>[]] {
  const lines = (key: string, column: OriginColumn) =>
    linesPath(days, { figure: 'brought', of: `${by}:${key}`, column })
  const amount = (key: Exclude<OriginColumn, 'revenue'>, title: string): Column<Row> => ({
    ...{ key, title, isNumber: true, total: formatUsd(total[key]) },
    cell: (row) => <Amount to={lines(row.key, key)} amount={row[key]} />,
    sortBy: (row) => row[key],
  })
  const counted = (key: 'visits' | 'carts' | 'checkouts', title: string | undefined): Column<Row>[] =>
    title === undefined
      ? []
      : [
          {
            ...{ key, title, isNumber: true },
            cell: (row) => row[key]?.toLocaleString('en-US') ?? '',
            sortBy: (row) => row[key] ?? -1,
          },
        ]
  const visits = visitTitles[by]
  return [
    {
      ...{ key: 'name', title: kindNames[by] },
      cell: ({ key, name }) => (
        <Link
          to={lines(key, 'revenue')}
          className={classNames('link-line wrap-anywhere', by === 'link' && 'sm:whitespace-nowrap')}
        >
          {by === 'day' ? formatDay(name) : name}
        </Link>
      ),
      sortBy: ({ name }) => name,
    },
    ...counted('visits', visits),
    ...counted('carts', visits && 'Carts'),
    ...counted('checkouts', by === 'payment' ? undefined : 'Checkouts'),
    {
      ...{ key: 'orders', title: 'Orders', isNumber: true },
      cell: ({ orders }) => orders.toLocaleString('en-US'),
      sortBy: ({ orders }) => orders,
    },
    {
      ...{ key: 'revenue', title: 'Revenue', isNumber: true, total: formatUsd(total.revenue) },
      cell: ({ key, revenue }) => <Amount to={lines(key, 'revenue')} amount={revenue} />,
      sortBy: ({ revenue }) => revenue,
    },
    amount('net', 'Net'),
    amount('refunded', 'Refunded'),
    {
      ...{ key: 'rate', title: 'Refund rate', isNumber: true },
      cell: ({ refundedOrders, orders }) => percent(refundedOrders, orders),
      sortBy: ({ refundedOrders, orders }) => (orders ? refundedOrders / orders : -1),
    },
    amount('commission', 'Commission'),
    amount('margin', 'Margin'),
  ]
}

/** Opens the lines behind it; nothing is behind zero. */
const Amount = ({ to, amount }: { to: string; amount: Cents }) =>
  amount === ZERO ? (
    formatUsd(amount)
  ) : (
    <Link to={to} className="link-line whitespace-nowrap">
      {formatUsd(amount)}
    </Link>
  )
