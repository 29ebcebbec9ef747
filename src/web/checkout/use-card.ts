import { useEffect, useRef } from 'react'
import type { PublicConfig } from '#contract/public-config.ts'
import { useCardForm, type ExpressHandlers } from './use-card-form.ts'
import { useCardPayment } from './use-card-payment.ts'
import type { CheckoutState, OpenPayment } from './use-checkout.ts'
import type { PaymentControls } from './use-payment-state.ts'

type CardCheckoutInput = {
  checkout: CheckoutState
  offer: OpenPayment
  config: PublicConfig['stripe']
  payment: PaymentControls
  /** Whether the page offers PayPal, Apple Pay and Google Pay. */
  hasExpress: boolean
}

/** Card payment for both checkouts: Stripe's form and the pay button. */
export function useCardCheckout({ checkout, offer, config, payment, hasExpress }: CardCheckoutInput) {
  const { start, summary } = offer
  const express = useRef<ExpressHandlers>({ onClick: () => undefined, onConfirm: () => undefined })
  const cardForm = useCardForm(config, start?.client_secret, hasExpress ? express : undefined)
  const { pay } = useCardPayment({
    payment,
    mounted: cardForm.mounted,
    isReady: cardForm.state === 'ready',
    form: checkout.customer.form,
    clientSecret: start?.client_secret,
    total: summary.total,
    restart: () => checkout.restart(offer),
    onDeclined: () => withReportTimeout(checkout.reportDecline(offer)),
    saveForReturn: checkout.saveForReturn,
    onPaid: (paymentIntent = start?.payment_intent ?? '') => checkout.finishCard(paymentIntent),
    onPaidBefore: checkout.closeFor,
  })

  useEffect(() => {
    express.current = {
      // Stripe needs a synchronous answer.
      onClick: (event) => (payment.lock.isFree() ? event.resolve() : event.reject()),
      onConfirm: pay,
    }
  })

  /** Tries again to create a card payment. */
  const retry = async () => {
    if (!payment.lock.acquire()) return
    payment.set({ kind: 'checking' })
    const answer = await checkout.restart(offer)
    if (answer.kind === 'failed') payment.refuse('card', answer.failure)
    else if (answer.kind === 'refused') payment.refuse('card', answer.failure, { recovery: answer.recovery })
    else if (answer.kind === 'changed') payment.set({ kind: 'changed', by: 'card', sentence: answer.sentence })
    else if (answer.kind === 'already_paid' || answer.kind === 'held') {
      payment.setPaidBefore('card', answer)
      checkout.closeFor(answer)
    } else payment.set({ kind: 'idle' })
    payment.lock.release()
  }

  const { place, expressPlace, state, isExpress } = cardForm
  return {
    place,
    expressPlace,
    state,
    isExpress,
    absence: offer.absence,
    hasWallet: hasExpress,
    pay: () => pay(),
    retry: () => void retry(),
  }
}

const REPORT_TIMEOUT_MS = 4000

/** Shows the decline after 4 s even without the shop's answer: the next attempt gets it. */
const withReportTimeout = (report: Promise<boolean>): Promise<boolean> =>
  Promise.race([report, new Promise<boolean>((resolve) => setTimeout(() => resolve(false), REPORT_TIMEOUT_MS))])

export type CardState = ReturnType<typeof useCardCheckout>
