import * as z from 'zod/mini'
import {
  conversationStates,
  messageAuthors,
  messageChannels,
  unknownPlaceholderIn,
} from '#domain/messages/conversation.ts'
import { claimKinds, claimOutcomes, claimReasons, claimStates } from '#domain/claims/claim.ts'
import { languages } from '#shared/language.ts'
import { call } from './call.ts'
import { queuePage, queueQuery } from './queue-page.ts'
import { isoMoment, multilineText, pathId, singleLineText } from './wire.ts'

export const ANSWER_MAX = 5000
const REPLY_TITLE_MAX = 80

const Summary = z.object({
  id: z.int(),
  /** Null unless it is about an order. */
  orderNumber: z.nullable(z.string()),
  subject: z.string(),
  name: z.nullable(z.string()),
  email: z.nullable(z.string()),
  state: z.enum(conversationStates),
  isUnread: z.boolean(),
  startedAt: isoMoment,
  waitingSince: z.nullable(isoMoment),
})

const ConversationRow = z.extend(Summary, {
  /** How its latest message begins. */
  preview: z.string(),
  lastAuthor: z.enum(messageAuthors),
  lastAt: isoMoment,
})
export type ConversationRow = z.output<typeof ConversationRow>

const ThreadMessage = z.object({
  id: z.int(),
  author: z.enum(messageAuthors),
  channel: z.enum(messageChannels),
  words: z.string(),
  at: isoMoment,
  /** The address of an email that is not the customer's: nobody has verified who wrote it. */
  sender: z.nullable(z.string()),
  photos: z.array(z.uuid()),
  /** What became of the email of an answer; null for a chat without an email. */
  mail: z.nullable(z.enum(['queued', 'sent', 'bounced'])),
})
export type ThreadMessage = z.output<typeof ThreadMessage>

/** A conversation with its latest 200 messages, oldest first. */
export const Thread = z.extend(Summary, {
  version: z.int(),
  /** Of the customer's pages and emails. */
  language: z.enum(languages),
  /** Where an answer appears. */
  reaches: z.object({ email: z.boolean(), chat: z.boolean() }),
  messages: z.array(ThreadMessage),
  /** Of its order. */
  claims: z.array(
    z.object({
      id: z.int(),
      kind: z.enum(claimKinds),
      reason: z.nullable(z.enum(claimReasons)),
      state: z.enum(claimStates),
      outcome: z.nullable(z.enum(claimOutcomes)),
    }),
  ),
})
export type Thread = z.output<typeof Thread>

const SavedReply = z.object({ id: z.int(), title: z.string(), words: z.string(), version: z.int() })
export type SavedReply = z.output<typeof SavedReply>

export const SavedReplyDraft = z.object({
  title: singleLineText(REPLY_TITLE_MAX, 'Please enter a title'),
  words: multilineText(1, ANSWER_MAX, 'Please write the reply').check(
    z.refine((words) => unknownPlaceholderIn(words) === undefined, {
      error: ({ input }) =>
        `{${unknownPlaceholderIn(String(input))}} is not a placeholder; please use those listed on this page`,
    }),
  ),
})

const id = z.object({ id: pathId<number>() })
const version = z.int().check(z.gte(1))
const done = z.object({ done: z.string() })
const answer = multilineText(1, ANSWER_MAX, 'Please write something')

