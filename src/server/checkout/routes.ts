import { checkoutCalls } from '#contract/checkout.ts'
import { noticesAt, shippingTo } from '#domain/checkout/quote.ts'
import type { App } from '#server/http/app.ts'
import { Refused } from '#server/http/refused.ts'
import { serve } from '#server/http/serve.ts'
import type { Needs } from '#server/shop.ts'
import { startCardPayment } from './checkout.ts'
import { linesOfCart, quote, refuseRestricted } from './pricing.ts'
import { addressFrom } from './wire.ts'

export const checkoutRoutes = (app: App, shop: Needs<'db' | 'stripe' | 'log' | 'clock' | 'config'>) =>
  serve(app, checkoutCalls, {
    shipping: async (context, { body }) => {
      const wire = body.shippingAddress ?? body.destination
      if (!wire) throw new Refused('invalid', {}, { shippingAddress: 'Required' })
      const { country } = addressFrom(wire, body.shippingAddress ? 'shippingAddress' : 'destination')
      const lines = await linesOfCart(shop, (await context.session())?.id)
      refuseRestricted(country, lines)
      const { cost, method, surcharges, disclosures } = shippingTo(country, lines)
      return {
        cost,
        method,
        shipping_surcharges: surcharges,
        surcharge_disclosures: disclosures,
        notices: noticesAt(country, lines),
      }
    },
    taxes: async (context, { body }) => {
      const address = addressFrom(body.customerAddress, 'customerAddress')
      const lines = await linesOfCart(shop, (await context.session())?.id)
      const priced = await quote(shop, lines, address, 'customerAddress')
      return {
        success: true,
        tax_amount: priced.quote.tax,
        tax_label: priced.quote.taxLabel,
        vat_protection: priced.quote.vatProtection,
        tax_breakdown: priced.quote.taxBreakdown,
      }
    },
    startCardPayment: async (context, { body }) => {
      const session = await context.session()
      if (!session) throw new Refused('cart_empty')
      return startCardPayment(shop, session.id, body)
    },
  })
