import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { ExceptionCrowd } from '#contract/reconciliation.ts'
import { paths } from '#contract/paths.ts'
import { formatUsd, ZERO } from '#shared/money.ts'
import { Link } from '#web/app/Link.tsx'
import { PageLinks } from '#web/app/PagedTable.tsx'
import { TabLinks } from '#web/app/TabLinks.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { exceptionsQuery } from './admin-queries.ts'
import { formatNewYorkTime } from './date-format.ts'
import { ExceptionList } from './ExceptionList.tsx'
import { QueueList } from './QueueList.tsx'

type Listed = { kind?: string | undefined; isHealed?: boolean; older?: number | undefined }

function addressOf({ kind, isHealed, older }: Listed): string {
  const query = [isHealed && 'resolved=1', kind && `kind=${kind}`, older && `older=${older}`].filter(Boolean)
  return paths.adminExceptions + (query.length > 0 ? `?${query.join('&')}` : '')
}

/** `/admin/exceptions`: everything that went wrong, in one list. */
export function ExceptionsPage() {
  const [parameters] = useSearchParams()
  const older = parameters.get('older') ?? undefined
  const kind = parameters.get('kind') ?? undefined
  const isHealed = parameters.get('resolved') === '1'
  const list = useQuery(exceptionsQuery(parameters))
  const first = addressOf({ kind, isHealed })
  return (
    <AdminFrame title="Exceptions">
      <div className="mb-6">
        <TabLinks
          name="Status"
          tabs={[
            { to: paths.adminExceptions, text: 'Open', isCurrent: !isHealed },
            { to: `${paths.adminExceptions}?resolved=1`, text: 'Resolved', isCurrent: isHealed },
          ]}
        />
      </div>
      <QueryBoundary query={list}>
        {({ exceptions, crowds, queues, hasMore, open, atStake }) => (
          <>
            {!isHealed && open > 0 && (
              <p className="mb-5 text-ink-soft">
                <strong className="text-ink">{open === 1 ? '1 exception' : `${open} exceptions`}</strong> open,{' '}
                {formatUsd(atStake)} at stake. Each one closes by itself once its cause is fixed.
              </p>
            )}
            {kind !== undefined && (
              <p className="mb-5">
                <Link to={paths.adminExceptions} className="link-line">
                  All kinds
                </Link>
              </p>
            )}
            {!isHealed && !older && kind === undefined && (
              <>
                <QueueList queues={queues} />
                <CrowdList crowds={crowds} />
              </>
            )}
            {exceptions.length > 0 ? (
              <ExceptionList exceptions={exceptions} />
            ) : crowds.length > 0 ? null : (
              <p className="rounded-card border border-line bg-surface px-6 py-10 text-lg">
                {isHealed ? 'Nothing resolved yet.' : older ? 'No older exceptions.' : 'All caught up. A good day.'}
              </p>
            )}
            <PageLinks
              first={older && first}
              next={hasMore && addressOf({ kind, isHealed, older: exceptions.at(-1)?.id })}
            />
          </>
        )}
      </QueryBoundary>
    </AdminFrame>
  )
}

/** Each kind of which many are open, on one line. */
const CrowdList = ({ crowds }: { crowds: readonly ExceptionCrowd[] }) =>
  crowds.length > 0 && (
    <ul className="mb-5 divide-y divide-line rounded-card border border-line bg-surface" aria-label="Many of a kind">
      {crowds.map(({ kind, title, count, amount, since, step }) => (
        <li key={kind} className="grid gap-x-8 gap-y-3 p-4 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center sm:p-5">
          <div className="min-w-0">
            <h2 className="font-text! text-[1.0625rem] font-semibold tracking-normal">
              {title} ({count.toLocaleString('en-US')})
              {amount > ZERO && <span className="ml-3 font-normal">{formatUsd(amount)}</span>}
            </h2>
            <p className="mt-1 max-w-[44em] text-ink-soft">
              The oldest since <time dateTime={since}>{formatNewYorkTime(since)}</time>. {step}.
            </p>
          </div>
          <Link to={addressOf({ kind })} className={buttonClass('outline')} aria-label={`Show all: ${title}`}>
            Show all
          </Link>
        </li>
      ))}
    </ul>
  )
