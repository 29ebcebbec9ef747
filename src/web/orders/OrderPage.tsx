import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useLoaderData, useSearchParams } from 'react-router'
import type { OrderKey, OrderView, Parcel, ShownOrder } from '#contract/orders.ts'
import { conversationPaths } from '#contract/conversation-paths.ts'
import { paths } from '#contract/paths.ts'
import { spokenName } from '#domain/catalog/product-name.ts'
import { taxRowsOf } from '#domain/checkout/quote.ts'
import { sayVariant } from '#domain/catalog/variant-name.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { formatUsd, negate, times } from '#shared/money.ts'
import { spokenAddress } from '#shared/language.ts'
import { say, sayKnown } from '#words/say.ts'
import { sayMade } from '#words/say-made.ts'
import { useSite } from '#web/api/use-site.ts'
import { SupportEmail } from '#web/app/SupportEmail.tsx'
import { ApiError } from '#web/api/client.ts'
import { orderQuery } from '#web/api/queries.ts'
import { Link } from '#web/app/Link.tsx'
import type { PageFacts } from '#web/app/page-route.ts'
import { ClaimLinks } from '#web/claims/ClaimLinks.tsx'
import { ProductName } from '#web/catalog/ProductName.tsx'
import { LinePicture } from '#web/checkout/LinePicture.tsx'
import { LegalVersionLinks } from '#web/content/LegalVersionLinks.tsx'
import { Button } from '#web/ui/Button.tsx'
import { DateRange } from '#web/ui/DateRange.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { useHydrated } from '#web/ui/use-form.ts'
import { Sentence } from '#web/ui/Sentence.tsx'
import { OrderChanges } from './OrderChanges.tsx'
import { OrderCorrections } from './OrderCorrections.tsx'
import { LateNotice } from './LateNotice.tsx'
import { GoodsNames, ParcelCard, TrackLink } from './ParcelCard.tsx'
import { Milestones } from './Milestones.tsx'
import { OrderUnavailable } from './OrderUnavailable.tsx'
import { orderKeyIn } from './order-key.ts'
import { withKey } from '#web/claims/claim-queries.ts'
import { addressNote, longDay, spellOrderNumber, orderMessage, placeOf } from './order-labels.ts'

const OrderReviews = lazy(async () => ({ default: (await import('#web/reviews/OrderReviews.tsx')).OrderReviews }))
const ParcelChoices = lazy(async () => ({ default: (await import('#web/claims/ParcelChoices.tsx')).ParcelChoices }))
const OrderInvoices = lazy(async () => ({ default: (await import('./OrderInvoices.tsx')).OrderInvoices }))
const PayChange = lazy(async () => ({ default: (await import('./PayChange.tsx')).PayChange }))

/** `/order-confirmation`: an order's page. Works without JavaScript, except for reviews, invoices and paying for a change. */
export function OrderPage() {
  const [parameters] = useSearchParams()
  const key = orderKeyIn(parameters)
  const { failed } = useLoaderData<PageFacts>()
  const messageCode = parameters.get('said')
  if (!key || failed)
    return <OrderUnavailable status={failed} token={key?.token} isLinkSent={messageCode === 'link_sent'} />
  return <Order orderKey={key} />
}

function Order({ orderKey }: { orderKey: OrderKey }) {
  const { data: order, error } = useQuery(orderQuery(orderKey))
  if (order) return <OrderDetails order={order} orderKey={orderKey} />
  if (error) return <OrderUnavailable status={error instanceof ApiError ? error.status : 503} token={orderKey.token} />
  return (
    <p role="status" className="shell flex items-center gap-3 pt-20">
      <Spinner className="size-6" /> {say('Loading your order...')}
    </p>
  )
}

