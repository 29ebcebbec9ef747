import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useLoaderData, useSearchParams } from 'react-router'
import type { OrderClaims } from '#contract/claims.ts'
import type { OrderKey } from '#contract/orders.ts'
import { paths } from '#contract/paths.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { ApiError } from '#web/api/client.ts'
import { Link } from '#web/app/Link.tsx'
import type { PageFacts } from '#web/app/page-route.ts'
import { orderKeyIn } from '#web/orders/order-key.ts'
import { OrderUnavailable } from '#web/orders/OrderUnavailable.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { orderClaimsQuery, withKey } from './claim-queries.ts'

type Props = { title: string; children: (claims: OrderClaims, key: OrderKey) => ReactNode }

/** The frame of an order's pages about problems and withdrawal. */
export function ClaimFrame({ title, children }: Props) {
  const [parameters] = useSearchParams()
  const key = orderKeyIn(parameters)
  const { failed } = useLoaderData<PageFacts>()
  if (!key || failed) return <OrderUnavailable status={failed} token={key?.token} />
  return (
    <Claims orderKey={key} title={title}>
      {children}
    </Claims>
  )
}

function Claims({ orderKey, title, children }: Props & { orderKey: OrderKey }) {
  const { data: claims, error } = useQuery(orderClaimsQuery(orderKey))
  if (!claims && error)
    return <OrderUnavailable status={error instanceof ApiError ? error.status : 503} token={orderKey.token} />
  return (
    <div className="shell max-w-[52rem] pt-10 pb-12 sm:pt-14">
      <PageHead title={claims ? `${title}: order ${formatOrderNumber(claims.orderNumber)}` : title} />
      <p>
        <Link to={withKey(paths.orderConfirmation, orderKey)} className="link-line">
          {claims ? `Order ${formatOrderNumber(claims.orderNumber)}` : 'Back to the order'}
        </Link>
      </p>
      <h1 className="mt-3 text-headline">{title}</h1>
      {claims ? (
        children(claims, orderKey)
      ) : (
        <p role="status" className="mt-8 flex items-center gap-3">
          <Spinner className="size-6" /> Loading your order...
        </p>
      )}
    </div>
  )
}
