import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { paths } from '#contract/paths.ts'
import { formatUsd } from '#shared/money.ts'
import { Link } from '#web/app/Link.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { QueryBoundary } from './QueryBoundary.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { exceptionsQuery } from './admin-queries.ts'
import { ExceptionList } from './ExceptionList.tsx'

/** `/admin/exceptions`: everything that is wrong, in one list. Empty means a good day. */
export function ExceptionsPage() {
  const [parameters] = useSearchParams()
  const older = parameters.get('older') ?? undefined
  const isHealed = parameters.get('healed') === '1'
  const list = useQuery(exceptionsQuery({ older, isHealed }))
  const here = isHealed ? `${paths.adminExceptions}?healed=1` : paths.adminExceptions
  return (
    <AdminFrame title="Exceptions">
      <nav aria-label="Which" className="mb-6 flex gap-2">
        <Tab to={paths.adminExceptions} text="Open" isHere={!isHealed} />
        <Tab to={`${paths.adminExceptions}?healed=1`} text="Healed" isHere={isHealed} />
      </nav>
      <QueryBoundary query={list}>
        {({ exceptions, hasMore, open, atStake }) => (
          <>
            {!isHealed && open > 0 && (
              <p className="mb-5 text-ink-soft">
                <strong className="text-ink">{open === 1 ? '1 thing' : `${open} things`}</strong> to look at,{' '}
                {formatUsd(atStake)} at stake. Each goes from here by itself when its cause is mended.
              </p>
            )}
            {exceptions.length > 0 ? (
              <ExceptionList exceptions={exceptions} />
            ) : (
              <p className="rounded-card border border-line bg-surface px-6 py-10 text-lg">
                {isHealed
                  ? 'Nothing was ever wrong.'
                  : older
                    ? 'There is nothing older.'
                    : 'A good day: nothing waits for you.'}
              </p>
            )}
            <div className="mt-6 flex flex-wrap gap-3">
              {older && (
                <Link to={here} className={buttonClass('outline')}>
                  Latest
                </Link>
              )}
              {hasMore && (
                <Link
                  to={`${paths.adminExceptions}?${isHealed ? 'healed=1&' : ''}older=${exceptions.at(-1)?.id}`}
                  className={buttonClass('outline')}
                >
                  Older
                </Link>
              )}
            </div>
          </>
        )}
      </QueryBoundary>
    </AdminFrame>
  )
}

const Tab = ({ to, text, isHere }: { to: string; text: string; isHere: boolean }) => (
  <Link
    to={to}
    aria-current={isHere ? 'page' : undefined}
    className={classNames(
      'inline-flex min-h-11 items-center rounded-card border px-4 text-[0.9375rem]',
      isHere ? 'border-ink bg-button-quiet font-semibold' : 'border-line hover:border-ink',
    )}
  >
    {text}
  </Link>
)
