import { useLocation, useSearchParams } from 'react-router'
import { spokenAddress } from '#shared/language.ts'
import { say } from '#words/say.ts'
import { Link } from '#web/app/Link.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'

const POSITION_PARAMETERS: readonly string[] = ['after', 'before', 'page']

export const isPositionParameter = (name: string): boolean => POSITION_PARAMETERS.includes(name)

/** Props of the element where a list starts: pager links lead there. */
export const listHead = { id: 'list', tabIndex: -1 } as const

/** Undefined at the end of the list. */
type PositionParameter = readonly [name: string, value: string] | undefined

/** Plain links, so it works without JavaScript. */
export function Pager({ previous, next }: { previous: PositionParameter; next: PositionParameter }) {
  const { pathname } = useLocation()
  const [parameters] = useSearchParams()
  const addressOf = ([name, value]: NonNullable<PositionParameter>) => {
    const query = new URLSearchParams(
      [...parameters].filter(([current]) => !isPositionParameter(current) && current !== 'said'),
    )
    query.set(name, value)
    return `${pathname}?${query}`
  }
  if (!previous && !next) return null
  return (
    <nav aria-label={say('Pages')} className="mt-14 flex flex-wrap justify-between gap-4 border-t border-line pt-8">
      {previous && <link rel="prev" href={spokenAddress(addressOf(previous))} />}
      {next && <link rel="next" href={spokenAddress(addressOf(next))} />}
      {previous && (
        <Link to={`${addressOf(previous)}#${listHead.id}`} rel="prev" className={buttonClass('outline')}>
          <Icon name="left" className="size-5" />
          {say('Previous page')}
        </Link>
      )}
      {next && (
        <Link to={`${addressOf(next)}#${listHead.id}`} rel="next" className={buttonClass('outline', 'ml-auto')}>
          {say('Next page')}
          <Icon name="right" className="size-5" />
        </Link>
      )}
    </nav>
  )
}
