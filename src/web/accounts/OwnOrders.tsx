import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OwnOrder } from '#contract/orders.ts'
import { paths } from '#contract/paths.ts'
import { spokenName } from '#domain/catalog/product-name.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { sentenceOf } from '#web/api/error-sentence.ts'
import { ownOrdersQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { useRequest } from '#web/api/use-request.ts'
import { Link } from '#web/app/Link.tsx'
import { LinePicture } from '#web/checkout/LinePicture.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { longDay } from '#web/orders/order-labels.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { Price } from '#web/ui/Price.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { say } from '#words/say.ts'
import { Sentence } from '#web/ui/Sentence.tsx'
import type { Word } from '#words/words.ts'
import { Section } from './Section.tsx'

const statusLabels: Readonly<Record<string, Word>> = {
  paid: 'Paid',
  submitted: 'With our printer',
  in_production: 'Being made',
  partially_shipped: 'Partly shipped',
  shipped: 'On its way',
  delivered: 'Delivered',
  on_hold: 'On hold',
  needs_attention: 'On hold',
  cancelled: 'Canceled',
  refunded: 'Refunded',
  partially_refunded: 'Partly refunded',
  no_charge: 'Ordered, no charge',
  returned: 'Returned to us',
}

/** @param email the confirmed one, by which orders are found */
export const OwnOrders = ({ email }: { email: string | null }) => (
  <Section
    title={say('Orders')}
    description={
      email ? (
        <p>
          <Sentence
            word="All orders placed with {email}, as a guest or signed in."
            parts={{ email: <span className="wrap-anywhere">{email}</span> }}
          />
        </p>
      ) : (
        <p>{say('Found by your email.')}</p>
      )
    }
  >
    {email ? (
      <List key={email} />
    ) : (
      <div className="rounded-card border border-dashed border-ink/40 p-5 sm:p-6">
        <p className="max-w-[36em]">
          {say(
            'Confirm your email below to see the orders you placed with it, including guest orders. Until then, you can track each one by its number.',
          )}
        </p>
        <Link to={paths.track} className={buttonClass('outline', 'mt-5')}>
          {say('Track an order')}
        </Link>
      </div>
    )}
  </Section>
)

function List() {
  const api = useApi()
  const { data, error } = useQuery(ownOrdersQuery())
  const [older, setOlder] = useState<{ orders: readonly OwnOrder[]; hasMore: boolean }>()
  const { run, busy, failure } = useRequest()
  if (error) return <Notice title={say('Your orders could not be loaded')}>{sentenceOf(error)}</Notice>
  if (!data)
    return (
      <div role="status">
        <span className="sr-only">{say('Loading...')}</span>
        <Skeleton className="h-24" />
      </div>
    )
  const orders = [...data.orders, ...(older?.orders ?? [])]
  const last = orders.at(-1)
  if (!last)
    return (
      <div className="grid justify-items-start gap-5">
        <p>{say('No orders yet.')}</p>
        <Link to={paths.products} className={buttonClass('primary')}>
          {say('Start shopping')}
        </Link>
      </div>
    )
  const loadOlder = () =>
    run(async () => {
      const more = await api('GET /api/account/orders', { query: { after: last.orderNumber } })
      setOlder((before) => ({ orders: [...(before?.orders ?? []), ...more.orders], hasMore: more.hasMore }))
    })
  return (
    <>
      <ul className="-my-4 divide-y divide-line">
        {orders.map((order) => (
          <Row key={order.orderNumber} order={order} />
        ))}
      </ul>
      {failure && <Notice>{failure.sentence}</Notice>}
      {(older ?? data).hasMore && (
        <Button variant="outline" className="mt-8" busy={busy} onClick={() => void loadOlder()}>
          {say('Show older orders')}
        </Button>
      )}
    </>
  )
}

const Row = ({
  order: { orderNumber, status, placedAt, total, productName, imageUrl, pieces },
}: {
  order: OwnOrder
}) => (
  <li className="relative flex gap-4 py-4">
    <LinePicture src={imageUrl} size="size-20" />
    <div className="grid min-w-0 flex-1 content-center gap-x-6 gap-y-0.5 sm:grid-cols-[1fr_auto]">
      <p className="font-semibold">
        {/* The whole row is the link. */}
        <Link to={paths.order(orderNumber)} className="after:absolute after:inset-0 hover:underline">
          {spokenName(productName)}
          {pieces > 1 && (
            <span className="font-normal text-ink-soft">{say(' and {count} more', { count: pieces - 1 })}</span>
          )}
        </Link>
      </p>
      <p className="font-medium sm:text-right">{say(statusLabels[status] ?? 'On hold')}</p>
      <p className="text-[0.9375rem] text-ink-soft">
        <time dateTime={placedAt}>{longDay(placedAt)}</time> · <span>{formatOrderNumber(orderNumber)}</span>
      </p>
      <Price amount={total} className="text-[0.9375rem] sm:text-right" />
    </div>
  </li>
)
