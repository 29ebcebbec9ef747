import type { ChatMessage, Conversation, ChatEntry } from '#contract/messages.ts'
import { paths } from '#contract/paths.ts'
import { maskCardNumbers } from '#domain/messages/card-numbers.ts'
import { assert } from '#shared/assert.ts'
import type { SessionId } from '#shared/ids.ts'
import { after, MINUTE_MS } from '#shared/time.ts'
import { baseUrlOf } from '#server/config/config.ts'
import type { Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { mailLater } from '#server/mail/outbox.ts'
import { ownerMail } from '#server/mail/templates/owner-mail.ts'
import { simpleMail } from '#server/mail/templates/simple-mail.ts'
import type { Needs } from '#server/shop.ts'
import {
  addLine,
  changeChat,
  countLines,
  findChatOf,
  listLines,
  listUnmailed,
  listUnmailedChats,
  lockChat,
  lockChatOf,
  markMailed,
  setChatSession,
  type StoredLine,
} from './store.ts'

type ChatNeeds = Needs<'db' | 'clock' | 'jobs' | 'config'>

/** Lines sent within this time go out in one email. */
const COLLECTED_MS = MINUTE_MS
const LINES_SHOWN = 200
const LINES_MAX = 1000

/** Moves a session's chat to another session. */
export const moveChat = (tx: Tx, from: SessionId, to: SessionId): Promise<void> => setChatSession(tx, from, to)

/** The owner still sees the chat; no visitor does. */
export const detachChat = (tx: Tx, from: SessionId): Promise<void> => setChatSession(tx, from, null)

/** A session's chat. @param afterId returns only lines after this one */
export async function readChat(
  { db }: Needs<'db'>,
  sessionId: SessionId | undefined,
  afterId?: number,
): Promise<Conversation> {
  const chat = sessionId && (await findChatOf(db, sessionId))
  if (!chat) return { messages: [], hasEmail: false }
  const lines = await listLines(db, chat.id, afterId, LINES_SHOWN)
  return { messages: lines.map(toChatEntry), hasEmail: chat.email !== null }
}

export const toChatEntry = ({ id, author, message, timestamp }: StoredLine): ChatEntry => ({
  id,
  author,
  message,
  timestamp: timestamp.toISOString(),
})

/** Adds a visitor's line and queues an email to the owner. @throws Refusal `chat_full` */
export async function addVisitorLine(
  shop: ChatNeeds,
  sessionId: SessionId,
  { message, email }: ChatMessage,
): Promise<void> {
  const now = shop.clock.now()
  await shop.db.transaction(async (tx) => {
    const chat = await lockChatOf(tx, sessionId, now)
    assert(chat, 'a session has no chat')
    if ((await countLines(tx, chat.id)) >= LINES_MAX) throw new Refusal('chat_full')
    await addLine(tx, {
      chatId: chat.id,
      sessionId,
      author: 'visitor',
      message: maskCardNumbers(message),
      timestamp: now,
    })
    await changeChat(tx, chat.id, { waitingSince: chat.waitingSince ?? now, ...(email && { email }) })
    await mailChatLater(shop, tx, chat.id)
  })
}

/** Real time, because the job queue does not follow the shop's clock. */
export const mailChatLater = ({ jobs }: Needs<'jobs'>, tx: Tx, chatId: number): Promise<void> =>
  jobs.enqueue(tx, 'mail-chat', { chatId }, after(new Date(), COLLECTED_MS))

/** Queues chats with lines that should have been emailed by now: a line added while the job ran has no job of its own. */
export async function requeueChats(shop: Needs<'jobs'>, tx: Tx, before: Date, limit: number): Promise<void> {
  for (const chatId of await listUnmailedChats(tx, before, limit)) await mailChatLater(shop, tx, chatId)
}

/** Emails new lines: a visitor's to the owner, the shop's to the visitor. */
export async function mailChat(shop: ChatNeeds, chatId: number): Promise<void> {
  const now = shop.clock.now()
  await shop.db.transaction(async (tx) => {
    const chat = await lockChat(tx, chatId)
    if (!chat) return
    const lines = await listUnmailed(tx, chatId)
    const from = (author: StoredLine['author']) => lines.filter((line) => line.author === author)
    const publicUrl = baseUrlOf(shop.config)

    const questions = from('visitor')
    if (questions.length > 0) {
      const note = ownerMail({
        subject: `Chat ${chatId}: ${questions.length === 1 ? 'new message' : `${questions.length} new messages`}`,
        facts: [['Email', chat.email]],
        paragraphs: questions.map(({ message }) => message),
        link: publicUrl + paths.adminInbox,
      })
      const recipient = 'support' as const
      await mailLater(
        shop,
        tx,
        { kind: 'chat', about: aboutOf(chatId, questions), recipient, orderId: null, ...note },
        now,
      )
    }
    const answers = chat.email ? from('shop') : []
    if (chat.email && answers.length > 0) {
      const mail = simpleMail(
        { customerName: 'there', link: publicUrl },
        {
          mail: 'chat_answer',
          quoted: answers.map(({ message }) => message),
          button: 'Back to the shop',
        },
      )
      const recipient = { email: chat.email, name: '' }
      await mailLater(
        shop,
        tx,
        { kind: 'chat_answer', about: aboutOf(chatId, answers), recipient, orderId: null, ...mail },
        now,
      )
    }
    const mailed = [...questions, ...answers].map(({ id }) => id)
    if (mailed.length > 0) await markMailed(tx, mailed, now)
  })
}

const aboutOf = (chatId: number, lines: readonly StoredLine[]) => `chat-${chatId}-${lines.at(-1)?.id}`
