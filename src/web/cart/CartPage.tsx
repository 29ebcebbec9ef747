import { lazy, Suspense, useEffect, useRef, type RefObject } from 'react'
import { useSearchParams } from 'react-router'
import type { CartLine } from '#contract/cart.ts'
import { paths } from '#contract/paths.ts'
import { QUANTITY_MAX } from '#domain/cart/cart.ts'
import { spokenAddress } from '#shared/language.ts'
import { say } from '#words/say.ts'
import { Link } from '#web/app/Link.tsx'
import { AnimalPicture } from '#web/catalog/AnimalPicture.tsx'
import { doorstep } from '#web/catalog/doorstep.ts'
import { BestSellers } from '#web/catalog/BestSellers.tsx'
import { PairsWellWith } from '#web/catalog/PairsWellWith.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { inputClass } from '#web/ui/input-class.ts'
import { PageHead } from '#web/ui/PageHead.tsx'
import { Price } from '#web/ui/Price.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { StickyBar } from '#web/ui/StickyBar.tsx'
import { useOutOfView } from '#web/ui/use-out-of-view.ts'
import { useHydrated } from '#web/ui/use-form.ts'
import { usePageMark } from '#web/ui/use-page-mark.ts'
import { classNames } from '#web/ui/class-names.ts'
import { fullNameOf } from './CartLineRow.tsx'
import { CartLines } from './CartLines.tsx'
import { CartTotal, CodeForm, useTotal } from './CartTotal.tsx'
import { SavedCartOffer, TakeCartAlong } from './TakeCartAlong.tsx'
import { ShippingNote } from './ShippingNote.tsx'
import { formMessageIn } from './form-messages.ts'
import { useCart } from './use-cart.tsx'
import { useToCheckout } from './use-to-checkout.ts'

const ExpressButtons = lazy(async () => ({ default: (await import('./ExpressButtons.tsx')).ExpressButtons }))

/** The cart on a page of its own; without JavaScript, with plain forms. */
export function CartPage() {
  usePageMark('chat-last')
  const { lines, count, isError, refetch } = useCart()
  const [parameters] = useSearchParams()
  const message = formMessageIn(parameters)
  const saved = parameters.get('saved')
  const continueLink = useRef<HTMLAnchorElement>(null)

  // The browser must request the cart itself to learn that its session is new, and then restores its backup.
  useEffect(() => void refetch(), [refetch])

  return (
    <div className="shell pt-7 lg:pt-14">
      <PageHead title={say('Shopping Cart')} />
      <h1 className="flex flex-wrap items-baseline gap-x-4 text-headline">
        {say('Shopping Cart')}{' '}
        {count > 0 && (
          <span className="font-text text-base tracking-normal text-ink-soft">
            {say('{count, plural, one {# item} other {# items}}', { count })}
          </span>
        )}
      </h1>
      {message && (
        <p
          role="status"
          className={classNames(
            'mt-5 max-w-[34.8em] rounded-card p-4 font-medium',
            message.isSuccess ? 'bg-button-quiet' : 'bg-danger-soft text-danger',
          )}
        >
          {message.text}
        </p>
      )}
      {saved && !message && (
        <div className="mt-6">
          <SavedCartOffer token={saved} />
        </div>
      )}
      {isError ? (
        <p role="alert" className="mt-8 text-lg">
          {say('We couldn’t load your cart. Please reload this page.')}
        </p>
      ) : lines.length === 0 ? (
        <>
          <div className="mt-6 grid items-center gap-x-14 gap-y-8 md:mt-8 md:grid-cols-2">
            <div className="grid justify-items-start gap-2">
              <h2 className="text-title">{say('Your cart is empty')}</h2>
              <p className="mb-5 text-ink-soft">{say('Add some items to get started')}</p>
              <Link ref={continueLink} to={paths.products} className={buttonClass('primary')}>
                {say('Continue Shopping')}
              </Link>
              <div className="mt-6 w-full max-w-[26rem]">
                <CartTotal />
              </div>
            </div>
            <AnimalPicture of={doorstep()} className="aspect-2/1" />
          </div>
          <BestSellers className="mt-12 lg:mt-16" />
        </>
      ) : (
        <>
          <div className="mt-3 grid items-start gap-y-6 md:mt-6 md:grid-cols-[minmax(0,1fr)_21rem] md:gap-x-8 lg:grid-cols-[1.7fr_1fr] lg:gap-x-14">
            <section aria-label={say('Items')} className="border-t border-line">
              <CartLines heading="h2" isLarge afterLast={continueLink} Forms={LineForms} />
            </section>
            <Total />
          </div>
          <PairsWellWith
            products={lines.map(({ productId }) => productId)}
            className="mt-10 border-t border-line pt-7 lg:mt-14"
          />
        </>
      )}
      {lines.length > 0 && <TakeCartAlong />}
    </div>
  )
}

