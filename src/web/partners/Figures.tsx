import type { ReactNode } from 'react'
import type { Partnership } from '#contract/partners.ts'
import { paths } from '#contract/paths.ts'
import { formatRate } from '#domain/partners/rates.ts'
import { Link } from '#web/app/Link.tsx'
import { CopyButton } from '#web/ui/CopyButton.tsx'
import { formatDay } from './date-format.ts'

/** The partner's current share, link and way to the earnings. */
export const Figures = ({ partner }: { partner: NonNullable<Partnership['partner']> }) => (
  <dl className="grid gap-x-10 gap-y-6 border-b border-line pb-10 sm:grid-cols-[auto_1fr] xl:grid-cols-[auto_auto_1fr_auto]">
    <Figure name="Your share">
      <span className="font-display text-[2rem] leading-none">{formatRate(partner.shareBasisPoints)}</span>
    </Figure>
    <Figure name="Partner since">
      <time dateTime={partner.joinedAt} className="text-lg font-medium">
        {formatDay(partner.joinedAt)}
      </time>
    </Figure>
    <Figure name="Your link">
      <span className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <span className="text-lg font-medium wrap-anywhere">{partner.link}</span>
        <CopyButton text={partner.link} what="Your link" variant="plain" />
      </span>
    </Figure>
    <Figure name="Your earnings">
      <Link to={paths.earnings} className="link-line inline-flex min-h-11 items-center text-lg font-medium">
        View earnings
      </Link>
    </Figure>
  </dl>
)

const Figure = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-[0.9375rem] text-ink-soft">{name}</dt>
    <dd className="mt-1 flex min-h-12 items-center">{children}</dd>
  </div>
)
