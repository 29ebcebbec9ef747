import { sql, type SQL } from 'drizzle-orm'
import { namesIn } from '#server/pictures/unused.ts'

/** What the catalog needs of pictures: products in any state, collections and the home page, every version that can be restored, and the printer's previews. */
export const pictureReferences: readonly SQL[] = [
  sql`select file from product_picture`,
  sql`select file from former_picture where file is not null`,
  namesIn(sql`content`, sql`collection`),
  namesIn(sql`content`, sql`catalog_revision`),
  namesIn(sql`value`, sql`setting`),
  // What an undo can bring back.
  namesIn(sql`before`, sql`owner_action where about_kind = 'setting' and about_id = 'openingPicture'`),
  sql`select preview_url from variant where preview_url is not null`,
  sql`select before ->> 'previewUrl' from catalog_change where before ->> 'previewUrl' is not null`,
]
