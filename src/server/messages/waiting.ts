import { isNotNull, isNull } from 'drizzle-orm'
import type { Reader } from '#server/db/db.ts'
import { chat, contactMessage } from './schema.ts'

/** What waits for the owner's answer. */
export const countWaitingMessages = async (db: Reader) => ({
  messages: await db.$count(contactMessage, isNull(contactMessage.closedAt)),
  chats: await db.$count(chat, isNotNull(chat.waitingSince)),
})
