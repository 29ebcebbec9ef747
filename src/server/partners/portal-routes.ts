import { paths } from '#contract/paths.ts'
import { productOfPage } from '#domain/partners/pages.ts'
import { actorOf } from '#server/audit-log/audit-log.ts'
import { readCollections } from '#server/catalog/collections.ts'
import { productsForCards } from '#server/catalog/listing.ts'
import { readPicture } from '#server/catalog/pictures.ts'
import { requireAccess } from '#server/http/access.ts'
import type { App } from '#server/http/app.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import { readSiteSettingsCached } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import {
  acceptApplication,
  acceptProposal,
  applyForPartnership,
  declineApplication,
  readApplications,
} from './applications.ts'
import { assetsOf } from './assets.ts'
import { answerCall, askForCall, calendarOfCall, readCalls } from './calls.ts'
import { showDrops } from '#server/drops/shown.ts'
import { drawCard, cardSubjectOf } from './card.ts'
import { textsAbout } from './texts.ts'
import { getLink, makeLink, readLinks } from './links.ts'
import { partnershipOf, userOf } from './partnership.ts'
import { qrPng, qrSvg } from '#server/files/qr.ts'

/** Cards on other sites show a changed price after at most 10 minutes. */
const CARD_CACHE = 'public, max-age=600'
/** A drop begins and sells out. */
const LIMITED_CARD_CACHE = 'public, max-age=60'
/** Private, because only the signed-in partner may fetch it. */
const QR_CACHE = 'private, max-age=3600'

export function portalRoutes(app: App, shop: Needs<'db' | 'clock' | 'config' | 'jobs'>): void {
  serve(app, 'partners', {
    partnership: (context) => partnershipOf(shop, context),
    apply: async (context, { body }) => {
      await applyForPartnership(shop, (await userOf(context)).id, body)
      return partnershipOf(shop, context)
    },
    acceptProposal: async (context, { body }) => {
      await acceptProposal(shop, (await userOf(context)).id, body.version)
      return partnershipOf(shop, context)
    },
    askForCall: async (context, { body }) => {
      await askForCall(shop, (await userOf(context)).id, body)
      return partnershipOf(shop, context)
    },
    links: async (context, { query }) => readLinks(shop, (await userOf(context)).id, query.older, context.origin),
    texts: (_, { params }) => textsAbout(shop, params.collection),
    makeLink: async (context, { body }) => makeLink(shop, (await userOf(context)).id, body, context.origin),
    applications: (_, { query }) => readApplications(shop, query.after),
    acceptApplication: async (context, { params, body }) =>
      acceptApplication(shop, await actorOf(context), params.id, body),
    declineApplication: async (context, { params, body }) =>
      declineApplication(shop, await actorOf(context), params.id, body),
    receivedCalls: (_, { query }) => readCalls(shop, query.after),
    answerCall: async (context, { params, body }) => answerCall(shop, await actorOf(context), params.id, body),
  })
  files(app, shop)
}

/** The portal's downloads, and the card for other sites. */
function files({ http, contextOf }: App, shop: Needs<'db' | 'clock' | 'config'>): void {
  http.get<{ Params: { file: string } }>(
    paths.partnerAssets(':file').replace(/\.zip$/, ''),
    { schema: { hide: true } },
    async (request, reply) => {
      const context = contextOf(request, reply)
      await requireAccess('partner', context)
      const collection = stemOf(request.params.file, 'zip')
      const zip = await assetsOf(shop, collection, context.origin)
      return reply
        .type('application/zip')
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="${collection}-pictures.zip"`)
        .send(zip)
    },
  )

  http.get<{ Params: { file: string } }>(
    '/partnership/links/:file',
    { schema: { hide: true } },
    async (request, reply) => {
      const context = contextOf(request, reply)
      await requireAccess('partner', context)
      const { file } = request.params
      const form = file.endsWith('.png') ? 'png' : 'svg'
      const link = await getLink(shop, stemOf(file, form))
      if (link.partnerId !== (await userOf(context)).id) throw new Refusal('unknown_link')
      const address = context.origin + paths.affiliate(link.code)
      return reply
        .type(form === 'png' ? 'image/png' : 'image/svg+xml')
        .header('cache-control', QR_CACHE)
        .header('content-disposition', `inline; filename="${link.code}.${form}"`)
        .send(form === 'png' ? qrPng(address) : qrSvg(address))
    },
  )

  http.get<{ Params: { file: string } }>(
    '/partnership/calls/:file',
    { schema: { hide: true } },
    async (request, reply) => {
      const context = contextOf(request, reply)
      const user = await userOf(context)
      const id = stemOf(request.params.file, 'ics')
      if (!/^[1-9]\d{0,8}$/.test(id)) throw new Refusal('unknown_call_request')
      const { name, type, text } = await calendarOfCall(shop, user.id, Number(id))
      return reply
        .type(type)
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(text)
    },
  )

  http.get<{ Params: { file: string } }>('/embed/:file', { schema: { hide: true } }, async (request, reply) => {
    const link = await getLink(shop, stemOf(request.params.file, 'svg'))
    const idOrSlug = productOfPage(link.path)
    const { name } = await readSiteSettingsCached(shop.db)
    const products = await productsForCards(shop.db, idOrSlug === undefined ? [] : [idOrSlug])
    const { drops } = await showDrops(shop)
    const subject = cardSubjectOf(link.path, products, await readCollections(shop.db), name, drops)
    if (!subject) throw new Refusal('unknown_link')
    const picture = subject.picture === undefined ? undefined : await readPicture(shop.db, subject.picture)
    return reply
      .type('image/svg+xml')
      .header('cache-control', subject.limited === undefined ? CARD_CACHE : LIMITED_CARD_CACHE)
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(drawCard(subject, picture, name))
  })
}

/** @throws Refusal `unknown_call` for another file type */
function stemOf(file: string, ending: string): string {
  if (!file.endsWith(`.${ending}`)) throw new Refusal('unknown_call')
  return file.slice(0, -ending.length - 1)
}
