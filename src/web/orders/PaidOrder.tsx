import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Credentials } from '#contract/accounts.ts'
import type { ShownOrder } from '#contract/orders.ts'
import { paths } from '#contract/paths.ts'
import { DEFAULT_PICTURE } from '#domain/catalog/default-picture.ts'
import { formatUsd } from '#shared/money.ts'
import { CredentialsForm } from '#web/accounts/CredentialsForm.tsx'
import { RegistrationTerms } from '#web/accounts/RegistrationTerms.tsx'
import { Registration } from '#web/accounts/registration.ts'
import { orderQuery, productQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { ProductGrid } from '#web/catalog/ProductGrid.tsx'
import { withKey } from '#web/claims/claim-queries.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { DateRange } from '#web/ui/DateRange.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { OrderChanges } from './OrderChanges.tsx'

type Props = { orderNumber: string }

const useOrder = (orderNumber: string) => useQuery(orderQuery({ order: orderNumber })).data

/** What was bought, when and where it arrives. */
export function PaidOrder({ orderNumber }: Props) {
  const order = useOrder(orderNumber)
  if (!order) return <PaidOrderPending />
  const { lines, amounts, expected, email, city, country } = order
  return (
    <>
      <ul aria-label="What you ordered" className="mt-5 flex flex-wrap gap-2.5 sm:mt-6">
        {lines.slice(0, PICTURES_MAX).map(({ position, productName, variantName, quantity, imageUrl }) => (
          <li key={position} className="relative">
            <img
              src={imageUrl || DEFAULT_PICTURE}
              width={96}
              height={96}
              alt={[productName, variantName].filter(Boolean).join(', ')}
              className="plate size-20 rounded-card border border-line object-cover sm:size-24"
            />
            {quantity > 1 && (
              <span className="absolute -top-1.5 -right-1.5 grid min-w-6 place-items-center rounded-full bg-strong px-1.5 text-sm font-semibold text-ivory tabular-nums">
                <span className="sr-only">Quantity </span>
                {quantity}
              </span>
            )}
          </li>
        ))}
        {lines.length > PICTURES_MAX && (
          <li className="grid size-20 place-items-center rounded-card border border-line text-ink-soft sm:size-24">
            <span>
              +{lines.length - PICTURES_MAX}
              <span className="sr-only"> more</span>
            </span>
          </li>
        )}
      </ul>
      {expected && (
        <p className="mt-5 flex flex-wrap items-baseline gap-x-4 gap-y-1">
          <span className="font-display text-[1.5rem] leading-tight">
            Arrives <DateRange dates={expected} />
          </span>
          <a
            href={withKey(`${paths.orderConfirmation}/arrival.ics`, { order: orderNumber })}
            className="link-line py-1 text-[0.9375rem] font-medium"
          >
            Add to calendar
          </a>
        </p>
      )}
      <p className="mt-1 text-ink-soft [overflow-wrap:anywhere]">
        To {city}, {country}. {formatUsd(amounts.total)} paid, with updates to {email}.
      </p>
      <p className="mt-4">
        <Link to={paths.order(orderNumber)} className={buttonClass('primary', 'w-full sm:w-auto')}>
          See your order
        </Link>
      </p>
      {order.changes && <OrderChanges order={order} orderKey={{ order: orderNumber }} />}
    </>
  )
}

/** More would push the date off a phone's first screen. */
const PICTURES_MAX = 3

/** As large as what comes. */
const PaidOrderPending = () => (
  <div className="mt-5 grid gap-4">
    <Skeleton className="size-20 sm:size-24" />
    <Skeleton className="h-20 max-w-md" />
    <Skeleton className="h-12 sm:w-44" />
  </div>
)

/** An account, then what goes with it. */
export function AfterPurchase({ orderNumber }: Props) {
  const order = useOrder(orderNumber)
  if (!order) return null
  const [line] = order.lines
  return (
    <>
      {order.mayRegister && <AccountOffer order={order} />}
      {line && <MoreOfThePet productId={String(line.productId)} />}
    </>
  )
}

/** For somebody who bought without an account. */
function AccountOffer({ order: { email } }: { order: ShownOrder }) {
  const api = useApi()
  const [isMade, setMade] = useState(false)
  const register = async ({ username, password }: Credentials) => {
    await api('POST /api/register', { body: { username, password } })
    // The account exists either way; its page can send the link again.
    await api('POST /api/account/email', { body: { email, password } }).catch(() => undefined)
    setMade(true)
  }
  return (
    <section
      aria-labelledby="keep"
      className="mt-12 max-w-[34rem] rounded-card border border-line bg-surface p-5 sm:p-7"
    >
      <h2 id="keep" className="text-[1.375rem] leading-tight">
        Set a password to keep this order
      </h2>
      {isMade ? (
        <p role="status" className="mt-3">
          Your account has been created. Open the link we sent to{' '}
          <span className="font-semibold wrap-anywhere">{email}</span>, and{' '}
          <Link to={paths.account} className="link-line font-medium">
            your account
          </Link>{' '}
          lists this order.
        </p>
      ) : (
        <>
          <p className="mt-2 mb-5 text-ink-soft">
            Your orders in one place. We’ll email {email} a link that ties them to your account.
          </p>
          <CredentialsForm
            schema={Registration}
            isNew
            onSend={register}
            labels={{ idle: 'Create account', busy: 'Creating account...', failed: 'Registration failed' }}
            note={<RegistrationTerms />}
          />
        </>
      )}
    </section>
  )
}

const MORE = 3

function MoreOfThePet({ productId }: { productId: string }) {
  const { data } = useQuery(productQuery(productId))
  const related = data?.related.slice(0, MORE) ?? []
  if (!data || related.length === 0) return null
  return (
    <section aria-labelledby="more" className="mt-14 border-t border-line pt-10 sm:mt-20 sm:pt-14">
      <h2 id="more" className="text-title">
        Goes with it
      </h2>
      <div className="mt-6">
        <ProductGrid columns={3} products={related} headingLevel="h3" />
      </div>
    </section>
  )
}
