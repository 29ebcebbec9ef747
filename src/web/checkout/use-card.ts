import type { StripeExpressCheckoutElementConfirmEvent } from '@stripe/stripe-js'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { PublicConfig } from '#contract/public-config.ts'
import { paths } from '#contract/paths.ts'
import { spokenAddress } from '#shared/language.ts'
import {
  cardAnswered,
  cardBroken,
  cardConfirmed,
  cardIncomplete,
  cardNotReady,
  cardPressed,
  cardRetried,
  cardsClosed,
  type CardEvent,
} from './card-payment.ts'
import { wireAddress, type CustomerForm } from './customer-form.ts'
import { useCardForm } from './use-card-form.ts'
import type { CheckoutState, OpenPayment } from './use-checkout.ts'
import type { PaymentControls } from './use-payment.ts'

type CardInput = {
  checkout: CheckoutState
  offer: OpenPayment
  config: PublicConfig['stripe']
  controls: PaymentControls
  /** Whether the page offers PayPal, Apple Pay and Google Pay. */
  hasExpress: boolean
}

/** Events after which an open sheet of Apple Pay or Google Pay shows that it has failed. */
const FAILED: ReadonlySet<CardEvent['kind']> = new Set(['renewed', 'unavailable', 'changed', 'refused', 'paid_before'])

/** Card payment for both checkouts: Stripe's form, and the calls of each step (`card-payment.ts`). */
export function useCard({ checkout, offer, config, controls: { payment, send }, hasExpress }: CardInput) {
  const { start, absence, summary } = offer
  const step = payment.by === 'card' ? payment.step : undefined
  const sheet = useRef<StripeExpressCheckoutElementConfirmEvent>(undefined)
  const cardForm = useCardForm(
    config,
    start?.client_secret,
    summary.total,
    hasExpress && {
      // Stripe needs a synchronous answer.
      onClick: (event) => (payment.step === 'ready' ? event.resolve() : event.reject()),
      onConfirm: (event) => pay(event),
    },
  )
  const { mounted, state } = cardForm

  const pay = (express?: StripeExpressCheckoutElementConfirmEvent) => {
    if (payment.step === 'ready') sheet.current = express
    send(mounted.current && state === 'ready' ? cardPressed : cardNotReady)
  }

  const check = async (): Promise<CardEvent> => {
    const event = cardAnswered(await checkout.restart(offer), (secret) => secret === start?.client_secret)
    if (event.kind !== 'offered' || !mounted.current) return event
    await cardForm.fetchTotal()
    const { error } = await mounted.current.elements.submit()
    return error ? cardIncomplete(error) : event
  }

  const confirm = async (): Promise<CardEvent> => {
    if (!mounted.current) return cardBroken()
    const { stripe, elements } = mounted.current
    const discardDraft = checkout.saveForReturn()
    const result = await stripe
      .confirmPayment({
        elements,
        redirect: 'if_required',
        confirmParams: {
          return_url: new URL(spokenAddress(paths.paymentSuccess), location.origin).href,
          // The express sheet has its own billing details.
          ...(!sheet.current && { payment_method_data: { billing_details: billingDetails(checkout.customer.form) } }),
        },
      })
      .finally(discardDraft)
    const event = cardConfirmed(result)
    if (event.kind !== 'refused' || result.error?.type !== 'card_error') return event
    return (await withReportTimeout(checkout.reportDecline(offer))) ? cardsClosed(result.error) : event
  }

  const effects: Partial<Record<NonNullable<typeof step>, () => Promise<CardEvent>>> = {
    retrying: async () => cardAnswered(await checkout.restart(offer), () => true),
    checking: check,
    contacting_bank: confirm,
  }
  const run = useEffectEvent(async (entered: typeof step) => {
    const effect = entered && effects[entered]
    if (!effect) return
    const event = await effect().catch(() => cardBroken())
    if (FAILED.has(event.kind)) sheet.current?.paymentFailed({ reason: 'fail' })
    send(event)
  })
  useEffect(() => void run(step), [step])

  return { ...cardForm, absence, hasWallet: hasExpress, pay: () => pay(), retry: () => send(cardRetried) }
}

export type CardState = ReturnType<typeof useCard>

const REPORT_TIMEOUT_MS = 4000

/** Shows the decline after 4 s even without the shop's answer: the next attempt gets it. */
const withReportTimeout = (report: Promise<boolean>): Promise<boolean> =>
  Promise.race([report, new Promise<boolean>((resolve) => setTimeout(() => resolve(false), REPORT_TIMEOUT_MS))])

/** Stripe's form has these fields turned off, because ours collects them. */
function billingDetails(form: CustomerForm) {
  const { line1, line2, city, state, postal_code, country } = wireAddress(
    form.sameBillingAddress ? form.shippingAddress : form.billingAddress,
  )
  return {
    name: form.name.trim(),
    email: form.email.trim(),
    address: { line1, line2, city, state, postal_code, country },
  }
}
