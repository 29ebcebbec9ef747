import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useParams } from 'react-router'
import type { AdminOrder } from '#contract/admin-orders.ts'
import { paths } from '#contract/paths.ts'
import { accountLabel, postingLabel } from '#domain/ledger/account-labels.ts'
import { formatUsd, times, ZERO } from '#shared/money.ts'
import { Link } from '#web/app/Link.tsx'
import { Notice } from '#web/checkout/Notice.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { QueryBoundary } from './QueryBoundary.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { Moment } from './Moment.tsx'
import { OrderActions, type MakingAction } from './OrderActions.tsx'
import { OrderCorrections } from './OrderCorrections.tsx'
import { OrderMails } from './OrderMails.tsx'
import { OrderNotes } from './OrderNotes.tsx'
import { OrderRefund } from './OrderRefund.tsx'
import { StatusLabel } from './StatusLabel.tsx'
import { adminOrderQuery } from './admin-queries.ts'
import { formatNewYorkTime } from './date-format.ts'

/** `/admin/orders/:number`: everything that the shop knows of an order, and what can be done about it. */
export function OrderPage() {
  const { number = '' } = useParams()
  const order = useQuery(adminOrderQuery(number))
  return (
    <AdminFrame
      title={`Order ${number}`}
      actions={
        <Link to={paths.adminOrders} className="link-line inline-flex min-h-11 items-center">
          All orders
        </Link>
      }
    >
      <QueryBoundary query={order}>{(shown) => <OrderDetails order={shown} />}</QueryBoundary>
    </AdminFrame>
  )
}

function OrderDetails({ order }: { order: AdminOrder }) {
  const [asked, setAsked] = useState<MakingAction>()
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-10 xl:grid-cols-[minmax(0,1fr)_19rem]">
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-10">
        <p className="-my-4 text-lg xl:hidden">
          <StatusLabel status={order.status} />
        </p>
        {order.attention && (
          <Notice tone="calm" title="This order waits for somebody">
            {order.attention}
          </Notice>
        )}
        {order.erasedAt && (
          <Notice tone="calm" title="The customer was erased">
            On {formatNewYorkTime(order.erasedAt)}. Amounts, goods and tax stay; names and addresses are gone for good.
          </Notice>
        )}
        <Lines order={order} />
        <OrderActions order={order} activeAction={asked} onAsk={setAsked} />
        <OrderCorrections order={order} />
        <OrderRefund order={order} onCancelFirst={() => setAsked('cancel')} />
        <Timeline moments={order.timeline} />
        <OrderMails order={order} />
        <Books order={order} />
      </div>
      <aside aria-label="About this order" className="grid content-start gap-8">
        <Facts order={order} />
        <OrderNotes order={order} />
      </aside>
    </div>
  )
}

type Line = AdminOrder['lines'][number]

const lineColumns: readonly [Column<Line>, ...Column<Line>[]] = [
  {
    key: 'what',
    title: 'Goods',
    cell: ({ productName, variantName, returned }) => (
      <>
        {productName}
        {variantName && <span className="block text-sm font-normal text-ink-soft">{variantName}</span>}
        {returned > 0 && <span className="block text-sm font-normal text-ink-soft">{returned} refunded</span>}
      </>
    ),
  },
  { key: 'quantity', title: 'Pieces', isNumber: true, cell: ({ quantity }) => quantity },
  { key: 'price', title: 'Each', isNumber: true, cell: ({ unitPrice }) => formatUsd(unitPrice) },
  { key: 'total', title: 'Together', isNumber: true, cell: (line) => formatUsd(times(line.unitPrice, line.quantity)) },
]

const Lines = ({ order: { lines, amounts } }: { order: AdminOrder }) => (
  <section aria-labelledby="goods">
    <h2 id="goods" className="mb-4 text-[1.375rem]">
      Goods and amounts
    </h2>
    <Table
      caption="Goods"
      isCaptionHidden
      stacks
      columns={lineColumns}
      rows={lines}
      keyOf={({ position }) => position}
      empty="Nothing."
    />
    <dl className="mt-4 ml-auto grid max-w-[22rem] grid-cols-[1fr_auto] gap-x-8 gap-y-1.5 pr-4 tabular-nums">
      <Amount title="Goods" amount={amounts.subtotal} />
      <Amount title="Shipping with surcharges" amount={amounts.shipping} />
      <Amount title="Tax" amount={amounts.tax} />
      {amounts.vatProtection > ZERO && <Amount title="VAT protection" amount={amounts.vatProtection} />}
      <Amount title="Paid" amount={amounts.total} strong />
      {amounts.left !== amounts.total && <Amount title="Not given back or disputed" amount={amounts.left} />}
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

const kinds: Record<AdminOrder['timeline'][number]['kind'], string> = {
  order: 'Order',
  provider: 'Payment',
  partner: 'Printer',
  mail: 'Mail',
  money: 'Books',
  parcel: 'Parcel',
  owner: 'Admin',
  note: 'Note',
}

const Timeline = ({ moments }: { moments: AdminOrder['timeline'] }) => (
  <section aria-labelledby="timeline">
    <h2 id="timeline" className="mb-4 text-[1.375rem]">
      What happened
    </h2>
    <ol className="border-l border-line">
      {moments.map(({ at, kind, title, detail }, index) => (
        <li
          // Several things happen at one moment, and the list only grows.
          key={`${at} ${index}`}
          className="relative grid gap-x-6 py-2 pl-5 before:absolute before:top-4 before:-left-[4.5px] before:size-2 before:rounded-full before:bg-accent sm:grid-cols-[10.5rem_4.5rem_minmax(0,1fr)]"
        >
          <time dateTime={at} className="text-sm text-ink-soft tabular-nums sm:pt-0.5">
            {formatNewYorkTime(at)}
          </time>
          <span className="text-sm text-ink-soft sm:pt-0.5">{kinds[kind]}</span>
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
    title: 'Booked',
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
            <span className="text-right tabular-nums">{formatUsd(amount)}</span>
          </li>
        ))}
      </ul>
    ),
  },
]

