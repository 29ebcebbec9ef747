import { eq } from 'drizzle-orm'
import type { Reader } from '#server/db/db.ts'
import type { Email, Fates, PersonalData } from '#server/db/personal-data.ts'
import { raffle, raffleEntry } from './schema.ts'
import type * as schema from './schema.ts'

const isFrom = (email: Email) => eq(raffleEntry.email, email)

export const personalData = {
  fates: {
    raffle: 'about nobody: the owner writes it for everybody',
    raffleEntry: 'deleted',
    raffleAccess: 'deleted',
    raffleCommitment: {
      commitment: 'kept: a hash that names nobody once its entry is deleted, and that proves the draw',
    },
    raffleDraw: { commitment: 'kept: the same' },
  } satisfies Fates<typeof schema>,

  async export(db: Reader, email: Email) {
    const rows = await db
      .select({
        title: raffle.title,
        country: raffleEntry.country,
        secret: raffleEntry.secret,
        confirmedAt: raffleEntry.confirmedAt,
      })
      .from(raffleEntry)
      .innerJoin(raffle, eq(raffle.id, raffleEntry.raffleId))
      .where(isFrom(email))
    return { raffleEntries: rows }
  },

  async erasePerson(tx, { email }) {
    await tx.delete(raffleEntry).where(isFrom(email))
  },
} satisfies PersonalData
