import type { Fates } from '#server/db/personal-data.ts'
import type * as schema from './schema.ts'

export const personalData = {
  fates: {
    policyReport: 'about nobody: counts, without who reported',
    savedView: {
      name: 'kept: what somebody of the shop calls a list of orders',
      filter: 'kept: states, days and collections',
    },
    bookkeeping: 'about nobody: names and numbers of accounts',
  } satisfies Fates<typeof schema>,
}
