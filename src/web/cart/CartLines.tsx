import { useRef, type ComponentProps, type ComponentType, type RefObject } from 'react'
import type { CartLine } from '#contract/cart.ts'
import { paths } from '#contract/paths.ts'
import { spokenAddress } from '#shared/language.ts'
import { say } from '#words/say.ts'
import { Button } from '#web/ui/Button.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { CartLineRow } from './CartLineRow.tsx'
import { useCart } from './use-cart.tsx'

type Props = Pick<ComponentProps<typeof CartLineRow>, 'heading' | 'isLarge'> & {
  /** Gets the focus when the last line is removed. */
  afterLast: RefObject<HTMLElement | null>
  /** What replaces a line's controls without JavaScript. */
  Forms?: ComponentType<{ line: CartLine }>
}

/** The cart's lines, and below them what is said of all of them and Clear Cart. */
export function CartLines({ heading, isLarge = false, afterLast, Forms }: Props) {
  const { lines } = useCart()
  const list = useRef<HTMLUListElement>(null)

  /** The focused button disappears with its line: focus the next line, or what the empty cart has. */
  const focusAfterRemoval = (index: number) => {
    requestAnimationFrame(() => {
      const links = list.current?.querySelectorAll<HTMLElement>('[data-line] :is(h2, h3) a') ?? []
      const next = links[Math.min(index, links.length - 1)] ?? afterLast.current
      next?.focus()
    })
  }

  return (
    <>
      <ul ref={list}>
        {lines.map((line, index) => (
          <CartLineRow key={line.id} {...{ line, heading, isLarge }} onRemoved={() => focusAfterRemoval(index)}>
            {Forms && <Forms line={line} />}
          </CartLineRow>
        ))}
      </ul>
      <div className="flex items-start justify-between gap-x-5 pb-3">
        <p className="py-1.5 text-sm text-ink-soft">
          {lines.some(({ hasOtherVariants }) => hasOtherVariants) &&
            say('Made to order: colors and sizes can’t be exchanged.')}
        </p>
        <ClearCart />
      </div>
    </>
  )
}

function ClearCart() {
  const { clear } = useCart()
  const { toast } = useToast()
  const clearAll = () =>
    clear().catch(() =>
      toast({
        title: say('Error'),
        description: say('We couldn’t clear your cart. Please try again.'),
        destructive: true,
      }),
    )
  return (
    <form
      method="post"
      action={spokenAddress(paths.cart)}
      className="shrink-0"
      onSubmit={(event) => {
        event.preventDefault()
        void clearAll()
      }}
    >
      <input type="hidden" name="clear" value="cart" />
      <Button type="submit" variant="plain" className="min-h-8! py-0! text-sm font-medium!">
        {say('Clear Cart')}
      </Button>
    </form>
  )
}
