import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { conversationPaths } from '#contract/conversation-paths.ts'
import { conversationCalls, NewMessage } from '#contract/conversations.ts'
import { messageCalls, Subscription } from '#contract/messages.ts'
import { OrderKey } from '#contract/orders.ts'
import { paths } from '#contract/paths.ts'
import type { App } from '#server/http/app.ts'
import { plainForms, catchRefusalCode } from '#server/http/forms.ts'
import { languageOfRequest } from '#server/http/language.ts'
import { Refusal } from '#server/http/refusal.ts'
import { authorizeOrderCustomer } from '#server/orders/access.ts'
import type { Needs } from '#server/shop.ts'
import { writeAboutOrder } from './shopper-messages.ts'
import { confirmSubscription, endSubscription, subscribe } from './newsletter.ts'

type FormRequest = { Querystring: unknown; Body: unknown }

const token = z.string().check(z.minLength(1), z.maxLength(100))
const NewsletterForm = z.object({ wish: z.enum(['confirm', 'leave']), token })
const UnsubscribeForm = z.object({ token })
const BODY_MAX_BYTES = 1024

const plainFields = (body: unknown): object => (typeof body === 'object' && body !== null ? body : {})

/** The forms of the newsletter's page and of an order's messages, which work without JavaScript, and one-click unsubscribe for email clients. */
export async function messageForms(app: App, shop: Needs<'db' | 'clock' | 'jobs' | 'config'>): Promise<void> {
  const { http } = app
  // URLs here can contain a subscriber's token, so they are never sent to another site as referrer.
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
        const subscription = z.safeParse(Subscription, request.body)
        if (!subscription.success) return back('invalid')
        await subscribe(shop, subscription.data, languageOfRequest(request))
        return back('asked')
      }
      const { data } = form
      const act = data.wish === 'confirm' ? confirmSubscription(shop, data.token) : endSubscription(shop, data.token)
      const failure = await catchRefusalCode(() => act)
      return back(failure ?? (data.wish === 'confirm' ? 'confirmed' : 'left'))
    })

    const write = conversationCalls.write
    const countWriting = app.addressLimitOf(write)
    const writing = {
      config: { rateLimit: app.limitOf(write) },
      ...(countWriting && { onRequest: countWriting }),
    }
    forms.post<FormRequest>(
      conversationPaths.messages,
      { schema: { hide: true }, ...writing },
      async (request, reply) => {
        const key = z.safeParse(OrderKey, request.body)
        if (!key.success) throw new Refusal('order_not_shown')
        const access = await authorizeOrderCustomer(shop, app.contextOf(request, reply), key.data)
        const back = (code: string) =>
          reply.redirect(
            `${conversationPaths.messages}?${new URLSearchParams({ ...(key.data as Record<string, string>), said: code }).toString()}`,
            303,
          )
        // Photos need JavaScript.
        const message = z.safeParse(NewMessage, { ...plainFields(request.body), submission: randomUUID(), photos: [] })
        if (!message.success) return back('invalid')
        return back((await catchRefusalCode(() => writeAboutOrder(shop, access, message.data))) ?? 'sent')
      },
    )
  })

  // RFC 8058: email clients post `List-Unsubscribe=One-Click` as either form type and follow no redirect.
  await http.register(async (inner) => {
    inner.removeAllContentTypeParsers()
    inner.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_MAX_BYTES }, (_, __, done) => done(null))
    inner.post<FormRequest>('/newsletter/unsubscribe', { schema: { hide: true } }, async (request, reply) => {
      const query = z.safeParse(UnsubscribeForm, request.query)
      if (!query.success) throw new Refusal('unknown_subscriber')
      await endSubscription(shop, query.data.token)
      return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store').send('You are unsubscribed.\n')
    })
  })
}