const Books = ({ order: { postings } }: { order: AdminOrder }) => (
  <section aria-labelledby="books">
    <h2 id="books" className="mb-4 text-[1.375rem]">
      In the books
    </h2>
    <Table
      caption="Postings"
      isCaptionHidden
      stacks
      columns={postingColumns}
      rows={postings}
      keyOf={({ id }) => id}
      empty="Nothing is booked."
    />
  </section>
)

function Facts({ order }: { order: AdminOrder }) {
  const { customer, shippingAddress, billingAddress, paid, printer, parcels, refunds, disputes } = order
  return (
    <dl className="grid gap-5 rounded-card border border-line bg-surface p-5">
      <Fact title="Status">
        <StatusLabel status={order.status} />
        <Small>
          Money: {order.payment.replaceAll('_', ' ')}. Making: {order.fulfillment.replaceAll('_', ' ')}.
        </Small>
      </Fact>
      <Fact title="Paid">
        <time dateTime={order.placedAt}>{formatNewYorkTime(order.placedAt)}</time>
        <Small>
          {paid.provider === 'paypal' ? 'PayPal' : 'Card'}, {paid.id}
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
          </Fact>
          <Fact title="Sent to">
            <LinedSection lines={shippingAddress} />
          </Fact>
          {billingAddress.length > 0 && (
            <Fact title="Billed to">
              <LinedSection lines={billingAddress} />
            </Fact>
          )}
        </>
      )}
      <Fact title="Printer">
        {printer.id === null ? 'Does not have it yet' : `Has it as ${printer.id}`}
        <Small>Knows it as {printer.externalId}</Small>
        {printer.askedAt && <Small>Last asked {formatNewYorkTime(printer.askedAt)}</Small>}
      </Fact>
      {parcels.map((parcel, index) => (
        <Fact key={parcel.shippedAt + (parcel.trackingNumber ?? '')} title={`Parcel ${index + 1}`}>
          {carrierAndService(parcel)}
          <Small>
            {parcel.trackingUrl ? (
              <a href={parcel.trackingUrl} className="link-line" rel="noopener noreferrer">
                {parcel.trackingNumber ?? 'Follow it'}
              </a>
            ) : (
              parcel.trackingNumber
            )}
          </Small>
        </Fact>
      ))}
      {refunds.length > 0 && (
        <Fact title="Refunds">
          <ul className="grid gap-2">
            {refunds.map(({ id, amount, status, reason, source, reference }) => (
              <li key={id}>
                {formatUsd(amount)} <StatusLabel status={status} />
                <Small>
                  {reason}
                  {source === 'provider' && ' (at the provider’s own pages)'}
                  {reference !== null && ` (paid another way: ${reference})`}
                </Small>
              </li>
            ))}
          </ul>
        </Fact>
      )}
      {disputes.map(({ id, amount, fee, status, respondBy }) => (
        <Fact key={id} title="Dispute">
          {formatUsd(amount)} <StatusLabel status={status} />
          <Small>Its fee: {formatUsd(fee)}</Small>
          {respondBy && (status === 'open' || status === 'inquiry') && (
            <Small>
              Evidence is taken until <time dateTime={respondBy}>{formatNewYorkTime(respondBy)}</time>
            </Small>
          )}
        </Fact>
      ))}
    </dl>
  )
}

/** The name of a service often begins with its carrier's. */
const carrierAndService = ({ carrier, service }: AdminOrder['parcels'][number]): string =>
  carrier && service?.startsWith(carrier) ? service : [carrier, service].filter(Boolean).join(' ')

const Fact = ({ title, children }: { title: string; children: ReactNode }) => (
  <div>
    <dt className="eyebrow text-ink-soft">{title}</dt>
    <dd className="mt-1 wrap-anywhere">{children}</dd>
  </div>
)

const Small = ({ children }: { children: ReactNode }) => <span className="block text-sm text-ink-soft">{children}</span>

const LinedSection = ({ lines }: { lines: readonly string[] }) => (
  <span className="not-italic">
    {lines.map((line) => (
      <span key={line} className="block">
        {line}
      </span>
    ))}
  </span>
)
