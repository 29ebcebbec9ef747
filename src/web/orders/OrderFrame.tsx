import { useQuery, type UseQueryOptions } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useLoaderData, useSearchParams } from 'react-router'
import type { OrderKey } from '#contract/orders.ts'
import { paths } from '#contract/paths.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { say } from '#words/say.ts'
import { ApiError } from '#web/api/client.ts'
import { Link } from '#web/app/Link.tsx'
import type { PageFacts } from '#web/app/page-route.ts'
import { PageHead } from '#web/ui/PageHead.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { orderKeyIn } from './order-key.ts'
import { withKey } from '#web/claims/claim-queries.ts'
import { OrderUnavailable } from './OrderUnavailable.tsx'

type Props<Shown> = {
  title: string
  queryOf: (key: OrderKey) => UseQueryOptions<Shown>
  children: (shown: Shown, key: OrderKey) => ReactNode
}

/** The frame of an order's pages beside the order itself, such as its messages. */
export function OrderFrame<Shown extends { orderNumber: string }>(props: Props<Shown>) {
  const [parameters] = useSearchParams()
  const key = orderKeyIn(parameters)
  const { failed } = useLoaderData<PageFacts>()
  if (!key || failed) return <OrderUnavailable status={failed} token={key?.token} />
  return <OpenedOrder {...props} orderKey={key} />
}

function OpenedOrder<Shown extends { orderNumber: string }>({
  title,
  queryOf,
  orderKey,
  children,
}: Props<Shown> & { orderKey: OrderKey }) {
  const { data: shown, error } = useQuery(queryOf(orderKey))
  if (!shown && error)
    return <OrderUnavailable status={error instanceof ApiError ? error.status : 503} token={orderKey.token} />
  const number = shown ? formatOrderNumber(shown.orderNumber) : ''
  return (
    <div className="shell shell-[52rem] pt-10 pb-12 sm:pt-14">
      <PageHead title={shown ? say('{title}: order {number}', { title, number }) : title} />
      <p>
        <Link to={withKey(paths.orderConfirmation, orderKey)} className="link-line">
          {shown ? say('Order {number}', { number }) : say('Back to the order')}
        </Link>
      </p>
      <h1 className="mt-3 text-headline">{title}</h1>
      {shown ? (
        children(shown, orderKey)
      ) : (
        <p role="status" className="mt-8 flex items-center gap-3">
          <Spinner className="size-6" /> {say('Loading your order...')}
        </p>
      )}
    </div>
  )
}
