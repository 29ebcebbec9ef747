import * as z from 'zod/mini'
import { cartCalls, LineToAdd } from '#contract/cart.ts'
import { paths } from '#contract/paths.ts'
import { pathId } from '#contract/wire.ts'
import type { CartLineId, ProductId } from '#shared/ids.ts'
import { findProductView } from '#server/catalog/listing.ts'
import type { App } from '#server/http/app.ts'
import { plainForms, catchRefusalCode } from '#server/http/forms.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import { addToCart, changeLine, clearCart } from './cart.ts'

/** A form sends numbers as text. */
const count = z.pipe(
  z.string().check(z.regex(/^\d{1,2}$/)),
  z.transform((text) => Number(text)),
)
const Order = z.object({ variant: z.optional(z.string()), quantity: z._default(count, 1) })
const Change = z.union([
  z.object({ line: pathId<CartLineId>(), quantity: count }),
  z.object({ clear: z.literal('cart') }),
])

type Forms = { order: { Params: { id: string }; Body: unknown }; change: { Body: unknown } }

/** The cart for browsers without JavaScript: each form redirects to a page that shows the result. */
export async function cartForms(app: App, shop: Needs<'config' | 'db' | 'clock' | 'visits'>): Promise<void> {
  await plainForms(app, shop.config.publicUrl, (http) => {
    http.post<Forms['order']>(
      '/product/:id',
      { schema: { hide: true }, config: { rateLimit: app.limitOf(cartCalls.add) } },
      async (request, reply) => {
        const { id } = request.params
        const product = await findProductView(shop.db, id)
        // The page itself shows that a product is unknown.
        if (!product) return reply.redirect(paths.product(encodeURIComponent(id)), 303)
        const messageCode = await catchRefusalCode(async () => {
          await addToCart(shop, app.contextOf(request, reply), orderOf(request.body, product.id))
        })
        if (!messageCode) return reply.redirect(`${paths.cart}?said=added`, 303)
        return reply.redirect(`${paths.product(product.id)}?said=${messageCode}`, 303)
      },
    )

    http.post<Forms['change']>(
      paths.cart,
      { schema: { hide: true }, config: { rateLimit: app.limitOf(cartCalls.change) } },
      async (request, reply) => {
        const change = z.safeParse(Change, request.body)
        if (!change.success) return reply.redirect(`${paths.cart}?said=invalid`, 303)
        const session = await app.contextOf(request, reply).session()
        const messageCode = await catchRefusalCode(async () => {
          if (!session) return
          if ('clear' in change.data) await clearCart(shop, session.id)
          else await changeLine(shop, session.id, change.data.line, { quantity: change.data.quantity })
        })
        return reply.redirect(`${paths.cart}?said=${messageCode ?? 'changed'}`, 303)
      },
    )
  })
}

/** @throws Refusal `invalid` for a body that the page's own form cannot send */
function orderOf(body: unknown, productId: ProductId): LineToAdd {
  const order = z.safeParse(Order, body)
  const line = order.success
    ? z.safeParse(LineToAdd, { productId, variantId: order.data.variant ?? null, quantity: order.data.quantity })
    : undefined
  if (!line?.success) throw new Refusal('invalid')
  return line.data
}
