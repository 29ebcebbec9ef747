import type { OrderKey, OrderView } from '#contract/orders.ts'
import { claimPaths } from '#contract/claim-paths.ts'
import { say } from '#words/say.ts'
import { Link } from '#web/app/Link.tsx'
import { OrderAction, orderAction } from '#web/orders/OrderAction.tsx'
import { withKey } from './claim-queries.ts'

type Props = { order: OrderView; orderKey: OrderKey }

/** On the order's page: to its pages about problems and withdrawal. */
export const ClaimLinks = ({ order, orderKey }: Props) => (
  <>
    {order.fulfillment !== 'cancelled' && (
      <Link to={withKey(claimPaths.problem, orderKey)} className={orderAction}>
        <OrderAction>{say('Report a problem')}</OrderAction>
      </Link>
    )}
    {order.can.withdraw && (
      <Link to={withKey(claimPaths.withdraw, orderKey)} className={orderAction}>
        <OrderAction>{say('Withdraw from contract here')}</OrderAction>
      </Link>
    )}
  </>
)
