import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { paths } from '#contract/paths.ts'
import { say } from '#words/say.ts'
import { useSite } from '#web/api/use-site.ts'
import { useIsStaff } from '#web/accounts/use-staff.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { usePageMark } from '#web/ui/use-page-mark.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Link, NavLink } from '../Link.tsx'
import { pathOfCollection, useCollections } from '../use-collections.ts'
import { mainLinks, adminLink, type FrameLink } from './links.ts'
import { CartButton } from './CartButton.tsx'
import { Logo } from './Logo.tsx'

/** Loaded when the pointer or the focus reaches the toggle. */
const loadSearchForm = () => import('./SearchForm.tsx')
const SearchForm = lazy(async () => ({ default: (await loadSearchForm()).SearchForm }))
const preloadSearchForm = () => void loadSearchForm()

/** Loaded when its panel or the menu opens. */
const CollectionLinks = lazy(async () => ({ default: (await import('./CollectionLinks.tsx')).CollectionLinks }))

const Languages = lazy(async () => ({ default: (await import('./Languages.tsx')).Languages }))

type OpenPanel = 'menu' | 'search' | 'collections'

/** Logo, navigation and search. Without JavaScript the phone menu is always open. */
export function MainBar({ hasCart }: { hasCart: boolean }) {
  const site = useSite()
  const { key } = useLocation()
  const [opened, setOpened] = useState<{ panel: OpenPanel; at: string }>()
  // Navigation closes the panel.
  const open = opened?.at === key ? opened.panel : undefined
  usePageMark('menu', open === 'menu')
  const close = () => setOpened(undefined)
  const toggle = (panel: OpenPanel) => setOpened(open === panel ? undefined : { panel, at: key })

  return (
    // Escape closes what the controls inside have opened.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className="main-bar"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || open === undefined || open === 'search') return
        close()
        event.currentTarget.querySelector<HTMLElement>(`[aria-controls="${open}"]`)?.focus()
      }}
      onPointerLeave={({ pointerType }) => {
        if (open === 'collections' && pointerType === 'mouse') close()
      }}
    >
      <div className="shell flex min-h-16 items-center justify-between gap-3 lg:gap-6">
        <Link to={paths.home} aria-label={say('{name} home page', { name: site.name })} className="-m-1 p-1">
          <Logo />
        </Link>
        {open === 'search' ? (
          <Suspense>
            <SearchForm className="ml-4 hidden flex-1 md:flex" onClose={close} />
          </Suspense>
        ) : (
          <nav aria-label={say('Main')} className="hidden flex-1 justify-center md:flex">
            <Links className="flex gap-1">
              <button
                type="button"
                aria-label={say('All collections')}
                aria-expanded={open === 'collections'}
                aria-controls="collections"
                className="grid size-9 place-items-center noscript:hidden"
                onPointerEnter={({ pointerType }) => {
                  if (pointerType === 'mouse') setOpened({ panel: 'collections', at: key })
                }}
                onClick={({ detail }) => {
                  // A mouse has opened it on its way here.
                  if (detail === 0 || open !== 'collections') toggle('collections')
                }}
              >
                <Icon name="down" className="size-4" />
              </button>
            </Links>
          </nav>
        )}
        {/* With room for the cart, so that the links stay where they are. */}
        <div className="flex items-center justify-end md:min-w-21 noscript:hidden">
          <IconButton
            icon="search"
            label={say('Search')}
            aria-expanded={open === 'search'}
            className={classNames(!hasCart && 'md:-mr-2.5', open === 'search' && 'md:hidden')}
            onPointerEnter={preloadSearchForm}
            onFocus={preloadSearchForm}
            onClick={() => toggle('search')}
          />
          {hasCart && <CartButton className="hover:bg-ink/5 md:-mr-2.5" />}
          <IconButton
            icon={open === 'menu' ? 'close' : 'menu'}
            label={say('Menu')}
            aria-expanded={open === 'menu'}
            aria-controls="menu"
            className="-mr-2.5 md:hidden"
            onClick={() => toggle('menu')}
          />
        </div>
        <Link to="/search" aria-label={say('Search')} className="hidden size-11 place-items-center noscript:grid">
          <Icon name="search" />
        </Link>
      </div>
      {open === 'search' && (
        <div className="shell pb-3 md:hidden">
          <Suspense>
            <SearchForm onClose={close} className="flex" />
          </Suspense>
        </div>
      )}
      {open === 'collections' && (
        <nav
          id="collections"
          aria-label={say('Collections')}
          className="absolute inset-x-0 top-full hidden border-y border-line bg-surface shadow-card md:block"
        >
          <div className="mx-auto max-w-3xl px-6 pt-5 pb-6">
            <Suspense fallback={<div className="h-56" />}>
              <CollectionLinks />
            </Suspense>
          </div>
        </nav>
      )}
      <nav
        id="menu"
        aria-label={say('Menu')}
        className={classNames('shell pb-4 md:hidden', open === 'menu' ? 'menu-sheet' : 'hidden max-md:noscript:block')}
      >
        {open === 'menu' && (
          <div className="mb-4 min-h-32">
            <Suspense>
              <CollectionLinks />
            </Suspense>
          </div>
        )}
        <Links className="grid" isMenu={open === 'menu'} />
        {open === 'menu' && (
          <Suspense>
            <Languages />
          </Suspense>
        )}
      </nav>
    </div>
  )
}

const menuLinks = (): readonly FrameLink[] => [
  { to: paths.track, text: say('Track Your Order') },
  { to: paths.account, text: say('Your Account') },
]

type LinksProps = {
  className: string
  /** Then collections are shown above with their pictures, and two more links follow. */
  isMenu?: boolean
  /** Beside the last collection. */
  children?: ReactNode
}

function Links({ className, isMenu = false, children }: LinksProps) {
  const collections = useCollections()
  const inMenu = collections.filter((collection) => collection.inMenu).map(pathOfCollection)
  const shopLinks = mainLinks(collections).filter(({ to }) => !isMenu || !inMenu.includes(to))
  const links = [...shopLinks, ...(isMenu ? menuLinks() : []), ...(useIsStaff() ? [adminLink] : [])]
  return (
    <ul className={className}>
      {links.map(({ to, text }) => (
        <li key={to} className="flex items-center">
          <NavLink to={to} className={(isCurrent) => (isCurrent ? 'main-link is-current' : 'main-link')}>
            {text}
          </NavLink>
          {to === (inMenu.at(-1) ?? paths.products) && collections.length > 1 && children}
        </li>
      ))}
    </ul>
  )
}
