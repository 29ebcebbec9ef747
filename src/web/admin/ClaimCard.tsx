import type { ReactNode } from 'react'
import type { AdminClaim } from '#contract/admin-claims.ts'
import { paths } from '#contract/paths.ts'
import { fitNames, reasonNames } from '#domain/claims/claim.ts'
import { countryName } from '#domain/checkout/countries.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { formatUsd, ZERO } from '#shared/money.ts'
import { Link } from '#web/app/Link.tsx'
import { LinePicture } from '#web/checkout/LinePicture.tsx'
import { PhotoList } from '#web/orders/PhotoList.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ClaimActions } from './ClaimActions.tsx'
import { ClaimForPrinter } from './ClaimForPrinter.tsx'
import { formatNewYorkTime } from './date-format.ts'
import { Moment } from './Moment.tsx'
import { StatusLabel } from './StatusLabel.tsx'
import { May } from './May.tsx'

function stateOf({ state, outcome, amount }: AdminClaim): string {
  if (state === 'open') return 'Waiting for you'
  if (state === 'asked') return 'Waiting for the customer'
  if (outcome === 'refused') return 'Refused'
  if (outcome === 'replaced') return 'Replaced'
  if (outcome === 'settled') return 'Settled another way'
  const money = amount === null ? '' : ` ${formatUsd(amount)}`
  return outcome === 'canceled' ? `Order canceled, refunded${money}` : `Refunded${money}`
}

/** A claim that comes again is one to look at twice. */
const REPEATED = 2
const OFTEN = 3
const repeatedClass = 'rounded-card bg-danger-soft px-3 py-1 text-charcoal'

/** More than the product's own claims say: what is wrong may be the blank. */
const isOftenBlank = ({ ofBlank, claims }: AdminClaim['items'][number]): boolean =>
  ofBlank !== null && ofBlank.claims >= OFTEN && ofBlank.claims > claims

/** One claim with everything that decides about it. */
export function ClaimCard({ claim }: { claim: AdminClaim }) {
  const { id, orderNumber, kind, reason, fit, state, customer, order, items, messages, photos, claimsOfAddress } = claim
  const title = reason ? reasonNames[reason] : 'Withdrawal'
  const isWaiting = state === 'open'
  return (
    <li
      id={`claim-${id}`}
      className={classNames(
        'rounded-card border bg-surface p-5',
        isWaiting ? 'border-l-4 border-line border-l-accent' : 'border-line',
      )}
    >
      <header className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 className="text-[1.25rem] leading-tight">
          {title}, order{' '}
          <Link to={paths.adminOrder(orderNumber)} className="link-line">
            {formatOrderNumber(orderNumber)}
          </Link>
        </h2>
        <p className="font-medium">{stateOf(claim)}</p>
      </header>
      <p className="mt-1 text-[0.9375rem] wrap-anywhere text-ink-soft">
        {customer.name || 'Erased customer'}
        {customer.email && `, ${customer.email}`}, {countryName(customer.country)} · <Moment at={claim.openedAt} />
      </p>
      {(claimsOfAddress >= REPEATED || items.some((item) => item.claims >= OFTEN || isOftenBlank(item))) && (
        <ul className="mt-2 flex flex-wrap gap-2 text-sm font-semibold">
          {claimsOfAddress >= REPEATED && (
            <li className={repeatedClass}>{claimsOfAddress} requests from this email or address</li>
          )}
          {items.map(({ position, productName, claims }) =>
            claims >= OFTEN ? (
              <li key={position} className={repeatedClass}>
                {claims} claims about {productName} in 90 days
              </li>
            ) : null,
          )}
          {items.map((item) =>
            item.ofBlank && isOftenBlank(item) ? (
              <li key={item.position} className={repeatedClass}>
                {item.ofBlank.claims} claims about {item.ofBlank.blank}
                {item.ofBlank.size && `, size ${item.ofBlank.size},`} in 90 days
              </li>
            ) : null,
          )}
        </ul>
      )}
      <dl className="mt-4 grid gap-x-8 gap-y-2 text-[0.9375rem] sm:grid-cols-2 xl:grid-cols-4">
        <Fact name="Ordered">{formatNewYorkTime(order.placedAt)}</Fact>
        <Fact name="Order">
          <StatusLabel status={order.status} />
        </Fact>
        <Fact name="Delivered">{order.deliveredAt ? formatNewYorkTime(order.deliveredAt) : 'Not reported'}</Fact>
        <Fact name="Paid">
          {formatUsd(order.total)}
          {order.refunded > ZERO && `, ${formatUsd(order.refunded)} refunded`}
        </Fact>
        {fit && <Fact name="Fit">{fitNames[fit]}</Fact>}
        {claim.refundBy && <Fact name="Refund by">{formatNewYorkTime(claim.refundBy)}</Fact>}
      </dl>
      <ul className="mt-4 grid gap-3">
        {items.map(({ position, productName, variantName, imageUrl, quantity }) => (
          <li key={position} className="flex items-center gap-4">
            <LinePicture src={imageUrl} />
            <p className="text-[0.9375rem] leading-snug">
              <span className="font-medium">
                {quantity} × {productName}
              </span>
              {variantName && <span className="block text-ink-soft">{variantName}</span>}
            </p>
          </li>
        ))}
      </ul>
      <PhotoList
        what="What the customer sent"
        size="size-40"
        addresses={photos.map((photo) => `/api/admin/claim-photos/${photo}`)}
      />
      <ul className="mt-4 grid max-w-[46em] gap-3">
        {messages.map(({ author, words, at }) => (
          <li
            key={`${author} ${at}`}
            className={classNames('border-l-2 pl-4', author === 'owner' ? 'border-accent' : 'border-line')}
          >
            <p className="text-sm text-ink-soft">
              {author === 'owner' ? 'Shop' : 'Customer'}, <Moment at={at} />
            </p>
            <p className="whitespace-pre-line wrap-anywhere">{words}</p>
          </li>
        ))}
        {kind === 'withdrawal' && messages.length === 0 && (
          <li className="text-ink-soft">Withdrawn by declaration on the order’s page; the customer has the receipt.</li>
        )}
      </ul>
      <May need="decide_claims">
        {state !== 'resolved' && <ClaimActions claim={claim} />}
        {claim.printer && <ClaimForPrinter id={id} printer={claim.printer} />}
      </May>
    </li>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt className="text-ink-soft">{name}</dt>
    <dd className="font-medium">{children}</dd>
  </div>
)
