import * as z from 'zod/mini'
import { cartCalls, LineToAdd } from '#contract/cart.ts'
import { paths } from '#contract/paths.ts'
import { pathId } from '#contract/wire.ts'
import type { CartLineId, ProductId } from '#shared/ids.ts'
import { findProductView } from '#server/catalog/catalog.ts'
import type { App } from '#server/http/app.ts'
import { plainForms, messageCodeOf } from '#server/http/forms.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import { addToCart, changeLine, clearCart } from './cart.ts'

/** Digits alone, as a form sends them. */
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

/** The cart for browsers without script: each form is led on to a page that says what came of it. */
export async function cartForms(app: App, shop: Needs<'config' | 'db'>): Promise<void> {
  await plainForms(app, shop.config.publicUrl, (http) => {
    http.post<Forms['order']>(
      '/product/:id',
      { schema: { hide: true }, config: { rateLimit: app.limitOf(cartCalls.add) } },
      async (request, reply) => {
        const { id: wanted } = request.params
        const product = await findProductView(shop.db, wanted)
        // The page of an unknown product says so itself.
        if (!product) return reply.redirect(paths.product(encodeURIComponent(wanted)), 303)
        const said = await messageCodeOf(async () => {
          await addToCart(shop, app.contextOf(request, reply), orderOf(request.body, product.id))
        })
        if (!said) return reply.redirect(`${paths.cart}?said=added`, 303)
        return reply.redirect(`${paths.product(product.id)}?said=${said}`, 303)
      },
    )

    http.post<Forms['change']>(
      paths.cart,
      { schema: { hide: true }, config: { rateLimit: app.limitOf(cartCalls.change) } },
      async (request, reply) => {
        const change = z.safeParse(Change, request.body)
        if (!change.success) return reply.redirect(`${paths.cart}?said=invalid`, 303)
        const session = await app.contextOf(request, reply).session()
        const said = await messageCodeOf(async () => {
          if (!session) return
          if ('clear' in change.data) await clearCart(shop, session.id)
          else await changeLine(shop, session.id, change.data.line, change.data.quantity)
        })
        return reply.redirect(`${paths.cart}?said=${said ?? 'changed'}`, 303)
      },
    )
  })
}

/** @throws Refusal `invalid` for what the page's own form cannot send */
function orderOf(body: unknown, productId: ProductId): LineToAdd {
  const order = z.safeParse(Order, body)
  const line = order.success
    ? z.safeParse(LineToAdd, { productId, variantId: order.data.variant ?? null, quantity: order.data.quantity })
    : undefined
  if (!line?.success) throw new Refusal('invalid')
  return line.data
}