function OrderDetails({ order, orderKey }: { order: ShownOrder; orderKey: OrderKey }) {
  const { title, next } = orderMessage(order, useSite())
  // Read once: the forms must not move while the shopper uses them.
  const [isCorrectedFirst] = useState(order.needsAddress)
  const [isCorrectedHere] = useState(order.can.correctAddress)
  const { orderNumber, expected, milestones, parcels, stillToCome } = order
  const isOneParcel = parcels.length === 1 && stillToCome.length === 0
  /** Where it is matters most now. */
  const tracked = isOneParcel ? parcels.find(isOnItsWay) : undefined
  return (
    <div className="shell grid grid-cols-1 items-start gap-x-16 gap-y-10 pt-8 pb-8 sm:pt-12 lg:grid-cols-[minmax(0,1.7fr)_minmax(19rem,1fr)]">
      <PageHead title={say('Order {number}', { number: formatOrderNumber(orderNumber) })} />
      <div>
        <header>
          <h1 className="max-w-[18em] text-headline">{title}</h1>
          {expected && (
            <p className="mt-2 flex flex-wrap items-baseline gap-x-5 gap-y-1">
              <span className="font-display text-title">
                <Sentence word="Arrives {dates}" parts={{ dates: <DateRange dates={expected} /> }} />
              </span>
              <a
                href={spokenAddress(fileAddress('arrival.ics', orderKey))}
                className="link-line py-1 text-[0.9375rem] font-medium"
              >
                {say('Add to calendar')}
              </a>
            </p>
          )}
          <p className="mt-3 max-w-[44em] text-ink-soft">{next}</p>
          {tracked?.trackingUrl && (
            <p className="mt-5">
              <TrackLink parcel={tracked} isButton />
            </p>
          )}
          <p className="mt-2 flex flex-wrap gap-x-4 text-sm text-ink-soft">
            <span className="tabular-nums">
              <span className="sr-only">{say('Order number {number}', { number: spellOrderNumber(orderNumber) })}</span>
              <span aria-hidden="true">{formatOrderNumber(orderNumber)}</span>
            </span>
            <span>
              <Sentence
                word="Ordered {day}"
                parts={{ day: <time dateTime={order.placedAt}>{longDay(order.placedAt)}</time> }}
              />
            </span>
          </p>
        </header>
        {mayNeedChoice(order) && (
          <WithScript otherwise={<LateNotice order={order} />}>
            <ParcelChoices orderKey={orderKey} unlessLate={<LateNotice order={order} />} />
          </WithScript>
        )}
        <section aria-labelledby="lines" className="mt-6 sm:mt-8">
          <h2 id="lines" className="sr-only">
            {say('What you ordered')}
          </h2>
          <ul className="grid grid-cols-1 gap-5">
            {order.lines.map((line) => (
              <Line key={line.position} line={line} />
            ))}
          </ul>
        </section>
        <OrderChanges order={order} orderKey={orderKey} />
        <div className="mt-8 grid grid-cols-1 gap-12 border-t border-line pt-8">
          <Milestones milestones={milestones} isPaid={order.kind === 'sale'} />
          <WithScript>
            <PayChange orderKey={orderKey} />
          </WithScript>
          {isCorrectedFirst && <OrderCorrections order={order} orderKey={orderKey} />}
          {parcels.length > 0 && (
            <section aria-labelledby="parcels">
              <h2 id="parcels" className="text-title">
                {isOneParcel ? say('Your parcel') : say('Your parcels')}
              </h2>
              <ul className="mt-3 grid gap-6">
                {parcels.map((parcel) => (
                  <ParcelCard
                    key={`${parcel.name} ${parcel.shippedAt}`}
                    parcel={parcel}
                    goods={isOneParcel ? 'none' : 'names'}
                    isTrackedAbove={parcel === tracked}
                  />
                ))}
                {stillToCome.length > 0 && (
                  <li className="border-t border-dashed border-ink/40 pt-5">
                    <h3 className="font-text! text-base font-semibold tracking-normal">{say('Still to come')}</h3>
                    <p className="mt-1 text-ink-soft">{say('These ship separately.')}</p>
                    <GoodsNames goods={stillToCome} />
                  </li>
                )}
              </ul>
            </section>
          )}
          {hasArrived(order) && (
            <WithScript>
              <OrderReviews orderKey={orderKey} />
            </WithScript>
          )}
          {isCorrectedHere && !isCorrectedFirst && <OrderCorrections order={order} orderKey={orderKey} />}
          {order.kind === 'sale' && (order.isPayer || orderKey.token) && (
            <WithScript>
              <OrderInvoices orderKey={orderKey} country={order.countryCode} />
            </WithScript>
          )}
        </div>
      </div>
      <aside
        aria-label={say('Totals and help')}
        className="grid gap-7 md:max-lg:grid-cols-2 md:max-lg:items-start md:max-lg:gap-x-10 md:max-lg:[&>:first-child]:row-span-2 lg:sticky lg:top-24 lg:pt-2"
      >
        <Totals order={order} />
        <div className="grid gap-2">
          <Facts order={order} />
          {!isCorrectedHere && <OrderCorrections order={order} orderKey={orderKey} isSmall />}
        </div>
        <Actions order={order} orderKey={orderKey} />
        {order.termsVersion !== null && (
          <dl className="border-t border-line pt-5 text-sm text-ink-soft">
            <dt>{say('Terms you agreed to')}</dt>
            <dd>
              <LegalVersionLinks version={order.termsVersion} />
            </dd>
          </dl>
        )}
      </aside>
    </div>
  )
}

