import type { Reader } from '#server/db/db.ts'
import { erasure } from './schema.ts'

/** People to erase once none of their orders is open. */
export const countWaitingErasures = (db: Reader): Promise<number> => db.$count(erasure)
