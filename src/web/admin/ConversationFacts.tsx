import type { ReactNode } from 'react'
import type { AdminOrder } from '#contract/admin-orders.ts'
import type { Thread } from '#contract/admin-conversations.ts'
import { claimPaths } from '#contract/claim-paths.ts'
import { paths } from '#contract/paths.ts'
import { reasonNames } from '#domain/claims/claim.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { formatUsd, minus } from '#shared/money.ts'
import { Link } from '#web/app/Link.tsx'
import { Moment } from './Moment.tsx'
import { StatusLabel } from './StatusLabel.tsx'

/** The facts of an order, beside what is written about it. */
export function ConversationFacts({ order, claims }: { order: AdminOrder } & Pick<Thread, 'claims'>) {
  const { orderNumber, status, attention, placedAt, shippingAddress, lines, amounts, parcels } = order
  return (
    <section aria-labelledby="order-facts" className="rounded-card border border-line bg-surface p-5">
      <h2 id="order-facts" className="text-[1.25rem]">
        The order
      </h2>
      <dl className="mt-3 grid gap-3 text-[0.9375rem]">
        <Fact name="Status">
          <StatusLabel status={status} />
          {attention && <span className="mt-1 block">{attention}</span>}
        </Fact>
        <Fact name="Placed">
          <Moment at={placedAt} />
        </Fact>
        <Fact name="Items">
          {lines.map(({ position, quantity, productName, variantName }) => (
            <span key={position} className="block">
              {quantity} × {productName}
              {variantName && <span className="text-ink-soft">, {variantName}</span>}
            </span>
          ))}
        </Fact>
        <Fact name="Ships to">
          {shippingAddress.map((line) => (
            <span key={line} className="block wrap-anywhere">
              {line}
            </span>
          ))}
        </Fact>
        <Fact name="Paid">
          {formatUsd(amounts.total)}
          {amounts.left < amounts.total && ` (${formatUsd(minus(amounts.total, amounts.left))} refunded)`}
        </Fact>
        {parcels.map(({ carrier, trackingNumber, trackingUrl, shippedAt, deliveredAt, returnedAt }) => (
          <Fact key={`${trackingNumber} ${shippedAt}`} name={carrier || 'Parcel'}>
            {trackingUrl ? (
              <a href={trackingUrl} rel="noopener noreferrer" className="link-line wrap-anywhere">
                {trackingNumber ?? 'Track it'}
              </a>
            ) : (
              trackingNumber
            )}
            <span className="block text-ink-soft">
              {returnedAt ? 'Returned ' : deliveredAt ? 'Delivered ' : 'Shipped '}
              <Moment at={returnedAt ?? deliveredAt ?? shippedAt} />
            </span>
          </Fact>
        ))}
        <Claims claims={claims} />
      </dl>
      <Link to={paths.adminOrder(orderNumber)} className="link-line mt-4 inline-flex min-h-11 items-center">
        Open order {formatOrderNumber(orderNumber)}
      </Link>
    </section>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt className="text-ink-soft">{name}</dt>
    <dd className="font-medium">{children}</dd>
  </div>
)

const claimStates = { open: 'waits for you', asked: 'waits for the customer', resolved: 'decided' }

const Claims = ({ claims }: Pick<Thread, 'claims'>) =>
  claims.length > 0 && (
    <Fact name="Claims">
      {claims.map(({ id, kind, reason, state, outcome }) => (
        <Link key={id} to={claimPaths.admin} className="link-line block">
          {kind === 'withdrawal' || !reason ? 'Withdrawal' : reasonNames[reason]}: {outcome ?? claimStates[state]}
        </Link>
      ))}
    </Fact>
  )
