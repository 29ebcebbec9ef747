import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useLoaderData, useSearchParams } from 'react-router'
import type { OrderKey, OrderView, Parcel, ShownOrder } from '#contract/orders.ts'
import { conversationPaths } from '#contract/conversation-paths.ts'
import { paths } from '#contract/paths.ts'
import { addressLines } from '#domain/checkout/address.ts'
import { paymentMethodText } from '#domain/payments/card.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { spokenAddress } from '#shared/language.ts'
import { say, sayKnown } from '#words/say.ts'
import { useSite } from '#web/api/use-site.ts'
import { SupportEmail } from '#web/app/SupportEmail.tsx'
import { ApiError } from '#web/api/client.ts'
import { orderQuery } from '#web/api/queries.ts'
import { Link } from '#web/app/Link.tsx'
import type { PageFacts } from '#web/app/page-route.ts'
import { ClaimLinks } from '#web/claims/ClaimLinks.tsx'
import { LegalVersionLinks } from '#web/content/LegalVersionLinks.tsx'
import { DateRange } from '#web/ui/DateRange.tsx'
import { EmailAddress } from '#web/ui/EmailAddress.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { PageHead } from '#web/ui/PageHead.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { useHydrated } from '#web/ui/use-form.ts'
import { usePageMark } from '#web/ui/use-page-mark.ts'
import { Sentence } from '#web/ui/Sentence.tsx'
import { UnbrokenSentences } from '#web/ui/UnbrokenSentences.tsx'
import { OrderChanges } from './OrderChanges.tsx'
import { OrderCorrections } from './OrderCorrections.tsx'
import { OrderAction, orderAction } from './OrderAction.tsx'
import { OrderSummary } from './OrderSummary.tsx'
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
const PairsWellWith = lazy(async () => ({ default: (await import('#web/catalog/PairsWellWith.tsx')).PairsWellWith }))
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
  usePageMark('chat-last')
  const { title, next } = orderMessage(order, useSite())
  // Read once: the forms must not move while the shopper uses them.
  const [isCorrectedFirst] = useState(order.needsAddress)
  const [isCorrectedHere] = useState(order.can.correctAddress)
  const { orderNumber, expected, milestones, parcels, stillToCome } = order
  const isOneParcel = parcels.length === 1 && stillToCome.length === 0
  /** Where it is matters most now. */
  const tracked = isOneParcel ? parcels.find(isOnItsWay) : undefined
  return (
    <div className="shell pt-8 pb-8 sm:pt-12">
      <PageHead title={say('Order {number}', { number: formatOrderNumber(orderNumber) })} />
      <div className="flow-root">
        <div className={LEFT}>
          <header>
            <p className="flex flex-wrap gap-x-4 text-sm text-ink-soft">
              <span className="font-semibold text-ink">
                <span className="sr-only">
                  {say('Order number {number}', { number: spellOrderNumber(orderNumber) })}
                </span>
                <span aria-hidden="true">{formatOrderNumber(orderNumber)}</span>
              </span>
              <span>
                <Sentence
                  word="Ordered {day}"
                  parts={{ day: <time dateTime={order.placedAt}>{longDay(order.placedAt)}</time> }}
                />
              </span>
            </p>
            <h1 className="mt-3 max-w-[18em] text-headline text-balance">
              <UnbrokenSentences>{title}</UnbrokenSentences>
            </h1>
            {expected && (
              <p className="mt-3 flex flex-wrap items-baseline gap-x-5 gap-y-1">
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
          </header>
          <div className="mt-7 grid grid-cols-1 gap-8 sm:mt-9">
            <Milestones milestones={milestones} isPaid={order.kind === 'sale'} />
            {mayNeedChoice(order) && (
              <WithScript otherwise={<LateNotice order={order} />}>
                <ParcelChoices orderKey={orderKey} unlessLate={<LateNotice order={order} />} />
              </WithScript>
            )}
            <WithScript>
              <PayChange orderKey={orderKey} />
            </WithScript>
            {isCorrectedFirst && <OrderCorrections order={order} orderKey={orderKey} />}
            {/* Its time runs out: on a phone above the sums. */}
            <OrderChanges order={order} orderKey={orderKey} />
          </div>
        </div>
        <div className={classNames(RIGHT, 'max-md:mt-8')}>
          <OrderSummary order={order} />
        </div>
        <div className={classNames(LEFT, 'mt-8 grid grid-cols-1 gap-8 sm:gap-10')}>
          {isCorrectedHere && !isCorrectedFirst && (
            <OrderCorrections order={order} orderKey={orderKey} isFolded={order.changes?.objection === null} />
          )}
          {parcels.length > 0 && (
            <section aria-labelledby="parcels" className={SECTION}>
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
          <div className={SECTION}>
            <Facts order={order} orderKey={orderKey} />
            {!isCorrectedHere && (
              <div className="mt-2 empty:hidden">
                <OrderCorrections order={order} orderKey={orderKey} isSmall />
              </div>
            )}
            {order.termsVersion !== null && (
              <dl className="mt-4 text-[0.8125rem] text-ink-soft">
                <dt>{say('Terms you agreed to')}</dt>
                <dd>
                  <LegalVersionLinks version={order.termsVersion} />
                </dd>
              </dl>
            )}
          </div>
          {order.kind === 'sale' && (order.isPayer || orderKey.token) && (
            <WithScript>
              <OrderInvoices orderKey={orderKey} country={order.countryCode} />
            </WithScript>
          )}
        </div>
        <Actions order={order} orderKey={orderKey} />
      </div>
      {order.kind === 'sale' && order.fulfillment !== 'cancelled' && (
        <WithScript>
          <PairsWellWith
            products={order.lines.map(({ productId }) => productId).toReversed()}
            className={classNames(SECTION, 'mt-8 sm:mt-10')}
          />
        </WithScript>
      )}
    </div>
  )
}

/**
 * From a tablet on two columns, floated: each goes on where its last part ends, and all parts keep the order of a phone, which is
 * also that of the focus. Rows of a grid would be as high as the higher one.
 */
const LEFT = 'md:float-left md:clear-left md:w-[calc(100%-22.5rem)] lg:w-[calc(100%-30rem)]'
const RIGHT = 'md:float-right md:clear-right md:w-80 lg:w-104'

const SECTION = 'border-t border-line pt-7'

/** What needs JavaScript: the server leaves it out. */
type WithScriptProps = { otherwise?: ReactNode; children: ReactNode }

const WithScript = ({ otherwise = null, children }: WithScriptProps) =>
  useHydrated() ? <Suspense fallback={otherwise}>{children}</Suspense> : otherwise

const mayNeedChoice = ({ isLate, parcels }: OrderView): boolean =>
  isLate || parcels.some(({ returnedAt, lostAt }) => returnedAt !== null || lostAt !== null)

const isOnItsWay = ({ deliveredAt, returnedAt, lostAt }: Parcel): boolean => !deliveredAt && !returnedAt && !lostAt

const hasArrived = ({ fulfillment, parcels }: OrderView): boolean =>
  fulfillment === 'delivered' || parcels.some(({ deliveredAt }) => deliveredAt !== null)

function Facts({ order, orderKey }: { order: OrderView; orderKey: OrderKey }) {
  const { email, can, status, fulfillment, kind, paidWith, card, shipsTo, texts = [] } = order
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-x-6 gap-y-5 text-[0.9375rem] sm:grid-cols-2 sm:grid-rows-[auto_1fr] lg:gap-x-10">
      <div className="max-sm:col-span-full sm:row-span-2">
        <dt className="text-ink-soft">{say('Ships to')}</dt>
        <dd className="font-medium [overflow-wrap:anywhere]">
          {shipsTo
            ? addressLines(shipsTo.name, shipsTo.address).map((line) => (
                <span key={line} className="block">
                  {line}
                </span>
              ))
            : placeOf(order)}
        </dd>
        {!shipsTo && orderKey.token && (
          <dd className="mt-0.5 text-sm text-balance text-ink-soft">
            {say('We don’t show the street here, because links get passed on.')}
          </dd>
        )}
        {!can.correctAddress && status !== 'refunded' && addressNote(fulfillment) && (
          <dd className="text-sm text-ink-soft">{addressNote(fulfillment)}</dd>
        )}
      </div>
      <div>
        <dt className="text-ink-soft">{say('Updates go to')}</dt>
        <dd className="font-medium">
          <EmailAddress email={email} />
        </dd>
      </div>
      <div>
        <dt className="text-ink-soft">{say('Paid with')}</dt>
        <dd className="font-medium">{kind === 'sale' ? paymentMethodText(paidWith, card) : say('No charge')}</dd>
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
    // Below the sums on a wide screen, and in sight while the rest is read.
    <div className={classNames(RIGHT, 'mt-8 lg:sticky lg:top-24')}>
      <div className="grid gap-x-10 border-t border-line sm:max-md:grid-cols-2">
        <form method="post" action={spokenAddress(paths.orderConfirmation)} className="grid">
          <KeyFields orderKey={orderKey} />
          <input type="hidden" name="wish" value="reorder" />
          <button type="submit" className={orderAction}>
            <OrderAction note={say('Adds these items to your cart at today’s prices.')}>
              {say('Order again')}
            </OrderAction>
          </button>
        </form>
        {order.giftPage && (
          <Link to={order.giftPage} className={orderAction}>
            <OrderAction note={say('Where the gift is, without prices. Send them its address.')}>
              {say('The recipient’s page')}
            </OrderAction>
          </Link>
        )}
        <Link
          // Number and email alone open no messages; the contact form's reach the order's conversation as well.
          to={
            order.isPayer || orderKey.token
              ? withKey(conversationPaths.messages, orderKey)
              : paths.contactAbout(`Order ${formatOrderNumber(orderNumber)}`)
          }
          className={orderAction}
        >
          <OrderAction>{say('Message us')}</OrderAction>
        </Link>
        <ClaimLinks order={order} orderKey={orderKey} />
        {kind === 'sale' && (
          <a href={fileAddress('receipt.pdf', orderKey)} className={orderAction}>
            <OrderAction>{say('Receipt (PDF)')}</OrderAction>
          </a>
        )}
      </div>
      <p className="mt-5 text-sm text-ink-soft">
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

const KeyFields = ({ orderKey }: { orderKey: OrderKey }) =>
  Object.entries(orderKey).map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />)

const fileAddress = (file: string, orderKey: OrderKey): string =>
  withKey(`${paths.orderConfirmation}/${file}`, orderKey)
