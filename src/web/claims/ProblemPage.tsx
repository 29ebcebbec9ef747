import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { OrderClaims } from '#contract/claims.ts'
import type { OrderKey } from '#contract/orders.ts'
import { paths } from '#contract/paths.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { Link } from '#web/app/Link.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { orderClaimsQuery } from './claim-queries.ts'
import { ClaimForm } from './ClaimForm.tsx'
import { ClaimFrame } from './ClaimFrame.tsx'
import { OwnClaims } from './OwnClaims.tsx'

/** `/order-confirmation/problem`: reports a problem with an order, and shows what became of earlier reports. */
export const ProblemPage = () => (
  <ClaimFrame title="Report a problem">
    {(claims, orderKey) => <Problem claims={claims} orderKey={orderKey} />}
  </ClaimFrame>
)

function Problem({ claims: { orderNumber, lines, claims }, orderKey }: { claims: OrderClaims; orderKey: OrderKey }) {
  const queries = useQueryClient()
  const [done, setDone] = useState('')
  const onSent = (sentence: string) => {
    setDone(sentence)
    return queries.invalidateQueries(orderClaimsQuery(orderKey))
  }
  const isPossible = lines.some(({ objections }) => Object.values(objections).includes(null))
  return (
    <>
      <p className="mt-4 max-w-[44em] text-lg text-ink-soft">
        We’re sorry. Tell us what is wrong, and we’ll replace or refund it. You don’t need an account, and nothing needs
        to be sent back before we’ve answered.
      </p>
      {done && (
        <div className="mt-6">
          <Notice tone="calm">{done}</Notice>
        </div>
      )}
      {claims.length > 0 && <OwnClaims claims={claims} orderKey={orderKey} onSent={onSent} />}
      {isPossible ? (
        // After a report, a new form with a submission of its own.
        <ClaimForm key={claims.length} lines={lines} orderKey={orderKey} onSent={onSent} />
      ) : (
        <div className="mt-8 grid justify-items-start gap-5">
          {claims.length === 0 && <Notice tone="calm">{lines[0]?.objections.faulty}</Notice>}
          <Link to={paths.contactAbout(`Order ${formatOrderNumber(orderNumber)}`)} className={buttonClass('outline')}>
            Write to us about this order
          </Link>
        </div>
      )}
    </>
  )
}
