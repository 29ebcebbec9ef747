import { and, asc, eq, isNull, lt, sql } from 'drizzle-orm'
import type { Reader, Tx } from '#server/db/db.ts'
import type { Email, Fates, PersonalData } from '#server/db/personal-data.ts'
import type * as schema from './schema.ts'
import { chat, chatMessage, contactAnswer, contactMessage, subscriber } from './schema.ts'

const isFrom = (column: typeof contactMessage.email | typeof chat.email, email: Email) =>
  sql`lower(${column}) = ${email}`

async function find(db: Reader, email: Email) {
  return {
    messages: await db
      .select({ message: contactMessage, answer: contactAnswer })
      .from(contactMessage)
      .leftJoin(contactAnswer, eq(contactAnswer.messageId, contactMessage.id))
      .where(isFrom(contactMessage.email, email))
      .orderBy(asc(contactMessage.id)),
    chats: await db
      .select({
        id: chat.id,
        author: chatMessage.author,
        message: chatMessage.message,
        timestamp: chatMessage.timestamp,
      })
      .from(chat)
      .innerJoin(chatMessage, eq(chatMessage.chatId, chat.id))
      .where(isFrom(chat.email, email))
      .orderBy(asc(chatMessage.id)),
    subscription: (await db.select().from(subscriber).where(eq(subscriber.email, email)))[0],
  }
}

export const personalData = {
  fates: {
    contactMessage: 'deleted',
    contactAnswer: 'deleted',
    subscriber: 'deleted',
    subscriberAccess: 'deleted',
    newsletterIssue: 'about nobody: the owner writes it to all subscribers',
    chat: 'deleted',
    chatMessage: 'deleted',
  } satisfies Fates<typeof schema>,

  find,

  async export(db: Reader, email: Email) {
    const { messages, chats, subscription } = await find(db, email)
    return {
      messages: messages.map(({ message: { name, subject, message, createdAt }, answer }) => ({
        ...{ name, subject, message, sentAt: createdAt },
        answer: answer && { words: answer.answer, at: answer.answeredAt },
      })),
      chats,
      newsletter: subscription && {
        name: subscription.name,
        askedAt: subscription.askedAt,
        confirmedAt: subscription.confirmedAt,
        leftAt: subscription.leftAt,
        consentSource: subscription.consentSource,
      },
    }
  },

  async erasePerson(tx, { email }) {
    await tx.delete(contactMessage).where(isFrom(contactMessage.email, email))
    await tx.delete(chat).where(isFrom(chat.email, email))
    await tx.delete(subscriber).where(eq(subscriber.email, email))
  },

  /** Closed messages and answered chats. */
  async deleteClosed(tx: Tx, before: Date): Promise<void> {
    await tx.delete(contactMessage).where(lt(contactMessage.closedAt, before))
    await tx
      .delete(chat)
      .where(
        and(
          isNull(chat.waitingSince),
          lt(chat.startedAt, before),
          sql`not exists (select 1 from chat_message m where m.chat_id = ${chat.id} and m."timestamp" >= ${before})`,
        ),
      )
  },
} satisfies PersonalData
