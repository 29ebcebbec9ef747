import { useEffect } from 'react'
import type { Partnership } from '#contract/partners.ts'
import type { SessionUser } from '#contract/accounts.ts'
import { paths } from '#contract/paths.ts'
import { RequireSignIn } from '#web/accounts/RequireSignIn.tsx'
import { useSession } from '#web/accounts/use-session.ts'
import { Link } from '#web/app/Link.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { PartnerApplication } from './PartnerApplication.tsx'
import { CallRequest } from './CallRequest.tsx'
import { MarketingMaterials } from './MarketingMaterials.tsx'
import { Money } from './Money.tsx'
import { formatDay } from './date-format.ts'
import { PortalTabs } from './PortalTabs.tsx'
import { Proposal } from './Proposal.tsx'
import { usePartnership, type ShowPartnership } from './use-partnership.ts'

export const PartnershipPage = () => (
  <>
    <PageHead title="Partner portal" />
    <RequireSignIn>{(user) => (user.isOwner && !user.isPartner ? <ForOwner /> : <Portal user={user} />)}</RequireSignIn>
  </>
)

const ForOwner = () => (
  <div className="shell grid min-h-[50vh] content-center justify-items-start gap-6 py-20">
    <p className="eyebrow text-ink-soft">Partner portal</p>
    <h1 className="text-headline">This page is for partners</h1>
    <p className="max-w-[36em] text-lg text-ink-soft">
      You own the shop, so there’s no proposal for you here. Applications, rates and payouts are in the admin.
    </p>
    <div className="flex flex-wrap gap-3">
      <Link to={paths.adminPartners} className={buttonClass('primary')}>
        Go to partners
      </Link>
      <Link to={paths.adminPayouts} className={buttonClass('outline')}>
        Go to payouts
      </Link>
    </div>
  </div>
)

function Portal({ user }: { user: SessionUser }) {
  const { isLoggingOut, logout } = useSession()
  const { partnership, isError, refetch, show } = usePartnership()
  return (
    <>
      <header className="on-dark bg-charcoal pattern text-ivory">
        <div className="shell flex flex-wrap items-end justify-between gap-x-10 gap-y-3 py-6 lg:py-12">
          <div className="min-w-0">
            <p className="eyebrow text-gold">Partner portal</p>
            <h1 className="mt-2 text-headline wrap-anywhere">Welcome, {user.username}</h1>
            {partnership?.partner && (
              <p className="mt-2 text-ivory/80">Partner since {formatDay(partnership.partner.joinedAt)}</p>
            )}
          </div>
          <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
            <Link to={paths.account} className="link-line inline-flex min-h-11 items-center font-medium">
              Your account
            </Link>
            <Button variant="outline" className="border-ivory/70! text-ivory!" busy={isLoggingOut} onClick={logout}>
              {isLoggingOut ? 'Logging out...' : 'Logout'}
            </Button>
          </div>
        </div>
      </header>
      {partnership ? (
        <PartnershipView partnership={partnership} show={show} />
      ) : (
        <div className="shell grid min-h-[40vh] place-content-center justify-items-center gap-5 text-center">
          {isError ? (
            <>
              <p role="alert" className="font-medium text-danger">
                Failed to load partnership details. Please try again later.
              </p>
              <Button variant="outline" onClick={refetch}>
                Try again
              </Button>
            </>
          ) : (
            <p role="status" className="flex items-center gap-3 text-ink-soft">
              <Spinner /> Loading...
            </p>
          )}
        </div>
      )}
    </>
  )
}

function PartnershipView({ partnership, show }: { partnership: Partnership; show: ShowPartnership }) {
  const { partner } = partnership
  // What the address names was not there yet when the page was opened.
  useEffect(() => document.getElementById(location.hash.slice(1))?.scrollIntoView(), [])
  return (
    <div
      className={classNames(
        'shell grid grid-cols-[minmax(0,1fr)] gap-y-16 lg:gap-y-20',
        partner ? 'pt-4' : 'pt-10 lg:pt-14',
      )}
    >
      {partner && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-y-6 lg:gap-y-9">
          <PortalTabs />
          <Money />
        </div>
      )}
      <Program {...partnership.partnershipDetails} />
      <section aria-labelledby="proposal" className="grid items-start gap-x-14 gap-y-10 lg:grid-cols-[1.35fr_1fr]">
        <Proposal partnership={partnership} show={show} />
        <CallRequest partnership={partnership} show={show} />
      </section>
      {!partner && <PartnerApplication partnership={partnership} show={show} />}
      <MarketingMaterials partner={partner} />
    </div>
  )
}

const tiles = [
  ['wholesaleDiscount', 'Wholesale Discount'],
  ['marketingSupport', 'Marketing Support'],
  ['exclusiveProducts', 'Exclusive Products'],
  ['revenueShare', 'Revenue Share'],
] as const

function Program(details: Partnership['partnershipDetails']) {
  return (
    <section
      aria-labelledby="program"
      className="rounded-card border border-line bg-surface p-6 shadow-card sm:p-9 lg:p-12"
    >
      <h2 id="program" className="max-w-[16em] scroll-mt-24 text-title">
        {details.title}
      </h2>
      <p className="mt-4 max-w-[42em] text-lg text-ink-soft">{details.description}</p>
      <ul className="mt-9 grid gap-x-10 gap-y-8 sm:grid-cols-2">
        {tiles.map(([key, title]) => (
          <li key={key} className="border-t-2 border-accent pt-4">
            <h3 className="text-[1.25rem] leading-tight">{title}</h3>
            <p className="mt-2 text-ink-soft">{details[key]}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
