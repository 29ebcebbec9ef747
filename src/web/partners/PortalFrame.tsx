import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Earnings } from '#contract/earnings.ts'
import { paths } from '#contract/paths.ts'
import { timeZoneLabel } from '#shared/calendar-day.ts'
import { RequireSignIn } from '#web/accounts/RequireSignIn.tsx'
import { Link } from '#web/app/Link.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { dayThere } from './earnings-format.ts'
import { earningsQuery, type EarningsRange } from './earnings-queries.ts'
import { PartnersOnly } from './PartnersOnly.tsx'
import { PortalTabs } from './PortalTabs.tsx'

type Props = {
  title: string
  /** Of the figures; the last 30 days by default. */
  range?: EarningsRange
  children: (earnings: Earnings) => ReactNode
}

/** A page of the partner portal besides its first. */
export const PortalFrame = ({ title, range = {}, children }: Props) => (
  <>
    <PageHead title={title} />
    <RequireSignIn>
      {(user) =>
        user.isPartner ? (
          <Frame title={title} range={range}>
            {children}
          </Frame>
        ) : (
          <PartnersOnly />
        )
      }
    </RequireSignIn>
  </>
)

function Frame({ title, range, children }: Required<Props>) {
  const query: UseQueryResult<Earnings> = useQuery(earningsQuery(range))
  const { data } = query
  return (
    <>
      <header className="on-dark bg-charcoal pattern text-ivory">
        <div className="shell py-7 lg:py-12">
          <p className="eyebrow text-gold">Partner portal</p>
          <h1 className="mt-2 text-headline">{title}</h1>
          {data && (
            <p className="mt-2 text-ivory/80">
              {data.displayName}, as of <time dateTime={data.asOf}>{dayThere(data.asOf, data.timeZone)}</time>. Days
              start at midnight in {timeZoneLabel(data.timeZone)}.
            </p>
          )}
        </div>
      </header>
      <div className="shell grid grid-cols-[minmax(0,1fr)] gap-y-10 pt-4 lg:gap-y-14">
        <PortalTabs />
        <QueryBoundary
          query={query}
          className=""
          wayOut={
            <Link to={paths.earnings} className="link-line">
              The last 30 days
            </Link>
          }
        >
          {children}
        </QueryBoundary>
      </div>
    </>
  )
}

type PartProps = { id: string; title: string; children: ReactNode }

export const Part = ({ id, title, children }: PartProps) => (
  <section aria-labelledby={id} className="min-w-0">
    <h2 id={id} className="mb-5 scroll-mt-24 text-title">
      {title}
    </h2>
    {children}
  </section>
)
