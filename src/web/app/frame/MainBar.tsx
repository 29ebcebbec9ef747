import { lazy, Suspense, useState } from 'react'
import { useLocation } from 'react-router'
import { paths } from '#contract/paths.ts'
import { useSite } from '#web/api/use-site.ts'
import { useIsStaff } from '#web/accounts/use-staff.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Link, NavLink } from '../Link.tsx'
import { useCollections } from '../use-collections.ts'
import { mainLinks, adminLink } from './links.ts'
import { Logo } from './Logo.tsx'

/** Loaded when the pointer or the focus reaches the toggle. */
const loadSearchForm = () => import('./SearchForm.tsx')
const SearchForm = lazy(async () => ({ default: (await loadSearchForm()).SearchForm }))
const preloadSearchForm = () => void loadSearchForm()

type OpenPanel = 'menu' | 'search'

/** Logo, navigation and search. Without JavaScript the phone menu is always open. */
export function MainBar() {
  const site = useSite()
  const { key } = useLocation()
  const [opened, setOpened] = useState<{ panel: OpenPanel; at: string }>()
  // Navigation closes the panel.
  const open = opened?.at === key ? opened.panel : undefined
  const toggle = (panel: OpenPanel) => setOpened(open === panel ? undefined : { panel, at: key })

  return (
    <div className="sticky top-0 z-40 border-b border-line bg-surface">
      <div className="shell flex min-h-16 items-center justify-between gap-6">
        <Link to={paths.home} aria-label={`${site.name} home page`} className="-m-1 p-1">
          <Logo />
        </Link>
        {open === 'search' ? (
          <Suspense>
            <SearchForm className="hidden flex-1 md:flex" onClose={() => setOpened(undefined)} />
          </Suspense>
        ) : (
          <nav aria-label="Main" className="hidden flex-1 justify-center md:flex">
            <Links className="flex gap-1" />
          </nav>
        )}
        <div className="flex items-center noscript:hidden">
          <IconButton
            icon="search"
            label="Search"
            aria-expanded={open === 'search'}
            className={classNames(open === 'search' && 'md:hidden')}
            onPointerEnter={preloadSearchForm}
            onFocus={preloadSearchForm}
            onClick={() => toggle('search')}
          />
          <IconButton
            icon={open === 'menu' ? 'close' : 'menu'}
            label="Menu"
            aria-expanded={open === 'menu'}
            aria-controls="menu"
            className="-mr-2.5 md:hidden"
            onClick={() => toggle('menu')}
          />
        </div>
        <Link to="/search" aria-label="Search" className="hidden size-11 place-items-center noscript:grid">
          <Icon name="search" />
        </Link>
      </div>
      {open === 'search' && (
        <div className="shell pb-3 md:hidden">
          <Suspense>
            <SearchForm onClose={() => setOpened(undefined)} className="flex" />
          </Suspense>
        </div>
      )}
      <nav
        id="menu"
        aria-label="Menu"
        className={classNames('shell pb-4 md:hidden', open === 'menu' ? 'block' : 'hidden max-md:noscript:block')}
      >
        <Links className="grid" />
      </nav>
    </div>
  )
}

function Links({ className }: { className: string }) {
  const shopLinks = mainLinks(useCollections())
  const links = useIsStaff() ? [...shopLinks, adminLink] : shopLinks
  return (
    <ul className={className}>
      {links.map(({ to, text }) => (
        <li key={to}>
          <NavLink
            to={to}
            className={(isCurrent) =>
              classNames(
                'inline-flex min-h-11 items-center border-b-2 px-3 text-[0.9688rem] font-medium transition-colors max-md:px-0 max-md:text-lg',
                isCurrent ? 'border-accent' : 'border-transparent text-ink-soft hover:text-ink',
              )
            }
          >
            {text}
          </NavLink>
        </li>
      ))}
    </ul>
  )
}
