import { sql } from 'drizzle-orm'
import { bigserial, check, index, integer, pgTable, serial, text } from 'drizzle-orm/pg-core'
import { session } from '#server/accounts/schema.ts'
import { moment } from '#server/db/columns.ts'
import type { SessionId } from '#shared/ids.ts'

/** Messages from the contact form; card numbers are masked before they are stored. */
export const contactMessage = pgTable(
  'contact_message',
  {
    id: serial().primaryKey(),
    name: text().notNull(),
    email: text().notNull(),
    subject: text().notNull(),
    message: text().notNull(),
    createdAt: moment().notNull(),
    /** When it was answered or archived. */
    closedAt: moment(),
  },
  (t) => [
    index().on(t.createdAt),
    index('contact_message_waiting')
      .on(t.createdAt, t.id)
      .where(sql`${t.closedAt} is null`),
  ],
)

/** The owner's answer, sent by email. */
export const contactAnswer = pgTable(
  'contact_answer',
  {
    id: serial().primaryKey(),
    messageId: integer()
      .notNull()
      .references(() => contactMessage.id, { onDelete: 'cascade' }),
    answer: text().notNull(),
    answeredAt: moment().notNull(),
  },
  (t) => [index().on(t.messageId)],
)

/** A newsletter subscriber. Only confirmed ones get issues (double opt-in). */
export const subscriber = pgTable('subscriber', {
  id: serial().primaryKey(),
  name: text(),
  /** In lower case. */
  email: text().notNull().unique(),
  askedAt: moment().notNull(),
  /** Null until confirmed by the emailed link. */
  confirmedAt: moment(),
  /** Null while subscribed; subscribing again resets it. */
  leftAt: moment(),
  /** When the owner was notified. */
  toldAt: moment(),
  /** How somebody agreed who came from a former shop, in its export's words; null for everybody who confirmed here. */
  consentSource: text(),
})

/** An emailed link to confirm or cancel a subscription. */
export const subscriberAccess = pgTable(
  'subscriber_access',
  {
    /** SHA-256 of the link's token, hex; only the email has the token. */
    tokenHash: text().primaryKey(),
    subscriberId: integer()
      .notNull()
      .references(() => subscriber.id, { onDelete: 'cascade' }),
    createdAt: moment().notNull(),
  },
  (t) => [index().on(t.subscriberId)],
)

/** A newsletter issue; each subscriber gets it once, even if sending was interrupted. */
export const newsletterIssue = pgTable(
  'newsletter_issue',
  {
    id: serial().primaryKey(),
    subject: text().notNull(),
    /** Plain text; an empty line starts a paragraph. */
    body: text().notNull(),
    /** The path and label of its button; both or neither. */
    path: text(),
    button: text(),
    state: text().notNull().default('draft').$type<IssueState>(),
    writtenAt: moment().notNull(),
    /** When sending was started; later subscribers do not get it. */
    begunAt: moment(),
    finishedAt: moment(),
    /** The id of the last subscriber whose email is queued. */
    reachedId: integer().notNull().default(0),
    /** Number of recipients. */
    sentTo: integer().notNull().default(0),
  },
  (t) => [check('newsletter_issue_state_known', sql`${t.state} in ('draft', 'sending', 'sent')`)],
)

export type IssueState = 'draft' | 'sending' | 'sent'

/** A support chat with a browser. */
export const chat = pgTable(
  'chat',
  {
    id: serial().primaryKey(),
    /** Null when the session has ended: the shop keeps the chat, the browser has lost it. */
    sessionId: text()
      .$type<SessionId>()
      .unique()
      .references(() => session.id, { onDelete: 'set null' }),
    /** Answers also go to this address, if the visitor left one. */
    email: text(),
    startedAt: moment().notNull(),
    /** The time of the oldest unanswered message; null if none. */
    waitingSince: moment(),
  },
  (t) => [
    index('chat_waiting')
      .on(t.waitingSince, t.id)
      .where(sql`${t.waitingSince} is not null`),
  ],
)

export const chatMessage = pgTable(
  'chat_message',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    chatId: integer()
      .notNull()
      .references(() => chat.id, { onDelete: 'cascade' }),
    /** The visitor's session at that time. */
    sessionId: text().notNull().$type<SessionId>(),
    author: text().notNull().$type<'visitor' | 'shop'>(),
    message: text().notNull(),
    timestamp: moment().notNull(),
    /** When it was emailed: a visitor's message to the owner, the shop's to the visitor. */
    mailedAt: moment(),
  },
  (t) => [
    index().on(t.chatId, t.id),
    index('chat_message_unmailed')
      .on(t.chatId)
      .where(sql`${t.mailedAt} is null`),
    check('chat_message_author_known', sql`${t.author} in ('visitor', 'shop')`),
  ],
)
