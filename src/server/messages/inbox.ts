import type { ConversationRow, Thread } from '#contract/admin-conversations.ts'
import type { Found } from '#contract/admin-find.ts'
import { conversationPaths } from '#contract/conversation-paths.ts'
import { paths } from '#contract/paths.ts'
import type { QueuePosition } from '#contract/queue-page.ts'
import { leftPlaceholderIn, type ConversationState } from '#domain/messages/conversation.ts'
import { excerptAround } from '#domain/messages/excerpt.ts'
import { readOrderNumber } from '#shared/ids.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import { listClaimStates } from '#server/claims/waiting.ts'
import { baseUrlOf } from '#server/config/config.ts'
import type { Db, Reader, Tx } from '#server/db/db.ts'
import { readQueuePage } from '#server/db/queue-page.ts'
import { Refusal } from '#server/http/refusal.ts'
import { LINK_TOKEN, listMailStates, mailLater, writtenIn, type MailState } from '#server/mail/outbox.ts'
import { contactAnswerMail, orderAnswerMail } from '#server/mail/templates/conversation-mails.ts'
import { mailOrderLater, toMentionedOrder } from '#server/orders/mails.ts'
import { findOrderByNumber, listOrdersById, lockOrder, type Order } from '#server/orders/orders.ts'
import type { Needs } from '#server/shop.ts'
import { sayMeaning } from '#words/say.ts'
import { mailChatLater } from './chat.ts'
import {
  aboutMessage,
  lockOrderConversation,
  moveConversation,
  THREAD_SHOWN,
  type ConversationNeeds,
} from './conversations.ts'
import {
  conversationQueue,
  countUnread,
  findConversation,
  findConversationOfOrder,
  findLastOfCustomer,
  insertMessage,
  listLatestOfEach,
  listMessages,
  listPhotos,
  lockConversation,
  searchConversations,
  updateConversation,
  type Conversation,
} from './conversation-store.ts'

const ROWS_A_PAGE = 30
const PREVIEW_CHARS = 140
/** Quoted below an answer. */
const EARLIER_QUOTED = 4

async function ordersOf(db: Reader, conversations: readonly Conversation[]): Promise<ReadonlyMap<number, Order>> {
  const orders = await listOrdersById(
    db,
    conversations.flatMap(({ orderId }) => orderId ?? []),
  )
  return new Map(orders.map((order) => [order.id, order]))
}

function toSummary(row: Conversation, order: Order | undefined) {
  const { id, subject, name, email, state, isUnread, startedAt, waitingSince } = row
  return {
    ...{ id, subject, state, isUnread },
    orderNumber: order?.orderNumber ?? null,
    name: order?.customerName ?? name,
    email: order?.customerEmail ?? email,
    startedAt: startedAt.toISOString(),
    waitingSince: waitingSince?.toISOString() ?? null,
  }
}

/** A page of conversations, waiting ones first. */
export async function listConversations(
  { db }: Needs<'db'>,
  { after, state }: { after?: QueuePosition | undefined; state?: ConversationState | undefined },
): Promise<{ conversations: ConversationRow[]; next: string | null; waiting: number; unread: number }> {
  const { rows, ...page } = await readQueuePage(conversationQueue(db, state), after, ROWS_A_PAGE)
  const orders = await ordersOf(db, rows)
  const latest = await listLatestOfEach(
    db,
    rows.map(({ id }) => id),
  )
  return {
    conversations: rows.map((row) => {
      const last = latest.find(({ conversationId }) => conversationId === row.id)
      return {
        ...toSummary(row, orders.get(row.orderId ?? 0)),
        preview: (last?.words ?? '').replaceAll(/\s+/g, ' ').slice(0, PREVIEW_CHARS),
        lastAuthor: last?.author ?? 'shop',
        lastAt: (last?.writtenAt ?? row.startedAt).toISOString(),
      }
    }),
    ...page,
    unread: await countUnread(db),
  }
}

/** Conversations with a text in them, for the owner's search: newest first. */
export async function findConversations(db: Reader, text: string, limit: number): Promise<Found['messages']> {
  const { conversations, matches } = await searchConversations(db, text, limit)
  const orders = await ordersOf(db, conversations)
  const latest = await listLatestOfEach(
    db,
    conversations.map(({ id }) => id),
  )
  return conversations.map((row) => {
    const message = matches.get(row.id) ?? latest.find(({ conversationId }) => conversationId === row.id)
    const { id, subject, name, state } = toSummary(row, orders.get(row.orderId ?? 0))
    return {
      ...{ id, subject, name, state },
      excerpt: excerptAround(message?.words ?? '', text),
      at: (message?.writtenAt ?? row.startedAt).toISOString(),
    }
  })
}

