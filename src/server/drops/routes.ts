import { dropCalendar } from '#domain/drops/calendar.ts'
import { actorOf } from '#server/audit-log/audit-log.ts'
import type { App } from '#server/http/app.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import type { Needs } from '#server/shop.ts'
import { acceptCertificate, giveCertificate, showCertificate } from './certificates.ts'
import { actOnDrop, createDrop, listForOwner, saveDrop } from './owner-drops.ts'
import { findShownDrop, pageOf, showDrops } from './shown.ts'
import { askForNotice, joinWaitingList, showOffer, takeUpOffer } from './waiting-list.ts'

export function dropRoutes(app: App, shop: Needs<'db' | 'clock' | 'jobs' | 'config'>): void {
  app.http.get<{ Params: { id: string } }>('/drop/:id.ics', { schema: { hide: true } }, async (request, reply) => {
    const { origin } = app.contextOf(request, reply)
    const id = /^[1-9]\d{0,8}$/.test(request.params.id) ? Number(request.params.id) : undefined
    const drop = id === undefined ? undefined : await findShownDrop(shop, id)
    if (!drop) throw new Refusal('unknown_drop')
    const file = dropCalendar(drop, { host: new URL(origin).hostname, page: origin + (await pageOf(shop.db, drop)) })
    return reply
      .type('text/calendar; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="drop-${drop.id}.ics"`)
      .send(file)
  })
  serve(app, 'drops', {
    list: () => showDrops(shop),
    notice: async (_, { params, body }) => ({
      done: `We’ll email you once, when ${(await askForNotice(shop, params.id, body.email)).title} begins.`,
    }),
    wait: async (_, { params, body }) => {
      const { title, ahead } = await joinWaitingList(shop, params.id, body.email)
      const place = ahead === 0 ? 'You are next' : `${ahead} ${ahead === 1 ? 'person is' : 'people are'} before you`
      return { done: `You are on the waiting list of ${title}. ${place}. We’ll email you when a piece is free.` }
    },
    offer: async (_, { query }) => {
      const { productId, collectionId, ...offer } = await showOffer(shop, query.token)
      return { ...offer, page: await pageOf(shop.db, { productId, collectionId }) }
    },
    takeUp: async (context, { body }) => {
      const offer = await showOffer(shop, body.token)
      await takeUpOffer(shop, body.token, await context.ensureSession())
      return { page: await pageOf(shop.db, offer) }
    },
    certificate: (_, { query }) => showCertificate(shop, query.token),
    give: async (_, { body }) => {
      const { label } = await giveCertificate(shop, body.token, body.email)
      return { done: `We asked them by email. ${label} stays yours until they accept.` }
    },
    accept: async (_, { body }) => ({ token: await acceptCertificate(shop, body.token) }),
  })
  serve(app, 'adminDrops', {
    list: () => listForOwner(shop),
    create: async (context, { body }) => {
      const { id, title } = await createDrop(shop, body, await actorOf(context))
      return { id, done: `“${title}” is a draft now. Nobody sees it until you schedule it.` }
    },
    save: async (context, { params, body }) => {
      const { id, title } = await saveDrop(shop, params.id, body, await actorOf(context))
      return { id, done: `“${title}” was saved.` }
    },
    act: async (context, { params }) => {
      const { id, title } = await actOnDrop(shop, params.id, params.action, await actorOf(context))
      return { id, done: `“${title}”: ${DONE[params.action]}` }
    },
  })
}

const DONE = {
  schedule: 'scheduled. Pages show when it begins.',
  withdraw: 'a draft again. Nobody sees it.',
  pause: 'paused. Payments under way go on.',
  resume: 'selling goes on.',
  extend: 'extended.',
  end: 'ended. Payments under way go on.',
  release: 'over. What is left is sold like any other product, without a number.',
}
