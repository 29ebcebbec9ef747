import type { Fates } from '#server/db/personal-data.ts'
import type * as schema from './schema.ts'

export const personalData = {
  fates: {
    ledgerPosting: { key: 'kept: the kind and id of what was booked' },
    ledgerEntry: {},
    ledgerSeal: { root: 'kept: a hash', hash: 'kept: a hash' },
    sealedPosting: { hash: 'kept: a hash' },
  } satisfies Fates<typeof schema>,
}
