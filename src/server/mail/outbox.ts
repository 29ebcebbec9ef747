import { createHash, randomUUID } from 'node:crypto'
import type { MailKind } from '#domain/messages/mail-kinds.ts'
import type { OrderId } from '#shared/ids.ts'
import { MINUTE_MS } from '#shared/time.ts'
import type { Config } from '#server/config/config.ts'
import { type Tx, autocommitWrite } from '#server/db/db.ts'
import { maskEmail } from '#server/log/log.ts'
import { ProviderRefusal } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import type { MailAttachment } from '#server/db/schema.ts'
import { addMail, closeMail, findMail, listUnsent, type StoredMail } from './store.ts'

/**
 * Stands in a stored mail where its secret link goes, such as an order's. It is put in when the mail is sent, so that the
 * database holds no key to what the link opens.
 */
export const LINK_TOKEN = '{link-token}'

export { listMailsOfOrder, redirectQueued } from './store.ts'

export type MailToQueue = {
  /** What it is, such as `confirmation`: one of each kind for an order. */
  kind: MailKind
  recipient: { email: string; name: string }
  orderId: OrderId | null
  /** Tells mails of one kind apart, such as a parcel's number. */
  about?: string
  subject: string
  text: string
  html: string
  headers?: Record<string, string>
  attachment?: MailAttachment
}

/** Writes a mail into the outbox; it is sent if and only if the caller's transaction commits, and once however often it is asked for. */
export async function mailLater(
  { jobs, config }: Needs<'jobs' | 'config'>,
  tx: Tx,
  { kind, recipient, orderId, about = '', subject, text, html, headers, attachment }: MailToQueue,
  now: Date,
): Promise<void> {
  const row = {
    kind,
    recipient: recipient.email,
    recipientName: recipient.name,
    orderId,
    about,
    subject,
    textPart: text,
    htmlPart: html,
    ...(headers && { headers }),
    ...(attachment && { attachment }),
    messageId: messageIdOf({ kind, orderId, about }, config),
    createdAt: now,
  }
  await addMail(tx, row, await jobs.enqueueing('send-mail', 'mailId', 'letter'))
}

/**
 * Sends a mail of an order once more, as a mail of its own; at most one a minute, however often it is asked for.
 */
export async function mailAgainLater(
  shop: Needs<'jobs' | 'config'>,
  tx: Tx,
  { kind, about, recipient, recipientName, orderId, subject, textPart, htmlPart }: StoredMail,
  now: Date,
): Promise<void> {
  const minute = Math.floor(now.getTime() / MINUTE_MS)
  const to = { email: recipient, name: recipientName ?? '' }
  const again = `${about} again ${minute}`.trim()
  await mailLater(
    shop,
    tx,
    { kind, recipient: to, orderId, about: again, subject, text: textPart, html: htmlPart },
    now,
  )
}

/** Queues mails again that should have been sent by now: their job was lost, or has given up. */
export async function requeueMails({ jobs }: Needs<'jobs'>, tx: Tx, before: Date, limit: number): Promise<void> {
  for (const { id } of await listUnsent(tx, before, limit)) await jobs.enqueue(tx, 'send-mail', { mailId: id })
}

/**
 * Fixed before the first try, so that a server which gets a mail twice can tell. Never with the order's own id, which
 * would say how many orders there are. Without an order the database cannot see that a mail is there already; there the
 * name is made of what the mail is about.
 */
function messageIdOf(
  { kind, orderId, about }: { kind: string; orderId: OrderId | null; about: string },
  { mail }: Config,
): string {
  const host = /@([\w.-]+)/.exec(mail.from)?.[1] ?? 'localhost'
  const unique =
    orderId === null && about ? createHash('sha256').update(about).digest('hex').slice(0, 32) : randomUUID()
  return `<${kind.replace(/\W/g, '-')}-${unique}@${host}>`
}

/**
 * Sends a mail of the outbox, unless that is done. What the mail server will never take is closed as bounced.
 * @param openLink makes the link that a mail speaks of and gives its token; undefined for a kind of mail that has none, in
 *   which the placeholder is somebody's own words
 * @throws ProviderUnavailable the job tries again
 */
export async function sendMail(
  { db, clock, log, mailTransport }: Needs<'db' | 'clock' | 'log' | 'mailTransport'>,
  mailId: number,
  openLink: (mail: StoredMail) => Promise<string> | undefined,
): Promise<void> {
  const mail = await findMail(db, mailId)
  if (!mail || mail.state !== 'queued') return

  const { recipient, recipientName, subject, messageId, attachment } = mail
  const token = (mail.textPart.includes(LINK_TOKEN) ? await openLink(mail) : undefined) ?? LINK_TOKEN
  const filled = (part: string) => part.replaceAll(LINK_TOKEN, token)
  const letter = {
    to: { name: recipientName ?? '', address: recipient },
    subject,
    text: filled(mail.textPart),
    html: filled(mail.htmlPart),
    headers: Object.fromEntries(Object.entries(mail.headers ?? {}).map(([name, value]) => [name, filled(value)])),
    messageId,
    ...(attachment && { attachment }),
  }
  try {
    await mailTransport.send(letter)
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    log.error(
      { mailId, kind: mail.kind, recipient: maskEmail(recipient), code: error.code },
      'a mail was refused for good',
    )
    await autocommitWrite(db, (tx) => closeMail(tx, mailId, null))
    return
  }
  await autocommitWrite(db, (tx) => closeMail(tx, mailId, clock.now()))
}
