import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'

import { createTransport } from 'nodemailer'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server'

import { label } from '#site/label.ts'
import type { Kit, Provider } from '../kit/types.ts'
import { mailPrefixes } from '../sentinels.ts'
import { startImap } from './imap.ts'

const MAIL_MAX_BYTES = 50 * 1024 * 1024
const MAILS_MAX = 2000 // a long demo must not fill the memory
const SAVED_MAX = 150 // the newest; each has its pictures in it

export type Mail = {
  id: string
  /** All recipients of the envelope, separated by commas: the actual deliveries, whatever the header says. */
  to: string
  from: string
  subject: string
  /** ISO time of arrival, by the sandbox's clock. */
  date: string
  messageId: string
  text: string
  html: string
  raw: string
}

export type Mailbox = Provider & {
  /** Of the support mailbox, with user and password. */
  imapUrl: string
  /** Newest first. */
  list(): readonly Mail[]
  /** Answers an email as its recipient's email program would, to its `Reply-To`. */
  reply(id: string, words: string): Promise<void>
  find(id: string): Mail | undefined
  empty(): void
  /** The next email to this address is refused. @param code 4xx: temporary; 5xx: permanent */
  failNext(to: string, code?: number): void
  /** Addresses whose next email is refused. */
  failing(): readonly { to: string; code: number }[]
  /** The first email that fits, as soon as there is one. It may already have arrived. */
  arrival(fits: (mail: Mail) => boolean): Promise<Mail>
}

/** The support mailbox, whose emails a shop reads by IMAP. */
const INBOX = label.supportEmail
const INBOX_PASSWORD = 'mailbox-demo'

/** Catches the shop's emails, and holds those to the support mailbox for IMAP. @param port 0 picks a free one */
export async function startMailbox(kit: Kit, { port }: { port: number }): Promise<Mailbox> {
  let mails: Mail[] = []
  let failing: { to: string; code: number }[] = []
  let waiting: { fits: (mail: Mail) => boolean; resolve: (mail: Mail) => void }[] = []
  let lastId = 0

  function refusalFor(address: string): Error | undefined {
    const to = address.toLowerCase()
    const rule = failing.find((entry) => entry.to === to)
    if (rule) {
      failing = failing.filter((entry) => entry !== rule)
      return smtpError(rule.code, rule.code < 500 ? 'Try again later' : 'Mailbox unavailable')
    }
    if (to.startsWith(mailPrefixes.bounces)) return smtpError(550, 'No such user here')
    if (to.startsWith(mailPrefixes.graylisted)) return smtpError(451, 'Graylisted, try again later')
    return undefined
  }

  async function take(stream: SMTPServerDataStream, { envelope }: SMTPServerSession): Promise<void> {
    const raw = await bytesOf(stream)
    if (stream.sizeExceeded) throw smtpError(552, 'Message is larger than 50 MB')
    const parsed = await PostalMime.parse(raw)
    lastId += 1
    const mail: Mail = {
      id: String(lastId),
      to: envelope.rcptTo.map(({ address }) => address).join(', '),
      from: envelope.mailFrom ? envelope.mailFrom.address : '',
      subject: parsed.subject ?? '',
      date: kit.clock.now().toISOString(),
      messageId: parsed.messageId ?? '',
      text: parsed.text ?? '',
      html: parsed.html ?? '',
      raw: raw.toString('utf8'),
    }
    mails = [mail, ...mails].slice(0, MAILS_MAX)
    const { id, to, subject, messageId } = mail
    kit.witness('smtp', 'mail', { id, to, subject, messageId })
    const matching = waiting.filter(({ fits }) => fits(mail))
    waiting = waiting.filter((waiter) => !matching.includes(waiter))
    for (const { resolve } of matching) resolve(mail)
  }

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'], // loopback only; trying the shop must not require a certificate
    disableReverseLookup: true,
    size: MAIL_MAX_BYTES,
    onRcptTo({ address }, _session, answer) {
      const refusal = refusalFor(address)
      if (refusal) kit.witness('smtp', 'refused', { to: address, answer: refusal.message })
      answer(refusal)
    },
    onData(stream, session, answer) {
      take(stream, session).then(
        () => answer(),
        (error: unknown) => answer(error instanceof Error ? error : new Error(String(error))),
      )
    },
  })
  server.on('error', (error) => kit.witness('smtp', 'error', { message: error.message }))
  const listening = server.listen(port, '127.0.0.1')
  await new Promise<void>((resolve, reject) => {
    listening.once('listening', resolve)
    listening.once('error', reject)
  })

  const url = `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`
  const imap = await startImap({
    port: 0,
    user: INBOX,
    password: INBOX_PASSWORD,
    listInbox: () =>
      mails
        .filter(({ to }) => to.split(', ').some(isInbox))
        .map(({ id, date, raw }) => ({ uid: Number(id), arrivedAt: new Date(date), raw }))
        .toReversed(),
  })

  async function reply(id: string, words: string): Promise<void> {
    const mail = mails.find((candidate) => candidate.id === id)
    if (!mail) throw new Error(`There is no email ${id}.`)
    const { replyTo, from, date } = await PostalMime.parse(mail.raw)
    const to = replyTo?.[0]?.address ?? from?.address
    if (!to) throw new Error('This email cannot be answered: it names no sender.')
    const quoted = mail.text.trimEnd().replaceAll(/^/gm, '> ')
    await createTransport(url).sendMail({
      from: mail.to,
      to,
      subject: mail.subject.startsWith('Re: ') ? mail.subject : `Re: ${mail.subject}`,
      inReplyTo: mail.messageId,
      references: mail.messageId,
      text: `${words}\n\nOn ${date ?? mail.date}, ${from?.address ?? 'the shop'} wrote:\n${quoted}\n`,
    })
  }

  function failNext(to: string, code = 451): void {
    if (!Number.isInteger(code) || code < 400 || code > 599)
      throw new Error(`${code} is not a refusal; use 400 to 599.`)
    failing.push({ to: to.trim().toLowerCase(), code })
  }

  return {
    name: 'smtp',
    url,
    imapUrl: imap.url,
    list: () => mails,
    reply,
    find: (id) => mails.find((mail) => mail.id === id),
    empty() {
      mails = []
    },
    failNext,
    failing: () => failing,
    arrival(fits) {
      const there = mails.findLast(fits)
      return there ? Promise.resolve(there) : new Promise((resolve) => waiting.push({ fits, resolve }))
    },
    ledger: () => ({}),
    async change({ change, to, code }) {
      if (change !== 'fail_next' || typeof to !== 'string' || !to.includes('@'))
        throw new Error("The mailbox has one change: {change: 'fail_next', to: 'somebody@example.com', code: 451}.")
      failNext(to, code === undefined ? undefined : Number(code))
      return { to, code: code ?? 451 }
    },
    save: () => ({ mails: mails.slice(0, SAVED_MAX), lastId }),
    load(saved, { before, now }) {
      const own = saved as { mails: Mail[]; lastId: number }
      mails = own.mails.map((mail) => ({
        ...mail,
        text: mail.text.replaceAll(before, now),
        html: mail.html.replaceAll(before, now),
      }))
      lastId = own.lastId
    },
    reset() {
      mails = []
      failing = []
      waiting = []
    },
    async close() {
      await imap.close()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** Its own address, or any with a tag: the owner may have changed the support email. */
const isInbox = (address: string): boolean => address.toLowerCase() === INBOX || address.includes('+')

function smtpError(code: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode: code })
}

async function bytesOf(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}
