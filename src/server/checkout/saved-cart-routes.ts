import * as z from 'zod/mini'
import { paths } from '#contract/paths.ts'
import { savedCartCalls, savedCartPath, savedCartQr, savedCartToken } from '#contract/saved-carts.ts'
import { baseUrlOf } from '#server/config/config.ts'
import { qrSvg } from '#server/files/qr.ts'
import type { App } from '#server/http/app.ts'
import { catchRefusalCode, plainForms } from '#server/http/forms.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import type { Needs } from '#server/shop.ts'
import { remindOfCart, restoreCart, saveCart, showSavedCart } from './saved-carts.ts'

const ByToken = z.object({ token: savedCartToken })

/** Carts that a link opens on any device. The button that puts one into a cart works without JavaScript. */
export async function savedCartRoutes(app: App, shop: Needs<'db' | 'clock' | 'config'>): Promise<void> {
  serve(app, 'savedCarts', {
    save: async (context) => ({ token: await saveCart(shop, (await context.session())?.id) }),
    show: (_, { query }) => showSavedCart(shop, query.token),
    restore: (context, { body }) => restoreCart(shop, context, body.token),
    remind: async (context, { body }) => {
      await remindOfCart(shop, (await context.session())?.id, body.email, context.language)
      return { done: 'We’ll write once, tomorrow, if something is still in your cart.' }
    },
  })
  app.http.get<{ Querystring: unknown }>(
    savedCartQr('').replace(/\?.*/, ''),
    { schema: { hide: true } },
    async ({ query }, reply) => {
      const asked = z.safeParse(ByToken, query)
      if (!asked.success) throw new Refusal('unknown_saved_cart')
      return reply
        .header('cache-control', 'no-store')
        .type('image/svg+xml')
        .send(qrSvg(baseUrlOf(shop.config) + savedCartPath(asked.data.token)))
    },
  )
  await plainForms(app, shop.config.publicUrl, (forms) => {
    forms.post<{ Body: unknown }>(
      `${paths.cart}/restore`,
      { schema: { hide: true }, config: { rateLimit: app.limitOf(savedCartCalls.restore) } },
      async (request, reply) => {
        const asked = z.safeParse(ByToken, request.body)
        if (!asked.success) return reply.redirect(`${paths.cart}?said=unknown_saved_cart`, 303)
        let isWhole = true
        const failure = await catchRefusalCode(async () => {
          isWhole = (await restoreCart(shop, app.contextOf(request, reply), asked.data.token)).isWhole
        })
        return reply.redirect(`${paths.cart}?said=${failure ?? (isWhole ? 'restored' : 'restored_partly')}`, 303)
      },
    )
  })
}
