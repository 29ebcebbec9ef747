import { useQuery } from '@tanstack/react-query'
import { paths } from '#contract/paths.ts'
import type { Balance, BookDay } from '#contract/reconciliation.ts'
import { providerNames } from '#domain/reconciliation/exceptions.ts'
import { formatUsd, minus, ZERO, type Cents } from '#shared/money.ts'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { formatDay } from '#web/reports/report-format.ts'
import { Button } from '#web/ui/Button.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { reconciliationQuery } from './admin-queries.ts'
import { ExceptionList } from './ExceptionList.tsx'
import { Moment } from './Moment.tsx'
import { formatNewYorkTime } from './date-format.ts'
import { useAction } from './use-action.ts'
import { May } from './May.tsx'

/** `/admin/reconciliation`: the balances of Stripe, PayPal and the printer beside ours. */
export function ReconciliationPage() {
  const books = useQuery(reconciliationQuery)
  return (
    <AdminFrame
      title="Reconciliation"
      actions={
        <May need="close_months">
          <CompareNow />
        </May>
      }
    >
      <QueryBoundary query={books}>
        {({ balances, days, differences, last }) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-10">
            <section aria-labelledby="books">
              <h2 id="books" className="mb-3 text-[1.375rem]">
                Provider balances
              </h2>
              <p className="mb-4 max-w-[46em] text-ink-soft">
                {last
                  ? `Last compared ${formatNewYorkTime(last.at)} (New York time): ${last.payments} payments and ${last.partnerOrders} printer orders with activity since ${formatNewYorkTime(last.since)}.`
                  : 'Not compared yet.'}{' '}
                Activity from the last few minutes, and anything PayPal hasn’t reported yet, may still be pending.
              </p>
              {balances
                .filter(({ failingSince }) => failingSince !== null)
                .map(({ provider, failingSince, readAt }) => (
                  <div key={provider} className="mb-4">
                    <Notice
                      title={`${providerNames[provider]} has been unreachable since ${formatNewYorkTime(failingSince ?? '')}`}
                    >
                      {readAt ? `These figures are from ${formatNewYorkTime(readAt)}.` : 'No figures yet.'}
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
                empty="No balances yet."
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
                  Everything matches.{' '}
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
                Net of fees. We post activity when the provider reports it, so a payment near midnight may show up a day
                later. It still matches: payments are compared individually.
              </p>
              <Table
                caption="Activity by day"
                isCaptionHidden
                stacks
                columns={dayColumns}
                rows={days}
                keyOf={({ day, provider }) => `${day} ${provider}`}
                empty="No activity in the last two weeks."
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
  const { act, busy, failure } = useAction()
  const compare = () =>
    act(async () => {
      await api('POST /api/admin/reconciliation')
      return { done: 'Comparing the books. Check back in a minute.' }
    })
  return (
    <>
      <Button variant="outline" busy={busy} onClick={() => void compare()}>
        Compare now
      </Button>
      {failure && <Notice>{failure.sentence}</Notice>}
    </>
  )
}

const amount = (value: Cents) => <span>{formatUsd(value)}</span>

/** Marked in words as well as in color. Where no single payment differs, the gap is activity not reported yet. */
const gapWith =
  (isPending: boolean) =>
  ({ theirs, ours }: { theirs: Cents; ours: Cents }) => {
    if (theirs === ours) return <span className="text-good">match</span>
    const gap = formatUsd(minus(theirs, ours))
    if (!isPending) return <span className="font-semibold text-danger">{gap}</span>
    return (
      <>
        <span>{gap}</span>
        <span className="block text-sm whitespace-nowrap text-ink-soft">pending</span>
      </>
    )
  }

const balanceColumns = (isPending: boolean): readonly [Column<Balance>, ...Column<Balance>[]] => [
  { key: 'provider', title: 'Provider', cell: ({ provider }) => providerNames[provider] },
  { key: 'theirs', title: 'Theirs', isNumber: true, cell: ({ theirs }) => amount(theirs) },
  { key: 'ours', title: 'Ours', isNumber: true, cell: ({ ours }) => amount(ours) },
  { key: 'gap', title: 'Difference', isNumber: true, cell: gapWith(isPending) },
  {
    key: 'read',
    title: 'Last read',
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
  { key: 'provider', title: 'Provider', cell: ({ provider }) => providerNames[provider] },
  { key: 'theirs', title: 'Theirs', isNumber: true, cell: ({ theirs }) => amount(theirs) },
  { key: 'ours', title: 'Ours', isNumber: true, cell: ({ ours }) => amount(ours) },
  {
    key: 'gap',
    title: 'Difference',
    isNumber: true,
    cell: ({ theirs, ours }) => amount(theirs === ours ? ZERO : minus(theirs, ours)),
  },
]
