import type { SessionUser } from '#contract/accounts.ts'
import type { UserId } from '#shared/ids.ts'
import { datesOf } from '#domain/catalog/arrival.ts'
import {
  ageLimitOf,
  ESTIMATED_TAX_NOTICE,
  estimateNotices,
  FREE_SHIPPING,
  isShippingFree,
  noticesFor,
  shippingTo,
} from '#domain/checkout/quote.ts'
import { customsNotices } from '#domain/checkout/to-door.ts'
import { savingNotices } from '#domain/codes/discount.ts'
import type { App } from '#server/http/app.ts'
import type { Context } from '#server/http/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import { userOf } from '#server/partners/partnership.ts'
import type { Needs } from '#server/shop.ts'
import { reportCardDecline, startCardPayment } from './card.ts'
import { payerAt } from './declines.ts'
import { startWalletPayment } from './wallet.ts'
import { discountCart, removeCode, showCartCodes } from './codes.ts'
import { linesOfCart, quoteCheckout, refuseRestricted, type PricingNeeds, shippingRate } from './pricing.ts'
import { cartToDoor, piecesToDoor } from './to-door.ts'
import { enterCode, removeCartGiftCard } from './enter-code.ts'
import { endPartnerCode, makePartnerCode, showPartnerCodes } from './partner-codes.ts'
import { withGiftCard } from './gift-cards.ts'
import { quoteForSheet, readExpress, startExpress } from './express.ts'
import { createIdempotencyKeyCheck } from './idempotency-keys.ts'
import { toldTo, wireQuoteOf } from './wire-quote.ts'
import { addressFrom } from './wire.ts'

export function checkoutRoutes(app: App, shop: PricingNeeds & Needs<'paypal' | 'jobs'>): void {
  const idempotencyKeys = createIdempotencyKeyCheck()
  serve(app, 'checkout', {
    shipping: async (context, { body }) => {
      const wire = body.shippingAddress ?? body.destination
      if (!wire) throw new Refusal('invalid', {}, { shippingAddress: 'Required' })
      const field = body.shippingAddress ? 'shippingAddress' : 'destination'
      const address = addressFrom(wire, field)
      const { country } = address
      const session = await context.session()
      const cart = await linesOfCart(shop, session?.id)
      refuseRestricted(country, cart)
      const { lines, discounts, objections } = await discountCart(shop, session?.id, cart)
      const isFree = isShippingFree(discounts)
      const rate = isFree ? FREE_SHIPPING : await shippingRate(shop, lines, address, field)
      const { cost, method, surcharges, disclosures } = shippingTo(country, lines, rate, isFree)
      return {
        cost,
        method,
        shipping_surcharges: surcharges,
        surcharge_disclosures: disclosures,
        minimum_age: ageLimitOf(lines)?.age ?? null,
        notices: [
          ...savingNotices(discounts),
          ...objections.map(({ reason }) => reason),
          ...noticesFor(country, lines),
          ...estimateNotices({ rate }),
        ],
      }
    },
    taxes: async (context, { body }) => {
      const address = addressFrom(body.customerAddress, 'customerAddress')
      const session = await context.session()
      const cart = await linesOfCart(shop, session?.id)
      const { lines, discounts } = await discountCart(shop, session?.id, cart)
      const { quote } = await quoteCheckout(shop, lines, address, 'customerAddress', discounts)
      const priced = await withGiftCard(shop.db, session?.id, quote)
      return {
        success: true,
        tax_amount: priced.tax,
        tax_breakdown: priced.taxBreakdown,
        quote: await wireQuoteOf(shop, priced, address.country),
        notices: [
          ...priced.notices.filter((notice) => notice === ESTIMATED_TAX_NOTICE || !quote.notices.includes(notice)),
          ...customsNotices(priced),
        ],
      }
    },
    quoteForSheet: async (context, { body }) => quoteForSheet(shop, (await context.session())?.id, body),
    startCardPayment: async (context, { body }) => {
      const session = await context.session()
      if (!session) throw new Refusal('cart_empty')
      idempotencyKeys.check(session.id, context.idempotencyKey, body)
      return startCardPayment(shop, session.id, body, visitorOf(context, session), payerAt(context.ip))
    },
    cardDeclined: async (context, { body }) => {
      const session = await context.session()
      if (!session) throw new Refusal('unknown_payment')
      await reportCardDecline(shop, session.id, body.paymentIntentId, payerAt(context.ip))
    },
    walletSetup: async () => ({ clientToken: await shop.paypal.clientToken() }),
    startWalletPayment: async (context, { body }) => {
      const session = await context.session()
      if (!session) throw new Refusal('cart_empty')
      idempotencyKeys.check(session.id, context.idempotencyKey, body)
      return startWalletPayment(shop, session.id, body, visitorOf(context, session), payerAt(context.ip))
    },
    startExpress: async (context, { body }) => {
      const session = await context.session()
      if (!session) throw new Refusal('cart_empty')
      return { page: await startExpress(shop, session.id, body.country) }
    },
    readExpress: async (context, { params }) => readExpress(shop, (await context.session())?.id, params.id),
  })
  serve(app, 'toDoor', {
    pieces: (_, { query }) => piecesToDoor(shop, query),
    arrival: async (_, { query: { country } }) => datesOf((await toldTo(shop, country)).arrival),
  })
  serve(app, 'codes', {
    show: async (context, { query: { country } }) => {
      const session = await context.session()
      const codes = await showCartCodes(shop, session?.id)
      return country === undefined ? codes : { ...codes, quote: await cartToDoor(shop, session?.id, country) }
    },
    apply: async (context, { body }) => enterCode(shop, context, body.code),
    remove: async (context, { query }) => removeCode(shop, (await context.session())?.id, query.code),
    removeGiftCard: async (context) => removeCartGiftCard(shop, (await context.session())?.id),
  })
  const ownCodes = async (context: Context, change?: (partnerId: UserId) => Promise<unknown>) => {
    const { id } = await userOf(context)
    await change?.(id)
    return showPartnerCodes(shop, id, context.origin)
  }
  serve(app, 'partnerCodes', {
    list: (context) => ownCodes(context),
    make: (context, { body }) => ownCodes(context, (id) => makePartnerCode(shop, id, body)),
    end: (context, { params }) => ownCodes(context, (id) => endPartnerCode(shop, id, params.id)),
  })
}

const visitorOf = (
  { click, device, language }: Context,
  { user, formerUserId }: { user: SessionUser | null; formerUserId: UserId | null },
) => ({ click, device, language, userId: user?.id ?? null, formerUserId })
