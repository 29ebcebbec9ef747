import { createServer, type AddressInfo, type Socket } from 'node:net'
import PostalMime, { type Address } from 'postal-mime'

/** An email as an IMAP mailbox has it. */
export type InboxMail = { uid: number; arrivedAt: Date; raw: string }

type Command = { tag: string; name: string; args: string }

const CAPABILITIES = 'IMAP4rev1'
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/**
 * The part of an IMAP server (RFC 3501) with which a client signs in, opens INBOX for reading, searches it by date and fetches emails.
 * @param listInbox what the inbox of the signed-in user holds, oldest first
 */
export async function startImap({
  port,
  user,
  password,
  listInbox,
}: {
  port: number
  user: string
  password: string
  listInbox: () => readonly InboxMail[]
}): Promise<{ url: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    serveClient(socket)
  })

  function serveClient(socket: Socket): void {
    let isSignedIn = false
    let buffered = ''
    const send = (line: string): void => {
      socket.write(`${line}\r\n`)
    }
    send(`* OK [CAPABILITY ${CAPABILITIES}] Sandbox mailbox`)

    async function answer({ tag, name, args }: Command): Promise<void> {
      const ok = (text = 'done') => send(`${tag} OK ${text}`)
      if (name === 'CAPABILITY') {
        send(`* CAPABILITY ${CAPABILITIES}`)
        return ok()
      }
      if (name === 'NOOP') return ok()
      if (name === 'LOGOUT') {
        send('* BYE see you')
        ok()
        socket.end()
        return
      }
      if (name === 'LOGIN') {
        const [givenUser, givenPassword] = stringsIn(args)
        isSignedIn = givenUser === user && givenPassword === password
        return isSignedIn ? ok() : send(`${tag} NO [AUTHENTICATIONFAILED] Wrong user or password`)
      }
      if (!isSignedIn) return send(`${tag} NO Please sign in first`)
      if (name === 'LIST' || name === 'LSUB') {
        send(`* ${name} () "/" ${stringsIn(args).at(-1) === '' ? '""' : 'INBOX'}`)
        return ok()
      }
      if (name === 'EXAMINE' || name === 'SELECT') {
        const mails = listInbox()
        send(`* ${mails.length} EXISTS`)
        send('* 0 RECENT')
        send('* FLAGS (\\Seen)')
        send('* OK [UIDVALIDITY 1] stays')
        send(`* OK [UIDNEXT ${(mails.at(-1)?.uid ?? 0) + 1}] next`)
        return ok(name === 'EXAMINE' ? '[READ-ONLY] opened' : '[READ-WRITE] opened')
      }
      if (name === 'UID' && /^SEARCH /i.test(args)) {
        const since = sinceIn(args)
        const found = listInbox().filter(({ arrivedAt }) => !since || arrivedAt >= since)
        send(`* SEARCH${found.map(({ uid }) => ` ${uid}`).join('')}`)
        return ok()
      }
      if (name === 'UID' && /^FETCH /i.test(args)) {
        const wanted = uidsIn(args)
        for (const [index, mail] of listInbox().entries())
          if (wanted(mail.uid)) socket.write(await fetched(index + 1, mail, args))
        return ok()
      }
      send(`${tag} BAD The sandbox does not know ${name}`)
    }

    let turn = Promise.resolve()
    socket.on('data', (chunk: Buffer) => {
      buffered += chunk.toString('latin1')
      for (let end = buffered.indexOf('\r\n'); end >= 0; end = buffered.indexOf('\r\n')) {
        // A literal follows: its length stands at the end of the line (RFC 3501, section 4.3).
        const literal = /\{(\d+)\}$/.exec(buffered.slice(0, end))
        if (literal) {
          const rest = buffered.slice(end + 2)
          if (rest.length < Number(literal[1])) {
            if (rest.length === 0) send('+ go on')
            return
          }
          buffered = `${buffered.slice(0, literal.index)}"${rest.slice(0, Number(literal[1]))}"${rest.slice(Number(literal[1]))}`
          continue
        }
        const line = buffered.slice(0, end)
        buffered = buffered.slice(end + 2)
        const [, tag = '', name = '', args = ''] = /^(\S+) (\S+) ?(.*)$/s.exec(line) ?? []
        turn = turn.then(() => answer({ tag, name: name.toUpperCase(), args })).catch(() => void socket.destroy())
      }
    })
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`
  return {
    url: `imap://${login}@127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

/** Quoted strings and atoms. */
const stringsIn = (args: string): string[] =>
  [...args.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, atom]) =>
    quoted === undefined ? (atom ?? '') : quoted.replaceAll(/\\(.)/g, '$1'),
  )

