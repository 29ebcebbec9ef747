import type {
  Stripe,
  StripeElements,
  StripeExpressCheckoutElementClickEvent,
  StripeExpressCheckoutElementConfirmEvent,
  StripeExpressCheckoutElementShippingAddressChangeEvent,
} from '@stripe/stripe-js'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { house } from '#site/house.ts'
import type { OrderSummary } from '#contract/checkout.ts'
import type { PublicConfig } from '#contract/public-config.ts'
import { mainCountries } from '#domain/checkout/countries.ts'
import { taxRowsOf } from '#domain/checkout/quote.ts'
import { negate, type Cents } from '#shared/money.ts'
import { say, sayKnown } from '#words/say.ts'
import { loadScript } from './load-script.ts'
import { stripeOptions } from './stripe-options.ts'

export type ExpressConfirm = StripeExpressCheckoutElementConfirmEvent
export type SheetPlace = StripeExpressCheckoutElementShippingAddressChangeEvent['address']

type SheetHandlers = {
  shopName: string
  /** The sheet's amount until its address is known. */
  firstAmount: () => Cents
  /** The server's quote for the sheet's address; undefined when it can't go there. */
  quoteFor: (place: SheetPlace) => Promise<OrderSummary | undefined>
  /** Stripe needs a synchronous answer. @returns whether the sheet may open */
  mayOpen: () => boolean
  /** The sheet was closed without paying. */
  onClosed: () => void
  onConfirm: (event: ExpressConfirm, mounted: { stripe: Stripe; elements: StripeElements }) => void
}

export type SheetState = 'loading' | 'ready' | 'unavailable'

const BUTTON_HEIGHT_PX = 48

/** Sheets add shipping to these lines. */
const linesOf = (summary: OrderSummary) => [
  { name: say('Subtotal'), amount: summary.subtotal },
  ...taxRowsOf(summary).map(({ label, amount }) => ({ name: label, amount })),
  ...(summary.giftCard ? [{ name: say('Gift card'), amount: negate(summary.giftCard.amount) }] : []),
]

const ratesOf = ({ shipping, shippingMethod }: OrderSummary) => [
  { id: 'shipping', displayName: sayKnown(shippingMethod), amount: shipping },
]

/**
 * Stripe's button for Apple Pay or Google Pay, whose sheet asks for the address: the payment is created when the shopper pays.
 * @param isReady whether the cart is known
 */
export function useExpressSheet(config: PublicConfig['stripe'] | undefined, isReady: boolean, handlers: SheetHandlers) {
  const place = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<SheetState>('loading')
  const latest = useEffectEvent(() => handlers)
  const { scriptUrl, publishableKey } = config ?? {}

  useEffect(() => {
    if (!isReady || scriptUrl === undefined || publishableKey === undefined) return undefined
    let isGone = false
    let destroy = () => {}

    const open = async () => {
      const [{ loadStripe }] = await Promise.all([import('@stripe/stripe-js/pure'), loadScript(scriptUrl)])
      const stripe = await loadStripe(publishableKey, stripeOptions())
      if (isGone || !place.current) return
      if (!stripe) throw new Error('The payment provider’s script did not start')

      const { firstAmount, shopName } = latest()
      const elements = stripe.elements({
        mode: 'payment',
        amount: firstAmount(),
        currency: 'usd',
        appearance: { variables: { borderRadius: house.borderRadius } },
      })
      const element = elements.create('expressCheckout', {
        buttonHeight: BUTTON_HEIGHT_PX,
        layout: { maxColumns: 1, maxRows: 1 },
        paymentMethods: { link: 'never', paypal: 'never', amazonPay: 'never', klarna: 'never' },
        business: { name: shopName },
        emailRequired: true,
        shippingAddressRequired: true,
        allowedShippingCountries: [...mainCountries],
        shippingRates: [{ id: 'shipping', displayName: say('Shipping'), amount: 0 }],
      })
      element.on('ready', ({ availablePaymentMethods }) =>
        setState(Object.values(availablePaymentMethods ?? {}).includes(true) ? 'ready' : 'unavailable'),
      )
      element.on('loaderror', () => setState('unavailable'))
      let hasOpened = false
      element.on('click', (event: StripeExpressCheckoutElementClickEvent) => {
        hasOpened = latest().mayOpen()
        return hasOpened ? event.resolve() : event.reject()
      })
      // A sheet that may not open is canceled, too.
      element.on('cancel', () => hasOpened && latest().onClosed())
      element.on('shippingaddresschange', (event) => void answer(event, elements).catch(() => event.reject()))
      element.on('confirm', (event) => {
        // A sheet may be dismissed after the authorization, too: from here on, what the payment answers counts.
        hasOpened = false
        latest().onConfirm(event, { stripe, elements })
      })
      element.mount(place.current)
      destroy = () => element.destroy()
    }

    const answer = async (
      event: StripeExpressCheckoutElementShippingAddressChangeEvent,
      elements: StripeElements,
    ): Promise<void> => {
      const summary = await latest().quoteFor(event.address)
      if (!summary) return event.reject()
      await elements.update({ amount: summary.total })
      event.resolve({ lineItems: linesOf(summary), shippingRates: ratesOf(summary) })
    }

    open().catch(() => {
      if (!isGone) setState('unavailable')
    })
    return () => {
      isGone = true
      destroy()
    }
  }, [scriptUrl, publishableKey, isReady])

  return { place, state }
}
