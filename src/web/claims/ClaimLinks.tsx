import type { OrderKey, OrderView } from '#contract/orders.ts'
import { claimPaths } from '#contract/claim-paths.ts'
import { say } from '#words/say.ts'
import { Link } from '#web/app/Link.tsx'
import { withKey } from './claim-queries.ts'

type Props = { order: OrderView; orderKey: OrderKey; className: string }

/** On the order's page: to its pages about problems and withdrawal. */
export const ClaimLinks = ({ order, orderKey, className }: Props) => (
  <>
    {order.fulfillment !== 'cancelled' && (
      <Link to={withKey(claimPaths.problem, orderKey)} className={className}>
        {say('Report a problem')}
      </Link>
    )}
    {order.can.withdraw && (
      <Link to={withKey(claimPaths.withdraw, orderKey)} className={className}>
        {say('Withdraw from contract here')}
      </Link>
    )}
  </>
)
