import type { ReceivedChat, ReceivedMessage } from '#contract/messages.ts'
import { paths } from '#contract/paths.ts'
import type { QueuePosition } from '#contract/queue-page.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import { baseUrlOf } from '#server/config/config.ts'
import type { Tx } from '#server/db/db.ts'
import { readQueuePage } from '#server/db/queue-page.ts'
import { Refusal } from '#server/http/refusal.ts'
import { mailLater } from '#server/mail/outbox.ts'
import { simpleMail } from '#server/mail/templates/simple-mail.ts'
import type { Needs } from '#server/shop.ts'
import { mailChatLater, toChatEntry } from './chat.ts'
import {
  addAnswer,
  addLine,
  changeChat,
  chatQueue,
  closeMessage,
  listAnswers,
  listLatestLines,
  lockChat,
  lockMessage,
  messageQueue,
  type StoredChat,
  type StoredMessage,
} from './store.ts'

type InboxNeeds = Needs<'db' | 'clock' | 'jobs' | 'config'>

const MESSAGES_A_PAGE = 50
const CHATS_A_PAGE = 20
const LINES_OF_A_CHAT = 50

/** A page of contact form messages. */
export async function readMessages(
  { db }: Needs<'db'>,
  after: QueuePosition | undefined,
): Promise<{ messages: ReceivedMessage[]; next: string | null; waiting: number }> {
  const { rows, ...page } = await readQueuePage(messageQueue(db), after, MESSAGES_A_PAGE)
  const answers = await listAnswers(
    db,
    rows.map(({ id }) => id),
  )
  return {
    messages: rows.map(({ id, name, email, subject, message, createdAt, closedAt }) => ({
      id,
      name,
      email,
      subject,
      message,
      sentAt: createdAt.toISOString(),
      isWaiting: closedAt === null,
      answers: answers
        .filter(({ messageId }) => messageId === id)
        .map(({ answer, answeredAt }) => ({ answer, answeredAt: answeredAt.toISOString() })),
    })),
    ...page,
  }
}

/** Replies by email, quoting the message. @throws Refusal `unknown_message` */
export const answerMessage = (shop: InboxNeeds, by: Actor, id: number, answer: string): Promise<void> =>
  onMessage(shop, by, id, 'answered a message', async (tx, { name, email, subject, message }, now) => {
    const answerId = await addAnswer(tx, { messageId: id, answer, answeredAt: now })
    const mail = simpleMail(
      { customerName: name, link: baseUrlOf(shop.config) + paths.contact },
      {
        mail: 'contact_answer',
        values: { 'their-subject': subject },
        quoted: [answer, `You wrote:\n${message}`],
        button: 'Write to us again',
      },
    )
    await mailLater(
      shop,
      tx,
      { kind: 'contact_answer', about: `answer-${answerId}`, recipient: { email, name }, orderId: null, ...mail },
      now,
    )
  })

/** @throws Refusal `unknown_message` */
export const archiveMessage = (shop: InboxNeeds, by: Actor, id: number): Promise<void> =>
  onMessage(shop, by, id, 'archived a message', () => Promise.resolve())

async function onMessage(
  { db, clock }: Needs<'db' | 'clock'>,
  by: Actor,
  id: number,
  what: string,
  act: (tx: Tx, message: StoredMessage, now: Date) => Promise<void>,
): Promise<void> {
  const now = clock.now()
  await db.transaction(async (tx) => {
    const message = await lockMessage(tx, id)
    if (!message) throw new Refusal('unknown_message')
    await act(tx, message, now)
    await closeMessage(tx, id, now)
    await recordAction(tx, { by, what, about: { kind: 'message', id }, at: now })
  })
}

/** A page of chats, each with its latest lines. */
export async function readChats(
  { db }: Needs<'db'>,
  after: QueuePosition | undefined,
): Promise<{ chats: ReceivedChat[]; next: string | null; waiting: number }> {
  const { rows, ...page } = await readQueuePage(chatQueue(db), after, CHATS_A_PAGE)
  const ids = rows.map(({ id }) => id)
  const lines = ids.length > 0 ? await listLatestLines(db, ids, LINES_OF_A_CHAT) : []
  return {
    chats: rows.map(({ id, email, startedAt, waitingSince, sessionId }) => ({
      id,
      email,
      startedAt: startedAt.toISOString(),
      waitingSince: waitingSince?.toISOString() ?? null,
      isOpen: sessionId !== null,
      messages: lines.filter(({ chatId }) => chatId === id).map(toChatEntry),
    })),
    ...page,
  }
}

/** Replies in the chat, and by email if the visitor left an address. @throws Refusal `unknown_message` */
export const answerChat = (shop: InboxNeeds, by: Actor, id: number, answer: string): Promise<void> =>
  onChat(shop, by, id, 'answered a chat', async (tx, chat, now) => {
    const sessionId = chat.sessionId ?? NO_SESSION
    await addLine(tx, { chatId: id, sessionId, author: 'shop', message: answer, timestamp: now })
    await mailChatLater(shop, tx, id)
  })

/** For a chat whose session is gone. */
const NO_SESSION = '' as NonNullable<StoredChat['sessionId']>

/** @throws Refusal `unknown_message` */
export const archiveChat = (shop: InboxNeeds, by: Actor, id: number): Promise<void> =>
  onChat(shop, by, id, 'archived a chat', () => Promise.resolve())

async function onChat(
  { db, clock }: Needs<'db' | 'clock'>,
  by: Actor,
  id: number,
  what: string,
  act: (tx: Tx, chat: StoredChat, now: Date) => Promise<void>,
): Promise<void> {
  const now = clock.now()
  await db.transaction(async (tx) => {
    const chat = await lockChat(tx, id)
    if (!chat) throw new Refusal('unknown_message')
    await act(tx, chat, now)
    await changeChat(tx, id, { waitingSince: null })
    await recordAction(tx, { by, what, about: { kind: 'chat', id }, at: now })
  })
}
