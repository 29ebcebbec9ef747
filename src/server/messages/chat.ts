import { say } from '#words/say.ts'
import type { ChatMessage, ChatEntry, Conversation as Chat } from '#contract/messages.ts'
import type { SessionId } from '#shared/ids.ts'
import type { Language } from '#shared/language.ts'
import { after, MINUTE_MS } from '#shared/time.ts'
import { baseUrlOf } from '#server/config/config.ts'
import type { Tx } from '#server/db/db.ts'
import { mailLater, writtenIn } from '#server/mail/outbox.ts'
import { ownerMail } from '#server/mail/templates/owner-mail.ts'
import { simpleMail } from '#server/mail/templates/simple-mail.ts'
import { findOrder } from '#server/orders/orders.ts'
import type { Needs } from '#server/shop.ts'
import {
  aboutMessage,
  addCustomerMessage,
  conversationLink,
  findOrderNamed,
  lockOrderConversation,
  newReference,
  type ConversationNeeds,
} from './conversations.ts'
import {
  endChatOf,
  findConversationOfSession,
  listChatLines,
  listUnmailed,
  listUnmailedConversations,
  lockConversation,
  lockOrInsert,
  markMailed,
  mergeConversation,
  setConversationSession,
  updateConversation,
  type Conversation,
  type Message,
} from './conversation-store.ts'

/** Lines sent within this time go out in one email. */
const COLLECTED_MS = MINUTE_MS
const LINES_SHOWN = 200

/** Moves a session's chat to another session. */
export const moveChat = (tx: Tx, from: SessionId, to: SessionId): Promise<void> => setConversationSession(tx, from, to)

/** The owner still sees the chat; no visitor does. */
export const detachChat = (tx: Tx, from: SessionId): Promise<void> => setConversationSession(tx, from, null)

/** A session's chat. @param afterId returns only lines after this one */
export async function readChat({ db }: Needs<'db'>, sessionId: SessionId | undefined, afterId?: number): Promise<Chat> {
  const chat = sessionId && (await findConversationOfSession(db, sessionId))
  if (!chat) return { messages: [], hasEmail: false }
  const lines = await listChatLines(db, chat.id, afterId, LINES_SHOWN)
  return { messages: lines.map(toChatEntry), hasEmail: chat.email !== null || chat.orderId !== null }
}

const toChatEntry = ({ id, author, words, writtenAt }: Message): ChatEntry => ({
  id,
  author: author === 'customer' ? 'visitor' : 'shop',
  message: words,
  timestamp: writtenAt.toISOString(),
})

/**
 * Adds a visitor's line and queues an email to the owner. The chat of a visitor who names an order and its email goes on in the order's
 * conversation.
 * @throws Refusal `chat_full`
 */
export async function addVisitorLine(
  shop: ConversationNeeds,
  sessionId: SessionId,
  { message: words, email }: ChatMessage,
  language: Language,
): Promise<void> {
  const now = shop.clock.now()
  await shop.db.transaction(async (tx) => {
    const known = await findConversationOfSession(tx, sessionId)
    const theirs = email || known?.email
    // An order is locked before its conversation.
    const named =
      theirs && known?.orderId == null ? await findOrderNamed(tx, { text: words, email: theirs }) : undefined
    const chat = named
      ? await joinOrder(tx, sessionId, named.id, now)
      : await lockOrInsert(tx, {
          ...{ reference: newReference(), sessionId, subject: 'Chat', language, startedAt: now },
        })
    await addCustomerMessage(tx, chat, { channel: 'chat', words, isInChat: true, mailedAt: null }, now)
    if (email && chat.orderId === null) await updateConversation(tx, chat.id, { email, language })
    await mailChatLater(shop, tx, chat.id)
  })
}

/** Moves a session's chat into the conversation of an order. */
async function joinOrder(
  tx: Tx,
  sessionId: SessionId,
  orderId: NonNullable<Conversation['orderId']>,
  now: Date,
): Promise<Conversation> {
  const { conversation } = await lockOrderConversation(tx, orderId, now)
  const before = await findConversationOfSession(tx, sessionId)
  if (before?.id === conversation.id) return conversation
  await endChatOf(tx, conversation.id)
  if (before) {
    // A line that another tab is adding comes along.
    await lockConversation(tx, before.id)
    await mergeConversation(tx, before.id, conversation.id)
  }
  await updateConversation(tx, conversation.id, { sessionId })
  return { ...conversation, sessionId }
}

export const mailChatLater = (
  { jobs, clock }: Needs<'jobs' | 'clock'>,
  tx: Tx,
  conversationId: number,
): Promise<void> => jobs.enqueue(tx, 'mail-conversation', { conversationId }, after(clock.now(), COLLECTED_MS))

/** Queues chats with lines that should have been emailed by now: a line added while the job ran has no job of its own. */
export async function requeueChats(shop: Needs<'jobs' | 'clock'>, tx: Tx, before: Date, limit: number): Promise<void> {
  for (const id of await listUnmailedConversations(tx, before, limit)) await mailChatLater(shop, tx, id)
}

/** Emails new lines: a visitor's to the owner, the shop's to the visitor. */
export async function mailChat(shop: ConversationNeeds, conversationId: number): Promise<void> {
  const now = shop.clock.now()
  await shop.db.transaction(async (tx) => {
    const chat = await lockConversation(tx, conversationId)
    if (!chat) return
    const lines = await listUnmailed(tx, conversationId)
    const questions = lines.filter(({ author }) => author === 'customer')
    if (questions.length > 0) {
      const order = chat.orderId === null ? undefined : await findOrder(tx, chat.orderId)
      const name = order ? chat.subject : `Chat ${conversationId}`
      const note = ownerMail({
        subject: `${name}: ${questions.length === 1 ? 'new message' : `${questions.length} new messages`}`,
        facts: [['Email', order?.customerEmail ?? chat.email]],
        paragraphs: questions.map(({ words }) => words),
        link: conversationLink(shop.config, conversationId),
      })
      const about = aboutOf(questions)
      await mailLater(shop, tx, { kind: 'chat', about, recipient: 'support', orderId: null, ...note }, now)
    }
    const answers = chat.email ? lines.filter(({ author }) => author === 'shop') : []
    if (chat.email && answers.length > 0) {
      const mail = writtenIn(chat.language, () =>
        simpleMail(
          { customerName: 'there', link: baseUrlOf(shop.config) },
          {
            mail: 'chat_answer',
            quoted: answers.map(({ words }) => words),
            button: say('Back to the shop'),
          },
        ),
      )
      const recipient = { email: chat.email, name: '' }
      await mailLater(
        shop,
        tx,
        {
          kind: 'chat_answer',
          ...{ about: aboutOf(answers), recipient, orderId: null, replyTo: chat.reference },
          ...mail,
        },
        now,
      )
    }
    const mailed = [...questions, ...answers].map(({ id }) => id)
    if (mailed.length > 0) await markMailed(tx, mailed, now)
  })
}

const aboutOf = (lines: readonly Message[]) => aboutMessage(lines.at(-1)?.id ?? 0)
