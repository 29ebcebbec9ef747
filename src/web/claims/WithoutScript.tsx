import { conversationPaths } from '#contract/conversation-paths.ts'
import type { OrderKey } from '#contract/orders.ts'
import { say } from '#words/say.ts'
import { Link } from '#web/app/Link.tsx'
import { SupportEmail } from '#web/app/SupportEmail.tsx'
import { Sentence } from '#web/ui/Sentence.tsx'
import { withKey } from './claim-queries.ts'

/** Instead of a form that stores photos or a declaration in the page; a claim and a withdrawal are valid in any words. */
export const WithoutScript = ({ orderKey }: { orderKey: OrderKey }) => (
  <noscript>
    <p className="mt-6 max-w-[44em]">
      <Sentence
        word="This form needs JavaScript. Without it, {link}, or email {address}. Your own words are enough."
        parts={{
          link: (
            <Link to={withKey(conversationPaths.messages, orderKey)} className="link-line">
              {say('write to us about this order')}
            </Link>
          ),
          address: <SupportEmail />,
        }}
      />
    </p>
  </noscript>
)
