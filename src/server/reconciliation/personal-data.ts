import { inArray } from 'drizzle-orm'
import { ERASED, type Fates, type PersonalData } from '#server/db/personal-data.ts'
import type * as bank from './bank-schema.ts'
import type * as schema from './schema.ts'
import { shopException } from './schema.ts'

export const personalData = {
  fates: {
    providerTransaction: {
      id: 'kept: the provider’s id',
      currency: 'kept: of the account',
      sourceId: 'kept: the provider’s id',
    },
    providerSum: 'about nobody: sums',
    providerReading: 'about nobody: how far the books were read',
    shopException: {
      kind: 'kept: one of the shop’s checks',
      about: 'kept: the id of an order or payment',
      cause: 'erased',
      facts: 'erased',
    },
    reconciliation: 'about nobody: counts',
    bankStatement: 'about nobody: the owner’s own account',
    bankLine: {
      lineKey: 'kept: the bank’s line',
      day: 'kept: the bank’s day',
      currency: 'kept: of the account',
      text: 'kept: as the bank’s statement shows it',
    },
    bankMatch: { payoutId: 'kept: the provider’s id', matchedBy: 'kept: a rule, or one of the owner’s people' },
  } satisfies Fates<typeof schema & typeof bank>,

  eraseOrders: async (tx, orders) => {
    const ids = orders.map(({ id }) => id)
    await tx.update(shopException).set({ cause: ERASED, facts: null }).where(inArray(shopException.orderId, ids))
  },
} satisfies PersonalData
