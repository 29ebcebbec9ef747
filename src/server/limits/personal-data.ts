import type { Fates } from '#server/db/personal-data.ts'
import type * as schema from './schema.ts'

export const personalData = {
  fates: { rateCount: { name: 'kept: a hash, for as long as the limit' } } satisfies Fates<typeof schema>,
}
