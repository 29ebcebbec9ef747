import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { bookkeepingPaths } from '#contract/bookkeeping-paths.ts'
import { claimPaths } from '#contract/claim-paths.ts'
import { codePaths } from '#contract/code-paths.ts'
import { giftCardPaths } from '#contract/gift-card-paths.ts'
import { monthPaths } from '#contract/month-paths.ts'
import { paths } from '#contract/paths.ts'
import { RequireSignIn } from '#web/accounts/RequireSignIn.tsx'
import { Link, NavLink } from '#web/app/Link.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { classNames } from '#web/ui/class-names.ts'

const groups = ['Today', 'Sales', 'People', 'Money', 'Shop', 'Records'] as const

/** In the order of the menu. */
const links: readonly { group: (typeof groups)[number]; to: string; text: string }[] = [
  { group: 'Today', to: paths.admin, text: 'To do' },
  { group: 'Sales', to: paths.adminOrders, text: 'Orders' },
  { group: 'Sales', to: claimPaths.admin, text: 'Claims' },
  { group: 'Sales', to: paths.adminExceptions, text: 'Exceptions' },
  { group: 'People', to: paths.adminInbox, text: 'Inbox' },
  { group: 'People', to: paths.adminReviews, text: 'Reviews' },
  { group: 'People', to: paths.adminPartners, text: 'Partners' },
  { group: 'People', to: paths.adminSubscribers, text: 'Subscribers' },
  { group: 'Money', to: paths.reports, text: 'Reports' },
  { group: 'Money', to: paths.adminReconciliation, text: 'Reconciliation' },
  { group: 'Money', to: paths.adminPayouts, text: 'Payouts' },
  { group: 'Money', to: giftCardPaths.admin, text: 'Gift cards' },
  { group: 'Money', to: monthPaths.admin, text: 'Month close' },
  { group: 'Money', to: bookkeepingPaths.admin, text: 'Bookkeeping' },
  { group: 'Shop', to: paths.adminProducts, text: 'Products' },
  { group: 'Shop', to: paths.adminCollections, text: 'Collections' },
  { group: 'Shop', to: paths.adminProductTypes, text: 'Product types' },
  { group: 'Shop', to: paths.adminCatalog, text: 'Catalog' },
  { group: 'Shop', to: paths.adminSearch, text: 'Search' },
  { group: 'Shop', to: codePaths.admin, text: 'Discount codes' },
  { group: 'Shop', to: paths.adminMails, text: 'Email texts' },
  { group: 'Shop', to: paths.adminLegal, text: 'Legal pages' },
  { group: 'Shop', to: paths.adminSettings, text: 'Settings' },
  { group: 'Shop', to: paths.adminImport, text: 'Move here' },
  { group: 'Records', to: paths.adminLog, text: 'Log' },
  { group: 'Records', to: paths.adminPrivacy, text: 'Privacy' },
]

type Props = {
  title: string
  /** Shown beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** The frame of every admin page. Anyone but the owner sees that the page is closed to them. */
export const AdminFrame = ({ title, actions, children }: Props) => (
  <>
    <PageHead title={`${title} (admin)`} />
    <RequireSignIn>
      {(user) =>
        user.isOwner ? (
          <div className="shell grid gap-x-10 gap-y-6 pt-6 lg:grid-cols-[11rem_minmax(0,1fr)] lg:pt-10">
            <Navigation />
            <div className="min-w-0">
              <header className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
                <h1 className="text-title wrap-anywhere">{title}</h1>
                {actions && <div className="flex flex-wrap items-center gap-3">{actions}</div>}
              </header>
              {children}
            </div>
          </div>
        ) : (
          <OwnerOnly />
        )
      }
    </RequireSignIn>
  </>
)

const linksOf = (name: string) => links.filter(({ group }) => group === name)

/** Below a desktop's width it is folded, since it would fill half the screen; every page folds it again. */
function Navigation() {
  const { pathname } = useLocation()
  return (
    <>
      <nav aria-label="Admin" className="border-b border-line pb-2 lg:hidden">
        <details key={pathname} className="group">
          <summary className="flex min-h-11 list-none items-center justify-between font-semibold">
            Admin menu
            <Icon name="down" className="size-5 transition-transform group-open:rotate-180" />
          </summary>
          <div className="pt-3 pb-2">
            <Pages />
          </div>
        </details>
      </nav>
      <nav aria-label="Admin" className="border-r border-line max-lg:hidden">
        <Pages />
      </nav>
    </>
  )
}

const Pages = () => (
  <ul className="flex flex-wrap gap-x-6 gap-y-3 lg:sticky lg:top-24 lg:flex-col">
    {groups.map((group) => (
      <li key={group}>
        <p className="eyebrow text-ink-soft">{group}</p>
        <ul className="mt-1 flex flex-wrap gap-x-1 lg:flex-col">
          {linksOf(group).map(({ to, text }) => (
            <li key={to}>
              <NavLink
                to={to}
                end={to === paths.admin}
                className={(isHere) =>
                  classNames(
                    '-ml-2 inline-flex min-h-10 items-center rounded-card px-2 text-[0.9375rem] max-lg:min-h-11',
                    isHere ? 'bg-button-quiet font-semibold' : 'hover:underline',
                  )
                }
              >
                {text}
              </NavLink>
            </li>
          ))}
        </ul>
      </li>
    ))}
    <li className="text-sm text-ink-soft max-lg:w-full lg:mt-2">All times are New York time.</li>
  </ul>
)

const OwnerOnly = () => (
  <div className="shell grid min-h-[50vh] content-center justify-items-start gap-6 py-20">
    <h1 className="text-headline">This page is for the owner</h1>
    <p className="max-w-[36em] text-lg text-ink-soft">Your account is fine; it just doesn’t have access.</p>
    <Link to={paths.home} className={buttonClass('primary')}>
      Back to the shop
    </Link>
  </div>
)
