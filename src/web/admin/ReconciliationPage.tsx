import { useQuery } from '@tanstack/react-query'
import { paths } from '#contract/paths.ts'
import type { Balance, BookDay } from '#contract/reconciliation.ts'
import { providerNames } from '#domain/reconciliation/exceptions.ts'
import { formatUsd, minus, ZERO, type Cents } from '#shared/money.ts'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { Notice } from '#web/checkout/Notice.tsx'
import { formatDay } from '#web/reports/report-format.ts'
import { Button } from '#web/ui/Button.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { QueryBoundary } from './QueryBoundary.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { reconciliationQuery } from './admin-queries.ts'
import { ExceptionList } from './ExceptionList.tsx'
import { Moment } from './Moment.tsx'
import { formatNewYorkTime } from './date-format.ts'
import { useAction } from './use-action.ts'

/** `/admin/reconciliation`: the books of Stripe, PayPal and the print partner beside ours. */
export function ReconciliationPage() {
  const books = useQuery(reconciliationQuery)
  return (
    <AdminFrame title="Reconciliation" actions={<CompareNow />}>
      <QueryBoundary query={books}>
        {({ balances, days, differences, last }) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-10">
            <section aria-labelledby="books">
              <h2 id="books" className="mb-3 text-[1.375rem]">
                What each holds for us
              </h2>
              <p className="mb-4 max-w-[46em] text-ink-soft">
                {last
                  ? `Compared on ${formatNewYorkTime(last.at)} (New York): ${last.payments} payments and ${last.partnerOrders} orders that moved since ${formatNewYorkTime(last.since)}.`
                  : 'The books have not been compared yet.'}{' '}
                What moved in the last minutes, and what PayPal has not told yet, may still be under way.
              </p>
              {balances
                .filter(({ failingSince }) => failingSince !== null)
                .map(({ provider, failingSince, readAt }) => (
                  <div key={provider} className="mb-4">
                    <Notice
                      title={`${providerNames[provider]} cannot be read since ${formatNewYorkTime(failingSince ?? '')}`}
                    >
                      {readAt ? `What stands here is of ${formatNewYorkTime(readAt)}.` : 'It has not been read yet.'}
                    </Notice>
                  </div>
                ))}
              <Table
                caption="Balances"
                isCaptionHidden
                stacks
                columns={balanceColumns(differences.length === 0)}
                rows={balances}
                keyOf={({ provider }) => provider}
                empty="Nothing was read yet."
              />
            </section>
            <section aria-labelledby="differences">
              <h2 id="differences" className="mb-3 text-[1.375rem]">
                Differences
              </h2>
              {differences.length > 0 ? (
                <ExceptionList exceptions={differences} />
              ) : (
                <p className="rounded-card border border-line bg-surface px-6 py-8">
                  The books agree.{' '}
                  <Link to={paths.adminExceptions} className="link-line">
                    Other exceptions
                  </Link>
                </p>
              )}
            </section>
            <section aria-labelledby="days">
              <h2 id="days" className="mb-3 text-[1.375rem]">
                By day
              </h2>
              <p className="mb-4 max-w-[46em] text-ink-soft">
                What moved, less fees. What happens near midnight may stand a day later in our book, where it is booked
                when it is heard of; each payment is compared whole, so that this is no difference.
              </p>
              <Table
                caption="What moved, by day"
                isCaptionHidden
                stacks
                columns={dayColumns}
                rows={days}
                keyOf={({ day, provider }) => `${day} ${provider}`}
                empty="Nothing moved in the last two weeks."
              />
            </section>
          </div>
        )}
      </QueryBoundary>
    </AdminFrame>
  )
}

function CompareNow() {
  const api = useApi()
  const { act, busy, trouble } = useAction()
  const compare = () =>
    act(async () => {
      await api('POST /api/admin/reconciliation')
      return { done: 'The books are being read and compared. Come back in a minute.' }
    })
  return (
    <>
      <Button variant="outline" busy={busy} onClick={() => void compare()}>
        Compare now
      </Button>
      {trouble && <Notice>{trouble.sentence}</Notice>}
    </>
  )
}

const amount = (value: Cents) => <span className="tabular-nums">{formatUsd(value)}</span>

/** A difference is said in a word as well as in color. */
/** Where no payment differs, what is left between the sums has not been told yet. */
const gapWith =
  (isUnderWay: boolean) =>
  ({ theirs, ours }: { theirs: Cents; ours: Cents }) => {
    if (theirs === ours) return <span className="text-good">agree</span>
    const gap = formatUsd(minus(theirs, ours))
    if (!isUnderWay) return <span className="font-semibold text-danger tabular-nums">{gap}</span>
    return (
      <>
        <span className="tabular-nums">{gap}</span>
        <span className="block text-sm whitespace-nowrap text-ink-soft">under way</span>
      </>
    )
  }

const balanceColumns = (isUnderWay: boolean): readonly [Column<Balance>, ...Column<Balance>[]] => [
  { key: 'provider', title: 'Book', cell: ({ provider }) => providerNames[provider] },
  { key: 'theirs', title: 'By its book', isNumber: true, cell: ({ theirs }) => amount(theirs) },
  { key: 'ours', title: 'By ours', isNumber: true, cell: ({ ours }) => amount(ours) },
  { key: 'gap', title: 'Difference', isNumber: true, cell: gapWith(isUnderWay) },
  {
    key: 'read',
    title: 'Read on',
    cell: ({ readAt }) => (readAt ? <Moment at={readAt} /> : 'never'),
  },
]

const dayColumns: readonly [Column<BookDay>, ...Column<BookDay>[]] = [
  {
    key: 'day',
    title: 'Day',
    cell: ({ day }) => (
      <time dateTime={day} className="whitespace-nowrap">
        {formatDay(day)}
      </time>
    ),
  },
  { key: 'provider', title: 'Book', cell: ({ provider }) => providerNames[provider] },
  { key: 'theirs', title: 'By its book', isNumber: true, cell: ({ theirs }) => amount(theirs) },
  { key: 'ours', title: 'By ours', isNumber: true, cell: ({ ours }) => amount(ours) },
  {
    key: 'gap',
    title: 'Difference',
    isNumber: true,
    cell: ({ theirs, ours }) => amount(theirs === ours ? ZERO : minus(theirs, ours)),
  },
]
