import { createHash, randomUUID } from 'node:crypto'
import type { MailKind } from '#domain/messages/mail-kinds.ts'
import type { SiteSettings } from '#site/shop-rules.ts'
import type { OrderId } from '#shared/ids.ts'
import { inLanguage, type Language } from '#shared/language.ts'
import { MINUTE_MS } from '#shared/time.ts'
import { baseUrlOf, type Config } from '#server/config/config.ts'
import { type Tx, autocommitWrite } from '#server/db/db.ts'
import { maskEmail } from '#server/log/log.ts'
import { ProviderRefusal } from '#server/providers/provider-errors.ts'
import { readMailSettings, readSiteSettingsCached } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import type { MailAttachment } from './schema.ts'
import type { MailContent } from './content.ts'
import { html } from '#server/http/html.ts'
import { logoHtml, renderHtml } from './render-html.ts'
import { renderText } from './render-text.ts'
import { RETURN_PATH } from './transport.ts'
import { replyAddress } from './reply-address.ts'
import { fillSiteFacts, SITE } from './site-facts.ts'
import { addMail, closeMail, findMail, listUnsent, type StoredMail } from './store.ts'

/**
 * Placeholder for an email's secret link, such as an order's. The token is created when the email is sent, so the database
 * never holds it.
 */
export const LINK_TOKEN = '{link-token}'

export { listMailsOfOrder, listMailStates, redirectMail, redirectQueued, type MailState } from './store.ts'

export type MailToQueue = {
  kind: MailKind
  /** Or the shop's own inbox for customers or for business. */
  recipient: { email: string; name: string } | 'support' | 'business'
  orderId: OrderId | null
  /** Unique within an order and kind, such as a parcel's number. */
  about?: string
  headers?: Record<string, string>
  /** The reference of the conversation that replies belong to. */
  replyTo?: string
  /** The reference in the address that gets reports about its delivery, instead of the sender. */
  bouncesTo?: string
  attachment?: MailAttachment
  /** English, if unset. */
  language?: Language
} & MailContent

/** @param write makes the email's texts */
export const writtenIn = (language: Language, write: () => MailContent): MailContent & { language: Language } => ({
  ...inLanguage(language, write),
  language,
})

/** Writes an email to the outbox. It is sent only if the caller's transaction commits, and once per order, kind and `about`. */
export async function mailLater(
  shop: Needs<'jobs' | 'config'>,
  tx: Tx,
  {
    kind,
    recipient,
    orderId,
    about = '',
    headers,
    replyTo,
    bouncesTo,
    attachment,
    language = 'en',
    ...given
  }: MailToQueue,
  now: Date,
): Promise<void> {
  const publicUrl = baseUrlOf(shop.config)
  const { site, mailTexts } = await readMailSettings(tx)
  const own = given.worded && mailTexts[given.worded.mail]
  const to = addressOf(recipient, site)
  const replies = replyTo === undefined ? undefined : replyAddress(shop.config, site.supportEmail, replyTo)
  const bounces = bouncesTo === undefined ? undefined : replyAddress(shop.config, site.supportEmail, bouncesTo)
  const allHeaders = {
    ...headers,
    ...(replies && { 'Reply-To': replies }),
    ...(bounces && { [RETURN_PATH]: bounces }),
  }
  const row = {
    kind,
    recipient: to.email,
    recipientName: to.name,
    orderId,
    about,
    ...inLanguage(language, () => renderMail(own && given.worded ? given.worded.write(own) : given, site, publicUrl)),
    ...(Object.keys(allHeaders).length > 0 && {
      headers: Object.fromEntries(Object.entries(allHeaders).map(([name, value]) => [name, filledText(value, site)])),
    }),
    ...(attachment && { attachment }),
  }
  await queueMail(shop, tx, row, now)
}

const filledText = (part: string, site: SiteSettings) => fillSiteFacts(part, site, (text) => text)

