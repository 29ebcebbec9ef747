import { label } from '#site/label.ts'
import { upcomingCollections } from '#site/upcoming.ts'
import type { ShopContent } from '#contract/public-config.ts'
import type { Db, Reader, Tx } from '#server/db/db.ts'
import { cachedAnswer, createDbCache } from '#server/limits/db-cache.ts'
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

const texts = createDbCache<string, Promise<ShopContent>>(1)

/** Cached, because every page needs it. While the database does not answer, the default texts. */
export const readSiteTextCached = (db: Db): Promise<ShopContent> =>
  cachedAnswer(texts.of(db), CONTENT, async () => withDefaults(await findSiteTextOverrides(db))).catch(
    () => defaultSiteText,
  )

/** Call after committing a change. */
export const clearSiteTextCache = texts.clear
