import { useQuery } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { paths } from '#contract/paths.ts'
import { say, sayKnown } from '#words/say.ts'
import { useSite } from '#web/api/use-site.ts'
import { configQuery } from '#web/api/queries.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { Link } from '../Link.tsx'
import { CartButton } from './CartButton.tsx'

type Props = { bar: RefObject<HTMLDivElement | null>; hasCart: boolean }

export function TopBar({ bar, hasCart }: Props) {
  const { data: config } = useQuery(configQuery)
  const site = useSite()
  const promises = sayKnown(config?.content.banner ?? site.banner).split(' • ')
  return (
    <div ref={bar} className="on-dark bg-charcoal text-ivory">
      <div className="shell flex min-h-12 items-center justify-between gap-3">
        <Link
          to={paths.home}
          aria-label={say('{name} home', { name: site.name })}
          className="-ml-2.5 inline-grid size-11 shrink-0 place-items-center"
        >
          <Icon name="home" className="size-5" />
        </Link>
        <p className="py-2 text-center text-[0.75rem] leading-snug tracking-[0.03em] text-balance text-ivory/90 sm:text-[0.8125rem]">
          {promises.map((promise, index) => (
            // A line may break after a bullet, not before it.
            <span key={promise}>
              <span className="whitespace-nowrap">
                {promise}
                {index < promises.length - 1 && ' •'}
              </span>{' '}
            </span>
          ))}
        </p>
        {hasCart ? <CartButton className="-mr-2.5 hover:bg-ivory/10" /> : <span className="-mr-2.5 size-11 shrink-0" />}
        <Link
          to={paths.cart}
          aria-label={say('Cart')}
          className="-mr-2.5 hidden size-11 shrink-0 place-items-center rounded-full noscript:grid"
        >
          <Icon name="bag" />
        </Link>
      </div>
    </div>
  )
}
