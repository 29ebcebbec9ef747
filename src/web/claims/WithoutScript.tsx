import { conversationPaths } from '#contract/conversation-paths.ts'
import type { OrderKey } from '#contract/orders.ts'
import { Link } from '#web/app/Link.tsx'
import { SupportEmail } from '#web/app/SupportEmail.tsx'
import { withKey } from './claim-queries.ts'

/** Instead of a form that stores photos or a declaration in the page; a claim and a withdrawal are valid in any words. */
export const WithoutScript = ({ orderKey }: { orderKey: OrderKey }) => (
  <noscript>
    <p className="mt-6 max-w-[44em]">
      This form needs JavaScript. Without it,{' '}
      <Link to={withKey(conversationPaths.messages, orderKey)} className="link-line">
        write to us about this order
      </Link>
      , or email <SupportEmail />. Your own words are enough.
    </p>
  </noscript>
)
