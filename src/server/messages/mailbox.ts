import PostalMime, { type Email } from 'postal-mime'
import { randomUUID } from 'node:crypto'
import { CLAIM_PHOTO_MAX_BYTES } from '#domain/claims/claim.ts'
import { MESSAGE_PHOTOS_MAX } from '#domain/messages/conversation.ts'
import { isAutomatic, textOfHtml, trimQuoted } from '#domain/messages/inbound-mail.ts'
import { MESSAGE_MAX } from '#domain/messages/lengths.ts'
import { readOrderNumber, type OrderId } from '#shared/ids.ts'
import { cleanLine, cleanText } from '#shared/text.ts'
import { after, HOUR_MS } from '#shared/time.ts'
import { encodePhoto } from '#server/claims/photos.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { withMailbox, type ListedMail, type MailboxReader } from '#server/mail/mailbox-reader.ts'
import { referenceIn } from '#server/mail/reply-address.ts'
import { findOrderByNumber } from '#server/orders/orders.ts'
import { ProviderUnavailable } from '#server/providers/provider-errors.ts'
import { readSiteSettings } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import {
  addAndTellOwner,
  isSameEmail,
  lockOrderConversation,
  type Addressed,
  type ConversationNeeds,
} from './conversations.ts'
import { isForReports, receiveReport } from './bounces.ts'
import { countEmails, findConversationByReference, listRead, lockConversation, markRead } from './conversation-store.ts'

type MailboxNeeds = ConversationNeeds & Needs<'log' | 'pictureProcess'>

/** Six photos of a phone. A larger email is not fetched; the conversation says that it came. */
const MAIL_MAX_BYTES = 35 * 1024 * 1024
/** A report with the email that it is about. */
const REPORT_MAX_BYTES = 1024 * 1024
/** Two programs that answer each other stop here. */
const EMAILS_AN_HOUR = 20

/**
 * Adds customers' replies from the mailbox to their conversations: emails to an address that we signed. Everything else stays untouched
 * in the mailbox. Does nothing without `IMAP_URL`.
 */
export async function readMailbox(shop: MailboxNeeds): Promise<void> {
  const { config, db, log } = shop
  if (!config.mailbox) return
  try {
    await withMailbox(config.mailbox, async (reader) => {
      const signed = (await reader.list(shop.clock.now())).filter(({ to }) => referenceOf(shop, to) !== undefined)
      const read = await listRead(
        db,
        signed.map(({ emailId }) => emailId),
      )
      for (const listed of signed) if (!read.has(listed.emailId)) await readOrLog(shop, reader, listed)
    })
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    // The next reading finds the same emails.
    log.warn({ err: error }, 'The mailbox could not be read.')
  }
}

const referenceOf = ({ config }: Needs<'config'>, to: readonly string[]): string | undefined =>
  to.map((address) => referenceIn(config, address)).find((reference) => reference !== undefined)

/** One that cannot be stored does not block the others; the next reading tries again. */
async function readOrLog(shop: MailboxNeeds, reader: MailboxReader, listed: ListedMail): Promise<void> {
  try {
    await receiveEmail(shop, reader, listed)
  } catch (error) {
    if (error instanceof ProviderUnavailable) throw error
    shop.log.error({ err: error }, 'A customer’s email could not be stored; the next reading tries again.')
  }
}

