import { hash } from 'node:crypto'
import type { CollectionCard, CollectionView } from '#contract/collections.ts'
import { paths } from '#contract/paths.ts'
import type { CollectionLink } from '#contract/public-config.ts'
import { namedPath, shownCollections, type Collection } from '#domain/catalog/collections.ts'
import { themeProperties } from '#domain/catalog/theme-properties.ts'
import type { ThemeLook } from '#domain/catalog/collection-theme.ts'
import { actorOf } from '#server/audit-log/audit-log.ts'
import type { App } from '#server/http/app.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import { readSiteSettingsCached } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import type { Db } from '#server/db/db.ts'
import { house } from '#site/house.ts'
import { createCollection, listForOwner, readForOwner, restoreCollection, saveCollection } from './collection-editor.ts'
import { arrangeCollections, readOrderHistory, restoreOrder } from './collection-order.ts'
import { readCollections } from './collections.ts'

const linkOf = ({ id, slug, name, displayName, petName, state, inMenu }: Collection): CollectionLink => ({
  ...{ id, slug, name, displayName, petName, inMenu },
  isComingSoon: state === 'coming_soon',
})

const toCard = (collection: Collection): CollectionCard => ({
  ...linkOf(collection),
  description: collection.description,
  onHome: collection.onHome,
  origin: collection.origin,
  hero: collection.hero,
  share: collection.share,
})

const toView = (collection: Collection): CollectionView => ({
  ...collection,
  ...toCard(collection),
  promises: [...collection.promises],
})

/** @throws Refusal `unknown_collection`, also for drafts */
function findByWord(collections: readonly Collection[], word: string) {
  const named = collections.find(({ slug, name }) => slug === word || namedPath(name) === `/${word}`)
  const found = named ?? collections.find(({ id, formerSlugs }) => id === word || formerSlugs.includes(word))
  if (!found || found.state === 'draft') throw new Refusal('unknown_collection')
  if (found.state === 'retired') return { collection: null, movedTo: paths.products }
  return { collection: toView(found), movedTo: named ? null : paths.collection(found.slug) }
}

const ruleOf = (selector: string, look: ThemeLook): string =>
  `${selector}{${Object.entries(themeProperties(look))
    .map(([name, value]) => `${name}:${value}`)
    .join(';')}}\n`

/** One CSS rule per collection, selected by `<html data-collection="…">`: pages need no inline style and never flash. */
const themeSheetOf = (collections: readonly Collection[]): string =>
  [ruleOf(':root', house), ...collections.map((one) => ruleOf(`[data-collection='${one.id}']`, one))].join('')

const sheets = new WeakMap<readonly Collection[], { path: string; css: string }>()

/** Made once for each reading of the collections. */
function sheetOf(collections: readonly Collection[]): { path: string; css: string } {
  const known = sheets.get(collections)
  if (known) return known
  const css = themeSheetOf(shownCollections(collections))
  const sheet = { path: paths.themeSheet(hash('sha256', css).slice(0, 12)), css }
  sheets.set(collections, sheet)
  return sheet
}

/** While the database does not answer, the label's own colors. */
export async function readCollectionLinks(db: Db): Promise<{ collections: CollectionLink[]; themeSheet: string }> {
  const collections = await readCollections(db).catch(() => [])
  return { collections: shownCollections(collections).map(linkOf), themeSheet: sheetOf(collections).path }
}

export function collectionRoutes(app: App, shop: Needs<'db' | 'clock'>): void {
  const { db } = shop
  serve(app, 'collections', {
    list: async () => {
      const [collections, { openingPicture }] = await Promise.all([readCollections(db), readSiteSettingsCached(db)])
      return { collections: shownCollections(collections).map(toCard), openingPicture }
    },
    read: async (_, { params: { word } }) => findByWord(await readCollections(db), word),
  })
  const done = ({ id, slug, version }: { id: string; slug: string; version: number }) => ({
    ...{ id, slug, version },
    done: 'Saved.',
  })
  serve(app, 'adminCollections', {
    list: async () => {
      const collections = await listForOwner(shop)
      return { collections, order: await readOrderHistory(db, collections) }
    },
    one: (_, { params }) => readForOwner(shop, params.id),
    create: async (context, { body }) => done(await createCollection(shop, body, await actorOf(context))),
    save: async (context, { params: { id }, body: { version, ...collection } }) =>
      done(await saveCollection(shop, { id, version, by: await actorOf(context) }, () => collection)),
    restore: async (context, { params: { id }, body: { version, to } }) =>
      done(await restoreCollection(shop, { id, version, by: await actorOf(context) }, to)),
    arrange: async (context, { body: { ids, version } }) => {
      await arrangeCollections(shop, { version, by: await actorOf(context) }, () => ids)
      return { done: 'Order saved.' }
    },
    restoreOrder: async (context, { body: { version, to } }) => {
      await restoreOrder(shop, { version, by: await actorOf(context) }, to)
      return { done: 'Order restored.' }
    },
  })
  // A page from a cache may name an older sheet: it gets the present colors, which nobody may store under that name.
  app.http.get('/themes/:file', { schema: { hide: true } }, async (request, reply) => {
    const { path, css } = sheetOf(await readCollections(db).catch(() => []))
    const isCurrent = request.url.split('?', 1)[0] === path
    return reply
      .type('text/css; charset=utf-8')
      .header('cache-control', isCurrent ? 'public, max-age=31536000, immutable' : 'no-cache')
      .send(css)
  })
}
