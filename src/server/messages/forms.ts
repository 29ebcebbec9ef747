import * as z from 'zod/mini'
import { messageCalls, Subscription } from '#contract/messages.ts'
import { paths } from '#contract/paths.ts'
import type { App } from '#server/http/app.ts'
import { plainForms, messageCodeOf } from '#server/http/forms.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import { confirmSubscription, endSubscription, subscribe } from './newsletter.ts'

type FormRequest = { Querystring: unknown; Body: unknown }

const token = z.string().check(z.minLength(1), z.maxLength(100))
const NewsletterForm = z.object({ wish: z.enum(['confirm', 'leave']), token })
const UnsubscribeForm = z.object({ token })
const NOTHING_MAX_BYTES = 1024

/** The newsletter's page takes plain forms, and mail programs unsubscribe by themselves. */
export async function correspondenceForms(app: App, shop: Needs<'db' | 'clock' | 'jobs' | 'config'>): Promise<void> {
  const { http } = app
  // An address here may hold the key to a subscription: nothing of it goes to another site.
  http.addHook('onRequest', async ({ url }, reply) => {
    if (url === paths.newsletter || /^\/newsletter[/?]/.test(url)) reply.header('referrer-policy', 'same-origin')
  })

  await plainForms(app, shop.config.publicUrl, (forms) => {
    const count = app.addressLimitOf(messageCalls.subscribe)
    const limits = {
      config: { rateLimit: app.limitOf(messageCalls.subscribe) },
      ...(count && { onRequest: count }),
    }

    forms.post<FormRequest>(paths.newsletter, { schema: { hide: true }, ...limits }, async (request, reply) => {
      const back = (code: string) => reply.redirect(`${paths.newsletter}?said=${code}`, 303)
      const form = z.safeParse(NewsletterForm, request.body)
      if (!form.success) {
        const wanted = z.safeParse(Subscription, request.body)
        if (!wanted.success) return back('invalid')
        await subscribe(shop, wanted.data)
        return back('asked')
      }
      const { data } = form
      const act = data.wish === 'confirm' ? confirmSubscription(shop, data.token) : endSubscription(shop, data.token)
      const said = await messageCodeOf(() => act)
      return back(said ?? (data.wish === 'confirm' ? 'confirmed' : 'left'))
    })
  })

  // RFC 8058: a mail program posts `List-Unsubscribe=One-Click`, as a form of either kind, and follows no redirect.
  await http.register(async (inner) => {
    inner.removeAllContentTypeParsers()
    inner.addContentTypeParser('*', { parseAs: 'string', bodyLimit: NOTHING_MAX_BYTES }, (_, __, ended) => ended(null))
    inner.post<FormRequest>('/newsletter/unsubscribe', { schema: { hide: true } }, async (request, reply) => {
      const asked = z.safeParse(UnsubscribeForm, request.query)
      if (!asked.success) throw new Refusal('unknown_subscriber')
      await endSubscription(shop, asked.data.token)
      return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store').send('You are unsubscribed.\n')
    })
  })
}
