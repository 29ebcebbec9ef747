import { sql, type SQL } from 'drizzle-orm'
import { namesIn } from '#server/pictures/unused.ts'

/** What links to drops show. */
export const pictureReferences: readonly SQL[] = [namesIn(sql`share_picture`, sql`"drop"`)]
