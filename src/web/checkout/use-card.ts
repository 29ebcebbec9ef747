import { useEffect, useRef } from 'react'
import type { PublicConfig } from '#contract/public-config.ts'
import { useCardForm, type ExpressHandlers } from './use-card-form.ts'
import { useCardPayment } from './use-card-payment.ts'
import type { CheckoutState, Offer } from './use-checkout.ts'
import type { PaymentControls } from './use-payment-state.ts'

type CardCheckoutInput = {
  checkout: CheckoutState
  offer: Offer
  config: PublicConfig['stripe']
  payment: PaymentControls
  /** Whether the page has a place for the wallet, Apple Pay and Google Pay. */
  hasExpress: boolean
}

/** Paying an offer by card: the provider's form, and what a press on the button does. Both faces pay like this. */
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
    onDeclined: () => inTime(checkout.tellOfDecline(offer)),
    keepForReturn: checkout.keepForReturn,
    onPaid: (paymentIntent = start?.payment_intent ?? '') => checkout.finishCard(paymentIntent),
    onPaidBefore: checkout.closeFor,
  })

  useEffect(() => {
    express.current = {
      // The sheet has to be answered at once.
      onClick: (event) => (payment.turn.isFree() ? event.resolve() : event.reject()),
      onConfirm: pay,
    }
  })

  /** Asks the shop for a card payment once more, after it had none to give. */
  const retry = async () => {
    if (!payment.turn.take()) return
    payment.set({ kind: 'checking' })
    const answer = await checkout.restart(offer)
    if (answer.kind === 'failed') payment.refuse('card', answer.trouble)
    else if (answer.kind === 'refused') payment.refuse('card', answer.trouble, { cure: answer.cure })
    else if (answer.kind === 'changed') payment.set({ kind: 'changed', by: 'card', sentence: answer.sentence })
    else if (answer.kind === 'already_paid' || answer.kind === 'held') {
      payment.setPaidBefore('card', answer)
      checkout.closeFor(answer)
    } else payment.set({ kind: 'idle' })
    payment.turn.give()
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

/** The bank's word is not held back for long by what the shop makes of it: the next press finds that out. */
const inTime = (heard: Promise<boolean>): Promise<boolean> =>
  Promise.race([heard, new Promise<boolean>((tell) => setTimeout(() => tell(false), REPORT_TIMEOUT_MS))])

export type CardState = ReturnType<typeof useCardCheckout>
