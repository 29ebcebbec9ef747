import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useParams } from 'react-router'
import type { AdminOrder } from '#contract/admin-orders.ts'
import { paths } from '#contract/paths.ts'
import { DEFAULT_PICTURE } from '#domain/catalog/default-picture.ts'
import { accountLabel, postingLabel } from '#domain/ledger/account-labels.ts'
import { paymentMethodText } from '#domain/payments/card.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { languageNames } from '#shared/language.ts'
import { formatUsd, minus, times, ZERO } from '#shared/money.ts'
import { Link } from '#web/app/Link.tsx'
import { LegalVersionLinks } from '#web/content/LegalVersionLinks.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { Moment } from './Moment.tsx'
import { OrderActions, type FulfillmentAction } from './OrderActions.tsx'
import { ParcelEvents } from '#web/orders/ParcelEvents.tsx'
import { OrderConversation } from './OrderConversation.tsx'
import { OrderCorrections } from './OrderCorrections.tsx'
import { LoseParcel } from './LoseParcel.tsx'
import { OrderDisputes } from './OrderDisputes.tsx'
import { OrderInvoices } from './OrderInvoices.tsx'
import { OrderMails } from './OrderMails.tsx'
import { OrderNotes } from './OrderNotes.tsx'
import { OrderReplacement } from './OrderReplacement.tsx'
import { OrderRefund } from './OrderRefund.tsx'
import { StatusLabel, statusText } from './StatusLabel.tsx'
import { adminOrderQuery } from './admin-queries.ts'
import { formatNewYorkTime } from './date-format.ts'
import { May } from './May.tsx'

/** `/admin/orders/:number`: everything the shop knows about an order, and what can be done with it. */
export function OrderPage() {
  const { number = '' } = useParams()
  const order = useQuery(adminOrderQuery(number))
  return (
    <AdminFrame
      title={`Order ${formatOrderNumber(number)}`}
      actions={
        <Link to={paths.adminOrders} className="link-line inline-flex min-h-11 items-center">
          All orders
        </Link>
      }
    >
      <QueryBoundary query={order}>{(data) => <OrderDetails order={data} />}</QueryBoundary>
    </AdminFrame>
  )
}

function OrderDetails({ order }: { order: AdminOrder }) {
  const [activeAction, setActiveAction] = useState<FulfillmentAction>()
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-10 xl:grid-cols-[minmax(0,1fr)_19rem]">
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-10">
        <InShort order={order} />
        {order.attention && (
          <Notice tone="calm" title="This order needs attention">
            {order.attention}
          </Notice>
        )}
        {order.erasedAt && (
          <Notice tone="calm" title="Customer data erased">
            On {formatNewYorkTime(order.erasedAt)}. Amounts, items and tax stay; names and addresses are gone for good.
          </Notice>
        )}
        <OrderDisputes order={order} />
        <Lines lines={order.lines} />
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-8 md:grid-cols-[minmax(0,1fr)_18rem]">
          {/* On a phone the buttons say enough, and fit the first screen. */}
          <div className="grid gap-4 md:gap-6 max-md:[&_h2]:sr-only">
            <May need="fulfill_orders">
              <OrderActions order={order} activeAction={activeAction} onOpen={setActiveAction} />
            </May>
            <May need="edit_orders">
              <OrderCorrections order={order} />
            </May>
            <May need="fulfill_orders">
              <OrderReplacement order={order} />
            </May>
            <May need="refund_orders">
              <OrderRefund order={order} onCancelFirst={() => setActiveAction('cancel')} />
            </May>
          </div>
          <Totals order={order} />
        </div>
        <Timeline moments={order.timeline} />
        <OrderInvoices order={order} />
        <OrderMails order={order} />
        <Ledger order={order} />
      </div>
      <aside aria-label="About this order" className="grid content-start gap-8">
        <Facts order={order} />
        <May need="read_messages">
          <OrderConversation order={order} />
        </May>
        <OrderNotes order={order} />
      </aside>
    </div>
  )
}

