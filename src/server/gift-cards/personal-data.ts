import type { Reader } from '#server/db/db.ts'
import { ERASED, type Email, type Fates, type PersonalData } from '#server/db/personal-data.ts'
import type * as schema from './schema.ts'
import { eraseRecipient, listOfEmail } from './store.ts'

export const personalData = {
  fates: {
    giftCard: {
      codeHash: 'kept: a hash',
      seed: 'kept: random',
      lastFour: 'kept: random',
      reason: 'erased',
      recipientEmail: 'erased',
    },
    giftCardMovement: { postingKey: 'kept: names the posting' },
  } satisfies Fates<typeof schema>,

  export: async (db: Reader, email: Email) => ({
    giftCards: (await listOfEmail(db, email)).map(({ lastFour, issuedCents, balanceCents, createdAt }) => ({
      ...{ lastFour, issuedCents, balanceCents, createdAt },
    })),
  }),

  async erasePerson(tx, { email }) {
    await eraseRecipient(tx, email, ERASED)
  },
} satisfies PersonalData