/** What needs JavaScript: the server leaves it out. */
type WithScriptProps = { otherwise?: ReactNode; children: ReactNode }

const WithScript = ({ otherwise = null, children }: WithScriptProps) =>
  useHydrated() ? <Suspense fallback={otherwise}>{children}</Suspense> : otherwise

const mayNeedChoice = ({ isLate, parcels }: OrderView): boolean =>
  isLate || parcels.some(({ returnedAt, lostAt }) => returnedAt !== null || lostAt !== null)

const isOnItsWay = ({ deliveredAt, returnedAt, lostAt }: Parcel): boolean => !deliveredAt && !returnedAt && !lostAt

const hasArrived = ({ fulfillment, parcels }: OrderView): boolean =>
  fulfillment === 'delivered' || parcels.some(({ deliveredAt }) => deliveredAt !== null)

function Line({ line }: { line: OrderView['lines'][number] }) {
  const { productId, variantId, productName, variantName, imageUrl, quantity, unitPrice, listPrice, numbers } = line
  return (
    <li className="flex items-center gap-4 sm:gap-6">
      <LinePicture src={imageUrl} size="size-24 sm:size-32" />
      <div className="min-w-0 flex-1 leading-snug wrap-anywhere">
        <h3 className="[&_.title]:text-[1.25rem]">
          <Link to={paths.variant(productId, variantId)} className="underline-offset-4 hover:underline">
            <ProductName name={productName} />
          </Link>
        </h3>
        {variantName && <p className="mt-0.5 text-[0.9375rem] text-ink-soft">{sayVariant(variantName)}</p>}
        {numbers?.map(({ label, state, certificate }) => (
          <p key={label} className="mt-0.5 text-[0.9375rem] font-medium">
            {sayMade(label)}
            {state !== 'issued' && say(', refunded')}
            {certificate && (
              <>
                {': '}
                <Link to={certificate} className="link-line">
                  {say('certificate')}
                  <span className="sr-only">{say(' of {name}', { name: sayMade(label) })}</span>
                </Link>
              </>
            )}
          </p>
        ))}
        <p className="mt-0.5 text-[0.9375rem] text-ink-soft tabular-nums">
          {quantity === 1 ? say('Quantity {quantity}', { quantity }) : `${quantity} × ${formatUsd(unitPrice)}`}
          {listPrice !== undefined && (
            <>
              {', '}
              <s>
                <span className="sr-only">{say('before the discount')} </span>
                {formatUsd(listPrice)}
              </s>
            </>
          )}
        </p>
      </div>
      <p className="font-medium tabular-nums">{formatUsd(times(unitPrice, quantity))}</p>
    </li>
  )
}

function Totals({ order: { amounts } }: { order: OrderView }) {
  const { subtotal, saving, shipping, shippingMethod, surcharges, total, about, giftCard } = amounts
  const { refunded, refundedToGiftCard, refundReturned } = amounts
  return (
    <section aria-labelledby="totals" className="rounded-card border border-line bg-surface p-5 shadow-card sm:p-6">
      <h2 id="totals" className="text-[1.25rem]">
        {say('Totals')}
      </h2>
      <dl className="mt-4 grid gap-2.5 text-[0.9375rem]">
        <Row label={say('Subtotal')} {...(saving !== undefined && { note: sayMade(saving) })}>
          {formatUsd(subtotal)}
        </Row>
        <Row label={say('Shipping')} note={sayMade(shippingMethod)}>
          {shipping === 0 ? <span className="font-medium text-good">{say('Free')}</span> : formatUsd(shipping)}
        </Row>
        {surcharges.map(({ productName, amount }, index) => (
          // Two colors of one product are two surcharges with the same name.
          <Row
            key={`${productName} ${index}`}
            label={say('Shipping surcharge, {product}', { product: spokenName(productName) })}
          >
            {formatUsd(amount)}
          </Row>
        ))}
        {taxRowsOf(amounts).map(({ label, name, amount }) => (
          <Row key={label} label={label} {...(name !== undefined && { note: name })}>
            {formatUsd(amount)}
          </Row>
        ))}
        <div className="mt-2 flex items-baseline justify-between gap-4 border-t border-line pt-4">
          <dt className="text-base font-semibold">
            {say('Total')}
            {about !== undefined && <span className="block text-sm font-normal text-ink-soft">{sayMade(about)}</span>}
          </dt>
          <dd className="font-display text-[1.625rem] leading-none tabular-nums">
            {formatUsd(total)}
            <span className="ml-1.5 font-text text-sm text-ink-soft">{say('USD')}</span>
          </dd>
        </div>
        {giftCard !== undefined && <Row label={say('Paid by gift card')}>{formatUsd(giftCard)}</Row>}
        {refunded > 0 && (
          <Row
            label={say('Refunded')}
            {...(refundedToGiftCard !== undefined && {
              note: say('{amount} of it as store credit', { amount: formatUsd(refundedToGiftCard) }),
            })}
          >
            {formatUsd(negate(refunded))}
          </Row>
        )}
      </dl>
      {refundReturned > 0 && (
        <p className="mt-4 border-t border-line pt-4 text-[0.9375rem]">
          {say(
            'A refund of {amount} did not arrive: your bank or wallet sent it back to us. The money is still yours. We will send it another way and email you when we have.',
            { amount: formatUsd(refundReturned) },
          )}
        </p>
      )}
    </section>
  )
}