type Line = AdminOrder['lines'][number]

const lineColumns: readonly [Column<Line>, ...Column<Line>[]] = [
  {
    key: 'what',
    title: 'Item',
    cell: ({ productName, variantName, imageUrl, returned }) => (
      <span className="flex items-start gap-3">
        <img
          src={imageUrl || DEFAULT_PICTURE}
          alt=""
          width={44}
          height={44}
          decoding="async"
          className="size-11 rounded-[4px] border border-line bg-button-quiet object-cover"
        />
        <span>
          {productName}
          {variantName && <span className="block text-sm font-normal text-ink-soft">{variantName}</span>}
          {returned > 0 && <span className="block text-sm font-normal text-ink-soft">{returned} refunded</span>}
        </span>
      </span>
    ),
  },
  { key: 'quantity', title: 'Qty', isNumber: true, cell: ({ quantity }) => quantity },
  {
    key: 'price',
    title: 'Price',
    isNumber: true,
    cell: ({ unitPrice, listPrice }) => (
      <>
        {formatUsd(unitPrice)}
        {listPrice !== null && <span className="block text-sm text-ink-soft">instead of {formatUsd(listPrice)}</span>}
      </>
    ),
  },
  { key: 'total', title: 'Total', isNumber: true, cell: (line) => formatUsd(times(line.unitPrice, line.quantity)) },
]

/** Below a desktop's width the facts come last: here is what must be seen first. */
const InShort = ({ order: { status, customer, shippingAddress, erasedAt } }: { order: AdminOrder }) => (
  <div className="-my-5 xl:hidden">
    <p className="font-medium">
      <StatusLabel status={status} />
    </p>
    {!erasedAt && (
      <p className="text-[0.875rem] wrap-anywhere text-ink-soft">
        {customer.name}, {customer.email}, {shippingAddress.at(-1)}
      </p>
    )}
  </div>
)

const Lines = ({ lines }: Pick<AdminOrder, 'lines'>) => (
  <Table
    caption="Items"
    isCaptionHidden
    stacks
    columns={lineColumns}
    rows={lines}
    keyOf={({ position }) => position}
    empty="No items."
  />
)

const Totals = ({ order: { kind, amounts } }: { order: AdminOrder }) => (
  <section aria-labelledby="totals">
    <h2 id="totals" className="mb-3">
      Totals
    </h2>
    <dl className="grid grid-cols-[1fr_auto] gap-x-8 gap-y-1.5">
      <Amount
        title={amounts.saving === undefined ? 'Subtotal' : `Subtotal (${amounts.saving})`}
        amount={amounts.subtotal}
      />
      <Amount title="Shipping and surcharges" amount={amounts.shipping} />
      <Amount title="Tax" amount={amounts.tax} />
      {amounts.vatProtection > ZERO && <Amount title="VAT protection" amount={amounts.vatProtection} />}
      <Amount title={kind === 'sale' ? 'Paid' : 'Total'} amount={amounts.total} strong />
      {amounts.giftCard > ZERO && <Amount title="Of it by gift card" amount={amounts.giftCard} />}
      {amounts.left !== amounts.total && <Amount title="Not refunded or disputed" amount={amounts.left} />}
      {amounts.estimatedProfit !== null && (
        <Amount title="Profit expected at the sale" amount={amounts.estimatedProfit} />
      )}
      {amounts.profit !== null && <Amount title="Profit so far" amount={amounts.profit} />}
      {amounts.profit !== null && amounts.estimatedProfit !== null && (
        <Amount title="Difference" amount={minus(amounts.profit, amounts.estimatedProfit)} />
      )}
    </dl>
  </section>
)

