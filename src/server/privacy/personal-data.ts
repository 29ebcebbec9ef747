import { eq } from 'drizzle-orm'
import type { Fates, PersonalData } from '#server/db/personal-data.ts'
import type * as schema from './schema.ts'
import { dataRequest } from './schema.ts'

export const personalData = {
  fates: {
    // Once nothing has to wait.
    erasure: 'deleted',
    dataRequest: 'deleted',
  } satisfies Fates<typeof schema>,

  erasePerson: async (tx, { email }) => {
    await tx.delete(dataRequest).where(eq(dataRequest.email, email))
  },
} satisfies PersonalData