/** Quantity and removal without JavaScript. */
function LineForms({ line }: { line: CartLine }) {
  const fullName = fullNameOf(line)
  return (
    <div className="mt-4 hidden flex-wrap items-center gap-x-6 gap-y-2 noscript:flex">
      <form method="post" action={spokenAddress(paths.cart)} className="flex items-center gap-2">
        <input type="hidden" name="line" value={line.id} />
        <input
          type="number"
          name="quantity"
          inputMode="numeric"
          min={0}
          max={QUANTITY_MAX}
          required
          defaultValue={line.quantity}
          aria-label={say('Quantity of {name}', { name: fullName })}
          className={classNames(inputClass, 'w-20! text-center')}
        />
        <Button type="submit" variant="quiet">
          {say('Update')}
          <span className="sr-only">{` ${say('quantity of {name}', { name: fullName })}`}</span>
        </Button>
      </form>
      <form method="post" action={spokenAddress(paths.cart)}>
        <input type="hidden" name="line" value={line.id} />
        <input type="hidden" name="quantity" value="0" />
        <Button type="submit" variant="plain">
          {say('Remove')}
          <span className="sr-only"> {fullName}</span>
        </Button>
      </form>
    </div>
  )
}

function Total() {
  const { settle } = useCart()
  const isHydrated = useHydrated()
  const link = useRef<HTMLAnchorElement>(null)
  const isLinkOutOfView = useOutOfView(link)
  return (
    <section
      aria-label={say('Total')}
      className="grid rounded-card border border-line bg-surface px-5 pt-2 pb-4 shadow-card sm:px-7 sm:pt-3 md:sticky md:top-24"
    >
      <CartTotal />
      <ShippingNote className="hidden noscript:block" />
      <ToCheckout ref={link} className="mt-3 w-full text-[1.0625rem]" />
      {isLinkOutOfView && <TotalBar />}
      <div className="mt-2.5 min-h-12 noscript:hidden">
        {isHydrated && (
          <Suspense>
            <ExpressButtons prepare={settle} />
          </Suspense>
        )}
      </div>
      <div className="mt-3 border-y border-line">
        <CodeForm />
      </div>
      <Link to={paths.products} className={buttonClass('plain', 'mt-1 justify-self-center font-medium')}>
        {say('Continue Shopping')}
      </Link>
    </section>
  )
}

function ToCheckout({ ref, className }: { ref?: RefObject<HTMLAnchorElement | null>; className: string }) {
  const { toCheckout, isBusy } = useToCheckout()
  return (
    <a
      ref={ref}
      href={spokenAddress(paths.checkout)}
      {...(isBusy && { 'aria-disabled': true, 'aria-busy': true })}
      className={buttonClass('primary', className)}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        void toCheckout()
      }}
    >
      {isBusy && <Spinner />}
      {say('Proceed to Checkout')}
    </a>
  )
}

function TotalBar() {
  const total = useTotal()
  return (
    <StickyBar label={say('Checkout')}>
      <p className="min-w-0 flex-1 text-sm leading-snug text-ink-soft">
        {say('Total')}
        <Price amount={total} className="block text-[1.0625rem] font-semibold text-ink" />
      </p>
      <ToCheckout className="shrink-0 px-5!" />
    </StickyBar>
  )
}
