import type { Stripe, StripeElements } from '@stripe/stripe-js'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { formatUsd, type Cents } from '#shared/money.ts'
import { say } from '#words/say.ts'
import { configQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { useRequest } from '#web/api/use-request.ts'
import { loadScript } from '#web/checkout/load-script.ts'
import { paymentAppearance, paymentLayout, stripeOptions } from '#web/checkout/stripe-options.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'

export type StartedCard = { clientSecret: string; intentId: string; amount: Cents }

const notLoaded = () => say('The card form could not be loaded. Please reload the page and try again.')
const notPaid = () => say('The payment did not go through. Please try another card.')
const processing = () =>
  say('Your bank is still processing this payment. You do not need to pay again: we’ll email you.')

type Props = { started: StartedCard; label: string; onPaid: () => Promise<void> }

/** Stripe's form with its own fields for the billing address: pages with it are opened by link, and reveal none. */
export function CardForm({ started, label, onPaid }: Props) {
  const api = useApi()
  const { data: config } = useQuery(configQuery)
  const place = useRef<HTMLDivElement>(null)
  const mounted = useRef<{ stripe: Stripe; elements: StripeElements }>(undefined)
  const [problem, setProblem] = useState<string>()
  const { run, busy, failure } = useRequest()
  const settings = config?.stripe
  const { clientSecret } = started

  useEffect(() => {
    if (!settings) return undefined
    let isGone = false
    const open = async () => {
      const [{ loadStripe }] = await Promise.all([import('@stripe/stripe-js/pure'), loadScript(settings.scriptUrl)])
      const stripe = await loadStripe(settings.publishableKey, stripeOptions())
      if (isGone || !place.current) return
      if (!stripe) throw new Error('The payment provider’s script did not start')
      const elements = stripe.elements({ clientSecret, appearance: paymentAppearance(place.current) })
      const element = elements.create('payment', {
        layout: paymentLayout,
        wallets: { applePay: 'never', googlePay: 'never' },
      })
      element.on('loaderror', () => setProblem(notLoaded()))
      element.mount(place.current)
      mounted.current = { stripe, elements }
    }
    open().catch(() => setProblem(notLoaded()))
    return () => {
      isGone = true
      mounted.current = undefined
    }
  }, [settings, clientSecret])

  const pay = async () => {
    if (!mounted.current) return
    setProblem(undefined)
    const { stripe, elements } = mounted.current
    const { error } = await stripe.confirmPayment({
      elements,
      redirect: 'if_required',
      confirmParams: { return_url: location.href },
    })
    if (error) return setProblem(error.message ?? notPaid())
    const { status } = await api('POST /api/process-completed-payment', { body: { paymentIntentId: started.intentId } })
    if (status !== 'paid') return setProblem(status === 'processing' ? processing() : notPaid())
    await onPaid()
  }
  return (
    <form
      noValidate
      aria-label={label}
      className="mt-5 grid max-w-[34em] gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        void run(pay)
      }}
    >
      <div ref={place} className="min-h-42" />
      {(problem ?? failure?.sentence) && <Notice>{problem ?? failure?.sentence}</Notice>}
      <div>
        <Button type="submit" busy={busy}>
          {say('Pay {amount}', { amount: formatUsd(started.amount) })}
        </Button>
      </div>
    </form>
  )
}

/** Completes a payment whose bank led the browser away from this page and back; `onReturned` reloads what the page shows. */
export function useReturnedPayment(onReturned: () => Promise<unknown>): void {
  const api = useApi()
  const [parameters] = useSearchParams()
  const intent = parameters.get('payment_intent')
  const complete = useEffectEvent(async (paymentIntentId: string) => {
    await api('POST /api/process-completed-payment', { body: { paymentIntentId } }).catch(() => undefined)
    await onReturned()
  })
  useEffect(() => {
    if (intent) void complete(intent)
  }, [intent])
}
