import type {
  Stripe,
  StripeElements,
  StripeExpressCheckoutElementClickEvent,
  StripeExpressCheckoutElementConfirmEvent,
} from '@stripe/stripe-js'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { PublicConfig } from '#contract/public-config.ts'
import type { Cents } from '#shared/money.ts'
import { loadScript } from './load-script.ts'
import { paymentAppearance, paymentLayout, stripeOptions } from './stripe-options.ts'

/** `absent`: no card payment exists. `unavailable`: Stripe's script did not start. `broken`: the script started, its form did not. */
export type CardFormState = 'absent' | 'loading' | 'ready' | 'broken' | 'unavailable'

/** `total`: the amount that the form has loaded. */
type MountedCardForm = { stripe: Stripe; elements: StripeElements; total: Cents }

/** Apple Pay and Google Pay. */
type ExpressHandlers = {
  onClick: (event: StripeExpressCheckoutElementClickEvent) => void
  onConfirm: (event: StripeExpressCheckoutElementConfirmEvent) => void
}

const BUTTON_HEIGHT_PX = 48

/**
 * Mounts Stripe's card form; a new client secret remounts it.
 * @param express false on pages without an express button
 */
export function useCardForm(
  config: PublicConfig['stripe'],
  clientSecret: string | undefined,
  total: Cents,
  express: ExpressHandlers | false,
) {
  const place = useRef<HTMLDivElement>(null)
  const expressPlace = useRef<HTMLDivElement>(null)
  const mounted = useRef<MountedCardForm>(undefined)
  const [current, setCurrent] = useState<{ about: string | undefined; state: CardFormState; isExpress: boolean }>({
    about: clientSecret,
    state: 'loading',
    isExpress: false,
  })

  const hasExpress = express !== false
  const onClick = useEffectEvent<ExpressHandlers['onClick']>((event) => express && express.onClick(event))
  const onConfirm = useEffectEvent<ExpressHandlers['onConfirm']>((event) => express && express.onConfirm(event))
  const totalNow = useEffectEvent(() => total)

  useEffect(() => {
    if (clientSecret === undefined) return undefined
    const setState = (state: CardFormState) =>
      setCurrent((before) => ({
        about: clientSecret,
        state,
        isExpress: before.about === clientSecret && before.isExpress,
      }))
    const cleanups: (() => void)[] = []
    let isGone = false

    const openExpress = (elements: StripeElements, target: HTMLElement) => {
      const element = elements.create('expressCheckout', {
        buttonHeight: BUTTON_HEIGHT_PX,
        layout: { maxColumns: 1, maxRows: 1 },
        paymentMethods: { link: 'never', paypal: 'never', amazonPay: 'never', klarna: 'never' },
      })
      element.on('ready', ({ availablePaymentMethods }) => {
        const isExpress = Object.values(availablePaymentMethods ?? {}).includes(true)
        setCurrent((before) => (before.about === clientSecret ? { ...before, isExpress } : before))
      })
      element.on('click', (event) => onClick(event))
      element.on('confirm', (event) => onConfirm(event))
      element.mount(target)
      cleanups.push(() => element.destroy())
    }

    const open = async () => {
      const [{ loadStripe }] = await Promise.all([import('@stripe/stripe-js/pure'), loadScript(config.scriptUrl)])
      // The script is loaded already, so `loadStripe` adds none and also works with a simulator's.
      const stripe = await loadStripe(config.publishableKey, stripeOptions())
      if (isGone || !place.current) return
      if (!stripe) throw new Error('The payment provider’s script did not start')

      const elements = stripe.elements({ clientSecret, appearance: paymentAppearance(place.current) })
      const element = elements.create('payment', {
        layout: paymentLayout,
        wallets: { applePay: 'never', googlePay: 'never' },
        fields: { billingDetails: { name: 'never', email: 'never', address: 'never' } },
      })
      element.on('ready', () => setState('ready'))
      element.on('loaderror', () => setState('broken'))
      setState('loading')
      if (hasExpress && expressPlace.current) openExpress(elements, expressPlace.current)
      element.mount(place.current)
      mounted.current = { stripe, elements, total: totalNow() }
      cleanups.push(() => element.destroy())
    }

    open().catch(() => {
      if (!isGone) setState('unavailable')
    })
    return () => {
      isGone = true
      mounted.current = undefined
      for (const cleanup of cleanups) cleanup()
    }
  }, [config.scriptUrl, config.publishableKey, clientSecret, hasExpress])

  /** Loads the amount again if it has changed since. */
  const fetchTotal = async () => {
    if (!mounted.current || mounted.current.total === total) return
    await mounted.current.elements.fetchUpdates()
    if (mounted.current) mounted.current = { ...mounted.current, total }
  }

  const { state, isExpress } =
    current.about === clientSecret ? current : { state: 'loading' as const, isExpress: false }
  return {
    place,
    expressPlace,
    mounted,
    fetchTotal,
    state: clientSecret === undefined ? ('absent' as const) : state,
    isExpress: clientSecret !== undefined && isExpress,
  }
}
