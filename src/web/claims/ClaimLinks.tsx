import type { OrderKey, OrderView } from '#contract/orders.ts'
import { claimPaths } from '#contract/claim-paths.ts'
import { say } from '#words/say.ts'
import { Link } from '#web/app/Link.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { withKey } from './claim-queries.ts'

/** On the order's page: to its pages about problems and withdrawal. */
export const ClaimLinks = ({ order, orderKey }: { order: OrderView; orderKey: OrderKey }) => (
  <>
    {order.fulfillment !== 'cancelled' && (
      <Link to={withKey(claimPaths.problem, orderKey)} className={buttonClass('outline', 'w-full')}>
        {say('Report a problem')}
      </Link>
    )}
    {order.can.withdraw && (
      <Link to={withKey(claimPaths.withdraw, orderKey)} className={buttonClass('outline', 'w-full')}>
        {say('Withdraw from contract here')}
      </Link>
    )}
  </>
)
