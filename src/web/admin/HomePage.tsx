import { useQuery } from '@tanstack/react-query'
import type { Overview } from '#contract/admin-overview.ts'
import type { OrderRow } from '#contract/admin-orders.ts'
import { paths } from '#contract/paths.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { formatUsd } from '#shared/money.ts'
import { Link } from '#web/app/Link.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { AdminFrame } from './AdminFrame.tsx'
import { OrderGoods } from './OrderGoods.tsx'
import { OverviewFigures } from './OverviewFigures.tsx'
import { QueueList } from './QueueList.tsx'
import { LateMark, StatusLabel } from './StatusLabel.tsx'
import { ToDoList } from './ToDoList.tsx'
import { adminCollectionsQuery, homeQuery, overviewQuery, productsQuery } from './admin-queries.ts'
import { formatNewYorkTime } from './date-format.ts'
import { May } from './May.tsx'

/** `/admin`: what needs the owner, how sales are, what is late, the last orders, whether the providers answer. */
export function HomePage() {
  const toDo = useQuery(homeQuery)
  return (
    <AdminFrame title="Home">
      <May need="owner">
        <FirstSteps />
      </May>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
        <QueryBoundary query={toDo}>{(counts) => <ToDoList counts={counts} />}</QueryBoundary>
        <May need="read_figures">
          <Figures />
        </May>
      </div>
    </AdminFrame>
  )
}

/** How sales are, and what that opens into. */
function Figures() {
  const overview = useQuery(overviewQuery)
  return (
    <QueryBoundary query={overview}>
      {({ periods, lastOrders, states, queues, providers }) => (
        <>
          <QueueList queues={queues} />
          <OverviewFigures periods={periods} />
          <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,1fr)_17rem]">
            <LastOrders orders={lastOrders} />
            <div className="grid content-start gap-8 sm:max-xl:grid-cols-2 sm:max-xl:gap-x-10">
              <States states={states} />
              <Providers providers={providers} />
            </div>
          </div>
        </>
      )}
    </QueryBoundary>
  )
}

/** Of a shop without products: what to do first, one step after the other. */
function FirstSteps() {
  const { data: catalog } = useQuery(productsQuery())
  const { data: listed } = useQuery(adminCollectionsQuery)
  if (!catalog || !listed || catalog.products.length > 0) return null
  const hasCollection = listed.collections.length > 0
  return (
    <section
      aria-labelledby="first-steps"
      className="mb-8 grid justify-items-start gap-4 rounded-card border border-line bg-surface p-6"
    >
      <h2 id="first-steps">{hasCollection ? 'Next: your first product' : 'First: a collection'}</h2>
      <p className="max-w-[40em] text-ink-soft">
        {hasCollection
          ? 'Choose what to print on, upload a drawing and place it. The printer makes the product, and the shop sells it.'
          : 'A name and an animal are enough to begin. Products belong to a collection, which has its own page and colors.'}
      </p>
      <Link to={hasCollection ? paths.newProduct : paths.adminNewCollection} className={buttonClass('primary')}>
        {hasCollection ? 'New product' : 'New collection'}
      </Link>
      <p className="text-sm text-ink-soft">
        Coming from another shop?{' '}
        <Link to={paths.adminImport} className="link-line">
          Bring your products along
        </Link>
      </p>
    </section>
  )
}

const LastOrders = ({ orders }: { orders: readonly OrderRow[] }) => (
  <section aria-labelledby="last-orders" className="min-w-0">
    <div className="mb-2 flex items-baseline justify-between gap-4">
      <h2 id="last-orders">Last orders</h2>
      {orders.length > 0 && (
        <Link to={paths.adminOrders} className="link-line text-[0.875rem]">
          All orders
        </Link>
      )}
    </div>
    {orders.length === 0 ? (
      <p className="border-y border-line py-3 text-ink-soft">No orders yet.</p>
    ) : (
      <ul className="divide-y divide-line border-y border-line">
        {orders.map((order) => (
          <li key={order.id}>
            <LastOrder order={order} />
          </li>
        ))}
      </ul>
    )}
  </section>
)

const LastOrder = ({ order }: { order: OrderRow }) => (
  <div className="relative -mx-2 grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 rounded-card px-2 py-2 hover:bg-button-quiet sm:grid-cols-[minmax(0,1fr)_10rem_9rem_5.5rem]">
    <span className="min-w-0">
      {/* The whole row is the link. */}
      <Link to={paths.adminOrder(order.orderNumber)} className="font-medium after:absolute after:inset-0">
        {formatOrderNumber(order.orderNumber)}
      </Link>
      <span className="block truncate text-[0.8125rem] text-ink-soft">
        {order.name || 'Erased'}, {order.country} · {formatNewYorkTime(order.placedAt)}
      </span>
    </span>
    <span className="max-sm:hidden">
      <OrderGoods order={order} />
    </span>
    <span className="text-[0.875rem] max-sm:row-start-2 max-sm:text-[0.8125rem]">
      <StatusLabel status={order.status} />
      {order.isLate && <LateMark />}
    </span>
    <span className="text-right font-medium max-sm:col-start-2 max-sm:row-start-1">{formatUsd(order.total)}</span>
  </div>
)

const States = ({ states }: Pick<Overview, 'states'>) => (
  <section aria-labelledby="states">
    <h2 id="states" className="mb-2">
      Orders under way
    </h2>
    {states.length === 0 ? (
      <p className="border-y border-line py-3 text-ink-soft">None.</p>
    ) : (
      <ul className="divide-y divide-line border-y border-line">
        {states.map(({ status, orders, late }) => (
          <li key={status} className="flex items-baseline justify-between gap-3 py-2">
            <Link to={`${paths.adminOrders}?status=${status}`} className="hover:underline">
              <StatusLabel status={status} />
            </Link>
            <span className="whitespace-nowrap">
              {late > 0 && <span className="mr-3 font-medium text-danger">{late.toLocaleString('en-US')} late</span>}
              {orders.toLocaleString('en-US')}
            </span>
          </li>
        ))}
      </ul>
    )}
  </section>
)

const healthWords: Readonly<Record<Overview['providers'][number]['state'], string>> = {
  fine: 'Works',
  failing: 'Doesn’t answer',
  unread: 'Not read yet',
}

const Providers = ({ providers }: Pick<Overview, 'providers'>) => (
  <section aria-labelledby="providers">
    <h2 id="providers" className="mb-2">
      Providers
    </h2>
    <ul className="divide-y divide-line border-y border-line">
      {providers.map(({ name, state, at }) => (
        <li key={name} className="flex flex-wrap items-baseline justify-between gap-x-3 py-2">
          <span className="font-medium">{name}</span>
          <span
            className={classNames(
              'text-right',
              state === 'failing' ? 'font-medium text-danger' : state === 'fine' ? 'text-good' : 'text-ink-soft',
            )}
          >
            {healthWords[state]}
          </span>
          {at && (
            <span className="w-full text-[0.8125rem] text-ink-soft">
              {state === 'failing' ? 'Since ' : 'Read '}
              <time dateTime={at}>{formatNewYorkTime(at)}</time>
            </span>
          )}
        </li>
      ))}
    </ul>
  </section>
)
