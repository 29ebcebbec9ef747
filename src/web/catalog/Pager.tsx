import { useLocation, useSearchParams } from 'react-router'
import { Link } from '#web/app/Link.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'

/** Names in an address that say where in a list a page stands. */
const POSITION_PARAMETERS: readonly string[] = ['after', 'before', 'page']

export const isPositionParameter = (name: string): boolean => POSITION_PARAMETERS.includes(name)

/** Of the element at which a list begins: there a reader who goes on to another page of it begins to read. */
export const listHead = { id: 'list', tabIndex: -1 } as const

/** A place as it stands in the address; unset where the list ends. */
type PositionParameter = readonly [name: string, value: string] | undefined

/** Leads to the pages of a list beside this one, as links that need no script. */
export function Pager({ previous, next }: { previous: PositionParameter; next: PositionParameter }) {
  const { pathname } = useLocation()
  const [parameters] = useSearchParams()
  const addressOf = ([name, value]: NonNullable<PositionParameter>) => {
    const kept = new URLSearchParams([...parameters].filter(([one]) => !isPositionParameter(one) && one !== 'said'))
    kept.set(name, value)
    return `${pathname}?${kept}`
  }
  if (!previous && !next) return null
  return (
    <nav aria-label="Pages" className="mt-14 flex flex-wrap justify-between gap-4 border-t border-line pt-8">
      {previous && <link rel="prev" href={addressOf(previous)} />}
      {next && <link rel="next" href={addressOf(next)} />}
      {previous && (
        <Link to={`${addressOf(previous)}#${listHead.id}`} rel="prev" className={buttonClass('outline')}>
          <Icon name="left" className="size-5" />
          Previous page
        </Link>
      )}
      {next && (
        <Link to={`${addressOf(next)}#${listHead.id}`} rel="next" className={buttonClass('outline', 'ml-auto')}>
          Next page
          <Icon name="right" className="size-5" />
        </Link>
      )}
    </nav>
  )
}
