import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dropPaths } from '#contract/drop-paths.ts'
import { dropCalls } from '#contract/drops.ts'
import { dropCalendar } from '#domain/drops/calendar.ts'
import { addressIn, inLanguage } from '#shared/language.ts'
import { sayMade } from '#words/say-made.ts'
import { say } from '#words/say.ts'
import { actorOf } from '#server/audit-log/audit-log.ts'
import type { App } from '#server/http/app.ts'
import { languageOfPage, languageOfRequest } from '#server/http/language.ts'
import { plainForms } from '#server/http/forms.ts'
import { Refusal } from '#server/http/refusal.ts'
import { sendPlainPage } from '#server/http/plain-page.ts'
import { serve } from '#server/http/serve.ts'
import { readSiteSettingsCached } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import { acceptCertificate, giveCertificate, showCertificate } from './certificates.ts'
import { actOnDrop, createDrop, listForOwner, saveDrop } from './owner-drops.ts'
import { createRooms, type Rooms } from './room.ts'
import { answerPage, roomPage } from './room-page.ts'
import { findShownDrop, pageOf, showDrops } from './shown.ts'
import type { Addressee } from './store.ts'
import { askForNotice, joinWaitingList, showOffer, takeUpOffer } from './waiting-list.ts'

const SCRIPT = join(import.meta.dirname, 'room-script.mjs')
const hidden = { schema: { hide: true } }

type IdRequest = { Params: { id: string } }
type FormRequest = IdRequest & { Body: unknown }

const idIn = ({ id }: IdRequest['Params']): number | undefined => (/^[1-9]\d{0,8}$/.test(id) ? Number(id) : undefined)

export async function dropRoutes(app: App, shop: Needs<'db' | 'clock' | 'jobs' | 'config'>): Promise<void> {
  const rooms = createRooms(shop)
  await roomPages(app, shop, rooms)
  app.http.get<IdRequest>('/drop/:id.ics', hidden, async (request, reply) => {
    const { origin } = app.contextOf(request, reply)
    const id = idIn(request.params)
    const drop = id === undefined ? undefined : await findShownDrop(shop, id)
    if (!drop) throw new Refusal('unknown_drop')
    const language = languageOfRequest(request)
    const page = origin + addressIn(language, await pageOf(shop.db, drop))
    const file = inLanguage(language, () => dropCalendar(drop, { host: new URL(origin).hostname, page }))
    return reply
      .type('text/calendar; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="drop-${drop.id}.ics"`)
      .send(file)
  })
  serve(app, 'drops', {
    list: () => showDrops(shop),
    room: async (context, { params }) => rooms.show(params.id, (await context.session())?.id, context.language),
    enterRoom: (context, { params }) => rooms.enter(params.id, () => context.ensureSession(), context),
    notice: async ({ language }, { params, body: { email } }) => ({
      done: await asksForNotice(shop, params.id, { email, language }),
    }),
    wait: async ({ language }, { params, body: { email } }) => ({
      done: await waits(shop, params.id, { email, language }),
    }),
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
    give: async ({ language }, { body: { token, email } }) => {
      const { label } = await giveCertificate(shop, token, { email, language })
      return { done: `We asked them by email. ${label} stays yours until they accept.` }
    },
    accept: async ({ language }, { body }) => ({ token: await acceptCertificate(shop, body.token, language) }),
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

/** @returns what is said to who asked */
async function asksForNotice(shop: Needs<'db' | 'clock'>, id: number, reader: Addressee): Promise<string> {
  const { title } = await askForNotice(shop, id, reader)
  return `We’ll email you once, when ${title} begins.`
}

/** @returns what is said to who asked */
async function waits(shop: Needs<'db' | 'clock'>, id: number, reader: Addressee): Promise<string> {
  const { title, ahead } = await joinWaitingList(shop, id, reader)
  const place = ahead === 0 ? 'You are next' : `${ahead} ${ahead === 1 ? 'person is' : 'people are'} before you`
  return `You are on the waiting list of ${title}. ${place}. We’ll email you when a piece is free.`
}

/** A waiting room as pages without the app. */
async function roomPages(app: App, shop: Needs<'db' | 'clock' | 'config'>, rooms: Rooms): Promise<void> {
  const { http } = app
  const script = await readFile(SCRIPT)
  http.get(dropPaths.roomScript, hidden, (_, reply) =>
    reply.header('cache-control', 'public, max-age=3600').type('text/javascript; charset=utf-8').send(script),
  )
  http.get<IdRequest>('/drop/:id/room', hidden, async (request, reply) => {
    const id = idIn(request.params)
    if (id === undefined) throw new Refusal('unknown_drop')
    const language = languageOfPage(request)
    const { drop, ...view } = await rooms.show(id, (await app.contextOf(request, reply).session())?.id, language)
    const shown = { drop, goods: await pageOf(shop.db, drop), shopName: await shopNameOf(shop) }
    return sendPlainPage(
      reply,
      inLanguage(language, () => roomPage(view, shown)),
    )
  })
  await plainForms(app, shop.config.publicUrl, (forms) => {
    const count = app.addressLimitOf(dropCalls.enterRoom)
    const limits = { config: { rateLimit: app.limitOf(dropCalls.enterRoom) }, ...(count && { onRequest: count }) }
    forms.post<FormRequest>('/drop/:id/room', { ...hidden, ...limits }, async (request, reply) => {
      const id = idIn(request.params)
      if (id === undefined) throw new Refusal('unknown_drop')
      const context = app.contextOf(request, reply)
      try {
        await rooms.enter(id, () => context.ensureSession(), context)
      } catch (error) {
        // Its page says when it opens.
        if (!(error instanceof Refusal) || error.code !== 'drop_room_closed') throw error
      }
      return reply.redirect(dropPaths.room(id), 303)
    })
    for (const [path, call, act] of [
      ['/drop/:id/notice', dropCalls.notice, asksForNotice],
      ['/drop/:id/waiting-list', dropCalls.wait, waits],
    ] as const)
      forms.post<FormRequest>(path, { ...hidden, config: { rateLimit: app.limitOf(call) } }, async (request, reply) => {
        const id = idIn(request.params)
        const drop = id === undefined ? undefined : await findShownDrop(shop, id)
        if (!drop) throw new Refusal('unknown_drop')
        const form = call.body.safeParse(request.body)
        const language = languageOfRequest(request)
        const done = form.success ? await act(shop, drop.id, { email: form.data.email, language }) : undefined
        const shown = { drop, goods: await pageOf(shop.db, drop), shopName: await shopNameOf(shop) }
        const page = inLanguage(language, () =>
          answerPage(
            done === undefined
              ? { heading: say('That didn’t work'), sentence: say('Please enter a valid email address on its page.') }
              : { heading: say('Done'), sentence: sayMade(done) },
            shown,
          ),
        )
        return sendPlainPage(reply.code(form.success ? 200 : 422), page)
      })
  })
}

const shopNameOf = async ({ db }: Needs<'db'>): Promise<string> => (await readSiteSettingsCached(db)).name

const DONE = {
  schedule: 'scheduled. Pages show when it begins.',
  withdraw: 'a draft again. Nobody sees it.',
  pause: 'paused. Payments under way go on.',
  resume: 'selling goes on.',
  extend: 'extended.',
  end: 'ended. Payments under way go on.',
  release: 'over. What is left is sold like any other product, without a number.',
}
