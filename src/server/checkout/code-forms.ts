import * as z from 'zod/mini'
import { codeCalls, CodeToApply } from '#contract/codes.ts'
import { codePaths } from '#contract/code-paths.ts'
import { paths } from '#contract/paths.ts'
import type { App } from '#server/http/app.ts'
import { catchRefusalCode, plainForms } from '#server/http/forms.ts'
import type { Needs } from '#server/shop.ts'
import { applyCode } from './codes.ts'

/** Adds a code without JavaScript: the form redirects to the cart, which says whether it worked. */
export const codeForms = (app: App, shop: Needs<'config' | 'db' | 'clock'>): Promise<void> =>
  plainForms(app, shop.config.publicUrl, (http) => {
    http.post<{ Body: unknown }>(
      codePaths.cart,
      { schema: { hide: true }, config: { rateLimit: app.limitOf(codeCalls.apply) } },
      async (request, reply) => {
        const typed = z.safeParse(CodeToApply, request.body)
        const session = await app.contextOf(request, reply).session()
        if (!typed.success || !session) return reply.redirect(paths.cart, 303)
        const refusal = await catchRefusalCode(async () => {
          await applyCode(shop, session.id, typed.data.code)
        })
        return reply.redirect(`${paths.cart}?said=${refusal ?? 'code_added'}`, 303)
      },
    )
  })
