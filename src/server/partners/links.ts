import { randomBytes } from 'node:crypto'
import type { LinkWish, PartnerLink } from '#contract/partners.ts'
import { paths } from '#contract/paths.ts'
import type { Product } from '#contract/catalogue.ts'
import { collectionInPath } from '#domain/catalogue/collections.ts'
import { collections } from '#brand/collections/collections.ts'
import { linkCodeFrom, pageOfOurs, productOfPage } from '#domain/partners/pages.ts'
import { assert } from '#kernel/assert.ts'
import type { UserId } from '#kernel/ids.ts'
import { productsForCards } from '#server/catalogue/catalogue.ts'
import { Refused } from '#server/http/refused.ts'
import type { Needs } from '#server/shop.ts'
import { CARD, subjectOf } from './card.ts'
import {
  addLink,
  countLinks,
  findLinkByCode,
  findLinkByWish,
  listLinks,
  lockPartner,
  type StoredLink,
} from './portal-store.ts'

const LINKS_MAX = 500
const A_PAGE = 50
const CODE_LETTERS = 7
/** 29 letters in seven places: two alike are not to be expected, and a third try never. */
const TRIES = 3

/**
 * A short link to a page of ours; the same wish of the same partner gives the link that is there already.
 * @throws Refused `page_not_ours`, `too_many_links`
 */
export async function makeLink(
  { db, clock }: Needs<'db' | 'clock'>,
  partnerId: UserId,
  { page, campaign }: LinkWish,
  origin: string,
): Promise<PartnerLink> {
  const path = pageOfOurs(page, origin)
  const products = await productsForCards(db, productsIn([path ?? '']))
  if (path === undefined || !isThere(path, products)) throw new Refused('page_not_ours')

  const wish = { partnerId, path, campaign: campaign ?? '' }
  const link = await db.transaction(async (tx) => {
    if (!(await lockPartner(tx, partnerId))) throw new Refused('not_allowed')
    const present = await findLinkByWish(tx, wish)
    if (present) return present
    if ((await countLinks(tx, partnerId)) >= LINKS_MAX) throw new Refused('too_many_links')
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const code = linkCodeFrom(randomBytes(CODE_LETTERS))
      const added = await addLink(tx, { ...wish, code, createdAt: clock.now() })
      if (added) return added
    }
    return undefined
  })
  assert(link, 'no code was free for a link')
  return told(link, products, origin)
}

const productsIn = (pages: readonly string[]): string[] => pages.flatMap((page) => productOfPage(page) ?? [])

/** A product or a collection that is not there makes a link that leads nowhere. */
function isThere(path: string, products: readonly Product[]): boolean {
  const product = productOfPage(path)
  if (product !== undefined) return products.some(({ id, slug }) => String(id) === product || slug === product)
  if (!path.startsWith('/collection')) return true
  return collectionInPath(path.split('?')[0] ?? path, Object.values(collections)) !== undefined
}

/** A page of a partner's links, the newest first. */
export async function readLinks(
  { db }: Needs<'db'>,
  partnerId: UserId,
  older: number | undefined,
  origin: string,
): Promise<{ links: PartnerLink[]; olderThan: number | null }> {
  const rows = await listLinks(db, partnerId, older, A_PAGE + 1)
  const shown = rows.slice(0, A_PAGE)
  const products = await productsForCards(db, productsIn(shown.map(({ path }) => path)))
  return {
    links: shown.map((link) => told(link, products, origin)),
    olderThan: rows.length > A_PAGE ? (shown.at(-1)?.id ?? null) : null,
  }
}

/** @throws Refused `unknown_link` */
export async function getLink({ db }: Needs<'db'>, code: string): Promise<StoredLink> {
  const link = await findLinkByCode(db, code.toLowerCase())
  if (!link) throw new Refused('unknown_link')
  return link
}

function told({ code, path, campaign, createdAt }: StoredLink, products: readonly Product[], origin: string) {
  const subject = subjectOf(path, products)
  return {
    code,
    address: origin + paths.affiliate(code),
    path,
    campaign,
    createdAt: createdAt.toISOString(),
    card: subject ? { address: origin + paths.card(code), alt: subject.title, ...CARD } : null,
  }
}
