import '#web/theme/admin.css'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Outlet, useLocation, useMatches } from 'react-router'
import { needOfPage } from '#contract/page-access.ts'
import { paths } from '#contract/paths.ts'
import { roleMay, type StaffNeed } from '#domain/accounts/roles.ts'
import { useSession } from '#web/accounts/use-session.ts'
import { MINUTE_MS } from '#shared/time.ts'
import { useSite } from '#web/api/use-site.ts'
import { Link, NavLink } from '#web/app/Link.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { FindBox } from './FindBox.tsx'
import { adminGroups } from './admin-links.ts'
import { ClosedPage } from './ClosedPage.tsx'
import { SecondFactorFirst } from './SecondFactorFirst.tsx'
import { homeQuery } from './admin-queries.ts'
import { useMay } from './use-may.ts'

/** Around all pages of the admin, and the same from one to the next. Only people who work here see its bars. */
export function AdminLayout() {
  const { user } = useSession()
  const need = useNeed()
  if (!user?.role)
    return (
      <main id="main" tabIndex={-1} className="flex-1 outline-none">
        {user ? <ClosedPage user={user} need={need} /> : <Outlet />}
      </main>
    )
  if (user.needsSecondFactor)
    return (
      <main id="main" tabIndex={-1} className="flex-1 outline-none">
        <SecondFactorFirst user={user} />
      </main>
    )
  return (
    <div className="flex flex-1 flex-col">
      <Bars>{roleMay(user.role, need) ? <Outlet /> : <ClosedPage user={user} need={need} />}</Bars>
    </div>
  )
}

/** What the page requires of the person who opens it. */
const useNeed = (): StaffNeed => needOfPage(useMatches().at(-1)?.id ?? '')

function Bars({ children }: { children: ReactNode }) {
  const { key } = useLocation()
  const [openedAt, setOpenedAt] = useState<string>()
  // Every page folds the phone's menu again.
  const isMenuOpen = openedAt === key
  return (
    <>
      <header className="sticky top-0 z-40 flex h-13 items-center gap-3 border-b border-line bg-surface px-3 lg:gap-0 lg:px-0 print:hidden">
        <IconButton
          icon={isMenuOpen ? 'close' : 'menu'}
          label="Admin menu"
          aria-expanded={isMenuOpen}
          aria-controls="admin-menu"
          className="-ml-1.5 lg:hidden noscript:hidden"
          onClick={() => setOpenedAt(isMenuOpen ? undefined : key)}
        />
        <Brand />
        <FindBox />
        <Account />
      </header>
      <div className="flex-1 lg:grid lg:grid-cols-[13.5rem_minmax(0,1fr)]">
        <nav
          id="admin-menu"
          aria-label="Admin"
          className={classNames(
            'scroll-area border-line bg-surface max-lg:fixed max-lg:inset-x-0 max-lg:top-13 max-lg:bottom-0 max-lg:z-30 max-lg:noscript:static lg:sticky lg:top-13 lg:h-[calc(100dvh-3.25rem)] lg:border-r print:hidden',
            !isMenuOpen && 'max-lg:hidden max-lg:noscript:block',
          )}
        >
          <Pages />
        </nav>
        <main id="main" tabIndex={-1} className="min-w-0 outline-none">
          {children}
        </main>
      </div>
    </>
  )
}

function Brand() {
  const { name } = useSite()
  return (
    <Link
      to={paths.admin}
      aria-label={`${name} admin`}
      className="flex h-full items-center gap-2.5 font-semibold lg:w-[13.5rem] lg:border-r lg:border-line lg:px-4"
    >
      <img src="/favicon.svg" alt="" width="26" height="26" />
      <span className="truncate max-sm:sr-only">{name}</span>
    </Link>
  )
}

function Account() {
  const { user, isLoggingOut, logout } = useSession()
  const quiet =
    'inline-flex min-h-9 items-center rounded-card px-2.5 text-[0.875rem] whitespace-nowrap hover:bg-button-quiet'
  return (
    <div className="flex shrink-0 items-center lg:pr-6">
      <Link to={paths.home} className={classNames(quiet, 'max-sm:hidden')}>
        View shop
      </Link>
      <Link to={paths.account} className={classNames(quiet, 'max-md:hidden')}>
        {user?.username}
      </Link>
      <button type="button" aria-disabled={isLoggingOut} onClick={logout} className={quiet}>
        Sign out
      </button>
    </div>
  )
}

function Pages() {
  const { data: counts } = useQuery({ ...homeQuery, refetchInterval: COUNTS_EVERY_MS })
  const may = useMay()
  const groups = adminGroups
    .map(({ name, links }) => ({ name, links: links.filter(({ to }) => may(needOfPage(to))) }))
    .filter(({ links }) => links.length > 0)
  return (
    <div className="grid gap-4 p-3 max-lg:grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] max-lg:gap-x-6 max-lg:p-4">
      {groups.map(({ name, links }) => (
        <div key={name}>
          <p className="px-2 pb-1 text-[0.75rem] text-ink-soft">{name}</p>
          <ul>
            {links.map(({ to, text, count, isExact }) => (
              <li key={to}>
                <NavLink
                  to={to}
                  end={isExact ?? false}
                  className={(isHere) =>
                    classNames(
                      'flex min-h-8 items-center justify-between gap-2 rounded-card px-2 text-[0.875rem] max-lg:min-h-11',
                      isHere ? 'bg-button-quiet font-semibold' : 'text-ink hover:bg-button-quiet',
                    )
                  }
                >
                  {text}
                  <Count value={counts && count ? count(counts) : 0} />
                </NavLink>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <div className="px-2 text-[0.75rem] text-ink-soft max-lg:col-span-full">
        <Link to={paths.home} className="link-line mb-2 inline-flex min-h-11 items-center text-[0.875rem] sm:hidden">
          View shop
        </Link>
        <p>All times are New York time.</p>
      </div>
    </div>
  )
}

const COUNTS_EVERY_MS = MINUTE_MS

const Count = ({ value }: { value: number }) =>
  value > 0 && (
    <span className="text-[0.8125rem] font-medium text-ink-soft">
      {value.toLocaleString('en-US')}
      <span className="sr-only"> waiting</span>
    </span>
  )
