import { createTransport } from 'nodemailer'
import { SECOND_MS } from '#shared/time.ts'
import type { Config } from '#server/config/config.ts'
import type { MailAttachment } from './schema.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'

/** A header that is sent as the envelope's sender: where reports about the delivery go (RFC 5321, section 4.4). */
export const RETURN_PATH = 'Return-Path'

type MailToSend = {
  /** The sender's, unless `MAIL_FROM` has one. */
  fromName: string
  /** One address, never a list: everybody on a list would get the email. */
  to: { name: string; address: string }
  subject: string
  text: string
  html: string
  messageId: string
  headers?: Record<string, string>
  attachment?: MailAttachment
}

export type MailTransport = {
  /**
   * @throws ProviderRefusal the server refused it for good (5xx)
   * @throws ProviderUnavailable the server may accept it later, or may have accepted it already
   */
  send(mail: MailToSend): Promise<void>
  /** Signs in to the mail server without sending anything. @throws ProviderUnavailable when that fails */
  verify(): Promise<void>
}

/** The library's default timeouts are minutes long. */
const CONNECT_TIMEOUT_MS = 10 * SECOND_MS
const RESPONSE_TIMEOUT_MS = 30 * SECOND_MS
const loopback = new Set(['127.0.0.1', 'localhost', '[::1]'])

export function createMailTransport({ mail }: Pick<Config, 'mail'>): MailTransport {
  const { protocol, hostname, port, username, password } = new URL(mail.url.reveal())
  const secure = protocol === 'smtps:'
  const local = loopback.has(hostname)
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (secure ? 465 : 587),
    secure,
    ignoreTLS: local,
    // Never send a password over the network unencrypted.
    requireTLS: !secure && !local && username !== '',
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: RESPONSE_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ fromName, to, headers, attachment, ...message }) {
      const { [RETURN_PATH]: returnPath, ...others } = headers ?? {}
      try {
        await transport.sendMail({
          ...message,
          ...(returnPath && { envelope: { from: returnPath, to: to.address } }),
          from: mail.from.includes('<') ? mail.from : { name: fromName, address: mail.from },
          to,
          // Keeps out-of-office replies away.
          headers: { 'Auto-Submitted': 'auto-generated', ...others },
          ...(attachment && {
            attachments: [{ filename: attachment.name, contentType: attachment.type, content: attachment.text }],
          }),
          disableFileAccess: true,
          disableUrlAccess: true,
        })
      } catch (error) {
        if (isFinal(error))
          throw new ProviderRefusal('mail', 'The mail server refused this email.', String(error.responseCode))
        throw new ProviderUnavailable('mail', error)
      }
    },
    async verify() {
      try {
        await transport.verify()
      } catch (error) {
        throw new ProviderUnavailable('mail', error)
      }
    },
  }
}

/** A 5xx about this email. A rejected sign-in is a configuration error: the email can be sent once that is fixed. */
function isFinal(error: unknown): error is Error & { responseCode: number } {
  if (!(error instanceof Error) || !('responseCode' in error) || typeof error.responseCode !== 'number') return false
  const isSignIn = 'code' in error && error.code === 'EAUTH'
  return error.responseCode >= 500 && error.responseCode < 600 && !isSignIn
}
