import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { OpenOrders, OrderRow } from '#contract/admin-orders.ts'
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
import { Icon } from '#web/ui/Icon.tsx'
import { Select } from '#web/ui/Select.tsx'
import type { Column } from '#web/ui/Table.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { inputClass } from '#web/ui/input-class.ts'
import { AdminFrame } from './AdminFrame.tsx'
import { Moment } from './Moment.tsx'
import { OrderBulk } from './OrderBulk.tsx'
import { OrderGoods } from './OrderGoods.tsx'
import { PhoneOrders } from './PhoneOrders.tsx'
import { SavedViews } from './SavedViews.tsx'
import { LateMark, StatusLabel, statusText } from './StatusLabel.tsx'
import { adminCollectionsQuery, filterIn, ordersQuery } from './admin-queries.ts'
import { May } from './May.tsx'

/** `/admin/orders`: every order, searched and filtered. */
export function OrdersPage() {
  const [parameters] = useSearchParams()
  const filter = filterIn(parameters)
  const orders = useQuery(ordersQuery(filter))
  const isFiltered = Object.keys(filter).length > 0
  const open = useLastOpen(orders.data?.open)
  const selectAllId = useId()
  const { older: _, q: search, ...saveable } = filter
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  // What is selected but no longer in the list, such as on another page, is not acted on.
  const shown = (orders.data?.orders ?? []).map(({ orderNumber }) => orderNumber)
  const selected = shown.filter((number) => chosen.has(number))
  const select = (number: string, isOn: boolean) =>
    setChosen(new Set(isOn ? [...selected, number] : selected.filter((other) => other !== number)))
  return (
    <AdminFrame
      title="Orders"
      actions={
        <May need="edit_orders">
          <Link to={paths.adminNewOrder} className={buttonClass('outline')}>
            New order
          </Link>
        </May>
      }
    >
      {!isFiltered && <PhoneOrders />}
      {open && <States open={open} filter={filter} />}
      <Filters key={parameters.toString()} filter={filter} errors={fieldsOf(orders.error)} isFiltered={isFiltered} />
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-1.5">
        <SavedViews filter={saveable} canSave={Object.keys(saveable).length > 0 && !search} />
        {shown.length > 1 && (
          <label
            htmlFor={selectAllId}
            className="ml-auto inline-flex min-h-9 items-center gap-2 text-[0.875rem] text-ink-soft noscript:hidden print:hidden"
          >
            Select all on this page
            <Selector
              id={selectAllId}
              isOn={selected.length === shown.length}
              onChange={(isOn) => setChosen(new Set(isOn ? shown : []))}
            />
          </label>
        )}
      </div>
      <OrderBulk selected={selected} onClear={() => setChosen(new Set())} />
      <QueryBoundary query={orders}>
        {({ orders: rows, hasMore }) => (
          <PagedTable
            caption="Orders"
            columns={[selectColumn(new Set(selected), select), ...columns]}
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

/** The tabs stay while another one loads. */
function useLastOpen(open: OpenOrders | undefined): OpenOrders | undefined {
  const [last, setLast] = useState(open)
  if (open && open !== last) setLast(open)
  return open ?? last
}

type Select = (number: string, isOn: boolean) => void

/** The number of an order, and whether it is selected for what is done with several. */
const selectColumn = (selected: ReadonlySet<string>, select: Select): Column<OrderRow> => ({
  key: 'number',
  title: 'Order',
  cell: ({ orderNumber }) => (
    <span className="flex items-center gap-2.5">
      <Selector
        label={`Select order ${formatOrderNumber(orderNumber)}`}
        isOn={selected.has(orderNumber)}
        onChange={(isOn) => select(orderNumber, isOn)}
      />
      <Link to={paths.adminOrder(orderNumber)} className="link-line whitespace-nowrap">
        {formatOrderNumber(orderNumber)}
      </Link>
    </span>
  ),
})

type SelectorProps = { id?: string; label?: string; isOn: boolean; onChange: (isOn: boolean) => void }

/** Without script there is nothing to select for. */
const Selector = ({ id, label, isOn, onChange }: SelectorProps) => (
  <input
    id={id}
    type="checkbox"
    aria-label={label}
    checked={isOn}
    onChange={(event) => onChange(event.currentTarget.checked)}
    className="size-4.5 shrink-0 accent-(--color-button) pointer-coarse:size-6 noscript:hidden print:hidden"
  />
)

const columns: readonly Column<OrderRow>[] = [
  { key: 'goods', title: 'Items', cell: (order) => <OrderGoods order={order} /> },
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
    cell: ({ status, attention, isLate }) => (
      <>
        <StatusLabel status={status} />
        {isLate && <LateMark />}
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

type Filter = ReturnType<typeof filterIn>

/** Other filters stay while the state changes. */
function pathOf(filter: Filter, state: { status?: string; late?: string }): string {
  const wanted = { ...filter, status: undefined, late: undefined, older: undefined, ...state }
  const query = new URLSearchParams(Object.entries(wanted).flatMap(([name, value]) => (value ? [[name, value]] : [])))
  return query.size > 0 ? `${paths.adminOrders}?${query}` : paths.adminOrders
}

/** Tabs: a link for each state that has orders, with their number. An address with its filters is a view to bookmark. */
function States({ open, filter }: { open: OpenOrders; filter: Filter }) {
  const late = open.reduce((sum, row) => sum + row.late, 0)
  const current = filter.late ? 'late' : (filter.status ?? '')
  const tabs = [
    { key: '', text: 'All', to: pathOf(filter, {}), count: undefined },
    ...(late > 0 || filter.late ? [{ key: 'late', text: 'Late', to: pathOf(filter, { late: '1' }), count: late }] : []),
    ...open.map(({ status, orders }) => ({
      key: status,
      text: statusText(status),
      to: pathOf(filter, { status }),
      count: orders,
    })),
    { key: 'delivered', text: 'delivered', to: pathOf(filter, { status: 'delivered' }), count: undefined },
  ]
  return (
    <nav aria-label="Orders by state" className="mb-4 overflow-x-auto border-b border-line">
      <ul className="flex gap-x-5">
        {tabs.map(({ key, text, to, count }) => (
          <li key={key}>
            <Link
              to={to}
              aria-current={key === current ? 'page' : undefined}
              className={classNames(
                'inline-flex min-h-10 items-center gap-1.5 border-b-2 whitespace-nowrap',
                key === current ? 'border-ink font-semibold' : 'border-transparent text-ink-soft hover:text-ink',
              )}
            >
              <span className="inline-block first-letter:uppercase">{text}</span>
              {count !== undefined && (
                <span className={classNames('text-[0.8125rem]', key === 'late' && 'text-danger')}>
                  {count.toLocaleString('en-US')}
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

type FilterProps = {
  filter: Filter
  errors: Readonly<Record<string, string>>
  isFiltered: boolean
}

const SEARCH_LABEL = 'Order number, email, name or payment ID'

/** A plain form, so that every search has its own address. One line; the rarer filters are folded. */
const Filters = ({ filter, errors, isFiltered }: FilterProps) => {
  const { data } = useQuery(adminCollectionsQuery)
  const errorId = useId()
  const collectionNames = [ANY_OPTION, ...(data?.collections.map(({ id, name }) => ({ value: id, label: name })) ?? [])]
  const { provider, collection, from, to } = filter
  const hasRarer = [provider, collection, from, to].some(Boolean) || Object.keys(errors).some((name) => name !== 'q')
  return (
    <Form role="search" aria-label="Orders" action={paths.adminOrders} className="mb-5">
      {filter.late && <input type="hidden" name="late" value="1" />}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <input
          type="search"
          name="q"
          aria-label={SEARCH_LABEL}
          placeholder={SEARCH_LABEL}
          defaultValue={filter.q}
          maxLength={254}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={errors['q'] ? true : undefined}
          aria-describedby={errors['q'] ? errorId : undefined}
          className={classNames(inputClass, 'max-w-[34rem] min-w-0 flex-1')}
        />
        <Button type="submit">Find</Button>
        {isFiltered && (
          <Link to={paths.adminOrders} className={buttonClass('plain')}>
            All orders
          </Link>
        )}
      </div>
      {errors['q'] && (
        <p id={errorId} className="mt-1.5 text-sm font-medium text-danger">
          {errors['q']}
        </p>
      )}
      <details open={hasRarer} className="mt-1">
        <summary className="inline-flex min-h-9 items-center gap-1 text-[0.875rem] text-ink-soft hover:text-ink">
          More filters <Icon name="down" className="size-3.5" />
        </summary>
        <div className="grid grid-cols-2 items-start gap-4 pt-2 pb-1 md:grid-cols-3 xl:grid-cols-5">
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
        </div>
      </details>
    </Form>
  )
}
