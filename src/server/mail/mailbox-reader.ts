import type { ImapFlow } from 'imapflow'
import { after, DAY_MS, SECOND_MS } from '#shared/time.ts'
import type { Config } from '#server/config/config.ts'
import { ProviderUnavailable } from '#server/providers/provider-errors.ts'

/** An email as its mailbox lists it. */
export type ListedMail = {
  uid: number
  /** Its Message-ID; its place in the mailbox if it has none. */
  emailId: string
  /** Everybody it is addressed to. */
  to: readonly string[]
  from: string
  /** In bytes. */
  size: number
}

export type MailboxReader = {
  /** The emails of the last days before `now`, oldest first. */
  list(now: Date): Promise<ListedMail[]>
  /** The whole email; undefined if it is no longer there. */
  read(uid: number): Promise<Buffer | undefined>
}

const CONNECT_TIMEOUT_MS = 10 * SECOND_MS
const RESPONSE_TIMEOUT_MS = 60 * SECOND_MS
/** How far back emails are looked for: longer than a shop is usually down. */
const LOOK_BACK_MS = 3 * DAY_MS
const LISTED_MAX = 2000

/**
 * Opens the mailbox `IMAP_URL` for reading; nothing in it is changed, not even what counts as read.
 * @throws ProviderUnavailable when that fails
 */
export async function withMailbox<Result>(
  mailbox: NonNullable<Config['mailbox']>,
  use: (reader: MailboxReader) => Promise<Result>,
): Promise<Result> {
  const { protocol, hostname, port, username, password, pathname } = new URL(mailbox.reveal())
  const secure = protocol === 'imaps:'
  // Most shops that are tried out read no mailbox, and never load it.
  const imap = await import('imapflow')
  const client = new imap.ImapFlow({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (secure ? 993 : 143),
    secure,
    auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: RESPONSE_TIMEOUT_MS,
  })
  // Each command reports the same failure to its caller.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.mailboxOpen(decodeURIComponent(pathname.slice(1)) || 'INBOX', { readOnly: true })
    return await use(readerOf(client))
  } catch (error) {
    if (isOfServer(error)) throw new ProviderUnavailable('mail', error)
    throw error
  } finally {
    client.close()
  }
}

/** Failures of the connection and refusals of the server have a code or the server's answer; ours have neither. */
const isOfServer = (error: unknown): boolean =>
  error instanceof Error && ('code' in error || 'responseStatus' in error || 'authenticationFailed' in error)

function readerOf(client: ImapFlow): MailboxReader {
  return {
    async list(now) {
      const found = await client.search({ since: after(now, -LOOK_BACK_MS) }, { uid: true })
      const uids = (found || []).slice(-LISTED_MAX)
      if (uids.length === 0) return []
      const listed: ListedMail[] = []
      for await (const { uid, envelope, size = 0 } of client.fetch(
        uids.join(','),
        { envelope: true, size: true },
        { uid: true },
      )) {
        const to = [...(envelope?.to ?? []), ...(envelope?.cc ?? [])].flatMap(({ address }) => address ?? [])
        const from = envelope?.from?.[0]?.address ?? ''
        const emailId = envelope?.messageId ?? `${client.mailbox ? client.mailbox.uidValidity : 0}.${uid}`
        listed.push({ uid, emailId: emailId.slice(0, 500), to, from, size })
      }
      return listed.toSorted((a, b) => a.uid - b.uid)
    },
    async read(uid) {
      const message = await client.fetchOne(String(uid), { source: true }, { uid: true })
      return message ? message.source : undefined
    },
  }
}
