import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { Statement } from '#contract/earnings.ts'
import { paths } from '#contract/paths.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { formatRate } from '#domain/partners/rates.ts'
import { closingLabels, commissionLabels } from '#domain/partners/labels.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { formatUsd, negate } from '#shared/money.ts'
import { timeZoneLabel } from '#shared/calendar-day.ts'
import { RequireSignIn } from '#web/accounts/RequireSignIn.tsx'
import { Link } from '#web/app/Link.tsx'
import { PagedTable } from '#web/app/PagedTable.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import type { Column } from '#web/ui/Table.tsx'
import { statementQuery } from './earnings-queries.ts'
import { dayThere, formatMonth } from './earnings-format.ts'
import { PartnersOnly } from './PartnersOnly.tsx'

/** `/partnership/earnings/statement?month=2026-11`: the totals and lines of one month. */
export function StatementPage() {
  const [parameters] = useSearchParams()
  const month = parameters.get('month') ?? ''
  return (
    <>
      <PageHead title="Commission statement" />
      <RequireSignIn>
        {(user) => (user.isPartner ? <Month month={month} after={parameters.get('after')} /> : <PartnersOnly />)}
      </RequireSignIn>
    </>
  )
}

function Month({ month, after }: { month: string; after: string | null }) {
  const query = useQuery(statementQuery(month, after))
  const { data } = query
  return (
    <div className="shell grid gap-y-8 pt-10 lg:pt-14">
      <header>
        <p className="eyebrow">
          <Link to={portalPaths.statements} className="link-line text-ink-soft">
            Statements
          </Link>
        </p>
        <h1 className="mt-3 text-headline">{data ? formatMonth(data.month) : 'Commission statement'}</h1>
        {data && (
          <p className="mt-2 text-ink-soft">
            {data.displayName}. {timeZoneLabel(data.timeZone)} time; amounts in US dollars.
          </p>
        )}
      </header>
      <QueryBoundary query={query} className="">
        {(statement) => <StatementView statement={statement} isLater={after !== null} />}
      </QueryBoundary>
    </div>
  )
}

function StatementView({ statement, isLater }: { statement: Statement; isLater: boolean }) {
  const { month, timeZone, payouts, lines, hasMore } = statement
  const totals = [
    ['Opening balance', statement.opening],
    ['Earned on sales', statement.earned],
    ['Refunds and disputes', statement.takenBack],
    ['Paid out', negate(statement.paidOut)],
    ['Returned payouts', statement.paidBack],
  ] as const
  return (
    <>
      <div className="grid items-start gap-x-16 gap-y-8 lg:grid-cols-[minmax(0,30rem)_1fr]">
        <dl className="rounded-card border border-line bg-surface px-5 py-3">
          {totals.map(([name, amount]) => (
            <div key={name} className="flex justify-between gap-6 py-2">
              <dt>{name}</dt>
              <dd>{formatUsd(amount)}</dd>
            </div>
          ))}
          <div className="mt-1 flex justify-between gap-6 border-t-2 border-ink/60 py-3 font-semibold">
            <dt>{closingLabels(statement.isOver)}</dt>
            <dd>{formatUsd(statement.closing)}</dd>
          </div>
        </dl>
        <div className="grid justify-items-start gap-5">
          <div className="flex flex-wrap gap-3">
            <a href={paths.statementFile(month, 'pdf')} download className={buttonClass('outline')}>
              Download PDF
            </a>
            <a href={paths.statementFile(month, 'xlsx')} download className={buttonClass('outline')}>
              Download Excel
            </a>
            <a href={paths.statementFile(month, 'html')} download className={buttonClass('outline')}>
              Download check
            </a>
          </div>
          <p className="max-w-prose text-ink-soft">
            The check is a page that recomputes your commission from the shop’s sealed books, in your browser. Keep it:
            a later one shows if an order or rate was changed.
          </p>
          {payouts.map(({ reference, amount, madeAt, returnedAt }) => (
            <p key={reference} className="text-ink-soft">
              Payout <span className="font-medium text-ink">{reference}</span> of {formatUsd(amount)} on{' '}
              {dayThere(madeAt, timeZone)}
              {returnedAt && `, returned by the bank on ${dayThere(returnedAt, timeZone)}`}.
            </p>
          ))}
        </div>
      </div>
      <PagedTable
        caption="All lines of the month"
        isCaptionHidden={false}
        columns={columnsIn(timeZone)}
        rows={lines}
        keyOf={({ mark }) => mark}
        empty="No commission this month."
        first={isLater && paths.statement(month)}
        firstText="First page"
        hasMore={hasMore}
        after={({ mark }) => `${paths.statement(month)}&after=${mark}`}
        nextText="Next page"
      />
    </>
  )
}

type Line = Statement['lines'][number]
const columnsIn = (timeZone: string): readonly [Column<Line>, ...Column<Line>[]] => [
  {
    key: 'at',
    title: 'Date',
    cell: ({ at }) => (
      <time dateTime={at} className="whitespace-nowrap">
        {dayThere(at, timeZone)}
      </time>
    ),
  },
  {
    key: 'order',
    title: 'Order',
    cell: ({ orderNumber }) => <span className="whitespace-nowrap">{formatOrderNumber(orderNumber)}</span>,
  },
  { key: 'kind', title: 'Description', cell: ({ kind }) => commissionLabels[kind] },
  { key: 'product', title: 'Product', cell: ({ productName }) => productName },
  { key: 'base', title: 'Item total', isNumber: true, cell: ({ base }) => formatUsd(base) },
  {
    key: 'rate',
    title: 'Rate',
    isNumber: true,
    cell: ({ rate }) => <span className="whitespace-nowrap">{formatRate(rate)}</span>,
  },
  { key: 'amount', title: 'Commission', isNumber: true, cell: ({ amount }) => formatUsd(amount) },
]
