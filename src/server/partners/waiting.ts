import { eq } from 'drizzle-orm'
import type { Reader } from '#server/db/db.ts'
import { callRequest, partnerApplication } from './schema.ts'

/** What waits for the owner's decision. */
export const countWaitingRequests = async (db: Reader) => ({
  applications: await db.$count(partnerApplication, eq(partnerApplication.state, 'waiting')),
  calls: await db.$count(callRequest, eq(callRequest.state, 'waiting')),
})
