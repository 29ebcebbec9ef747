import { lazy, Suspense, useRef } from 'react'
import { say } from '#words/say.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { Drawer } from '#web/ui/Drawer.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { CartLines } from './CartLines.tsx'
import { TotalLine } from './TotalLine.tsx'
import { useCart } from './use-cart.tsx'
import { useToCheckout } from './use-to-checkout.ts'

/** A chunk of its own: the first page's script lists what the drawer loads. */
const CartTotal = lazy(async () => ({ default: (await import('./CartTotal.tsx')).CartTotal }))

const CodeForm = lazy(async () => ({ default: (await import('./CartTotal.tsx')).CodeForm }))

const ExpressButtons = lazy(async () => ({ default: (await import('./ExpressButtons.tsx')).ExpressButtons }))

const GoesWith = lazy(async () => ({ default: (await import('./GoesWith.tsx')).GoesWith }))

/** Texts and widths come from the specification, section 2, Cart drawer. */
export function CartDrawer() {
  const { lines, count, isPending, isError, isOpen, closeCart, refetch } = useCart()
  const continueButton = useRef<HTMLButtonElement>(null)

  return (
    <Drawer
      open={isOpen}
      onClose={closeCart}
      title={say('Shopping Cart ({count} items)', { count })}
      footer={<Footer />}
    >
      {isPending ? (
        <div role="status" className="grid gap-6 py-7">
          <p className="text-ink-soft">{say('Loading cart...')}</p>
          <Skeleton className="h-24 w-full" />
          <Skeleton className="h-24 w-full" />
        </div>
      ) : isError ? (
        <div role="alert" className="grid justify-items-start gap-4 py-12">
          <p className="text-lg">{say('We couldn’t load your cart.')}</p>
          <Button variant="quiet" onClick={() => void refetch()}>
            {say('Try again')}
          </Button>
        </div>
      ) : lines.length === 0 ? (
        <div className="flex h-full flex-col">
          <div className="grid justify-items-start gap-2 pt-8 pb-10">
            <h3 className="text-title">{say('Your cart is empty')}</h3>
            <p className="mb-5 text-ink-soft">{say('Add some items to get started')}</p>
            <button type="button" ref={continueButton} onClick={closeCart} className={buttonClass('primary')}>
              {say('Continue Shopping')}
            </button>
          </div>
          <Suspense>
            <GoesWith lines={lines} />
          </Suspense>
        </div>
      ) : (
        <div className="flex h-full flex-col">
          <CartLines heading="h3" afterLast={continueButton} />
          <Suspense>
            <GoesWith lines={lines} />
            <div className="border-t border-line">
              <CodeForm />
            </div>
          </Suspense>
        </div>
      )}
    </Drawer>
  )
}

function Footer() {
  const { lines, total, settle } = useCart()
  const { toCheckout, isBusy } = useToCheckout()
  const { toast } = useToast()
  const isEmpty = lines.length === 0

  const proceed = async () => {
    if (isEmpty) {
      toast({
        title: say('Cart is empty'),
        description: say('Add some items to your cart before checking out.'),
        destructive: true,
      })
      return
    }
    await toCheckout()
  }

  return (
    <div className="grid">
      <Suspense fallback={!isEmpty && <TotalLine amount={total} />}>
        <CartTotal />
      </Suspense>
      <button
        type="button"
        aria-disabled={isEmpty || isBusy}
        aria-busy={isBusy}
        onClick={() => void proceed()}
        className={buttonClass('primary', 'mt-3 w-full text-[1.0625rem]')}
      >
        {isBusy && <Spinner />}
        {say('Proceed to Checkout')}
      </button>
      {!isEmpty && (
        <div className="mt-2.5 min-h-12">
          <Suspense>
            <ExpressButtons prepare={settle} />
          </Suspense>
        </div>
      )}
    </div>
  )
}
