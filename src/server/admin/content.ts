import type { SiteTextChange } from '#contract/admin-products.ts'
import type { ShopContent } from '#contract/public-config.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import {
  withDefaults,
  findSiteTextOverrides,
  clearSiteTextCache,
  defaultSiteText,
  saveSiteTextOverrides,
} from '#server/http/site-text.ts'
import { clearPageCache } from '#server/http/page-cache.ts'
import type { Db } from '#server/db/db.ts'
import type { Needs } from '#server/shop.ts'

export async function readSiteText(db: Db) {
  const own = await findSiteTextOverrides(db)
  return { own, label: defaultSiteText, shown: withDefaults(own) }
}

export const CHANGE_IS_LIVE = 'Shoppers see it now.'

/** Saves the owner's site text; shoppers see it immediately. */
export async function setSiteText({ db, clock }: Needs<'db' | 'clock'>, own: SiteTextChange, by: Actor) {
  await db.transaction(async (tx) => {
    const before = withDefaults(await findSiteTextOverrides(tx))
    await saveSiteTextOverrides(tx, own)
    const facts = [factsOf(before), factsOf(withDefaults(own))] as const
    const about = { kind: 'page', id: 'words' }
    await recordAction(tx, { by, what: 'changed', about, before: facts[0], after: facts[1], at: clock.now() })
  })
  clearSiteTextCache(db)
  clearPageCache(db)
  return { done: CHANGE_IS_LIVE }
}

const factsOf = ({ banner, upcoming }: ShopContent) => ({
  banner,
  announced: upcoming.map(({ title, text }) => `${title}: ${text}`).join(' / ') || null,
})
