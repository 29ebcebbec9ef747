import { useEffect, useRef } from 'react'
import { classNames } from '#web/ui/class-names.ts'
import { Link } from './Link.tsx'

export type TabLink = { to: string; text: string; isCurrent: boolean }

/** How much of the tabs before the current one is seen, in pixels. */
const BESIDE = 96

/** Pages beside each other, or lists of one page. On phones they scroll sideways. */
export function TabLinks({ name, tabs }: { name: string; tabs: readonly TabLink[] }) {
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    // `scrollIntoView` would move the page as well.
    const current = nav.current?.querySelector('[aria-current]')
    if (nav.current && current) nav.current.scrollLeft += current.getBoundingClientRect().left - BESIDE
  }, [])
  return (
    <nav ref={nav} aria-label={name} className="overflow-x-auto border-b border-line">
      <ul className="flex gap-x-6">
        {tabs.map(({ to, text, isCurrent }) => (
          <li key={to}>
            <Link
              to={to}
              aria-current={isCurrent ? 'page' : undefined}
              className={classNames(
                'inline-flex min-h-11 items-center border-b-2 whitespace-nowrap',
                isCurrent ? 'border-accent font-semibold' : 'border-transparent text-ink-soft hover:text-ink',
              )}
            >
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
