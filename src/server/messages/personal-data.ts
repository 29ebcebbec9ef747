import { and, asc, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import type { OrderId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import type { Email, Fates, PersonalData } from '#server/db/personal-data.ts'
import type { LaterFile } from '#server/files/json-file.ts'
import { findPhoto, listPhotos } from './conversation-store.ts'
import { moveFormerMessages } from './former-messages.ts'
import type * as schema from './schema.ts'
import { conversation, conversationMessage, inboundMail, subscriber } from './schema.ts'

const isFrom = (email: Email) => sql`lower(${conversation.email}) = ${email}`

/** @param orders this person's: what was written about them is part of their data */
async function find(db: Reader, email: Email, orders: readonly OrderId[]) {
  return {
    conversations: await db
      .select()
      .from(conversation)
      .where(or(isFrom(email), orders.length > 0 ? inArray(conversation.orderId, [...orders]) : undefined))
      .orderBy(asc(conversation.id)),
    subscription: (await db.select().from(subscriber).where(eq(subscriber.email, email)))[0],
  }
}

export const personalData = {
  fates: {
    conversation: 'deleted',
    conversationMessage: 'deleted',
    conversationPhoto: 'deleted',
    savedReply: 'about nobody: the owner writes them for everybody',
    inboundMail: { emailId: 'kept: a random id, for a month' },
    contactMessage: 'deleted',
    contactAnswer: 'deleted',
    subscriber: 'deleted',
    subscriberAccess: 'deleted',
    newsletterIssue: 'about nobody: the owner writes it to all subscribers',
    chat: 'deleted',
    chatMessage: 'deleted',
  } satisfies Fates<typeof schema>,

  find,

  /** Conversations with their photos as WebP; the owner's notes are not part of them. */
  async export(db: Reader, email: Email, orders: readonly OrderId[]) {
    const { conversations, subscription } = await find(db, email, orders)
    const ids = conversations.map(({ id }) => id)
    const messages = ids.length
      ? await db
          .select()
          .from(conversationMessage)
          .where(inArray(conversationMessage.conversationId, ids))
          .orderBy(asc(conversationMessage.id))
      : []
    const photos = await listPhotos(
      db,
      messages.map(({ id }) => id),
    )
    return {
      conversations: conversations.map(({ id, subject, name, startedAt }) => ({
        ...{ subject, name, startedAt },
        messages: messages
          .filter(({ conversationId, author }) => conversationId === id && author !== 'note')
          .map((message) => ({
            by: message.author === 'customer' ? 'you' : 'shop',
            ...{ words: message.words, at: message.writtenAt, sender: message.sender },
            photos: photos
              .filter(({ messageId }) => messageId === message.id)
              .map(
                (photo): LaterFile =>
                  () =>
                    findPhoto(db, photo.id),
              ),
          })),
      })),
      newsletter: subscription && {
        name: subscription.name,
        askedAt: subscription.askedAt,
        confirmedAt: subscription.confirmedAt,
        leftAt: subscription.leftAt,
        consentSource: subscription.consentSource,
      },
    }
  },

  async eraseOrders(tx, orders) {
    await tx.delete(conversation).where(
      inArray(
        conversation.orderId,
        orders.map(({ id }) => id),
      ),
    )
  },

  async erasePerson(tx, { email }) {
    await moveFormerMessages(tx)
    await tx.delete(conversation).where(and(isFrom(email), isNull(conversation.orderId)))
    await tx.delete(subscriber).where(eq(subscriber.email, email))
  },

  /** Conversations in which nobody has written for long and nobody waits; those of orders go with their order. */
  async deleteClosed(tx: Tx, before: Date): Promise<void> {
    await tx
      .delete(conversation)
      .where(
        and(
          isNull(conversation.orderId),
          isNull(conversation.waitingSince),
          lt(conversation.startedAt, before),
          sql`not exists (select 1 from conversation_message m where m.conversation_id = ${conversation.id} and m.written_at >= ${before})`,
        ),
      )
  },

  async deleteRead(tx: Tx, before: Date): Promise<void> {
    await tx.delete(inboundMail).where(lt(inboundMail.readAt, before))
  },
} satisfies PersonalData
