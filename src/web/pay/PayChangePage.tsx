import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { paths } from '#contract/paths.ts'
import { Link } from '#web/app/Link.tsx'
import { withKey } from '#web/claims/claim-queries.ts'
import { useReturnedPayment } from '#web/orders/CardForm.tsx'
import { changeQuery } from '#web/orders/change-query.ts'
import { orderKeyIn } from '#web/orders/order-key.ts'
import { OrderUnavailable } from '#web/orders/OrderUnavailable.tsx'
import { PayChange } from '#web/orders/PayChange.tsx'
import { ApiError } from '#web/api/client.ts'
import type { OrderKey } from '#contract/orders.ts'
import { PageHead } from '#web/ui/PageHead.tsx'
import { say } from '#words/say.ts'

/** `/order-confirmation/change`: pays the difference of an order's change. */
export function PayChangePage() {
  const [parameters] = useSearchParams()
  const key = orderKeyIn(parameters)
  return key ? <Change orderKey={key} /> : <OrderUnavailable status={undefined} token={undefined} />
}

function Change({ orderKey }: { orderKey: OrderKey }) {
  const queries = useQueryClient()
  const { error } = useQuery(changeQuery(orderKey))
  useReturnedPayment(() => queries.invalidateQueries(changeQuery(orderKey)))
  if (error) return <OrderUnavailable status={error instanceof ApiError ? error.status : 503} token={orderKey.token} />
  return (
    <div className="shell shell-[52rem] pt-10 pb-12 sm:pt-14">
      <PageHead title={say('Pay for your change')} />
      <p>
        <Link to={withKey(paths.orderConfirmation, orderKey)} className="link-line">
          {say('Back to the order')}
        </Link>
      </p>
      <h1 className="mt-3 mb-8 text-headline">{say('Pay for your change')}</h1>
      <PayChange orderKey={orderKey} pays />
    </div>
  )
}
