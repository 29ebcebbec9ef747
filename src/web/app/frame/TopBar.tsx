import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { paths } from '#contract/paths.ts'
import { say, sayKnown } from '#words/say.ts'
import { useSite } from '#web/api/use-site.ts'
import { configQuery } from '#web/api/queries.ts'
import { useCart } from '#web/cart/use-cart.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Link } from '../Link.tsx'

export function TopBar() {
  const { data: config } = useQuery(configQuery)
  const site = useSite()
  const promises = sayKnown(config?.content.banner ?? site.banner).split(' • ')
  return (
    <div className="on-dark bg-charcoal text-ivory">
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
        <CartButton />
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

/** By then the browser has returned the focus, if its owner still exists. */
const FOCUS_RETURN_MS = 100

function CartButton() {
  const { count, openCart, isOpen } = useCart()
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    const hasClosed = wasOpen.current && !isOpen
    wasOpen.current = isOpen
    if (!hasClosed) return undefined
    // The element that opened the drawer may be gone, such as a toast: then nothing has the focus.
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) button.current?.focus({ preventScroll: true })
    }, FOCUS_RETURN_MS)
    return () => clearTimeout(timer)
  }, [isOpen])
  return (
    <button
      ref={button}
      type="button"
      aria-haspopup="dialog"
      aria-label={count > 0 ? say('Cart, {count, plural, one {# item} other {# items}}', { count }) : say('Cart')}
      onClick={openCart}
      className="relative -mr-2.5 inline-grid size-11 shrink-0 place-items-center rounded-full hover:bg-ivory/10 noscript:hidden"
    >
      <Icon name="bag" />
      {count > 0 && (
        // The key starts its motion again.
        <span
          key={count}
          className="cart-count absolute top-0.5 right-1.5 grid h-5 min-w-5 place-items-center rounded-full bg-gold px-1 text-[0.75rem] leading-none font-bold text-charcoal tabular-nums"
        >
          {count}
        </span>
      )}
    </button>
  )
}
