import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { OrderRow } from '#contract/admin-orders.ts'
import { paths } from '#contract/paths.ts'
import { fulfillmentStatuses, paymentStatuses } from '#domain/orders/status.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { formatUsd } from '#shared/money.ts'
import { fieldsOf } from '#web/api/error-sentence.ts'
import { Form } from '#web/app/Form.tsx'
import { Link } from '#web/app/Link.tsx'
import { PagedTable } from '#web/app/PagedTable.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Select } from '#web/ui/Select.tsx'
import type { Column } from '#web/ui/Table.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { Moment } from './Moment.tsx'
import { PhoneOrders } from './PhoneOrders.tsx'
import { StatusLabel, statusText } from './StatusLabel.tsx'
import { adminCollectionsQuery, filterIn, ordersQuery } from './admin-queries.ts'

/** `/admin/orders`: every order, searched and filtered. */
export function OrdersPage() {
  const [parameters] = useSearchParams()
  const filter = filterIn(parameters)
  const orders = useQuery(ordersQuery(filter))
  const isFiltered = Object.keys(filter).length > 0
  return (
    <AdminFrame
      title="Orders"
      actions={
        <Link to={paths.adminNewOrder} className={buttonClass('outline')}>
          New order
        </Link>
      }
    >
      {!isFiltered && <PhoneOrders />}
      <Filters key={parameters.toString()} filter={filter} errors={fieldsOf(orders.error)} isFiltered={isFiltered} />
      <QueryBoundary query={orders}>
        {({ orders: rows, hasMore }) => (
          <PagedTable
            caption="Orders"
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
            empty={isFiltered ? 'No orders match these filters.' : 'No orders yet.'}
            hasMore={hasMore}
            after={({ id }) =>
              `${paths.adminOrders}?${new URLSearchParams({ ...Object.fromEntries(parameters), older: String(id) })}`
            }
            nextText="Older orders"
          />
        )}
      </QueryBoundary>
    </AdminFrame>
  )
}

const columns: readonly [Column<OrderRow>, ...Column<OrderRow>[]] = [
  {
    key: 'number',
    title: 'Order',
    cell: ({ orderNumber }) => (
      <Link to={paths.adminOrder(orderNumber)} className="link-line whitespace-nowrap">
        {formatOrderNumber(orderNumber)}
      </Link>
    ),
  },
  {
    key: 'placed',
    title: 'Paid',
    cell: ({ placedAt }) => <Moment at={placedAt} />,
  },
  {
    key: 'who',
    title: 'Customer',
    cell: ({ name, email, country }) => (
      <span className="block max-w-[16em] min-w-36 wrap-anywhere">
        {name || 'Erased'}, {country}
        <span className="block text-sm text-ink-soft">{email}</span>
      </span>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    cell: ({ status, attention }) => (
      <>
        <StatusLabel status={status} />
        {attention && <span className="mt-1 block max-w-[20em] text-sm text-ink-soft">{attention}</span>}
      </>
    ),
  },
  {
    key: 'total',
    title: 'Total',
    isNumber: true,
    cell: ({ total, kind, provider }) => (
      <>
        {formatUsd(total)}
        <span className="block text-sm text-ink-soft">
          {kind !== 'sale' ? kindText(kind) : provider === 'paypal' ? 'PayPal' : 'Card'}
        </span>
      </>
    ),
  },
]

const kindText = (kind: string) => `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`

const ANY_OPTION = { value: '', label: 'Any' }
const toOptions = (values: readonly string[]) => values.map((value) => ({ value, label: statusText(value) }))
const statuses = [ANY_OPTION, ...toOptions(fulfillmentStatuses), ...toOptions(paymentStatuses)]
const providers = [ANY_OPTION, { value: 'stripe', label: 'Card (Stripe)' }, { value: 'paypal', label: 'PayPal' }]
const noop = () => {}

type FilterProps = {
  filter: ReturnType<typeof filterIn>
  errors: Readonly<Record<string, string>>
  isFiltered: boolean
}

/** A plain form, so that every search has its own address. */
const Filters = ({ filter, errors, isFiltered }: FilterProps) => {
  const { data } = useQuery(adminCollectionsQuery)
  const collectionNames = [ANY_OPTION, ...(data?.collections.map(({ id, name }) => ({ value: id, label: name })) ?? [])]
  return (
    <Form
      role="search"
      aria-label="Orders"
      action={paths.adminOrders}
      className="mb-8 grid grid-cols-2 items-start gap-x-4 gap-y-4 md:grid-cols-3 xl:grid-cols-5"
    >
      <Field
        label="Order number, email, name or payment ID"
        name="q"
        type="search"
        defaultValue={filter.q}
        maxLength={254}
        autoComplete="off"
        spellCheck={false}
        error={errors['q']}
        className="col-span-full"
      />
      <Select
        label="Status"
        name="status"
        options={statuses}
        defaultValue={filter.status}
        error={errors['status']}
        onValue={noop}
      />
      <Select
        label="Paid with"
        name="provider"
        options={providers}
        defaultValue={filter.provider}
        error={errors['provider']}
        onValue={noop}
      />
      <Select
        label="Collection"
        name="collection"
        options={collectionNames}
        defaultValue={filter.collection}
        error={errors['collection']}
        onValue={noop}
        className="max-md:col-span-2"
      />
      {/* Stacked where a date would otherwise run under its calendar icon. */}
      <div className="col-span-2 flex flex-wrap gap-4 *:min-w-44 *:flex-1">
        <Field label="From" name="from" type="date" defaultValue={filter.from} error={errors['from']} />
        <Field label="To" name="to" type="date" defaultValue={filter.to} error={errors['to']} />
      </div>
      <div className="col-span-full flex flex-wrap items-center gap-3">
        <Button type="submit">Find</Button>
        {isFiltered && (
          <Link to={paths.adminOrders} className={buttonClass('plain')}>
            All orders
          </Link>
        )}
      </div>
    </Form>
  )
}
