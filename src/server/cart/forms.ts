import { parse } from 'node:querystring'
import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { cartCalls, LineToAdd } from '#contract/cart.ts'
import { paths } from '#contract/paths.ts'
import { pathId } from '#contract/wire.ts'
import type { RefusalCode } from '#contract/refusals.ts'
import type { CartLineId, ProductId } from '#kernel/ids.ts'
import { listProducts } from '#server/catalogue/catalogue.ts'
import type { App } from '#server/http/app.ts'
import { Refused } from '#server/http/refused.ts'
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

/**
 * The cart for browsers without script: forms post to the pages' own addresses, and are led on to a page that says what came
 * of it. Only here are forms read; the calls under `/api` take JSON alone.
 */
export async function cartForms(app: App, shop: Needs<'config' | 'db'>): Promise<void> {
  await app.http.register(async (http) => {
    http.removeAllContentTypeParsers()
    http.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
      done(null, { ...parse(String(body)) }),
    )
    http.addHook('onRequest', async (request) => {
      if (!isFromOwnPage(request, shop.config.publicUrl)) throw new Refused('foreign_origin')
    })

    http.post<Forms['order']>(
      '/product/:id',
      { schema: { hide: true }, config: { rateLimit: app.limitOf(cartCalls.add) } },
      async (request, reply) => {
        const { id: wanted } = request.params
        const product = (await listProducts(shop.db)).find(({ id, slug }) => String(id) === wanted || slug === wanted)
        // The page of an unknown product says so itself.
        if (!product) return reply.redirect(paths.product(encodeURIComponent(wanted)), 303)
        const said = await sayingOf(async () => {
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
        const said = await sayingOf(async () => {
          if (!session) return
          if ('clear' in change.data) await clearCart(shop, session.id)
          else await changeLine(shop, session.id, change.data.line, change.data.quantity)
        })
        return reply.redirect(`${paths.cart}?said=${said ?? 'changed'}`, 303)
      },
    )
  })
}

/** @throws Refused `invalid` for what the page's own form cannot send */
function orderOf(body: unknown, productId: ProductId): LineToAdd {
  const order = z.safeParse(Order, body)
  const line = order.success
    ? z.safeParse(LineToAdd, { productId, variantId: order.data.variant ?? null, quantity: order.data.quantity })
    : undefined
  if (!line?.success) throw new Refused('invalid')
  return line.data
}

/** @returns the code of a no, which the page puts into words; undefined when it went well */
async function sayingOf(act: () => Promise<void>): Promise<RefusalCode | undefined> {
  try {
    await act()
    return undefined
  } catch (error) {
    if (error instanceof Refused) return error.code
    throw error
  }
}

/**
 * Any site can send a form here, and a browser takes the answer's cookie along: so a form has to prove that it stood on a page
 * of ours. The check of all calls lets a request pass that tells nothing of where it comes from; this one does not.
 */
function isFromOwnPage({ headers, host }: FastifyRequest, publicUrl: string | undefined): boolean {
  const { origin, referer } = headers
  const own = publicUrl ?? `http://${host}`
  if (origin !== undefined) return origin === own
  if (headers['sec-fetch-site'] !== undefined) return headers['sec-fetch-site'] === 'same-origin'
  return referer?.startsWith(`${own}/`) ?? false
}
