import type { Context } from '#server/http/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { App } from '#server/http/app.ts'
import { serve } from '#server/http/serve.ts'
import type { Needs } from '#server/shop.ts'
import { addToCart, changeLine, clearCart, listLines, removeLine } from './cart.ts'

export const cartRoutes = (app: App, shop: Needs<'db' | 'clock' | 'visits'>) =>
  serve(app, 'cart', {
    list: async (context) => {
      const session = await context.session()
      if (session) return listLines(shop, session.id)
      // A browser restores its backup cart only when the server has lost the session.
      context.header('x-session', 'new')
      return []
    },
    add: (context, { body }) => addToCart(shop, context, body),
    change: async (context, { params, body }) => changeLine(shop, await requireSession(context), params.id, body),
    remove: async (context, { params }) => removeLine(shop, await requireSession(context), params.id),
    clear: async (context) => {
      const session = await context.session()
      if (session) await clearCart(shop, session.id)
    },
  })

/** @throws Refusal `unknown_line`: without a session there are no lines */
async function requireSession(context: Context) {
  const session = await context.session()
  if (!session) throw new Refusal('unknown_line')
  return session.id
}