/** @throws Refusal `unknown_message` */
export async function showThread({ db }: Needs<'db'>, id: number): Promise<Thread> {
  const row = await findConversation(db, id)
  if (!row) throw new Refusal('unknown_message')
  const order = (await ordersOf(db, [row])).get(row.orderId ?? 0)
  const messages = await listMessages(db, id, { limit: THREAD_SHOWN })
  const photos = await listPhotos(
    db,
    messages.map((message) => message.id),
  )
  const mails = await mailsOf(db, row, messages)
  return {
    ...toSummary(row, order),
    version: row.version,
    language: order?.language ?? row.language,
    reaches: { email: order ? !order.erasedAt : row.email !== null, chat: await isAnsweredInChat(db, row) },
    claims: order ? await listClaimStates(db, order.id) : [],
    messages: messages.map(({ id: messageId, author, channel, words, writtenAt, sender }) => ({
      ...{ id: messageId, author, channel, words, sender },
      at: writtenAt.toISOString(),
      photos: photos.filter((photo) => photo.messageId === messageId).map((photo) => photo.id),
      mail: author === 'shop' ? (mails.get(aboutMessage(messageId)) ?? null) : null,
    })),
  }
}

/**
 * Number and email of an order open its chat, but not what is written about it elsewhere: there an answer is for the chat only if the
 * question came from it.
 */
const isAnsweredInChat = async (db: Reader, { id, orderId, sessionId }: Conversation): Promise<boolean> =>
  sessionId !== null && (orderId === null || (await findLastOfCustomer(db, id))?.isInChat === true)

function mailsOf(
  db: Db,
  { orderId, email }: Conversation,
  messages: readonly { id: number; author: string }[],
): Promise<ReadonlyMap<string, MailState>> {
  const abouts = messages.filter(({ author }) => author === 'shop').map(({ id }) => aboutMessage(id))
  if (orderId !== null) return listMailStates(db, { orderId }, abouts)
  return email === null ? Promise.resolve(new Map()) : listMailStates(db, { email }, abouts)
}

/** @throws Refusal `unknown_order` */
async function findNumbered(db: Reader, typed: string): Promise<Order> {
  const number = readOrderNumber(typed)
  const order = number && (await findOrderByNumber(db, number))
  if (!order) throw new Refusal('unknown_order')
  return order
}

export async function findThreadOfOrder({ db }: Needs<'db'>, number: string): Promise<number | null> {
  return (await findConversationOfOrder(db, (await findNumbered(db, number)).id))?.id ?? null
}

/** The id of an order's conversation, made if nobody has written yet. @throws Refusal `unknown_order`, `order_not_shown` once erased */
export async function beginConversation({ db, clock }: Needs<'db' | 'clock'>, number: string): Promise<number> {
  const { id: orderId } = await findNumbered(db, number)
  return db.transaction(async (tx) => (await lockOrderConversation(tx, orderId, clock.now())).conversation.id)
}

/** Only up to what was shown: what came since stays unread. @throws Refusal `unknown_message` */
export async function markThreadRead({ db }: Needs<'db'>, id: number, version: number): Promise<void> {
  await db.transaction(async (tx) => {
    const row = await lockThread(tx, id)
    if (row.version === version && row.isUnread) await updateConversation(tx, id, { isUnread: false })
  })
}

/** @throws Refusal `unknown_message` */
async function lockThread(tx: Tx, id: number): Promise<Conversation> {
  const row = await lockConversation(tx, id)
  if (!row) throw new Refusal('unknown_message')
  return row
}

/** @throws Refusal `conversation_changed` for one that has changed since this version was shown */
async function requireVersion(tx: Tx, { id, version }: Conversation, shown: number): Promise<void> {
  if (version === shown) return
  const last = (await listMessages(tx, id, { limit: 1, forCustomer: true })).at(-1)
  const what =
    last?.author === 'customer'
      ? 'The customer has written in the meantime, or somebody closed this.'
      : 'Somebody else has answered or closed this in the meantime.'
  throw new Refusal('conversation_changed', { what })
}

/**
 * Answers by email, quoting what was written before, and in the chat where it is one.
 * @throws Refusal `unknown_message`, `conversation_changed`, `placeholder_left`, `nobody_to_answer`
 */
