import type { Fates } from '#server/db/personal-data.ts'
import type * as schema from './schema.ts'

export const personalData = {
  fates: {
    ownerAction: {
      userName: 'kept: of an owner, who is not erased',
      address: 'kept: of an owner, who is not erased',
      what: 'kept: one of the shop’s actions',
      aboutKind: 'kept: one of the shop’s kinds',
      aboutId: 'kept: a number; a code for an erased person',
      before: 'kept: no personal data (see `ownerAction`)',
      after: 'kept: no personal data (see `ownerAction`)',
    },
  } satisfies Fates<typeof schema>,
}
