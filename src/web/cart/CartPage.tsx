import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import type { CartLine } from '#contract/cart.ts'
import { paths } from '#contract/paths.ts'
import { QUANTITY_MAX } from '#domain/cart/cart.ts'
import { times } from '#shared/money.ts'
import { Link } from '#web/app/Link.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { inputClass } from '#web/ui/input-class.ts'
import { PageHead } from '#web/ui/PageHead.tsx'
import { Price } from '#web/ui/Price.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ChangeVariant } from './ChangeVariant.tsx'
import { CartTotal } from './CartTotal.tsx'
import { LinePicture } from './LinePicture.tsx'
import { PriceChange } from './PriceChange.tsx'
import { SavedCartOffer, TakeCartAlong } from './TakeCartAlong.tsx'
import { ShippingNote } from './ShippingNote.tsx'
import { UnavailableLine } from './UnavailableLine.tsx'
import { formMessageIn } from './form-messages.ts'
import { useCart } from './use-cart.tsx'

/** The cart without JavaScript: plain forms instead of the drawer. */
export function CartPage() {
  const { lines, count, isError, refetch } = useCart()
  const [parameters] = useSearchParams()
  const message = formMessageIn(parameters)
  const saved = parameters.get('saved')

  // The browser must request the cart itself to learn that its session is new, and then restores its backup.
  useEffect(() => void refetch(), [refetch])

  return (
    <div className="shell pt-12 lg:pt-16">
      <PageHead title="Shopping Cart" />
      <h1 className="text-headline">Shopping Cart</h1>
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
          We couldn’t load your cart. Please reload this page.
        </p>
      ) : lines.length === 0 ? (
        <div className="mt-8 grid justify-items-start gap-2">
          <h2 className="text-title">Your cart is empty</h2>
          <p className="mb-5 text-ink-soft">Add some items to get started</p>
          <Link to={paths.products} className={buttonClass('primary')}>
            Continue Shopping
          </Link>
          <div className="mt-6 w-full max-w-[26rem]">
            <CartTotal />
          </div>
        </div>
      ) : (
        <div className="mt-6 grid items-start gap-x-14 gap-y-8 lg:grid-cols-[1.7fr_1fr]">
          <section aria-label="Items">
            <p className="border-b border-line pb-4 text-ink-soft">
              {count} {count === 1 ? 'item' : 'items'}
            </p>
            <ul>
              {lines.map((line) => (
                <Line key={line.id} line={line} />
              ))}
            </ul>
          </section>
          <Total />
        </div>
      )}
      {lines.length > 0 && <TakeCartAlong />}
    </div>
  )
}

function Line({ line }: { line: CartLine }) {
  const { setQuantity, remove, errors } = useCart()
  const { id, productId, variantId, productName, variantName, price, quantity } = line
  const fullName = variantName ? `${productName}, ${variantName}` : productName
  const address = paths.variant(productId, variantId)
  return (
    <li className="grid grid-cols-[5.5rem_1fr] gap-4 border-b border-line py-6 sm:grid-cols-[8rem_1fr] sm:gap-6">
      <Link
        to={address}
        tabIndex={-1}
        aria-hidden="true"
        className="block self-start overflow-hidden rounded-card plate"
      >
        <LinePicture src={line.imageUrl} />
      </Link>
      <div className="min-w-0">
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1">
          <h2 className="font-text! text-base leading-snug tracking-normal">
            <Link to={address} className="font-semibold underline-offset-4 hover:underline">
              {productName}
            </Link>
            {variantName && (
              <span className="mt-0.5 block text-[0.9375rem] font-normal text-ink-soft">{variantName}</span>
            )}
          </h2>
          <p className="sm:text-right">
            <Price amount={times(price, quantity)} className="font-semibold" />
            {quantity > 1 && (
              <span className="block text-sm text-ink-soft">
                <Price amount={price} /> each
              </span>
            )}
          </p>
        </div>
        <PriceChange {...line} />
        <UnavailableLine {...line} />
        <div className="mt-4 flex flex-wrap items-center gap-x-6 gap-y-2">
          <form
            method="post"
            action={paths.cart}
            className="flex items-center gap-2"
            onSubmit={(event) => {
              event.preventDefault()
              setQuantity(line, Number(new FormData(event.currentTarget).get('quantity')))
            }}
          >
            <input type="hidden" name="line" value={id} />
            <input
              // Remounts with the saved quantity, which may differ from the typed one.
              key={quantity}
              type="number"
              name="quantity"
              inputMode="numeric"
              min={0}
              max={QUANTITY_MAX}
              required
              defaultValue={quantity}
              aria-label={`Quantity of ${fullName}`}
              className={classNames(inputClass, 'w-20! text-center')}
            />
            <Button type="submit" variant="quiet">
              Update<span className="sr-only"> quantity of {fullName}</span>
            </Button>
          </form>
          <ChangeVariant line={line} />
          <form
            method="post"
            action={paths.cart}
            onSubmit={(event) => {
              event.preventDefault()
              remove(line)
            }}
          >
            <input type="hidden" name="line" value={id} />
            <input type="hidden" name="quantity" value="0" />
            <Button type="submit" variant="plain">
              Remove<span className="sr-only"> {fullName}</span>
            </Button>
          </form>
        </div>
        <p role="alert" className="mt-2 text-sm font-medium text-danger empty:hidden">
          {errors.get(id)}
        </p>
      </div>
    </li>
  )
}

function Total() {
  const { clear } = useCart()
  const { toast } = useToast()
  return (
    <section
      aria-label="Total"
      className="grid gap-1 rounded-card border border-line bg-surface p-5 shadow-card sm:p-7 lg:sticky lg:top-24"
    >
      <CartTotal />
      <ShippingNote className="hidden noscript:block" />
      {/* A new document: the checkout has its own content security policy, for the payment provider's script. */}
      <a href={paths.checkout} className={buttonClass('primary', 'mt-4 w-full text-[1.0625rem]')}>
        Proceed to Checkout
      </a>
      <Link to={paths.products} className={buttonClass('outline', 'mt-2 w-full')}>
        Continue Shopping
      </Link>
      <form
        method="post"
        action={paths.cart}
        className="mt-1 justify-self-center"
        onSubmit={(event) => {
          event.preventDefault()
          clear().catch(() =>
            toast({
              title: 'Error',
              description: 'We couldn’t clear your cart. Please try again.',
              destructive: true,
            }),
          )
        }}
      >
        <input type="hidden" name="clear" value="cart" />
        <Button type="submit" variant="plain">
          Clear Cart
        </Button>
      </form>
    </section>
  )
}
