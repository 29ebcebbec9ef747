import { sql } from 'drizzle-orm'
import {
  bigint,
  bigserial,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  serial,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import {
  conversationStates,
  messageAuthors,
  messageChannels,
  type ConversationState,
  type MessageAuthor,
  type MessageChannel,
} from '#domain/messages/conversation.ts'
import { issueStates, type IssueState, type Segment } from '#domain/messages/issue.ts'
import { session } from '#server/accounts/schema.ts'
import { knownLanguage, language, bytes, moment, oneOf } from '#server/db/columns.ts'
import { shopOrder } from '#server/orders/schema.ts'
import type { OrderId, SessionId } from '#shared/ids.ts'

/** What somebody and the shop write to each other: about an order, through the contact form, or in the chat. */
export const conversation = pgTable(
  'conversation',
  {
    id: serial().primaryKey(),
    /** In the addresses that emails are answered to: the order's number, or random. */
    reference: text().notNull().unique(),
    /** An order has one conversation. */
    orderId: integer()
      .$type<OrderId>()
      .unique()
      .references(() => shopOrder.id),
    /** The browser whose chat it is. Null when the session has ended: the shop keeps the conversation, the browser has lost it. */
    sessionId: text()
      .$type<SessionId>()
      .unique()
      .references(() => session.id, { onDelete: 'set null' }),
    /** Null for an order, which has them itself, and for a visitor of the chat who left none. */
    name: text(),
    email: text(),
    subject: text().notNull(),
    /** Of answers; an order's have the order's. */
    language: language(),
    state: text().notNull().default('waiting').$type<ConversationState>(),
    /** The time of the oldest unanswered message; null unless it waits. */
    waitingSince: moment(),
    /** The owner has not opened it since the customer wrote. */
    isUnread: boolean().notNull().default(true),
    /** Counts messages and changes of the state, so an answer to something older is refused. */
    version: integer().notNull().default(1),
    startedAt: moment().notNull(),
  },
  (t) => [
    index('conversation_waiting')
      .on(t.waitingSince, t.id)
      .where(sql`${t.waitingSince} is not null`),
    index('conversation_unread')
      .on(t.id)
      .where(sql`${t.isUnread}`),
    index('conversation_of_person').on(sql`lower(${t.email})`),
    index('conversation_alike').using(
      'gin',
      t.subject.op('gin_trgm_ops'),
      t.name.op('gin_trgm_ops'),
      t.email.op('gin_trgm_ops'),
    ),
    knownLanguage('conversation_language_known', t.language),
    check('conversation_state_known', oneOf(t.state, conversationStates)),
    check('conversation_waits', sql`(${t.state} = 'waiting') = (${t.waitingSince} is not null)`),
  ],
)

/** Card numbers are masked before it is stored. */
export const conversationMessage = pgTable(
  'conversation_message',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    conversationId: integer()
      .notNull()
      .references(() => conversation.id, { onDelete: 'cascade' }),
    author: text().notNull().$type<MessageAuthor>(),
    channel: text().notNull().$type<MessageChannel>(),
    words: text().notNull(),
    writtenAt: moment().notNull(),
    /** Whether the chat of the conversation's session shows it. */
    isInChat: boolean().notNull().default(false),
    /** When it was emailed: a customer's to the owner, the shop's to the customer. Lines of a chat are collected first. */
    mailedAt: moment(),
    /** The address of an email that is not from the order's or the conversation's: nobody has verified who that is. */
    sender: text(),
    /** The Message-ID of an email, so an answer to it is shown below it. */
    emailId: text(),
    /** Chosen by the browser, so a repeated submission is the same message. */
    submission: uuid().unique(),
  },
  (t) => [
    index().on(t.conversationId, t.id),
    index('conversation_message_unmailed')
      .on(t.conversationId)
      .where(sql`${t.mailedAt} is null`),
    index('conversation_message_alike').using('gin', t.words.op('gin_trgm_ops')),
    check('conversation_message_author_known', oneOf(t.author, messageAuthors)),
    check('conversation_message_channel_known', oneOf(t.channel, messageChannels)),
  ],
)

/** A customer's photo, as WebP without metadata. */
export const conversationPhoto = pgTable(
  'conversation_photo',
  {
    /** Random, part of its address. */
    id: uuid().primaryKey(),
    messageId: bigint({ mode: 'number' })
      .notNull()
      .references(() => conversationMessage.id, { onDelete: 'cascade' }),
    body: bytes().notNull(),
  },
  (t) => [index().on(t.messageId)],
)

/** A text for answers, with placeholders. */
export const savedReply = pgTable('saved_reply', {
  id: serial().primaryKey(),
  title: text().notNull(),
  words: text().notNull(),
  version: integer().notNull().default(1),
})

/** An email that was read from the mailbox, so that none is read twice. */
export const inboundMail = pgTable(
  'inbound_mail',
  {
    /** Its Message-ID, or its place in the mailbox. */
    emailId: text().primaryKey(),
    readAt: moment().notNull(),
  },
  (t) => [index().on(t.readAt)],
)

// Tables of the release before conversations. `former-messages.ts` empties them; a later release drops them.

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

export type LeftBecause = 'bounced' | 'complained'

/** A newsletter subscriber. Only confirmed ones get issues (double opt-in). */
export const subscriber = pgTable(
  'subscriber',
  {
    id: serial().primaryKey(),
    language: language(),
    name: text(),
    /** In lower case. */
    email: text().notNull().unique(),
    askedAt: moment().notNull(),
    /** Null until confirmed by the emailed link. */
    confirmedAt: moment(),
    /** Null while subscribed; subscribing again resets it. */
    leftAt: moment(),
    /** Why the shop ended it; null when the subscriber or the owner did. */
    leftBecause: text().$type<LeftBecause>(),
    /** When the owner was notified. */
    toldAt: moment(),
    /** How somebody agreed who came from a former shop, in its export's words; null for everybody who confirmed here. */
    consentSource: text(),
  },
  (t) => [knownLanguage('subscriber_language_known', t.language)],
)

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
    /** Who gets it. */
    segment: jsonb().notNull().default({}).$type<Segment>(),
    writtenAt: moment().notNull(),
    /** When a scheduled one is sent. */
    sendAt: moment(),
    /** When its last emails were queued. */
    pacedAt: moment(),
    /** When sending was started; later subscribers do not get it. */
    begunAt: moment(),
    finishedAt: moment(),
    /** The id of the last subscriber whose email is queued. */
    reachedId: integer().notNull().default(0),
    /** Number of recipients. */
    sentTo: integer().notNull().default(0),
  },
  (t) => [
    index('newsletter_issue_due')
      .on(t.id)
      .where(sql`${t.state} in ('scheduled', 'sending')`),
    check('newsletter_issue_state_known', oneOf(t.state, issueStates)),
    check('newsletter_issue_scheduled', sql`${t.state} <> 'scheduled' or ${t.sendAt} is not null`),
  ],
)

// Another table of the release before conversations.

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
