import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Earnings } from '#contract/earnings.ts'
import { paths } from '#contract/paths.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { formatRate } from '#domain/partners/rates.ts'
import { formatUsd } from '#shared/money.ts'
import { Link } from '#web/app/Link.tsx'
import { CopyButton } from '#web/ui/CopyButton.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { formatLongDay } from './earnings-format.ts'
import { earningsQuery } from './earnings-queries.ts'
import { LinkRow, usePartnerLinks } from './Links.tsx'
import { codesQuery } from './YourCodes.tsx'

/** What a partner wants to know first: the next payout, what the last 30 days earned, and the link and code to share. */
export const Money = () => (
  <QueryBoundary query={useQuery(earningsQuery({}))} className="">
    {(earnings) => (
      <section aria-label="Your money" className="grid grid-cols-[minmax(0,1fr)] gap-x-14 gap-y-6 lg:grid-cols-2">
        <Payout {...earnings} />
        <Best earnings={earnings} />
      </section>
    )}
  </QueryBoundary>
)

function Payout({ balance: { approved, approvals }, totals, rate }: Earnings) {
  const [next] = approvals
  return (
    <dl className="grid grid-cols-3 content-start items-end gap-x-6 gap-y-5">
      <Figure name="Next payout" className="col-span-3">
        <Link to={paths.earnings} className="link-line font-display text-[2.5rem] leading-none font-normal">
          {formatUsd(approved)}
        </Link>
        <span className="mt-1.5 block text-[0.9375rem] font-normal text-ink-soft">
          {next
            ? `The next ${formatUsd(next.amount)} becomes payable on ${formatLongDay(next.day)}.`
            : 'Nothing pending.'}
        </span>
      </Figure>
      <Figure name="Earned in 30 days">{formatUsd(totals.earned)}</Figure>
      <Figure name="Clicks to orders">
        {totals.clicks.toLocaleString('en-US')} to {totals.orders.toLocaleString('en-US')}
      </Figure>
      <Figure name="Your share">{formatRate(rate)}</Figure>
    </dl>
  )
}

type FigureProps = { name: string; className?: string; children: ReactNode }

const Figure = ({ name, className = '', children }: FigureProps) => (
  <div className={`min-w-0 ${className}`}>
    <dt className="text-[0.9375rem] text-ink-soft">{name}</dt>
    <dd className="mt-1 text-lg font-semibold">{children}</dd>
  </div>
)

/** The link that earned most in 30 days, or was clicked most, and the newest code. */
function Best({ earnings: { links } }: { earnings: Earnings }) {
  const { data } = usePartnerLinks()
  const codes = useQuery(codesQuery).data?.codes.filter(({ status }) => status === 'active') ?? []
  const [best] = links.toSorted((a, b) => b.earned - a.earned || b.clicks - a.clicks)
  const own = data?.pages.flatMap((page) => page.links) ?? []
  const link = own.find(({ code }) => code === best?.code) ?? own[0]
  const [code] = codes
  return (
    <div className="min-w-0">
      <h2 className="text-[1.25rem]">Your best link</h2>
      {link && (
        <ul>
          <LinkRow link={link} />
        </ul>
      )}
      {code && (
        <p className="flex flex-wrap items-center justify-between gap-x-8 gap-y-2 border-t border-line pt-4">
          <span>
            Code <strong className="font-semibold">{code.code}</strong>
          </span>
          <CopyButton text={code.code} what={`the code ${code.code}`} />
        </p>
      )}
      <p>
        <Link to={portalPaths.links} className="link-line inline-flex min-h-11 items-center">
          All links and codes
        </Link>
      </p>
    </div>
  )
}
