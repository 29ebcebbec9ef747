import type {
  Appearance,
  Stripe,
  StripeElements,
  StripeExpressCheckoutElementClickEvent,
  StripeExpressCheckoutElementConfirmEvent,
} from '@stripe/stripe-js'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { defaultCollection } from '#site/collections/collections.ts'
import type { PublicConfig } from '#contract/public-config.ts'
import { loadScript } from './load-script.ts'

/** `absent`: no card payment exists. `unavailable`: Stripe's script did not start. `broken`: the script started, its form did not. */
export type CardFormState = 'absent' | 'loading' | 'ready' | 'broken' | 'unavailable'

export type MountedCardForm = { stripe: Stripe; elements: StripeElements }

/** Apple Pay and Google Pay. */
export type ExpressHandlers = {
  onClick: (event: StripeExpressCheckoutElementClickEvent) => void
  onConfirm: (event: StripeExpressCheckoutElementConfirmEvent) => void
}

const BUTTON_HEIGHT_PX = 48

/**
 * Mounts Stripe's card form; a new client secret remounts it.
 * @param express undefined on pages without an express button
 */
export function useCardForm(
  config: PublicConfig['stripe'],
  clientSecret: string | undefined,
  express: RefObject<ExpressHandlers> | undefined,
) {
  const place = useRef<HTMLDivElement>(null)
  const expressPlace = useRef<HTMLDivElement>(null)
  const mounted: RefObject<MountedCardForm | undefined> = useRef<MountedCardForm>(undefined)
  const [current, setCurrent] = useState<{ about: string | undefined; state: CardFormState; isExpress: boolean }>({
    about: clientSecret,
    state: 'loading',
    isExpress: false,
  })

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

    const openExpress = (elements: StripeElements, handlers: RefObject<ExpressHandlers>, target: HTMLElement) => {
      const element = elements.create('expressCheckout', {
        buttonHeight: BUTTON_HEIGHT_PX,
        layout: { maxColumns: 1, maxRows: 1 },
        paymentMethods: { link: 'never', paypal: 'never', amazonPay: 'never', klarna: 'never' },
      })
      element.on('ready', ({ availablePaymentMethods }) => {
        const isExpress = Object.values(availablePaymentMethods ?? {}).includes(true)
        setCurrent((before) => (before.about === clientSecret ? { ...before, isExpress } : before))
      })
      element.on('click', (event) => handlers.current.onClick(event))
      element.on('confirm', (event) => handlers.current.onConfirm(event))
      element.mount(target)
      cleanups.push(() => element.destroy())
    }

    const open = async () => {
      const [{ loadStripe }] = await Promise.all([import('@stripe/stripe-js/pure'), loadScript(config.scriptUrl)])
      // The script is loaded already, so `loadStripe` adds none and also works with a simulator's.
      const stripe = await loadStripe(config.publishableKey)
      if (isGone || !place.current) return
      if (!stripe) throw new Error('The payment provider’s script did not start')

      const elements = stripe.elements({ clientSecret, appearance })
      const element = elements.create('payment', {
        layout: 'tabs',
        wallets: { applePay: 'never', googlePay: 'never' },
        fields: { billingDetails: { name: 'never', email: 'never', address: 'never' } },
      })
      element.on('ready', () => setState('ready'))
      element.on('loaderror', () => setState('broken'))
      setState('loading')
      if (express && expressPlace.current) openExpress(elements, express, expressPlace.current)
      element.mount(place.current)
      mounted.current = { stripe, elements }
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
  }, [config.scriptUrl, config.publishableKey, clientSecret, express])

  const { state, isExpress } =
    current.about === clientSecret ? current : { state: 'loading' as const, isExpress: false }
  return {
    place,
    expressPlace,
    mounted,
    state: clientSecret === undefined ? ('absent' as const) : state,
    isExpress: clientSecret !== undefined && isExpress,
  }
}

const { colors, borderRadius } = defaultCollection

/** Stripe renders its fields in an iframe, which needs colors as values. */
const appearance: Appearance = {
  theme: 'stripe',
  variables: {
    colorPrimary: colors.textPrimary,
    colorText: colors.textPrimary,
    colorTextSecondary: colors.textSecondary,
    colorDanger: '#9c2b1f',
    colorBackground: colors.surface,
    fontFamily: "'Instrument Sans', Arial, sans-serif",
    fontSizeBase: '16px',
    borderRadius,
    gridRowSpacing: '20px',
  },
}
