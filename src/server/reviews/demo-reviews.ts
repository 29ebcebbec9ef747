import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import * as z from 'zod/mini'
import { fits } from '#domain/orders/fit.ts'
import type { ProductId } from '#shared/ids.ts'
import { after, DAY_MS } from '#shared/time.ts'
import { findProductNames } from '#server/catalog/catalog.ts'
import { clearListingCache } from '#server/catalog/listing-cache.ts'
import { findSetting, saveSetting } from '#server/settings/settings.ts'
import type { Needs } from '#server/shop.ts'
import { deleteDemoReviews, insertDemoReviews } from './store.ts'

const DemoReview = z.object({
  product: z.int(),
  stars: z.int(),
  fit: z.optional(z.enum(fits)),
  words: z.string(),
  name: z.string(),
  variant: z.optional(z.string()),
  daysAgo: z.int(),
  answer: z.optional(z.string()),
})
export type DemoReview = z.output<typeof DemoReview>

const IMPORTED_HASH_SETTING = 'demo_reviews_sha256'

/** Writes the reviews of a demo, marked as such, in place of former ones, if its file has changed. */
export async function importDemoReviews({ db, clock }: Needs<'db' | 'clock'>, path: string): Promise<void> {
  const bytes = await readFile(path)
  const hash = createHash('sha256').update(bytes).digest('hex')
  if ((await findSetting(db, IMPORTED_HASH_SETTING)) === hash) return
  const reviews = z.array(DemoReview).parse(JSON.parse(bytes.toString('utf8')))
  const known = await findProductNames(db, [...new Set(reviews.map(({ product }) => product))])
  const now = clock.now()
  await db.transaction(async (tx) => {
    await deleteDemoReviews(tx)
    // Pages show the latest first by their number.
    const rows = reviews
      .filter(({ product }) => known.has(product))
      .toSorted((a, b) => b.daysAgo - a.daysAgo)
      .map(({ product, stars, fit, words, name, variant, daysAgo, answer }) => {
        const createdAt = after(now, -daysAgo * DAY_MS)
        return {
          ...{ productId: product as ProductId, stars, words, name, createdAt, updatedAt: createdAt },
          ...{ state: 'published' as const, isDemo: true },
          ...{ fit: fit ?? null, variantName: variant ?? null, answer: answer ?? null },
        }
      })
    if (rows.length > 0) await insertDemoReviews(tx, rows)
    await saveSetting(tx, IMPORTED_HASH_SETTING, hash)
  })
  clearListingCache(db)
}
