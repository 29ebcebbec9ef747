import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Credentials } from '#contract/accounts.ts'
import { paths } from '#contract/paths.ts'
import { formatUsd } from '#shared/money.ts'
import { spokenAddress } from '#shared/language.ts'
import { say } from '#words/say.ts'
import { CredentialsForm } from '#web/accounts/CredentialsForm.tsx'
import { RegistrationTerms } from '#web/accounts/RegistrationTerms.tsx'
import { Registration } from '#web/accounts/registration.ts'
import { orderQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { PairsWellWith } from '#web/catalog/PairsWellWith.tsx'
import { withKey } from '#web/claims/claim-queries.ts'
import { Accordion } from '#web/ui/Accordion.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { DateRange } from '#web/ui/DateRange.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Sentence } from '#web/ui/Sentence.tsx'
import { OrderChanges } from './OrderChanges.tsx'
import { OrderedPictures } from './OrderedPictures.tsx'
import { placeOf } from './order-labels.ts'

type Props = { orderNumber: string }

const useOrder = (orderNumber: string) => useQuery(orderQuery({ order: orderNumber })).data

/** What was bought, when and where it arrives. */
export function PaidOrder({ orderNumber }: Props) {
  const order = useOrder(orderNumber)
  if (!order) return <PaidOrderPending />
  const { amounts, expected, email } = order
  return (
    <>
      <OrderedPictures order={order} className={PICTURES} />
      <div>
        {expected && (
          <p className="flex flex-wrap items-baseline gap-x-5 gap-y-1">
            <span className="font-display text-title tracking-[-0.02em]">
              <Sentence word="Arrives {dates}" parts={{ dates: <DateRange dates={expected} /> }} />
            </span>
            <a
              href={spokenAddress(withKey(`${paths.orderConfirmation}/arrival.ics`, { order: orderNumber }))}
              className="link-line py-1 text-[0.9375rem] font-medium"
            >
              {say('Add to calendar')}
            </a>
          </p>
        )}
        <p className="mt-2 max-w-[48em] text-pretty text-ink-soft">
          <Sentence
            word="Shipping to {place}. You paid {amount}. We’ll email updates to {email}."
            parts={{
              place: placeOf(order),
              amount: formatUsd(amounts.total),
              // Not broken at a hyphen.
              email: <span className="inline-block max-w-full wrap-anywhere">{email}</span>,
            }}
          />
        </p>
        <p className="mt-4 sm:mt-6">
          <Link to={paths.order(orderNumber)} className={buttonClass('primary', 'w-full sm:w-auto')}>
            {say('See your order')}
          </Link>
        </p>
        <div className="mt-6 empty:hidden">
          <OrderChanges order={order} orderKey={{ order: orderNumber }} isFolded />
        </div>
      </div>
    </>
  )
}

/** Beside the words on a wide screen, between them on a phone. */
const PICTURES = 'md:col-start-2 md:row-span-3 md:row-start-1'

/** As large as what comes. */
const PaidOrderPending = () => (
  <>
    <Skeleton className={classNames(PICTURES, 'aspect-2/1 md:aspect-square')} />
    <div className="grid content-start gap-4">
      <Skeleton className="h-20 max-w-md" />
      <Skeleton className="h-12 sm:w-44" />
    </div>
  </>
)

/** What goes with it. */
export function PairsWithOrder({ orderNumber }: Props) {
  const order = useOrder(orderNumber)
  return (
    order && (
      <PairsWellWith products={order.lines.map(({ productId }) => productId).toReversed()} className="mt-10 sm:mt-14" />
    )
  )
}

/** For somebody who bought without an account: a line that opens. */
export function AccountOffer({ orderNumber }: Props) {
  const order = useOrder(orderNumber)
  return order?.mayRegister && <Register email={order.email} />
}

function Register({ email }: { email: string }) {
  const api = useApi()
  const [isMade, setMade] = useState(false)
  const register = async ({ username, password }: Credentials) => {
    await api('POST /api/register', { body: { username, password } })
    // The account exists either way; its page can send the link again.
    await api('POST /api/account/email', { body: { email, password } }).catch(() => undefined)
    setMade(true)
  }
  return (
    <section aria-labelledby={isMade ? undefined : 'keep'} className="mt-10 border-t border-line sm:mt-14">
      {isMade ? (
        <p role="status" className="border-b border-line py-5">
          <Sentence
            word="Your account has been created. Open the link we sent to {email}, and {link} lists this order."
            parts={{
              email: <span className="font-semibold wrap-anywhere">{email}</span>,
              link: (
                <Link to={paths.account} className="link-line font-medium">
                  {say('your account')}
                </Link>
              ),
            }}
          />
        </p>
      ) : (
        <Accordion
          title={
            <h2 id="keep" className="text-[1.25rem] leading-tight">
              {say('Set a password to keep this order')}
            </h2>
          }
        >
          <p className="mb-5 text-ink-soft">
            {say('Keep all your orders in one place. We’ll email {email} a link to confirm.', { email })}
          </p>
          <CredentialsForm
            schema={Registration}
            isNew
            isWide
            onSend={register}
            labels={{
              idle: say('Create account'),
              busy: say('Creating account...'),
              failed: say('Registration failed'),
            }}
            note={<RegistrationTerms />}
          />
        </Accordion>
      )}
    </section>
  )
}
