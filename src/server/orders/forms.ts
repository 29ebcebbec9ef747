import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { orderCalls, OrderKey, TrackedOrder } from '#contract/orders.ts'
import { paths } from '#contract/paths.ts'
import { calendarFile } from '#domain/orders/calendar.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { inLanguage, spokenAddress } from '#shared/language.ts'
import { say } from '#words/say.ts'
import { addToCart } from '#server/cart/cart.ts'
import type { App } from '#server/http/app.ts'
import { plainForms, catchRefusalCode } from '#server/http/forms.ts'
import { Refusal } from '#server/http/refusal.ts'
import { readPaperLogo } from '#server/pictures/pictures.ts'
import { readSiteSettingsCached } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import { languageOfPage } from '#server/http/language.ts'
import { findOrderOfToken, authorizeOrderAccess, trackOrder } from './access.ts'
import { mailLinkLater } from './mails.ts'
import { findPastOrder, pastOrderKey } from './past-orders.ts'
import { listOrderLines } from './orders.ts'
import { receiptOf } from './receipt.ts'
import { readOrderView } from './order-view.ts'

type FormNeeds = Needs<'db' | 'clock' | 'config' | 'jobs' | 'visits'>
type FormRequest = { Querystring: unknown; Body: unknown }

const OrderForm = z.object({ wish: z.enum(['reorder', 'renew']) })

/**
 * The order page's forms (which work without JavaScript), receipt and calendar file. URLs here can contain an order's token, so
 * they are never sent to another site as referrer, and responses are never cached.
 */
export async function orderForms(app: App, shop: FormNeeds): Promise<void> {
  const { http } = app
  const page = { method: 'GET', path: paths.orderConfirmation } as const
  const limit = app.addressLimitOf(page)
  http.addHook('onRequest', async (request, reply) => {
    if (!isOrderPage(request)) return
    reply.header('referrer-policy', 'same-origin')
    await limit?.(request, reply)
  })

  http.get<FormRequest>(
    `${paths.orderConfirmation}/receipt.pdf`,
    { schema: { hide: true } },
    async (request, reply) => {
      const access = await authorizeOrderAccess(shop, app.contextOf(request, reply), keyOf(request.query))
      const view = await readOrderView(shop.db, access, shop.clock.now())
      if (view.kind !== 'sale') throw new Refusal('order_not_shown')
      const site = await readSiteSettingsCached(shop.db)
      return reply
        .type('application/pdf')
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="receipt-${formatOrderNumber(view.orderNumber)}.pdf"`)
        .send(
          await receiptOf(
            view,
            site,
            access.isPayer ? access.order.customerName : undefined,
            await readPaperLogo(shop.db, site.logo),
          ),
        )
    },
  )

  http.get<FormRequest>(
    `${paths.orderConfirmation}/arrival.ics`,
    { schema: { hide: true } },
    async (request, reply) => {
      const context = app.contextOf(request, reply)
      const view = await readOrderView(
        shop.db,
        await authorizeOrderAccess(shop, context, keyOf(request.query)),
        shop.clock.now(),
      )
      if (!view.expected) throw new Refusal('order_not_shown')
      const { orderNumber, expected } = view
      const { name } = await readSiteSettingsCached(shop.db)
      const file = inLanguage(languageOfPage(request), () => {
        const url = `${context.origin}${spokenAddress(paths.track)}`
        return calendarFile({
          id: `${orderNumber}@${new URL(context.origin).hostname}`,
          title: say('{shop} order {number} arrives', { shop: name, number: formatOrderNumber(orderNumber) }),
          description: say('Expected between these days. Track it at {address}', { address: url }),
          url,
          from: new Date(expected.from),
          to: new Date(expected.to),
          madeAt: shop.clock.now(),
        })
      })
      return reply
        .type('text/calendar; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="order-${formatOrderNumber(orderNumber)}.ics"`)
        .send(file)
    },
  )

  await plainForms(app, shop.config.publicUrl, (forms) => {
    const count = app.addressLimitOf(orderCalls.track)
    const limits = { config: { rateLimit: app.limitOf(orderCalls.track) }, ...(count && { onRequest: count }) }

    forms.post<FormRequest>(paths.track, { schema: { hide: true }, ...limits }, async (request, reply) => {
      const parsed = z.safeParse(TrackedOrder, request.body)
      const typed = typedNumber(request.body)
      const back = (code: string) =>
        reply.redirect(`${paths.track}?said=${code}${typed ? `&order=${encodeURIComponent(typed)}` : ''}`, 303)
      if (!parsed.success) return back('invalid')
      const failure = await catchRefusalCode(async () => {
        await trackOrder(shop, app.contextOf(request, reply), parsed.data)
      })
      if (!failure) return reply.redirect(paths.order(parsed.data.orderNumber), 303)
      let past = ''
      const pastFailure = await catchRefusalCode(async () => {
        past = pastOrderKey(shop, await findPastOrder(shop.db, parsed.data))
      })
      return pastFailure ? back(pastFailure) : reply.redirect(`${paths.track}?past=${past}`, 303)
    })

    forms.post<FormRequest>(paths.orderConfirmation, { schema: { hide: true }, ...limits }, async (request, reply) => {
      const form = z.safeParse(OrderForm, request.body)
      const key = keyOf(request.body)
      if (!form.success) throw new Refusal('invalid')
      if (form.data.wish === 'renew') {
        const order = await findOrderOfToken(shop, key.token ?? '')
        if (order) await shop.db.transaction((tx) => mailLinkLater(shop, tx, order, shop.clock.now()))
        // The same answer for an unknown link, so it reveals nothing.
        return reply.redirect(`${paths.orderConfirmation}?said=link_sent`, 303)
      }
      const missing = await buyAgain(app.contextOf(request, reply), key)
      return reply.redirect(`${paths.cart}?said=${missing ? 'reordered_partly' : 'reordered'}`, 303)
    })
  })

  /** Adds an order's lines to the cart at today's prices. @returns how many are no longer available */
  async function buyAgain(context: Parameters<typeof addToCart>[1], key: OrderKey): Promise<number> {
    const { order } = await authorizeOrderAccess(shop, context, key)
    let missing = 0
    for (const { productId, variantId, quantity } of await listOrderLines(shop.db, order.id)) {
      const refused = await catchRefusalCode(async () => {
        await addToCart(shop, context, { productId, variantId, quantity })
      })
      if (refused) missing += 1
    }
    return missing
  }
}

const isOrderPage = ({ url }: FastifyRequest): boolean =>
  [paths.orderConfirmation, paths.track].some((path) => url === path || new RegExp(`^${path}[/?]`).test(url))

/** @throws Refusal `order_not_shown`, as for every wrong key */
function keyOf(input: unknown): OrderKey {
  const key = z.safeParse(OrderKey, input)
  if (!key.success) throw new Refusal('order_not_shown')
  return key.data
}

/** Only the number goes back into the form; an email does not belong in a URL. */
function typedNumber(body: unknown): string {
  const typed = z.safeParse(z.object({ orderNumber: z.string() }), body)
  return typed.success ? typed.data.orderNumber.trim().slice(0, 40) : ''
}