async function receiveEmail(
  shop: MailboxNeeds,
  reader: MailboxReader,
  { uid, emailId, to, from: listedFrom, size }: ListedMail,
): Promise<void> {
  const { db, clock, log } = shop
  const reference = referenceOf(shop, to) ?? ''
  if (isForReports(reference))
    return receiveReport(shop, reference, emailId, size > REPORT_MAX_BYTES ? undefined : await reader.read(uid))
  const isTooLarge = size > MAIL_MAX_BYTES
  const source = isTooLarge ? undefined : await reader.read(uid)
  const email = source && (await PostalMime.parse(source))
  const from = email?.from?.address ?? listedFrom
  const isOurs = email ? await isIgnored(shop, email, from) : !isTooLarge
  const photos = email && !isOurs ? await photosOf(shop, email) : []
  const words = email ? wordsOf(email, photos.length) : tooLargeSentence(size)
  await db.transaction(async (tx) => {
    const now = clock.now()
    if (!(await markRead(tx, emailId, now)) || isOurs) return
    const found = await lockAddressed(tx, reference, now)
    if (!found) return
    const { conversation, order } = found
    if ((await countEmails(tx, conversation.id, after(now, -HOUR_MS))) >= EMAILS_AN_HOUR) {
      log.warn({ conversation: conversation.id }, 'A conversation gets too many emails; one was left in the mailbox.')
      return
    }
    const expected = order?.customerEmail ?? conversation.email
    const sender = expected !== null && isSameEmail(expected, from) ? null : cleanLine(from).slice(0, 320) || 'unknown'
    await addAndTellOwner(shop, tx, found, { channel: 'email', words, photos, sender, emailId }, now)
  })
}

/** Programs' emails and our own are not read. */
async function isIgnored({ db, config }: Needs<'db' | 'config'>, email: Email, from: string): Promise<boolean> {
  const headers = Object.fromEntries(email.headers.toReversed().map(({ key, value }) => [key, value]))
  const { supportEmail, businessEmail } = await readSiteSettings(db)
  const own = [supportEmail, businessEmail, config.mail.from.replace(/^.*<|>.*$/g, '')]
  return isAutomatic(headers, from) || own.some((address) => isSameEmail(address, from))
}

/** The conversation that a reference names, locked; an order's is made with its first message. */
async function lockAddressed(tx: Tx, reference: string, now: Date): Promise<Addressed | undefined> {
  const known = await findConversationByReference(tx, reference)
  const orderId = known ? known.orderId : await findOrderOf(tx, reference)
  if (orderId !== null && orderId !== undefined)
    try {
      return await lockOrderConversation(tx, orderId, now)
    } catch (error) {
      // About an erased order nobody writes any more.
      if (error instanceof Refusal && error.code === 'order_not_shown') return undefined
      throw error
    }
  const conversation = known && (await lockConversation(tx, known.id))
  return conversation && { conversation }
}

async function findOrderOf(db: Reader, reference: string): Promise<OrderId | undefined> {
  const number = readOrderNumber(reference)
  return number && (await findOrderByNumber(db, number))?.id
}

const tooLargeSentence = (size: number): string =>
  `(This email is ${Math.round(size / 1024 / 1024)} MB large. It is in the support mailbox; please open it there.)`

function wordsOf(email: Email, photosShown: number): string {
  const text = email.text?.trim() ? email.text : textOfHtml(email.html ?? '')
  const written = cleanText(trimQuoted(text)).trim()
  const cut = written.length > MESSAGE_MAX ? `${written.slice(0, MESSAGE_MAX)}…` : written
  const left = email.attachments.filter(({ related }) => !related).length - photosShown
  const parts = [
    cut || (photosShown > 0 ? '(Photos without a text)' : '(An email without a text)'),
    left > 0 && `(${left} ${left === 1 ? 'attachment is' : 'attachments are'} only in the support mailbox.)`,
  ]
  return parts.filter(Boolean).join('\n\n')
}

/** Its pictures, as in any upload; what is none, or too small, is left out. */
async function photosOf(
  shop: Needs<'pictureProcess'>,
  { attachments }: Email,
): Promise<{ id: string; body: Buffer }[]> {
  const pictures = attachments.filter(({ mimeType, related }) => mimeType.startsWith('image/') && !related)
  const photos: { id: string; body: Buffer }[] = []
  for (const { content } of pictures.slice(0, MESSAGE_PHOTOS_MAX)) {
    const bytes = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
    if (bytes.byteLength > CLAIM_PHOTO_MAX_BYTES) continue
    try {
      photos.push({ id: randomUUID(), body: await encodePhoto(shop, bytes) })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
  return photos
}
