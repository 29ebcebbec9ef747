import type { Fates } from '#server/db/personal-data.ts'
import type * as schema from './schema.ts'

export const personalData = {
  fates: { policyReport: 'about nobody: counts, without who reported' } satisfies Fates<typeof schema>,
}
