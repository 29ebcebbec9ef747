import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { codeCalls, CodeToApply } from '#contract/codes.ts'
import { codePaths } from '#contract/code-paths.ts'
import { paths } from '#contract/paths.ts'
import { toDoorCalls } from '#contract/to-door.ts'
import type { App } from '#server/http/app.ts'
import { catchRefusalCode, plainForms } from '#server/http/forms.ts'
import { ownPage } from '#server/http/own-page.ts'
import { Refusal } from '#server/http/refusal.ts'
import { isFromPerson } from '#server/partners/attribution.ts'
import type { Needs } from '#server/shop.ts'
import { applyCode, removeCode } from './codes.ts'
import { enterCode } from './enter-code.ts'

type CodeNeeds = Needs<'config' | 'db' | 'clock' | 'stripe'>

const CodeToRemove = z.object({ remove: CodeToApply.shape.code })

/** Adds and removes codes without JavaScript: the forms redirect to the cart, which says whether it worked. */
export const codeForms = (app: App, shop: CodeNeeds): Promise<void> =>
  plainForms(app, shop.config.publicUrl, (http) => {
    const limitAddress = app.addressLimitOf(codeCalls.apply)
    http.post<{ Body: unknown }>(
      codePaths.cart,
      {
        schema: { hide: true },
        config: { rateLimit: app.limitOf(codeCalls.apply) },
        ...(limitAddress && { preHandler: limitAddress }),
      },
      async (request, reply) => {
        const context = app.contextOf(request, reply)
        const removed = z.safeParse(CodeToRemove, request.body)
        if (removed.success) {
          await removeCode(shop, (await context.session())?.id, removed.data.remove)
          return reply.redirect(`${paths.cart}?said=code_removed`, 303)
        }
        const typed = z.safeParse(CodeToApply, request.body)
        if (!typed.success) return reply.redirect(paths.cart, 303)
        const refusal = await catchRefusalCode(async () => {
          await enterCode(shop, context, typed.data.code)
        })
        return reply.redirect(`${paths.cart}?said=${refusal ?? 'code_added'}`, 303)
      },
    )
  })

/** The route of all pages. */
const PAGES = '/*'

/**
 * `?code=RUDY10` on any page adds the code to the cart, and leads to the page's own address: pages stay the same for everybody, and
 * cached. A gift card is no part of a link, which others may see. What came of it is in the fragment, which the page reads. Bots,
 * previews and prefetching browsers add nothing. Prices to the door with a code, which need no cart, count as tries too.
 */
export function codeLinks(app: App, shop: CodeNeeds): void {
  const countOfSession = app.http.createRateLimit(app.limitOf(codeCalls.apply))
  const limitAddress = app.addressLimitOf(codeCalls.apply)

  /** @throws Refusal `too_many` */
  const countTry = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const counted = await countOfSession(request)
    if (!counted.isAllowed && counted.isExceeded) throw new Refusal('too_many')
    await limitAddress?.(request, reply)
  }

  const applied = async (request: FastifyRequest, reply: FastifyReply, typed: string): Promise<string> => {
    const code = z.safeParse(CodeToApply, { code: typed })
    const refusal = await catchRefusalCode(async () => {
      await countTry(request, reply)
      if (code.success) await applyCode(shop, app.contextOf(request, reply), code.data.code)
    })
    return refusal ?? (code.success ? 'code_added' : 'code_unusable')
  }

  app.http.addHook('preHandler', async (request, reply) => {
    if (!request.url.includes('code=')) return undefined
    if (request.routeOptions.url === toDoorCalls.pieces.path) await countTry(request, reply)
    if (request.routeOptions.url !== PAGES) return undefined
    let typed: string | null = null
    const page = ownPage(request.url, ({ searchParams }) => {
      typed = searchParams.get('code')
      searchParams.delete('code')
    })
    if (typed === null || page === undefined) return undefined
    const said = isFromPerson(request) ? `#said=${await applied(request, reply, typed)}` : ''
    return reply.header('cache-control', 'no-store').redirect(`${page}${said}`, 302)
  })
}
