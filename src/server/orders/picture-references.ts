import { sql, type SQL } from 'drizzle-orm'
import { namesIn } from '#server/pictures/unused.ts'

/** Orders show their products as they were bought. */
export const pictureReferences: readonly SQL[] = [namesIn(sql`image_url`, sql`order_line`)]
