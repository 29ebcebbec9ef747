import { eq } from 'drizzle-orm'
import { label } from '#site/label.ts'
import { upcomingCollections } from '#site/upcoming.ts'
import type { ShopContent } from '#contract/public-config.ts'
import { MINUTE_MS } from '#shared/time.ts'
import type { Db, Reader, Tx } from '#server/db/db.ts'
import { setting } from '#server/db/schema.ts'

/** What the owner says in place of the label's own words; null leaves them. */
export type SiteTextOverrides = { [Name in keyof ShopContent]: ShopContent[Name] | null }

/** Where the shop remembers it. */
const CONTENT = 'content'
const NO_OVERRIDES: SiteTextOverrides = { banner: null, upcoming: null }

export const defaultSiteText: ShopContent = {
  banner: label.bannerText,
  upcoming: upcomingCollections.map((one) => ({ ...one })),
}

export async function findSiteTextOverrides(db: Reader): Promise<SiteTextOverrides> {
  const [row] = await db.select().from(setting).where(eq(setting.name, CONTENT))
  return row ? (JSON.parse(row.value) as SiteTextOverrides) : NO_OVERRIDES
}

export async function saveSiteTextOverrides(tx: Tx, own: SiteTextOverrides): Promise<void> {
  const value = JSON.stringify(own)
  await tx.insert(setting).values({ name: CONTENT, value }).onConflictDoUpdate({ target: setting.name, set: { value } })
}

export const withDefaults = ({ banner, upcoming }: SiteTextOverrides): ShopContent => ({
  banner: banner ?? defaultSiteText.banner,
  upcoming: upcoming ?? defaultSiteText.upcoming,
})

/** Another instance may have changed it: that is seen after this long at most. */
const TTL_MS = MINUTE_MS
const cachedText = new WeakMap<Db, { content: Promise<ShopContent>; until: number }>()

/** Every page asks for it; the database is asked once a minute. */
export function readSiteTextCached(db: Db): Promise<ShopContent> {
  const known = cachedText.get(db)
  if (known && known.until > performance.now()) return known.content
  const content = findSiteTextOverrides(db).then(withDefaults, () => {
    // A page is shown without the owner's words rather than not at all; the next one asks again.
    if (cachedText.get(db)?.content === content) cachedText.delete(db)
    return defaultSiteText
  })
  cachedText.set(db, { content, until: performance.now() + TTL_MS })
  return content
}

/** To be called once a change is committed. */
export const clearSiteTextCache = (db: Db): void => void cachedText.delete(db)