function sinceIn(args: string): Date | undefined {
  const [, day, month = '', year] = /SINCE "?(\d{1,2})-(\w{3})-(\d{4})/i.exec(args) ?? []
  return day === undefined ? undefined : new Date(Date.UTC(Number(year), months.indexOf(month), Number(day)))
}

function uidsIn(args: string): (uid: number) => boolean {
  const [, set = ''] = /^FETCH (\S+)/i.exec(args) ?? []
  const ranges = set.split(',').map((part) => {
    const [from = '', to = from] = part.split(':')
    return { from: Number(from), to: to === '*' ? Infinity : Number(to) }
  })
  return (uid) => ranges.some(({ from, to }) => uid >= from && uid <= to)
}

async function fetched(place: number, { uid, arrivedAt, raw }: InboxMail, args: string): Promise<Buffer> {
  const body = Buffer.from(raw, 'utf8')
  const items = [`UID ${uid}`, 'FLAGS ()']
  if (/ENVELOPE/i.test(args)) items.push(`ENVELOPE ${await envelopeOf(raw)}`)
  if (/RFC822\.SIZE/i.test(args)) items.push(`RFC822.SIZE ${body.length}`)
  if (/INTERNALDATE/i.test(args)) items.push(`INTERNALDATE "${internalDate(arrivedAt)}"`)
  const start = `* ${place} FETCH (${items.join(' ')}`
  if (!/BODY(?:\.PEEK)?\[\]/i.test(args)) return Buffer.from(`${start})\r\n`)
  return Buffer.concat([Buffer.from(`${start} BODY[] {${body.length}}\r\n`), body, Buffer.from(')\r\n')])
}

const internalDate = (at: Date): string => {
  const two = (value: number) => String(value).padStart(2, '0')
  const time = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()].map(two).join(':')
  return `${two(at.getUTCDate())}-${months[at.getUTCMonth()]}-${at.getUTCFullYear()} ${time} +0000`
}

/** RFC 3501, section 7.4.2. */
async function envelopeOf(raw: string): Promise<string> {
  const { date, subject, from, sender, replyTo, to, cc, inReplyTo, messageId } = await PostalMime.parse(raw)
  const sentBy = from ? [from] : []
  return `(${[
    quoted(date),
    quoted(subject && encodeURI(subject)),
    addressList(sentBy),
    addressList(sender ? [sender] : sentBy),
    addressList(replyTo ?? sentBy),
    addressList(to),
    addressList(cc),
    'NIL',
    quoted(inReplyTo),
    quoted(messageId),
  ].join(' ')})`
}

const quoted = (text: string | undefined): string =>
  text ? `"${text.replaceAll(/[\r\n]/g, ' ').replaceAll(/["\\]/g, String.raw`\$&`)}"` : 'NIL'

const addressList = (addresses: readonly Address[] = []): string => {
  const written = addresses.flatMap(({ address }) => {
    if (!address) return []
    const at = address.lastIndexOf('@')
    return `(NIL NIL ${quoted(address.slice(0, at))} ${quoted(address.slice(at + 1))})`
  })
  return written.length > 0 ? `(${written.join('')})` : 'NIL'
}