/** Subject and both parts of an email. @param publicUrl the shop's, for links and pictures */
export const renderMail = (content: MailContent, site: SiteSettings, publicUrl: string) => ({
  subject: filledText(content.subject, site),
  textPart: filledText(renderText(content, publicUrl), site),
  htmlPart: fillSiteFacts(
    renderHtml(content, publicUrl).replaceAll(SITE.logo, () => logoHtml(site, publicUrl)),
    site,
    (text) => String(html`${text}`),
  ),
})

function addressOf(recipient: MailToQueue['recipient'], { name, supportEmail, businessEmail }: SiteSettings) {
  if (typeof recipient === 'object') return recipient
  return { email: recipient === 'support' ? supportEmail : businessEmail, name }
}

async function queueMail(
  { jobs, config }: Needs<'jobs' | 'config'>,
  tx: Tx,
  row: Omit<Parameters<typeof addMail>[1], 'messageId' | 'createdAt'> & { orderId: OrderId | null; about: string },
  now: Date,
): Promise<void> {
  const mailId = await addMail(tx, { ...row, messageId: messageIdOf(row, config), createdAt: now })
  if (mailId !== undefined) await jobs.enqueue(tx, 'send-mail', { mailId })
}

/** Sends an order's email again, as a new email; at most once a minute. */
export async function mailAgainLater(
  shop: Needs<'jobs' | 'config'>,
  tx: Tx,
  { kind, about, recipient, recipientName, orderId, subject, textPart, htmlPart, headers }: StoredMail,
  now: Date,
): Promise<void> {
  const again = `${about} again ${Math.floor(now.getTime() / MINUTE_MS)}`.trim()
  await queueMail(
    shop,
    tx,
    {
      kind,
      recipient,
      recipientName: recipientName ?? '',
      orderId,
      about: again,
      subject,
      textPart,
      htmlPart,
      headers,
    },
    now,
  )
}

/** Queues emails again that should have been sent by now: their job was lost or gave up. */
export async function requeueMails({ jobs }: Needs<'jobs'>, tx: Tx, before: Date, limit: number): Promise<void> {
  for (const { id } of await listUnsent(tx, before, limit)) await jobs.enqueue(tx, 'send-mail', { mailId: id })
}

/**
 * The Message-ID is fixed before the first attempt, so an SMTP server can recognize a duplicate. It never contains the order's
 * id, which would reveal how many orders there are. Without an order, the database cannot detect a duplicate: there the
 * Message-ID is a hash of `about`.
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
 * Sends a queued email. One that the mail server refuses for good is closed as bounced.
 * @param openLink creates the link's token; undefined for kinds without a link, whose text may contain the placeholder only
 *   because somebody typed it
 * @param onRefused called when it is closed as bounced
 * @throws ProviderUnavailable the job retries
 */
export async function sendMail(
  { db, clock, log, mailTransport }: Needs<'db' | 'clock' | 'log' | 'mailTransport'>,
  mailId: number,
  openLink: (mail: StoredMail) => Promise<string> | undefined,
  onRefused?: (mail: StoredMail) => Promise<void>,
): Promise<void> {
  const mail = await findMail(db, mailId)
  if (!mail || mail.state !== 'queued') return

  const { recipient, recipientName, subject, messageId, attachment } = mail
  const token = (mail.textPart.includes(LINK_TOKEN) ? await openLink(mail) : undefined) ?? LINK_TOKEN
  const filled = (part: string) => part.replaceAll(LINK_TOKEN, token)
  const letter = {
    fromName: (await readSiteSettingsCached(db)).name,
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
      'The mail server permanently refused this email; it was not delivered.',
    )
    await autocommitWrite(db, (tx) => closeMail(tx, mailId, null))
    await onRefused?.(mail)
    return
  }
  await autocommitWrite(db, (tx) => closeMail(tx, mailId, clock.now()))
}
