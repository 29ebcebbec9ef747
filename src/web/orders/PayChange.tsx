import type { Stripe, StripeElements } from '@stripe/stripe-js'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { OrderKey } from '#contract/orders.ts'
import { PAY_CHANGE } from '#contract/paths.ts'
import { formatUsd } from '#shared/money.ts'
import type { Answer } from '#web/api/client.ts'
import { configQuery, orderQuery, query } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { useRequest } from '#web/api/use-request.ts'
import { loadScript } from '#web/checkout/load-script.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'

type Change = NonNullable<Answer<'GET /api/order/change'>['toPay']>
type Started = Answer<'POST /api/order/change/pay'>

const changeQuery = (key: OrderKey) => query('GET /api/order/change', { query: key })

/** The change of an order that waits for the payment of its difference; renders nothing if none does. */
export function PayChange({ orderKey }: { orderKey: OrderKey }) {
  const api = useApi()
  const queries = useQueryClient()
  const { data } = useQuery({ ...changeQuery(orderKey), staleTime: 0 })
  const { run, busy, failure } = useRequest()
  const [started, setStarted] = useState<Started>()
  const [done, setDone] = useState<string>()

  const reload = async (sentence: string) => {
    setDone(sentence)
    await Promise.all([
      queries.invalidateQueries(orderQuery(orderKey)),
      queries.invalidateQueries(changeQuery(orderKey)),
    ])
  }
  if (done)
    return (
      <div id={PAY_CHANGE}>
        <Notice tone="calm">{done}</Notice>
      </div>
    )
  if (!data?.toPay) return null
  const { amount, until, total, lines } = data.toPay
  return (
    <section id={PAY_CHANGE} aria-labelledby="pay-change-title" className="scroll-mt-24">
      <h2 id="pay-change-title" className="text-title">
        Pay {formatUsd(amount)} to change your order
      </h2>
      <p className="mt-3 max-w-[44em] text-ink-soft">
        Nothing has changed yet. Pay by {formatUntil(until)}, and we make this instead, for {formatUsd(total)} in total.
        Otherwise we make your order as it was.
      </p>
      <ul className="mt-4 list-disc pl-5">
        {lines.map((line) => (
          <li key={lineText(line)}>{lineText(line)}</li>
        ))}
      </ul>
      {failure && (
        <div className="mt-4">
          <Notice>{failure.sentence}</Notice>
        </div>
      )}
      {started ? (
        <CardForm started={started} onPaid={() => reload('Thank you. Your order is changed, and you get an email.')} />
      ) : (
        <div className="mt-5 flex flex-wrap gap-3">
          <Button
            busy={busy}
            onClick={() =>
              void run(async () => setStarted(await api('POST /api/order/change/pay', { body: orderKey })))
            }
          >
            Pay {formatUsd(amount)} by card
          </Button>
          <Button
            variant="quiet"
            onClick={() =>
              void run(async () => reload((await api('POST /api/order/change/drop', { body: orderKey })).done))
            }
          >
            Keep my order as it was
          </Button>
        </div>
      )}
    </section>
  )
}

const lineText = ({ quantity, productName, variantName }: Change['lines'][number]): string =>
  `${quantity} × ${productName}${variantName ? `, ${variantName}` : ''}`

const formatUntil = (until: string): string =>
  new Date(until).toLocaleString('en-US', { month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit' })

const NOT_LOADED = 'The card form could not be loaded. Please reload the page and try again.'

/** Stripe's form with its own fields for the billing address: an order's page may be opened by link, and reveals none. */
function CardForm({ started, onPaid }: { started: Started; onPaid: () => Promise<void> }) {
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
      const stripe = await loadStripe(settings.publishableKey)
      if (isGone || !place.current) return
      if (!stripe) throw new Error('The payment provider’s script did not start')
      const elements = stripe.elements({ clientSecret })
      const element = elements.create('payment', { layout: 'tabs', wallets: { applePay: 'never', googlePay: 'never' } })
      element.on('loaderror', () => setProblem(NOT_LOADED))
      element.mount(place.current)
      mounted.current = { stripe, elements }
    }
    open().catch(() => setProblem(NOT_LOADED))
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
    if (error) return setProblem(error.message ?? 'The payment did not go through. Please try another card.')
    await api('POST /api/process-completed-payment', { body: { paymentIntentId: started.intentId } })
    await onPaid()
  }
  return (
    <form
      noValidate
      aria-label="Pay for the change"
      className="mt-5 grid max-w-[34em] gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        void run(pay)
      }}
    >
      <div ref={place} className="min-h-42 rounded-card border border-line bg-surface p-5" />
      {(problem ?? failure?.sentence) && <Notice>{problem ?? failure?.sentence}</Notice>}
      <div>
        <Button type="submit" busy={busy}>
          Pay {formatUsd(started.amount)}
        </Button>
      </div>
    </form>
  )
}
