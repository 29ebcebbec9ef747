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

/** `absent`: there is no card payment to fill it for. `unavailable`: the provider's script did not start. `broken`: it did, but its form did not. */
export type CardFormState = 'absent' | 'loading' | 'ready' | 'broken' | 'unavailable'

/** The provider's own objects, once its form stands on the page. */
export type MountedCardForm = { stripe: Stripe; elements: StripeElements }

/** What the express button (Apple Pay, Google Pay) says. */
export type ExpressHandlers = {
  onClick: (event: StripeExpressCheckoutElementClickEvent) => void
  onConfirm: (event: StripeExpressCheckoutElementConfirmEvent) => void
}

const BUTTON_HEIGHT_PX = 48

/**
 * Mounts the provider's card form for a payment; another secret is another form.
 * @param express undefined where the page has no place for the express button
 * @returns the places for the form and for the express button, how they fare, and the form itself once it is there
 */
export function useCardForm(
  config: PublicConfig['stripe'],
  clientSecret: string | undefined,
  express: RefObject<ExpressHandlers> | undefined,
) {
  const place = useRef<HTMLDivElement>(null)
  const expressPlace = useRef<HTMLDivElement>(null)
  const mounted: RefObject<MountedCardForm | undefined> = useRef<MountedCardForm>(undefined)
  const [known, setKnown] = useState<{ about: string | undefined; state: CardFormState; isExpress: boolean }>({
    about: clientSecret,
    state: 'loading',
    isExpress: false,
  })

  useEffect(() => {
    if (clientSecret === undefined) return undefined
    const tell = (state: CardFormState) =>
      setKnown((before) => ({
        about: clientSecret,
        state,
        isExpress: before.about === clientSecret && before.isExpress,
      }))
    const closing: (() => void)[] = []
    let isGone = false

    const openExpress = (elements: StripeElements, handlers: RefObject<ExpressHandlers>, into: HTMLElement) => {
      const element = elements.create('expressCheckout', {
        buttonHeight: BUTTON_HEIGHT_PX,
        layout: { maxColumns: 1, maxRows: 1 },
        paymentMethods: { link: 'never', paypal: 'never', amazonPay: 'never', klarna: 'never' },
      })
      element.on('ready', ({ availablePaymentMethods }) => {
        const isExpress = Object.values(availablePaymentMethods ?? {}).includes(true)
        setKnown((before) => (before.about === clientSecret ? { ...before, isExpress } : before))
      })
      element.on('click', (event) => handlers.current.onClick(event))
      element.on('confirm', (event) => handlers.current.onConfirm(event))
      element.mount(into)
      closing.push(() => element.destroy())
    }

    const open = async () => {
      const [{ loadStripe }] = await Promise.all([import('@stripe/stripe-js/pure'), loadScript(config.scriptUrl)])
      // The script is there, so this adds none of its own and a stand-in is met like the real one.
      const stripe = await loadStripe(config.publishableKey)
      if (isGone || !place.current) return
      if (!stripe) throw new Error('The payment provider’s script did not start')

      const elements = stripe.elements({ clientSecret, appearance })
      const element = elements.create('payment', {
        layout: 'tabs',
        wallets: { applePay: 'never', googlePay: 'never' },
        fields: { billingDetails: { name: 'never', email: 'never', address: 'never' } },
      })
      element.on('ready', () => tell('ready'))
      element.on('loaderror', () => tell('broken'))
      tell('loading')
      if (express && expressPlace.current) openExpress(elements, express, expressPlace.current)
      element.mount(place.current)
      mounted.current = { stripe, elements }
      closing.push(() => element.destroy())
    }

    open().catch(() => {
      if (!isGone) tell('unavailable')
    })
    return () => {
      isGone = true
      mounted.current = undefined
      for (const close of closing) close()
    }
  }, [config.scriptUrl, config.publishableKey, clientSecret, express])

  const { state, isExpress } = known.about === clientSecret ? known : { state: 'loading' as const, isExpress: false }
  return {
    place,
    expressPlace,
    mounted,
    state: clientSecret === undefined ? ('absent' as const) : state,
    isExpress: clientSecret !== undefined && isExpress,
  }
}

const { colors, borderRadius } = defaultCollection

/** The provider draws its fields in a frame of its own: it gets our colors as values. */
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
