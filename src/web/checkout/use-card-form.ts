import type { Appearance, Stripe, StripeElements } from '@stripe/stripe-js'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { defaultCollection } from '#brand/collections/collections.ts'
import type { PublicConfig } from '#contract/public-config.ts'
import { loadScript } from './load-script.ts'

/** `unavailable`: the provider's script did not start. `broken`: it did, but its form did not. */
export type CardFormState = 'loading' | 'ready' | 'broken' | 'unavailable'

/** The provider's own objects, once its form stands on the page. */
export type MountedCardForm = { stripe: Stripe; elements: StripeElements }

/**
 * Mounts the provider's card form for a payment; another secret is another form.
 * @returns the place for the form, how it fares, and the form itself once it is there
 */
export function useCardForm(config: PublicConfig['stripe'], clientSecret: string) {
  const place = useRef<HTMLDivElement>(null)
  const mounted: RefObject<MountedCardForm | undefined> = useRef<MountedCardForm>(undefined)
  const [{ about, state }, setState] = useState<{ about: string; state: CardFormState }>({
    about: clientSecret,
    state: 'loading',
  })

  useEffect(() => {
    const tell = (now: CardFormState) => setState({ about: clientSecret, state: now })
    let close: (() => void) | undefined
    let isGone = false

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
      element.mount(place.current)
      mounted.current = { stripe, elements }
      close = () => element.destroy()
    }

    open().catch(() => {
      if (!isGone) tell('unavailable')
    })
    return () => {
      isGone = true
      mounted.current = undefined
      close?.()
    }
  }, [config.scriptUrl, config.publishableKey, clientSecret])

  return { place, mounted, state: about === clientSecret ? state : ('loading' as const) }
}

const { colors, borderRadius } = defaultCollection

/** The provider draws its fields in a frame of its own: it gets our colours as values. */
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