const Row = ({ label: name, note, children }: { label: string; note?: string; children: ReactNode }) => (
  <div className="flex items-baseline justify-between gap-4">
    <dt>
      {name}
      {note && <span className="block text-sm text-ink-soft">{note}</span>}
    </dt>
    <dd className="shrink-0 tabular-nums">{children}</dd>
  </div>
)

function Facts({ order }: { order: OrderView }) {
  const { email, can, status, fulfillment, kind, paidWith, texts = [] } = order
  return (
    <dl className="grid gap-4 text-[0.9375rem]">
      <div>
        <dt className="text-ink-soft">{say('Ships to')}</dt>
        <dd className="font-medium">{placeOf(order)}</dd>
        {!can.correctAddress && status !== 'refunded' && addressNote(fulfillment) && (
          <dd className="text-sm text-ink-soft">{addressNote(fulfillment)}</dd>
        )}
      </div>
      <div>
        <dt className="text-ink-soft">{say('Updates go to')}</dt>
        <dd className="font-medium [overflow-wrap:anywhere]">{email}</dd>
      </div>
      <div>
        <dt className="text-ink-soft">{say('Paid with')}</dt>
        <dd className="font-medium">
          {sayKnown(kind !== 'sale' ? 'No charge' : paidWith === 'card' ? 'Card' : 'PayPal')}
        </dd>
      </div>
      {texts.map(({ label, text }) => (
        <div key={label}>
          <dt className="text-ink-soft">{sayKnown(label)}</dt>
          <dd className="font-medium [overflow-wrap:anywhere]">{text}</dd>
        </div>
      ))}
    </dl>
  )
}

function Actions({ order, orderKey }: { order: ShownOrder; orderKey: OrderKey }) {
  const { orderNumber, kind } = order
  return (
    <div className="grid gap-5">
      <form method="post" action={spokenAddress(paths.orderConfirmation)}>
        <KeyFields orderKey={orderKey} />
        <input type="hidden" name="wish" value="reorder" />
        <Button type="submit" variant="outline" className="w-full">
          {say('Order again')}
        </Button>
        <p className="mt-2 text-sm text-ink-soft">{say('Adds these items to your cart at today’s prices.')}</p>
      </form>
      <div className="grid divide-y divide-line border-y border-line">
        {order.giftPage && (
          <Link to={order.giftPage} className={ACTION}>
            <span>
              {say('The recipient’s page')}
              <span className="block text-sm font-normal text-ink-soft">
                {say('Where the gift is, without prices. Send them its address.')}
              </span>
            </span>
          </Link>
        )}
        {kind === 'sale' && (
          <a href={fileAddress('receipt.pdf', orderKey)} className={ACTION}>
            {say('Receipt (PDF)')}
          </a>
        )}
        <ClaimLinks order={order} orderKey={orderKey} className={ACTION} />
        <Link
          // Number and email alone open no messages; the contact form's reach the order's conversation as well.
          to={
            order.isPayer || orderKey.token
              ? withKey(conversationPaths.messages, orderKey)
              : paths.contactAbout(`Order ${formatOrderNumber(orderNumber)}`)
          }
          className={ACTION}
        >
          {say('Message us')}
        </Link>
      </div>
      <p className="text-sm text-ink-soft">
        <Sentence
          word="Or email {address}"
          parts={{
            address: <SupportEmail subject={say('Order {number}', { number: formatOrderNumber(orderNumber) })} />,
          }}
        />
      </p>
    </div>
  )
}

/** A row of the list of what else can be done. */
const ACTION = 'flex min-h-12 items-center py-2 font-medium underline-offset-4 hover:underline'

const KeyFields = ({ orderKey }: { orderKey: OrderKey }) =>
  Object.entries(orderKey).map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />)

const fileAddress = (file: string, orderKey: OrderKey): string =>
  withKey(`${paths.orderConfirmation}/${file}`, orderKey)
