import type { Fates } from '#server/db/personal-data.ts'
import type * as schema from './schema.ts'

export const personalData = {
  fates: {
    printerSum: 'about nobody: sums',
    printerOrder: { externalId: 'kept: the order’s number', status: 'kept: the printer’s status' },
  } satisfies Fates<typeof schema>,
}
