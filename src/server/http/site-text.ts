import { label } from '#site/label.ts'
import { upcomingCollections } from '#site/upcoming.ts'
import type { ShopContent } from '#contract/public-config.ts'
import { MINUTE_MS } from '#shared/time.ts'
import type { Db, Reader, Tx } from '#server/db/db.ts'
import { findSetting, saveSetting } from '#server/settings/settings.ts'

/** The owner's texts; null keeps the defaults. */
export type SiteTextOverrides = { [Name in keyof ShopContent]: ShopContent[Name] | null }

/** Where the shop remembers it. */
const CONTENT = 'content'
const NO_OVERRIDES: SiteTextOverrides = { banner: null, upcoming: null }

export const defaultSiteText: ShopContent = {
  banner: label.bannerText,
  upcoming: upcomingCollections.map((collection) => ({ ...collection })),
}

export async function findSiteTextOverrides(db: Reader): Promise<SiteTextOverrides> {
  const saved = await findSetting(db, CONTENT)
  return saved ? (JSON.parse(saved) as SiteTextOverrides) : NO_OVERRIDES
}

export async function saveSiteTextOverrides(tx: Tx, own: SiteTextOverrides): Promise<void> {
  await saveSetting(tx, CONTENT, JSON.stringify(own))
}

export const withDefaults = ({ banner, upcoming }: SiteTextOverrides): ShopContent => ({
  banner: banner ?? defaultSiteText.banner,
  upcoming: upcoming ?? defaultSiteText.upcoming,
})

/** Changes by another instance show after at most this long. */
const TTL_MS = MINUTE_MS
const cachedText = new WeakMap<Db, { content: Promise<ShopContent>; until: number }>()

/** Cached, because every page needs it. */
export function readSiteTextCached(db: Db): Promise<ShopContent> {
  const known = cachedText.get(db)
  if (known && known.until > performance.now()) return known.content
  const content = findSiteTextOverrides(db).then(withDefaults, () => {
    // Show this page with the default texts; the next one queries again.
    if (cachedText.get(db)?.content === content) cachedText.delete(db)
    return defaultSiteText
  })
  cachedText.set(db, { content, until: performance.now() + TTL_MS })
  return content
}

/** Call after committing a change. */
export const clearSiteTextCache = (db: Db): void => void cachedText.delete(db)
