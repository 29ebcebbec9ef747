import { randomBytes } from 'node:crypto'
import type { NewPartnerLink, PartnerLink } from '#contract/partners.ts'
import { paths } from '#contract/paths.ts'
import type { Product } from '#contract/catalog.ts'
import { collectionInPath, shownCollections, type Collection } from '#domain/catalog/collections.ts'
import { linkCodeFrom, parseShopPath, productOfPage } from '#domain/partners/pages.ts'
import { assert } from '#shared/assert.ts'
import type { UserId } from '#shared/ids.ts'
import { readCollections } from '#server/catalog/collections.ts'
import { productsForCards } from '#server/catalog/listing.ts'
import { Refusal } from '#server/http/refusal.ts'
import { readSiteSettingsCached } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import { CARD, cardSubjectOf } from './card.ts'
import { lockPartner } from './partner.ts'
import { addLink, countLinks, findLinkByCode, findSameLink, listLinks, type StoredLink } from './portal-store.ts'

const LINKS_MAX = 500
const A_PAGE = 50
const CODE_LETTERS = 7
/** Codes have seven of 29 letters: a collision is unlikely, a second one practically impossible. */
const TRIES = 3

/**
 * Creates a short link to a page of the shop. The same page and campaign give the partner's existing link.
 * @throws Refusal `page_not_ours`, `too_many_links`
 */
export async function makeLink(
  { db, clock }: Needs<'db' | 'clock'>,
  partnerId: UserId,
  { page, campaign }: NewPartnerLink,
  origin: string,
): Promise<PartnerLink> {
  const path = parseShopPath(page, origin)
  const products = await productsForCards(db, productsIn([path ?? '']))
  const collections = await readCollections(db)
  if (path === undefined || !pageExists(path, products, collections)) throw new Refusal('page_not_ours')

  const requestedLink = { partnerId, path, campaign: campaign ?? '' }
  const link = await db.transaction(async (tx) => {
    if (!(await lockPartner(tx, partnerId))) throw new Refusal('not_allowed')
    const existing = await findSameLink(tx, requestedLink)
    if (existing) return existing
    if ((await countLinks(tx, partnerId)) >= LINKS_MAX) throw new Refusal('too_many_links')
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const code = linkCodeFrom(randomBytes(CODE_LETTERS))
      const added = await addLink(tx, { ...requestedLink, code, createdAt: clock.now() })
      if (added) return added
    }
    return undefined
  })
  assert(link, 'no code was free for a link')
  return toPartnerLink(link, products, collections, origin, (await readSiteSettingsCached(db)).name)
}

const productsIn = (pages: readonly string[]): string[] => pages.flatMap((page) => productOfPage(page) ?? [])

/** Whether the page's product or collection exists. */
function pageExists(path: string, products: readonly Product[], collections: readonly Collection[]): boolean {
  const product = productOfPage(path)
  if (product !== undefined) return products.some(({ id, slug }) => String(id) === product || slug === product)
  if (!path.startsWith('/collection')) return true
  return collectionInPath(path.split('?')[0] ?? path, shownCollections(collections)) !== undefined
}

/** A page of a partner's links, newest first. */
export async function readLinks(
  { db }: Needs<'db'>,
  partnerId: UserId,
  older: number | undefined,
  origin: string,
): Promise<{ links: PartnerLink[]; olderThan: number | null }> {
  const rows = await listLinks(db, partnerId, older, A_PAGE + 1)
  const page = rows.slice(0, A_PAGE)
  const products = await productsForCards(db, productsIn(page.map(({ path }) => path)))
  const collections = await readCollections(db)
  const { name } = await readSiteSettingsCached(db)
  return {
    links: page.map((link) => toPartnerLink(link, products, collections, origin, name)),
    olderThan: rows.length > A_PAGE ? (page.at(-1)?.id ?? null) : null,
  }
}

/** @throws Refusal `unknown_link` */
export async function getLink({ db }: Needs<'db'>, code: string): Promise<StoredLink> {
  const link = await findLinkByCode(db, code.toLowerCase())
  if (!link) throw new Refusal('unknown_link')
  return link
}

function toPartnerLink(
  { code, path, campaign, createdAt }: StoredLink,
  products: readonly Product[],
  collections: readonly Collection[],
  origin: string,
  shopName: string,
) {
  const subject = cardSubjectOf(path, products, collections, shopName)
  return {
    code,
    address: origin + paths.affiliate(code),
    path,
    campaign,
    createdAt: createdAt.toISOString(),
    card: subject ? { address: origin + paths.card(code), alt: subject.title, ...CARD } : null,
  }
}
