import { label } from '#site/label.ts'
import type { ChatMessage, Conversation, ChatEntry } from '#contract/messages.ts'
import { paths } from '#contract/paths.ts'
import { maskCardNumbers } from '#domain/messages/card-numbers.ts'
import { assert } from '#shared/assert.ts'
import type { SessionId } from '#shared/ids.ts'
import { after, MINUTE_MS } from '#shared/time.ts'
import { baseUrlOf } from '#server/config/config.ts'
import type { Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { shopTheme } from '#server/mail/templates/layout.ts'
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
  type StoredLine,
} from './store.ts'

type ChatNeeds = Needs<'db' | 'clock' | 'jobs' | 'config'>

/** What is said within so long goes out as one mail. */
const COLLECTED_MS = MINUTE_MS
const LINES_SHOWN = 200
const LINES_MAX = 1000

/** What a session and the shop have said. @param afterId the last line that is known; unset: from the beginning */
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

/** A visitor says something; the owner is mailed, together with what follows at once. @throws Refusal `chat_full` */
export async function addVisitorLine(
  shop: ChatNeeds,
  sessionId: SessionId,
  { message, email }: ChatMessage,
): Promise<void> {
  const now = shop.clock.now()
  await shop.db.transaction(async (tx) => {
    const chat = await lockChatOf(tx, sessionId, now)
    assert(chat, 'a session has its chat')
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

/** The queue keeps the machine's time. */
export const mailChatLater = ({ jobs }: Needs<'jobs'>, tx: Tx, chatId: number): Promise<void> =>
  jobs.enqueue(tx, 'mail-chat', { chatId }, after(new Date(), COLLECTED_MS))

/** Queues again what should have been mailed by now: a line that came while its mail was being written has no job of its own. */
export async function requeueChats(shop: Needs<'jobs'>, tx: Tx, before: Date, limit: number): Promise<void> {
  for (const chatId of await listUnmailedChats(tx, before, limit)) await mailChatLater(shop, tx, chatId)
}

/** Mails what was said and has not been mailed: a visitor's lines to the owner, the shop's to the visitor. */
export async function mailChat(shop: ChatNeeds, chatId: number): Promise<void> {
  const now = shop.clock.now()
  await shop.db.transaction(async (tx) => {
    const chat = await lockChat(tx, chatId)
    if (!chat) return
    const lines = await listUnmailed(tx, chatId)
    const from = (author: StoredLine['author']) => lines.filter((line) => line.author === author)
    const publicUrl = baseUrlOf(shop.config)

    const asked = from('visitor')
    if (asked.length > 0) {
      const note = ownerMail({
        subject: `Chat ${chatId}: ${asked.length === 1 ? 'a line' : `${asked.length} lines`}`,
        facts: [['Email', chat.email]],
        paragraphs: asked.map(({ message }) => message),
        link: publicUrl + paths.adminInbox,
      })
      const recipient = { email: label.supportEmail, name: label.name }
      await mailLater(shop, tx, { kind: 'chat', about: aboutOf(chatId, asked), recipient, orderId: null, ...note }, now)
    }
    const answers = chat.email ? from('shop') : []
    if (chat.email && answers.length > 0) {
      const mail = simpleMail(
        { customerName: 'there', theme: shopTheme, publicUrl, link: publicUrl },
        {
          subject: `Our answer - ${label.name}`,
          title: 'We have answered.',
          paragraphs: [
            'You asked us something in the chat of the shop. Here is what we say:',
            ...answers.map(({ message }) => message),
          ],
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
    const mailed = [...asked, ...answers].map(({ id }) => id)
    if (mailed.length > 0) await markMailed(tx, mailed, now)
  })
}

const aboutOf = (chatId: number, lines: readonly StoredLine[]) => `chat-${chatId}-${lines.at(-1)?.id}`
