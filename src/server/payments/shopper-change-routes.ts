import type { OrderKey } from '#contract/orders.ts'
import { canCorrectAddress, changedTaxRegion } from '#domain/orders/correction.ts'
import { formatUsd, negate, ZERO } from '#shared/money.ts'
import { HOUR_MS } from '#shared/time.ts'
import { correctEmail } from '#server/fulfillment/order-corrections.ts'
import type { App } from '#server/http/app.ts'
import type { Context } from '#server/http/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import { authorizeOrderAccess, authorizeOrderCustomer } from '#server/orders/access.ts'
import { changeObjectionOf, findAwaitingChange } from '#server/orders/changes.ts'
import { correctableOf } from '#server/orders/order-view.ts'
import type { Order } from '#server/orders/orders.ts'
import { startChangePayment } from './change-payments.ts'
import { addressIn } from './change-plan.ts'
import { changeOrder, dropChange, previewChange } from './order-changes.ts'
import { cancelByShopper, makeNow, requireChangeable } from './shopper-changes.ts'

const SHOPPER = { kind: 'shopper' } as const
const ADVICE = 'Please write to us, and we’ll find a way.'
const TO_THIS_ADDRESS = 'Thank you. We’ll ship your order to this address.'
/** A customer who changes an order is there to pay it; it is made as it was otherwise. */
const TIME_TO_PAY_MS = HOUR_MS

type RouteNeeds = Parameters<typeof changeOrder>[0]

/** Changes and corrections by the customer. Knowing only number and email, or having an expired link, is not enough. */
export function shopperChangeRoutes(app: App, shop: RouteNeeds): void {
  const theirs = async (context: Context, key: OrderKey): Promise<Order> =>
    (await authorizeOrderCustomer(shop, context, key)).order
  const changeable = async (context: Context, key: OrderKey): Promise<Order> => {
    const order = await theirs(context, key)
    requireChangeable(changeObjectionOf(order, shop.clock.now()))
    return order
  }
  serve(app, 'shopperChanges', {
    preview: async (context, { body: { recipient, phone, lines, ...key } }) =>
      previewChange(shop, await changeable(context, key), { recipient, phone, lines }),
    change: async (context, { body: { difference: seen, recipient, phone, lines, ...key } }) => {
      const wish = { recipient, phone, lines }
      const options = { seen, timeToPayMs: TIME_TO_PAY_MS }
      const { difference } = await changeOrder(shop, await changeable(context, key), wish, SHOPPER, options)
      const done = recipient && !lines ? TO_THIS_ADDRESS : 'Thank you. Your order is changed.'
      if (difference > ZERO)
        return { done: `Almost done: pay ${formatUsd(difference)}, and your order is changed.`, isToPay: true }
      const returned = difference < ZERO ? ` ${formatUsd(negate(difference))} is on its way back to you.` : ''
      return { done: `${done}${returned}`, isToPay: false }
    },
    cancel: async (context, { body }) => {
      const { refund } = await cancelByShopper(shop, await theirs(context, body))
      const returned = refund > ZERO ? ` ${formatUsd(refund)} is on its way back to you.` : ''
      return { done: `Your order is canceled. Nothing will be made.${returned}` }
    },
    makeNow: async (context, { body }) => {
      await makeNow(shop, await theirs(context, body))
      return { done: 'Thank you. Your order is on its way to our printer.' }
    },
  })
  serve(app, 'corrections', {
    address: async (context, { body }) => {
      const order = await theirs(context, body)
      if (!canCorrectAddress(correctableOf(order), 'shopper')) throw new Refusal('correction_too_late')
      const part = changedTaxRegion(order.shippingAddress, addressIn(body))
      if (part)
        throw new Refusal(
          'correction_elsewhere',
          { part, advice: ADVICE },
          { [`shippingAddress.${part}`]: `The ${part} can’t be changed after payment` },
        )
      const { name, shippingAddress, tax_number } = body
      await changeOrder(shop, order, { recipient: { name, shippingAddress, tax_number } }, SHOPPER, { seen: ZERO })
      return { done: TO_THIS_ADDRESS }
    },
    email: async (context, { body }) => {
      await correctEmail(shop, await theirs(context, body), body.email, SHOPPER)
      return { done: 'Thank you. Updates now go to this address. We’ve sent it a new link to your order.' }
    },
  })
  serve(app, 'changePayment', {
    show: async (context, { query }) => {
      const { order, mayCorrect } = await authorizeOrderAccess(shop, context, query)
      const change = mayCorrect ? await findAwaitingChange(shop.db, order.id) : undefined
      if (!change?.plan || !change.expiresAt) return { toPay: null }
      return {
        toPay: {
          amount: change.amountCents,
          until: change.expiresAt.toISOString(),
          lines: change.plan.lines.map(({ productName, variantName, quantity }) => ({
            ...{ productName, variantName, quantity },
          })),
          total: change.plan.amounts.total,
        },
      }
    },
    start: async (context, { body }) => startChangePayment(shop, await theirs(context, body)),
    drop: async (context, { body }) => {
      if (!(await dropChange(shop, await theirs(context, body)))) throw new Refusal('no_change_to_pay')
      return { done: 'Nothing was changed. We make your order as it was.' }
    },
  })
}
