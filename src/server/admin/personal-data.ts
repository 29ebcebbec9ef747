import type { Fates } from '#server/db/personal-data.ts'
import type * as schema from './schema.ts'

export const personalData = {
  fates: {
    policyReport: 'about nobody: counts, without who reported',
    bookkeeping: 'about nobody: names and numbers of accounts',
  } satisfies Fates<typeof schema>,
}
