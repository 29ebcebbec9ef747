import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { paths } from '#contract/paths.ts'
import { formatUsd } from '#shared/money.ts'
import { PageLinks } from '#web/app/PagedTable.tsx'
import { TabLinks } from '#web/app/TabLinks.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { exceptionsQuery } from './admin-queries.ts'
import { ExceptionList } from './ExceptionList.tsx'

/** `/admin/exceptions`: everything that went wrong, in one list. */
export function ExceptionsPage() {
  const [parameters] = useSearchParams()
  const older = parameters.get('older') ?? undefined
  const isHealed = parameters.get('resolved') === '1'
  const list = useQuery(exceptionsQuery({ older, isHealed }))
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
        {({ exceptions, hasMore, open, atStake }) => (
          <>
            {!isHealed && open > 0 && (
              <p className="mb-5 text-ink-soft">
                <strong className="text-ink">{open === 1 ? '1 exception' : `${open} exceptions`}</strong> open,{' '}
                {formatUsd(atStake)} at stake. Each one closes by itself once its cause is fixed.
              </p>
            )}
            {exceptions.length > 0 ? (
              <ExceptionList exceptions={exceptions} />
            ) : (
              <p className="rounded-card border border-line bg-surface px-6 py-10 text-lg">
                {isHealed ? 'Nothing resolved yet.' : older ? 'No older exceptions.' : 'All caught up. A good day.'}
              </p>
            )}
            <PageLinks
              first={older && (isHealed ? `${paths.adminExceptions}?resolved=1` : paths.adminExceptions)}
              next={
                hasMore && `${paths.adminExceptions}?${isHealed ? 'resolved=1&' : ''}older=${exceptions.at(-1)?.id}`
              }
            />
          </>
        )}
      </QueryBoundary>
    </AdminFrame>
  )
}
