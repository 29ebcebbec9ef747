import { lazy, Suspense, useRef } from 'react'
import type { CartLine } from '#contract/cart.ts'
import { paths } from '#contract/paths.ts'
import { QUANTITY_MAX } from '#domain/cart/cart.ts'
import { times } from '#shared/money.ts'
import { Link } from '#web/app/Link.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { Drawer } from '#web/ui/Drawer.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Price } from '#web/ui/Price.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Stepper } from '#web/ui/Stepper.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { ChangeVariant } from './ChangeVariant.tsx'
import { LinePicture } from './LinePicture.tsx'
import { PriceChange } from './PriceChange.tsx'
import { TotalLine } from './TotalLine.tsx'
import { UnavailableLine } from './UnavailableLine.tsx'
import { useCart } from './use-cart.tsx'

/** A chunk of its own: the first page's script lists what the drawer loads. */
const CartTotal = lazy(async () => ({ default: (await import('./CartTotal.tsx')).CartTotal }))

const ExpressButtons = lazy(async () => ({ default: (await import('./ExpressButtons.tsx')).ExpressButtons }))

const GoesWith = lazy(async () => ({ default: (await import('./GoesWith.tsx')).GoesWith }))

/** Texts and widths come from the specification, section 2, Cart drawer. */
export function CartDrawer() {
  const { lines, count, isPending, isError, isOpen, closeCart, refetch } = useCart()
  const list = useRef<HTMLUListElement>(null)
  const continueButton = useRef<HTMLButtonElement>(null)

  /** The focused button disappears with its line: focus the next line, or the button of the empty cart. */
  const focusAfterRemoval = (index: number) => {
    requestAnimationFrame(() => {
      const links = list.current?.querySelectorAll<HTMLElement>('[data-line] a') ?? []
      const next = links[Math.min(index, links.length - 1)] ?? continueButton.current
      next?.focus()
    })
  }

  return (
    <Drawer open={isOpen} onClose={closeCart} title={`Shopping Cart (${count} items)`} footer={<Footer />}>
      {isPending ? (
        <div role="status" className="grid gap-6 py-7">
          <p className="text-ink-soft">Loading cart...</p>
          <Skeleton className="h-24 w-full" />
          <Skeleton className="h-24 w-full" />
        </div>
      ) : isError ? (
        <div role="alert" className="grid justify-items-start gap-4 py-12">
          <p className="text-lg">We couldn’t load your cart.</p>
          <Button variant="quiet" onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      ) : lines.length === 0 ? (
        <div className="grid justify-items-start gap-2 py-12">
          <h3 className="text-title">Your cart is empty</h3>
          <p className="mb-5 text-ink-soft">Add some items to get started</p>
          <button type="button" ref={continueButton} onClick={closeCart} className={buttonClass('primary')}>
            Continue Shopping
          </button>
        </div>
      ) : (
        <>
          <ul ref={list}>
            {lines.map((line, index) => (
              <Line key={line.id} line={line} onRemoved={() => focusAfterRemoval(index)} />
            ))}
          </ul>
          {lines.some(({ hasOtherVariants }) => hasOtherVariants) && (
            <p className="pb-4 text-sm text-ink-soft">Made to order: colors and sizes can’t be exchanged.</p>
          )}
          <Suspense>
            <GoesWith lines={lines} />
          </Suspense>
        </>
      )}
    </Drawer>
  )
}

function Line({ line, onRemoved }: { line: CartLine; onRemoved: () => void }) {
  const { setQuantity, remove, closeCart, errors, changing } = useCart()
  const { id, productName, variantName, quantity, price } = line
  const fullName = variantName ? `${productName}, ${variantName}` : productName
  const isChanging = changing.has(id)
  const change = (newQuantity: number) => {
    setQuantity(line, newQuantity)
    if (newQuantity === 0) onRemoved()
  }

  return (
    <li
      data-line
      className="grid grid-cols-[6rem_1fr] gap-4 border-b border-line py-4 last:border-0 sm:grid-cols-[7rem_1fr] sm:gap-5"
    >
      <Link
        to={`${paths.product(line.productId)}?variant=${line.variantId}`}
        onClick={closeCart}
        className="block self-start overflow-hidden rounded-card plate"
        aria-label={fullName}
      >
        <LinePicture src={line.imageUrl} />
      </Link>
      <div className="min-w-0">
        <div className="flex items-start justify-between gap-3">
          <div className="min-w-0 leading-snug">
            <p className="font-semibold">{productName}</p>
            <div className="flex flex-wrap items-center gap-x-3 text-[0.9375rem]">
              {variantName && <p className="text-ink-soft">{variantName}</p>}
              <ChangeVariant line={line} className="min-h-8! py-0! font-medium!" />
            </div>
          </div>
          <Price amount={times(price, quantity)} className="font-semibold" />
        </div>
        {quantity > 1 && (
          <p className="mt-0.5 text-sm text-ink-soft">
            <Price amount={price} /> each
          </p>
        )}
        <div className="mt-2 flex items-center justify-between gap-3">
          <Stepper
            label={`Quantity of ${fullName}`}
            fewer={{ label: `One fewer ${fullName}`, idle: isChanging, onClick: () => change(quantity - 1) }}
            more={{
              label: `One more ${fullName}`,
              idle: isChanging || quantity >= QUANTITY_MAX,
              onClick: () => change(quantity + 1),
            }}
          >
            <output className="min-w-7 text-center font-semibold tabular-nums">{quantity}</output>
          </Stepper>
          <IconButton
            icon="bin"
            label={`Remove ${fullName}`}
            idle={isChanging}
            className="text-ink-soft"
            onClick={() => {
              remove(line)
              onRemoved()
            }}
          />
        </div>
        <PriceChange {...line} />
        <UnavailableLine {...line} />
        <p role="alert" className="mt-2 text-sm font-medium text-danger empty:hidden">
          {errors.get(id)}
        </p>
      </div>
    </li>
  )
}

function Footer() {
  const { lines, total, clear, settle, closeCart } = useCart()
  const { toast } = useToast()
  const isEmpty = lines.length === 0

  const proceed = async () => {
    if (isEmpty) {
      toast({
        title: 'Cart is empty',
        description: 'Add some items to your cart before checking out.',
        destructive: true,
      })
      return
    }
    // Wait for the last clicks to be saved.
    await settle()
    closeCart()
    // A new document: the checkout has its own content security policy, for the payment provider's script.
    location.assign(paths.checkout)
  }
  const clearAll = () => {
    clear().catch(() =>
      toast({ title: 'Error', description: 'We couldn’t clear your cart. Please try again.', destructive: true }),
    )
  }

  return (
    <div className="grid gap-1">
      <Suspense fallback={<TotalLine amount={total} />}>
        <CartTotal />
      </Suspense>
      <button
        type="button"
        aria-disabled={isEmpty}
        onClick={() => void proceed()}
        className={buttonClass('primary', 'mt-3 w-full text-[1.0625rem]')}
      >
        Proceed to Checkout
      </button>
      {!isEmpty && (
        <div className="mt-2 min-h-12">
          <Suspense>
            <ExpressButtons prepare={settle} />
          </Suspense>
        </div>
      )}
      {!isEmpty && (
        <Button variant="plain" className="min-h-9! justify-self-center py-0! text-sm font-medium!" onClick={clearAll}>
          Clear Cart
        </Button>
      )}
    </div>
  )
}
