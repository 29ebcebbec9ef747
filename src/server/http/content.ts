import { eq } from 'drizzle-orm'
import { label } from '#brand/label.ts'
import { upcomingCollections } from '#brand/upcoming.ts'
import type { ShopContent } from '#contract/public-config.ts'
import { MINUTE_MS } from '#kernel/time.ts'
import type { Db, Reader, Tx } from '#server/db/db.ts'
import { setting } from '#server/db/schema.ts'

/** What the owner says in place of the label's own words; null leaves them. */
export type OwnContent = { [Name in keyof ShopContent]: ShopContent[Name] | null }

/** Where the shop remembers it. */
const CONTENT = 'content'
const NOTHING: OwnContent = { banner: null, upcoming: null }

export const labelContent: ShopContent = {
  banner: label.bannerText,
  upcoming: upcomingCollections.map((one) => ({ ...one })),
}

export async function findOwnContent(db: Reader): Promise<OwnContent> {
  const [row] = await db.select().from(setting).where(eq(setting.name, CONTENT))
  return row ? (JSON.parse(row.value) as OwnContent) : NOTHING
}

export async function putOwnContent(tx: Tx, own: OwnContent): Promise<void> {
  const value = JSON.stringify(own)
  await tx.insert(setting).values({ name: CONTENT, value }).onConflictDoUpdate({ target: setting.name, set: { value } })
}

export const contentOf = ({ banner, upcoming }: OwnContent): ShopContent => ({
  banner: banner ?? labelContent.banner,
  upcoming: upcoming ?? labelContent.upcoming,
})

/** Another instance may have changed it: that is seen after this long at most. */
const KEPT_MS = MINUTE_MS
const kept = new WeakMap<Db, { content: Promise<ShopContent>; until: number }>()

/** Every page asks for it; the database is asked once a minute. */
export function readContent(db: Db): Promise<ShopContent> {
  const known = kept.get(db)
  if (known && known.until > performance.now()) return known.content
  const content = findOwnContent(db).then(contentOf, () => {
    // A page is shown without the owner's words rather than not at all; the next one asks again.
    if (kept.get(db)?.content === content) kept.delete(db)
    return labelContent
  })
  kept.set(db, { content, until: performance.now() + KEPT_MS })
  return content
}

/** To be called once a change is committed. */
export const forgetContent = (db: Db): void => void kept.delete(db)