const Amount = ({ title, amount, strong = false }: { title: string; amount: typeof ZERO; strong?: boolean }) => (
  <>
    <dt className={strong ? 'border-t border-line pt-1.5 font-semibold' : 'text-ink-soft'}>{title}</dt>
    <dd className={strong ? 'border-t border-line pt-1.5 text-right font-semibold' : 'text-right'}>
      {formatUsd(amount)}
    </dd>
  </>
)

const momentLabels: Record<AdminOrder['timeline'][number]['kind'], string> = {
  order: 'Order',
  provider: 'Payment',
  partner: 'Printer',
  mail: 'Email',
  money: 'Ledger',
  parcel: 'Parcel',
  owner: 'Admin',
  note: 'Note',
}

const Timeline = ({ moments }: { moments: AdminOrder['timeline'] }) => (
  <section aria-labelledby="timeline">
    <h2 id="timeline" className="mb-4 text-[1.375rem]">
      Timeline
    </h2>
    <ol className="border-l border-line">
      {moments.map(({ at, kind, title, detail }, index) => (
        <li
          // Several things happen at the same moment, and the list only grows.
          key={`${at} ${index}`}
          className="relative grid gap-x-6 py-2 pl-5 before:absolute before:top-4 before:-left-[4.5px] before:size-2 before:rounded-full before:bg-accent sm:grid-cols-[10.5rem_4.5rem_minmax(0,1fr)]"
        >
          <time dateTime={at} className="text-sm text-ink-soft sm:pt-0.5">
            {formatNewYorkTime(at)}
          </time>
          <span className="text-sm text-ink-soft sm:pt-0.5">{momentLabels[kind]}</span>
          <span className="wrap-anywhere">
            {title}
            {detail && <span className="block text-sm whitespace-pre-line text-ink-soft">{detail}</span>}
          </span>
        </li>
      ))}
    </ol>
  </section>
)

type Posting = AdminOrder['postings'][number]

const postingColumns: readonly [Column<Posting>, ...Column<Posting>[]] = [
  {
    key: 'kind',
    title: 'Posting',
    cell: ({ kind }) => <span className="inline-block first-letter:uppercase">{postingLabel(kind)}</span>,
  },
  {
    key: 'at',
    title: 'When',
    cell: ({ bookedAt }) => <Moment at={bookedAt} />,
  },
  {
    key: 'entries',
    title: 'Accounts',
    cell: ({ entries }) => (
      <ul className="grid grid-cols-[1fr_auto] gap-x-4 md:gap-x-8 md:whitespace-nowrap">
        {entries.map(({ account, amount }) => (
          <li key={account} className="contents">
            <span>{accountLabel(account)}</span>
            <span className="text-right">{formatUsd(amount)}</span>
          </li>
        ))}
      </ul>
    ),
  },
]

const Ledger = ({ order: { postings } }: { order: AdminOrder }) => (
  <section aria-labelledby="ledger">
    <h2 id="ledger" className="mb-4 text-[1.375rem]">
      Ledger
    </h2>
    <Table
      caption="Postings"
      isCaptionHidden
      stacks
      columns={postingColumns}
      rows={postings}
      keyOf={({ id }) => id}
      empty="No postings yet."
    />
  </section>
)

