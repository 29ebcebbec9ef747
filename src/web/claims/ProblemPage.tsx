import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { OrderClaims } from '#contract/claims.ts'
import type { OrderKey } from '#contract/orders.ts'
import { conversationPaths } from '#contract/conversation-paths.ts'
import { claimSentence } from '#domain/claims/claim-window.ts'
import { say } from '#words/say.ts'
import { Link } from '#web/app/Link.tsx'
import { OrderFrame } from '#web/orders/OrderFrame.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { orderClaimsQuery, withKey } from './claim-queries.ts'
import { ClaimForm } from './ClaimForm.tsx'
import { OwnClaims } from './OwnClaims.tsx'
import { WithoutScript } from './WithoutScript.tsx'

/** `/order-confirmation/problem`: reports a problem with an order, and shows what became of earlier reports. */
export const ProblemPage = () => (
  <OrderFrame title={say('Report a problem')} queryOf={orderClaimsQuery}>
    {(claims, orderKey) => <Problem claims={claims} orderKey={orderKey} />}
  </OrderFrame>
)

function Problem({ claims: { lines, claims }, orderKey }: { claims: OrderClaims; orderKey: OrderKey }) {
  const queries = useQueryClient()
  const [done, setDone] = useState('')
  const onSent = (sentence: string) => {
    setDone(sentence)
    return queries.invalidateQueries(orderClaimsQuery(orderKey))
  }
  const isPossible = lines.some(({ objections }) => Object.values(objections).includes(null))
  const objection = lines[0]?.objections.faulty
  return (
    <>
      <p className="mt-4 max-w-[44em] text-lg text-ink-soft">
        {say(
          'We’re sorry. Tell us what is wrong, and we’ll replace or refund it. You don’t need an account, and nothing needs to be sent back before we’ve answered.',
        )}
      </p>
      {done && (
        <div className="mt-6">
          <Notice tone="calm">{done}</Notice>
        </div>
      )}
      {claims.length > 0 && <OwnClaims claims={claims} orderKey={orderKey} onSent={onSent} />}
      {isPossible ? (
        <>
          <WithoutScript orderKey={orderKey} />
          {/* After a report, a new form with a submission of its own. */}
          <ClaimForm key={claims.length} lines={lines} orderKey={orderKey} onSent={onSent} />
        </>
      ) : (
        <div className="mt-8 grid justify-items-start gap-5">
          {claims.length === 0 && <Notice tone="calm">{objection && claimSentence(objection)}</Notice>}
          <Link to={withKey(conversationPaths.messages, orderKey)} className={buttonClass('outline')}>
            {say('Message us')}
          </Link>
        </div>
      )}
    </>
  )
}
