import { sql, type SQL } from 'drizzle-orm'
import { namesIn } from '#server/pictures/unused.ts'

/** The home page's opening picture. */
export const pictureReferences: readonly SQL[] = [namesIn(sql`value`, sql`setting`)]