function Facts({ order }: { order: AdminOrder }) {
  const { customer, shippingAddress, billingAddress, paid, printer, parcels, refunds } = order
  return (
    <dl className="grid gap-5 rounded-card border border-line bg-surface p-5">
      <Fact title="Status">
        <StatusLabel status={order.status} />
        <Small>
          Payment: {statusText(order.payment)}. Fulfillment: {statusText(order.fulfillment)}.
        </Small>
      </Fact>
      <Fact title={order.kind === 'sale' ? 'Paid' : 'Ordered'}>
        <time dateTime={order.placedAt}>{formatNewYorkTime(order.placedAt)}</time>
        <Small>
          {order.kind === 'sale'
            ? `${paymentMethodText(paid.provider === 'paypal' ? 'paypal' : 'card', paid.card)}, ${paid.id}`
            : `A ${order.kind}, without a payment`}
        </Small>
      </Fact>
      {!order.erasedAt && (
        <>
          <Fact title="Customer">
            {customer.name}
            <Small>
              <a href={`mailto:${customer.email}`} className="link-line">
                {customer.email}
              </a>
            </Small>
            {customer.phone && <Small>{customer.phone}</Small>}
            {customer.language !== 'en' && <Small>reads {languageNames[customer.language]}</Small>}
          </Fact>
          {order.texts?.map(({ label, text }) => (
            <Fact key={label} title={label}>
              {text}
            </Fact>
          ))}
          <Fact title="Ship to">
            <AddressLines lines={shippingAddress} />
          </Fact>
          {billingAddress.length > 0 && (
            <Fact title="Bill to">
              <AddressLines lines={billingAddress} />
            </Fact>
          )}
        </>
      )}
      {order.partner && (
        <Fact title="Partner’s sale">
          {order.partner.name}, by {order.partner.by}
        </Fact>
      )}
      {order.terms && (
        <Fact title="Terms accepted">
          <TermsAccepted version={order.terms.version} />
          <Small>
            <Moment at={order.terms.acceptedAt} />
          </Small>
        </Fact>
      )}
      <Fact title="Printer">
        {printer.id === null ? 'Not submitted yet' : `Printful order ${printer.id}`}
        <Small>Our reference {printer.externalId}</Small>
        {printer.askedAt && <Small>Last checked {formatNewYorkTime(printer.askedAt)}</Small>}
      </Fact>
      {parcels.map((parcel, index) => (
        <Fact key={parcel.shippedAt + (parcel.trackingNumber ?? '')} title={`Parcel ${index + 1}`}>
          {carrierAndService(parcel)}
          <Small>
            {parcel.trackingUrl ? (
              <a href={parcel.trackingUrl} className="link-line" rel="noopener noreferrer">
                {parcel.trackingNumber ?? 'Track it'}
              </a>
            ) : (
              parcel.trackingNumber
            )}
          </Small>
          <ParcelEvents events={parcel.events} />
          <LoseParcel orderNumber={order.orderNumber} parcel={parcel} />
        </Fact>
      ))}
      {refunds.length > 0 && (
        <Fact title="Refunds">
          <ul className="grid gap-2">
            {refunds.map(({ id, amount, status, reason, source, giftCardId, reference }) => (
              <li key={id}>
                {formatUsd(amount)} <StatusLabel status={status} />
                <Small>
                  {reason}
                  {source === 'provider' && ' (made in the provider’s dashboard)'}
                  {giftCardId !== null && ` (to gift card ${giftCardId})`}
                  {reference !== null && ` (paid another way: ${reference})`}
                </Small>
              </li>
            ))}
          </ul>
        </Fact>
      )}
    </dl>
  )
}

/** A service's name often begins with its carrier's. */
const carrierAndService = ({ carrier, service }: AdminOrder['parcels'][number]): string =>
  carrier && service?.startsWith(carrier) ? service : [carrier, service].filter(Boolean).join(' ')

const Fact = ({ title, children }: { title: string; children: ReactNode }) => (
  <div>
    <dt className="eyebrow text-ink-soft">{title}</dt>
    <dd className="mt-1 wrap-anywhere">{children}</dd>
  </div>
)

const Small = ({ children }: { children: ReactNode }) => <span className="block text-sm text-ink-soft">{children}</span>

const AddressLines = ({ lines }: { lines: readonly string[] }) => (
  <span className="not-italic">
    {lines.map((line) => (
      <span key={line} className="block">
        {line}
      </span>
    ))}
  </span>
)

/** Links to the texts as they were. */
const TermsAccepted = ({ version }: { version: number | string }) =>
  typeof version === 'string' ? `Version of ${version}` : <LegalVersionLinks version={version} />
