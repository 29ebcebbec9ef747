import { sql, type SQL } from 'drizzle-orm'
import { namesIn } from '#server/pictures/unused.ts'

/** Drawings of drafts in any state: copies of a product begin with the draft that it was made from, and its print files are made of it. */
export const pictureReferences: readonly SQL[] = [
  namesIn(sql`content`, sql`product_draft`),
  namesIn(sql`copy_plan`, sql`product_draft`),
]
