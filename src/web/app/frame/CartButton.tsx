import { useEffect, useRef } from 'react'
import { say } from '#words/say.ts'
import { useCart } from '#web/cart/use-cart.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { classNames } from '#web/ui/class-names.ts'

/** By then the browser has returned the focus, if its owner still exists. */
const FOCUS_RETURN_MS = 100

/** In the top bar, and in the main bar once that has scrolled away: never in both. */
export function CartButton({ className }: { className: string }) {
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
      className={classNames(
        'relative inline-grid size-11 shrink-0 place-items-center rounded-full noscript:hidden',
        className,
      )}
    >
      <Icon name="bag" />
      {count > 0 && (
        // Beside the bag, at the end of its handle. The key starts its motion again.
        <span
          key={count}
          className="cart-count absolute top-1 left-7 grid h-4 min-w-4 place-items-center rounded-full bg-gold px-1 text-[0.6875rem] leading-none font-bold text-charcoal"
        >
          {count}
        </span>
      )}
    </button>
  )
}
