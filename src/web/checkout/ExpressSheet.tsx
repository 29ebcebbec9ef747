import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { OrderSummary } from '#contract/checkout.ts'
import { paths } from '#contract/paths.ts'
import { configQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { useSite } from '#web/api/use-site.ts'
import { shipCountry } from '#web/app/ship-country.ts'
import { cartTotal } from '#web/cart/cart-total.ts'
import { Button } from '#web/ui/Button.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { say } from '#words/say.ts'
import type { Word } from '#words/words.ts'
import { spokenAddress } from '#shared/language.ts'
import { AgeCheckbox } from './AgeCheckbox.tsx'
import { cardConfirmed } from './card-payment.ts'
import { emptyForm, validateCustomer, type CustomerForm } from './customer-form.ts'
import { ExpressTerms } from './ExpressTerms.tsx'
import { isClosed } from './payment.ts'
import { PaymentMessage } from './PaymentMessage.tsx'
import type { CheckoutState } from './use-checkout.ts'
import { useExpressSheet, type ExpressConfirm, type SheetPlace } from './use-express-sheet.ts'
import { useFallback } from './use-fallback.ts'
import { usePayment } from './use-payment.ts'
import { withPayer } from './wallet-payer.ts'

type Props = {
  checkout: CheckoutState
  /** To step 1, where everything known is filled in. */
  onLeave: () => void
}

/** Apple Pay or Google Pay: the sheet knows the address, shows the server's quote for it, and asks once. */
export function ExpressSheet({ checkout, onLeave }: Props) {
  const api = useApi()
  const site = useSite()
  const { data: config } = useQuery(configQuery)
  const controls = usePayment(checkout)
  const { payment, send } = controls
  const isLeaving = useFallback(checkout, payment, onLeave)
  const heading = useRef<HTMLHeadingElement>(null)
  const { lines, isPending, customer, ageAgreement, doing } = checkout
  const isReady = !isPending && lines.length > 0 && checkout.isFilled
  /** What the sheet shows. */
  const seen = useRef<OrderSummary>(undefined)
  /** What the sheet has told of its address: neither street nor name, until it pays. */
  const told = useRef<SheetPlace>(undefined)
  const [minimumAge, setMinimumAge] = useState<number | null>(null)

  const quoteFor = async (place: Partial<SheetPlace> & { country: string }) => {
    const { city, state, postal_code, country } = place
    const body = { city, state, postal_code, country }
    return api('POST /api/express-quote', { body }).catch(() => undefined)
  }
  // An age has to be confirmed before the sheet opens.
  const lookAhead = useEffectEvent(() => quoteFor({ country: shipCountry() }))
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
  }, [])
  useEffect(() => {
    if (isReady) void lookAhead().then((summary) => setMinimumAge(summary?.minimumAge ?? null))
  }, [isReady])

  const { place, state } = useExpressSheet(config?.stripe, isReady, {
    shopName: site.name,
    firstAmount: () => cartTotal(lines),
    quoteFor: async (place) => {
      told.current = place
      seen.current = await quoteFor(place)
      return seen.current
    },
    mayOpen: () => {
      if (minimumAge === null || ageAgreement.accepted) return true
      checkout.requireConsent('age')
      return false
    },
    onClosed: () => {
      const { current: place } = told
      // An address that was typed stays.
      if (place && !customer.form.shippingAddress.line1)
        customer.change({ kind: 'filled', fill: (form) => withPlace(form, place) })
      onLeave()
    },
    onConfirm: (event, { stripe, elements }) => {
      const pay = async (): Promise<boolean> => {
        const form = withSheet(customer.form, event)
        customer.change({ kind: 'filled', fill: () => form })
        const [mistake] = validateCustomer(form)
        if (mistake || !seen.current) {
          customer.change({ kind: 'submitted' })
          checkout.showFailure(INCOMPLETE, new Map(mistake ? [mistake] : []))
          return false
        }
        const submitted = await elements.submit()
        if (submitted.error) {
          checkout.showFailure({ title: say('Payment Error'), sentence: submitted.error.message ?? say(FAILED) })
          return false
        }
        const offer = await checkout.startSheet(form, seen.current)
        if (!offer) return false
        const result = await stripe.confirmPayment({
          elements,
          clientSecret: offer.start.client_secret,
          redirect: 'if_required',
          confirmParams: { return_url: new URL(spokenAddress(paths.paymentSuccess), location.origin).href },
        })
        if (result.error?.type === 'card_error') await checkout.reportDecline(offer)
        const outcome = cardConfirmed(result)
        send(outcome)
        return outcome.kind !== 'refused'
      }
      void pay()
        .catch(() => {
          checkout.showFailure({ title: say('Payment Error'), sentence: say(FAILED) })
          return false
        })
        .then((isPaid) => isPaid || event.paymentFailed({ reason: 'fail' }))
    },
  })

  const tellUnavailable = useEffectEvent(() =>
    checkout.showFailure({
      title: say('Not set up here'),
      sentence: say('This browser offers neither Apple Pay nor Google Pay. Please pay another way below.'),
    }),
  )
  useEffect(() => {
    if (state === 'unavailable') tellUnavailable()
  }, [state])

  return (
    <section aria-labelledby="express-sheet-title" className="grid gap-6">
      <div>
        <h2 ref={heading} id="express-sheet-title" tabIndex={-1} className="text-[1.375rem] leading-tight outline-none">
          {say('Express checkout')}
        </h2>
        <p className="mt-1.5 text-[0.9375rem] text-ink-soft">
          {say('Your wallet shows tax and total for your address before you pay.')}
        </p>
      </div>
      {minimumAge !== null && !isClosed(payment) && <AgeCheckbox age={{ ...ageAgreement, minimumAge }} />}
      {!isLeaving && <PaymentMessage payment={payment} beside="card" onEdit={onLeave} hasWallet />}
      {!isClosed(payment) && (
        <div className="grid gap-3">
          <div className="relative min-h-12">
            {state === 'loading' && (
              <div className="absolute inset-0">
                <span className="sr-only" role="status">
                  {say('Loading the wallet')}
                </span>
                <Skeleton className="h-12" />
              </div>
            )}
            <div ref={place} inert={doing === 'starting'} className={classNames(state === 'loading' && 'invisible')} />
          </div>
          <ExpressTerms />
          <Button variant="plain" className="justify-self-start" onClick={onLeave}>
            {say('Enter your details instead')}
          </Button>
        </div>
      )}
    </section>
  )
}

const INCOMPLETE = {
  title: 'Almost there',
  sentence: 'Your wallet didn’t tell us everything we need. Nothing was charged. Please complete the marked fields.',
} as const satisfies Record<string, Word>
const FAILED = 'An unexpected error occurred. Please try again.' satisfies Word

const withPlace = (form: CustomerForm, { city, state, postal_code, country }: SheetPlace): CustomerForm =>
  withPayer(form, { ...form, address: { ...emptyForm.shippingAddress, city, state, postal_code, country } })

function withSheet(form: CustomerForm, { billingDetails, shippingAddress }: ExpressConfirm): CustomerForm {
  const { line1, line2, city, state, postal_code, country } = shippingAddress?.address ?? emptyForm.shippingAddress
  return withPayer(form, {
    email: billingDetails?.email ?? '',
    name: shippingAddress?.name ?? billingDetails?.name ?? '',
    address: { line1, line2: line2 ?? '', city, state, postal_code, country },
  })
}