export async function answerConversation(
  shop: ConversationNeeds,
  by: Actor,
  id: number,
  { words, version }: { words: string; version: number },
): Promise<void> {
  const left = leftPlaceholderIn(words)
  if (left !== undefined) throw new Refusal('placeholder_left', { placeholder: `{${left}}` })
  const now = shop.clock.now()
  const known = await findConversation(shop.db, id)
  await shop.db.transaction(async (tx) => {
    // An order is locked before its conversation.
    const order = known?.orderId == null ? undefined : await lockOrder(tx, known.orderId)
    const row = await lockThread(tx, id)
    await requireVersion(tx, row, version)
    const isInChat = await isAnsweredInChat(tx, row)
    if (order ? order.erasedAt : row.email === null && !isInChat) throw new Refusal('nobody_to_answer')
    const earlier = await listMessages(tx, id, { limit: EARLIER_QUOTED, forCustomer: true })
    // A chat's answers are collected into one email; a visitor without an email gets none.
    const isCollected = !order && isInChat
    const message = await insertMessage(tx, {
      ...{ conversationId: id, author: 'shop', channel: 'admin', words, writtenAt: now, isInChat },
      mailedAt: isCollected ? null : now,
    })
    if (!message) return
    await moveConversation(tx, row, 'answer', now)
    if (isCollected) await mailChatLater(shop, tx, id)
    else await mailAnswerLater(shop, tx, { row, order, messageId: message.id, words, earlier }, now)
    await recordAction(tx, { by, what: 'answered', about: { kind: 'conversation', id }, at: now })
  })
}

type Answered = {
  row: Conversation
  order: Order | undefined
  messageId: number
  words: string
  earlier: Awaited<ReturnType<typeof listMessages>>
}

async function mailAnswerLater(
  shop: ConversationNeeds,
  tx: Tx,
  { row, order, messageId, words, earlier }: Answered,
  now: Date,
): Promise<void> {
  const quoted = earlier
    .map((before) => ({
      by: before.author === 'customer' ? ('you' as const) : ('shop' as const),
      words: before.words,
      at: before.writtenAt,
    }))
    .toReversed()
  const answer = { words, earlier: quoted, isRead: shop.config.mailbox !== undefined }
  const theirs = earlier.findLast(({ emailId }) => emailId !== null)?.emailId
  const rest = {
    about: aboutMessage(messageId),
    ...(theirs && { headers: { 'In-Reply-To': theirs, References: theirs } }),
  }
  const base = baseUrlOf(shop.config)
  if (order) {
    const orderLink = `${base}${conversationPaths.messages}?token=${LINK_TOKEN}`
    const mentioned = await toMentionedOrder(tx, order, shop.config)
    const write = () => orderAnswerMail({ ...mentioned, orderLink }, answer)
    await mailOrderLater(shop, tx, order, { kind: 'order_answer', ...rest, write }, now)
  } else if (row.email !== null) {
    const about = { subject: row.subject, link: base + paths.contact }
    const mail = writtenIn(row.language, () =>
      contactAnswerMail({ ...about, name: row.name ?? sayMeaning('there (greeting)') }, answer),
    )
    const recipient = { email: row.email, name: row.name ?? '' }
    const addressed = { recipient, orderId: null, replyTo: row.reference }
    await mailLater(shop, tx, { kind: 'contact_answer', ...addressed, ...rest, ...mail }, now)
  }
}

/** @throws Refusal `unknown_message` */
export const addNote = (shop: Needs<'db' | 'clock'>, by: Actor, id: number, words: string): Promise<void> =>
  shop.db.transaction(async (tx) => {
    const row = await lockThread(tx, id)
    const at = shop.clock.now()
    await insertMessage(tx, {
      ...{ conversationId: row.id, author: 'note', channel: 'admin', words, writtenAt: at, mailedAt: at },
    })
    await recordAction(tx, { by, what: 'added a note to', about: { kind: 'conversation', id }, at })
  })

/** @throws Refusal `unknown_message`, `conversation_changed` */
export const closeOrReopen = (
  shop: Needs<'db' | 'clock'>,
  by: Actor,
  id: number,
  { step, version }: { step: 'close' | 'reopen'; version: number },
): Promise<void> =>
  shop.db.transaction(async (tx) => {
    const row = await lockThread(tx, id)
    await requireVersion(tx, row, version)
    const at = shop.clock.now()
    await moveConversation(tx, row, step, at)
    const what = step === 'close' ? 'closed' : 'reopened'
    await recordAction(tx, { by, what, about: { kind: 'conversation', id }, at })
  })
