import { createTransport } from 'nodemailer'
import { SECOND_MS } from '#shared/time.ts'
import type { Config } from '#server/config/config.ts'
import type { MailAttachment } from '#server/db/schema.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'

type MailToSend = {
  /** One address, never a list: a list would be sent to everybody on it. */
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
   * @throws ProviderRefusal when the server will never take it (5xx)
   * @throws ProviderUnavailable when it may take it later; whether it took it is unknown
   */
  send(mail: MailToSend): Promise<void>
  /** Whether the server takes our sign-in; nothing is sent. @throws ProviderUnavailable */
  verify(): Promise<void>
}

/** The library's own limits are minutes long. */
const CONNECT_TIMEOUT_MS = 10 * SECOND_MS
const ANSWER_TIMEOUT_MS = 30 * SECOND_MS
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
    // A password does not cross a network in the clear.
    requireTLS: !secure && !local && username !== '',
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: ANSWER_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ to, headers, attachment, ...message }) {
      try {
        await transport.sendMail({
          ...message,
          from: mail.from,
          to,
          // Nobody's holiday notice answers a machine.
          headers: { 'Auto-Submitted': 'auto-generated', ...headers },
          ...(attachment && {
            attachments: [{ filename: attachment.name, contentType: attachment.type, content: attachment.text }],
          }),
          disableFileAccess: true,
          disableUrlAccess: true,
        })
      } catch (error) {
        if (isFinal(error))
          throw new ProviderRefusal('mail', 'The mail server does not take this mail.', String(error.responseCode))
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

/** A 5xx about this mail. One about our own sign-in is a fault of the configuration, which somebody will mend. */
function isFinal(error: unknown): error is Error & { responseCode: number } {
  if (!(error instanceof Error) || !('responseCode' in error) || typeof error.responseCode !== 'number') return false
  const isSignIn = 'code' in error && error.code === 'EAUTH'
  return error.responseCode >= 500 && error.responseCode < 600 && !isSignIn
}
