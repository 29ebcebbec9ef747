import { isNotNull } from 'drizzle-orm'
import type { Reader } from '#server/db/db.ts'
import { conversation } from './schema.ts'

/** What waits for the owner's answer. */
export const countWaitingMessages = async (db: Reader) => ({
  messages: await db.$count(conversation, isNotNull(conversation.waitingSince)),
})