export const adminConversationCalls = {
  list: call({
    method: 'GET',
    path: '/api/admin/conversations',
    access: 'read_messages',
    summary:
      'Conversations with customers: waiting ones first, the longest waiting on top; optionally only those of a state.',
    query: z.extend(queueQuery, { state: z.optional(z.enum(conversationStates)) }),
    answer: z.object({ conversations: z.array(ConversationRow), ...queuePage, unread: z.int() }),
    refusals: [],
  }),
  thread: call({
    method: 'GET',
    path: '/api/admin/conversations/:id',
    access: 'read_messages',
    summary: 'A conversation with its messages.',
    params: id,
    answer: Thread,
    refusals: ['unknown_message'],
  }),
  ofOrder: call({
    method: 'GET',
    path: '/api/admin/orders/:number/conversation',
    access: 'read_messages',
    summary: 'The id of an order’s conversation; null while nobody has written.',
    params: z.object({ number: z.string().check(z.maxLength(40)) }),
    answer: z.object({ id: z.nullable(z.int()) }),
    refusals: ['unknown_order'],
  }),
  begin: call({
    method: 'POST',
    path: '/api/admin/orders/:number/conversation',
    access: 'answer_messages',
    summary: 'Opens an order’s conversation, in which the owner may write first. Sends nothing.',
    params: z.object({ number: z.string().check(z.maxLength(40)) }),
    answer: z.object({ id: z.int() }),
    refusals: ['unknown_order', 'order_not_shown'],
  }),
  photo: call({
    method: 'GET',
    path: '/api/admin/conversation-photos/:photo',
    access: 'read_messages',
    summary: 'A photo of a conversation, as WebP.',
    params: z.object({ photo: z.uuid() }),
    answer: 'file',
    refusals: ['unknown_picture'],
  }),
  markRead: call({
    method: 'POST',
    path: '/api/admin/conversations/:id/read',
    access: 'answer_messages',
    summary: 'Marks a conversation as read, up to the version that was shown.',
    params: id,
    body: z.object({ version }),
    answer: z.object({ success: z.literal(true) }),
    refusals: ['unknown_message'],
  }),
  answer: call({
    method: 'POST',
    path: '/api/admin/conversations/:id/answer',
    access: 'answer_messages',
    summary:
      'Answers by email, and in the chat where the conversation is one. Refused if it has changed since `version`.',
    params: id,
    body: z.object({ words: answer, version }),
    answer: done,
    refusals: ['unknown_message', 'conversation_changed', 'placeholder_left', 'nobody_to_answer'],
  }),
  note: call({
    method: 'POST',
    path: '/api/admin/conversations/:id/note',
    access: 'answer_messages',
    summary: 'Adds a note that only the owner sees.',
    params: id,
    body: z.object({ words: answer }),
    answer: done,
    refusals: ['unknown_message'],
  }),
  close: call({
    method: 'POST',
    path: '/api/admin/conversations/:id/close',
    access: 'answer_messages',
    summary: 'Closes a conversation without an answer; what the customer writes next opens it again.',
    params: id,
    body: z.object({ version }),
    answer: done,
    refusals: ['unknown_message', 'conversation_changed'],
  }),
  reopen: call({
    method: 'POST',
    path: '/api/admin/conversations/:id/reopen',
    access: 'answer_messages',
    summary: 'Opens a closed conversation again; it then waits for an answer.',
    params: id,
    body: z.object({ version }),
    answer: done,
    refusals: ['unknown_message', 'conversation_changed'],
  }),
  replies: call({
    method: 'GET',
    path: '/api/admin/saved-replies',
    access: 'read_messages',
    summary: 'Saved replies by title.',
    answer: z.object({ replies: z.array(SavedReply) }),
    refusals: [],
  }),
  addReply: call({
    method: 'POST',
    path: '/api/admin/saved-replies',
    access: 'answer_messages',
    summary: 'Saves a reply for answers, with placeholders.',
    body: SavedReplyDraft,
    answer: z.object({ id: z.int() }),
    refusals: ['too_many_replies'],
  }),
  changeReply: call({
    method: 'PUT',
    path: '/api/admin/saved-replies/:id',
    access: 'answer_messages',
    summary: 'Changes a saved reply. Refused if it has changed since `version`.',
    params: id,
    body: z.extend(SavedReplyDraft, { version }),
    answer: done,
    refusals: ['unknown_reply', 'reply_changed'],
  }),
  deleteReply: call({
    method: 'DELETE',
    path: '/api/admin/saved-replies/:id',
    access: 'answer_messages',
    summary: 'Deletes a saved reply.',
    params: id,
    answer: done,
    refusals: ['unknown_reply'],
  }),
}
