import type { Fates } from '#server/db/personal-data.ts'
import type * as schema from './schema.ts'

export const personalData = {
  fates: {
    ledgerPosting: { key: 'kept: the kind and id of what was booked' },
    ledgerEntry: {},
    ledgerSeal: { root: 'kept: a hash', hash: 'kept: a hash' },
    sealedPosting: { hash: 'kept: a hash' },
    ledgerDay: { zone: 'kept: a time zone', day: 'kept: a day' },
    ledgerDaysSummed: 'about nobody: how far the sums reach',
    monthClosing: {
      month: 'kept: a month',
      reason: 'kept: why the owner reopened the books',
      figures: 'kept: sums of accounts',
      root: 'kept: a hash',
      hash: 'kept: a hash',
    },
    closedFile: {
      name: 'kept: names a file of the books',
      bytes: 'kept: the books of a closed month, with order numbers and partners’ names but without customers',
      hash: 'kept: a hash',
    },
  } satisfies Fates<typeof schema>,
}
