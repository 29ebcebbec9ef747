import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'

// The lab listens on every line that an instance of the shop has to the world: it sees a call when it is asked, when it
// is done and before its answer arrives, and when it is told. That is where instances are killed, and where lines lie.

/** `asked`: nothing has been done yet. `done`: it was carried out, and whoever asked does not know. `told`: the answer went out just now. */
export type Moment = 'asked' | 'done' | 'told'

/** `to` is the far end that carries it out, once that is known. */
export type Crossing = { method: string; path: string; body: string; to?: string }

/** `twice`: the line carries the call out two times, as a proxy does that lost the first answer. `other`: it answers with what it said to somebody else. */
export type Trick = 'twice' | 'other'

/** Told of each moment of each call. A trick is heeded at `asked` alone. */
export type Watch = (moment: Moment, call: Crossing) => Trick | undefined

export type Line = { url: string; port: number; close(): Promise<void> }

/** `cut` ends what is open and refuses what comes, until it is taken back. */
export type RawLine = Line & { cut(isCut: boolean): void }

type Answer = { status: number; headers: string[]; body: Buffer; isWhole: boolean }

/** A new connection for each call: one that is kept may be closed by its far end in the moment when it is used again. */
const agent = new Agent({ keepAlive: false })

/** How the line's far end is found: `undefined` when there is none at the moment. */
type FarEnd = (tried: readonly string[]) => string | undefined

/** Names and values by turns, as they are to be for the far end that was chosen. */
type Rewrite = (headers: readonly string[], target: string) => readonly string[]

/**
 * An HTTP line. Where the far end breaks off, so does this one; where nobody is there, it answers 502 as proxies do.
 * @param farEnd asked for each call, and again while nobody listened at the one before
 */
export async function openLine(farEnd: FarEnd, watch: Watch, rewritten: Rewrite = (headers) => headers): Promise<Line> {
  /** The last good answer to each kind of question, with the path that it belongs to. */
  const said = new Map<string, { path: string; answer: Answer }>()

  async function carry(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await bytesOf(incoming)
    const path = incoming.url ?? '/'
    const call: Crossing = { method: incoming.method ?? 'GET', path, body: body.toString('utf8') }
    const trick = watch('asked', call)
    const kind = `${call.method} ${path.replaceAll(/\/(?=[^/]*\d)[^/?]+/g, '/*')}`
    const earlier = said.get(kind)
    if (trick === 'other' && call.method === 'GET' && earlier && earlier.path !== path)
      return reply(outgoing, earlier.answer)
    if (trick === 'twice') await ask(call, incoming, body, farEnd, outgoing, rewritten)
    const answer = await ask(call, incoming, body, farEnd, outgoing, rewritten)
    if (answer === 'nobody') return void outgoing.writeHead(502, { 'x-line': 'nobody' }).end()
    if (answer === 'broken') return void incoming.socket.resetAndDestroy()
    if (answer.status === 200 && answer.isWhole) said.set(kind, { path, answer })
    watch('done', call)
    outgoing.once('finish', () => watch('told', call))
    reply(outgoing, answer)
  }

  const server = createServer((incoming, outgoing) => {
    carry(incoming, outgoing).catch(() => incoming.socket.destroy())
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

function reply(outgoing: ServerResponse, { status, headers, body, isWhole }: Answer): void {
  outgoing.writeHead(status, headers)
  if (isWhole) outgoing.end(body)
  else outgoing.write(body, () => outgoing.socket?.destroy())
}

/** @returns `nobody` when none listens, `broken` when the far end ended the line before it said anything */
async function ask(
  call: Crossing,
  incoming: IncomingMessage,
  body: Buffer,
  farEnd: FarEnd,
  outgoing: ServerResponse,
  rewritten: Rewrite,
): Promise<Answer | 'nobody' | 'broken'> {
  const tried: string[] = []
  for (;;) {
    const target = farEnd(tried)
    if (target === undefined) return 'nobody'
    call.to = target
    const answer = await askAt(target, incoming, body, outgoing, rewritten(incoming.rawHeaders, target))
    if (answer !== 'nobody') return answer
    tried.push(target)
  }
}

function askAt(
  target: string,
  { method, url }: IncomingMessage,
  body: Buffer,
  outgoing: ServerResponse,
  headers: readonly string[],
): Promise<Answer | 'nobody' | 'broken'> {
  return new Promise((tell) => {
    const out = request(new URL(url ?? '/', target), { method, agent, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.once('close', () =>
        tell({
          status: answer.statusCode ?? 502,
          headers: answer.rawHeaders,
          body: Buffer.concat(chunks),
          isWhole: answer.complete,
        }),
      )
      answer.once('error', () => {})
    })
    out.once('error', (error: NodeJS.ErrnoException) => tell(error.code === 'ECONNREFUSED' ? 'nobody' : 'broken'))
    // Whoever asked has given up waiting: so does the line.
    outgoing.once('close', () => outgoing.writableEnded || out.destroy())
    out.end(body)
  })
}

async function bytesOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** What a line that speaks no HTTP is listened to with: each may return a name for what just passed. */
type Listener = {
  /** What the instance says. */
  near(chunk: Buffer): Crossing | undefined
}

/**
 * A line of another kind, to the mail server or the database. The moments are those of whatever `listen` names; an
 * answer is taken to be the next that the far end says.
 * @param delayMs how late the far end's words come through
 */
export async function openRawLine(
  farEnd: () => { host: string; port: number },
  listen: () => Listener,
  watch: Watch,
  delayMs: () => number = () => 0,
): Promise<RawLine> {
  const open = new Set<Socket>()
  let isCut = false
  const server = createTcpServer((near) => {
    if (isCut) return void near.resetAndDestroy()
    const far = connect(farEnd())
    const listener = listen()
    let underWay: Crossing | undefined
    for (const one of [near, far]) {
      open.add(one)
      one.setNoDelay(true)
      one.on('error', () => {})
      one.once('close', () => {
        open.delete(one)
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (chunk: Buffer) => {
      const call = listener.near(chunk)
      if (call) {
        watch('asked', call)
        underWay = call
      }
      far.write(chunk)
    })
    let lateUntil = 0
    far.on('data', (chunk: Buffer) => {
      const call = underWay
      underWay = undefined
      if (call) watch('done', call)
      const tell = () => near.write(chunk, () => call && watch('told', call))
      // What is late stays in its order.
      lateUntil = Math.max(lateUntil, Date.now() + delayMs())
      const wait = lateUntil - Date.now()
      if (wait > 0) setTimeout(tell, wait)
      else tell()
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return {
    url: `127.0.0.1:${port}`,
    port,
    cut(wanted) {
      isCut = wanted
      if (isCut) for (const one of open) one.destroy()
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        for (const one of open) one.destroy()
      }),
  }
}

/** Hears a mail end. */
export function mailListener(): Listener {
  let tail = ''
  return {
    near(chunk) {
      tail = (tail + chunk.toString('latin1')).slice(-8)
      return tail.endsWith('\r\n.\r\n') ? { method: 'DATA', path: '', body: '' } : undefined
    },
  }
}

/** A statement that is made known: its name, which may be empty, and its text. */
const PARSE = /P[\s\S]{4}([^\0]*)\0((?:insert into|update|delete from|with|select)[^\0]*)\0/gi
/** The use of a statement by its name. */
const BIND = /B[\s\S]{4}[^\0]*\0([\w-]+)\0/g

/** Hears what is written become durable: the end of a transaction, or of a write alone; named by the first of `tables` that it wrote to. */
export function databaseListener(tables: readonly string[]): Listener {
  const tableOf = (text: string) =>
    tables.find((table) => text.includes(`insert into "${table}"`) || text.includes(`update "${table}"`))
  const known = new Map<string, string | undefined>()
  let isInTransaction = false
  let written: string | undefined
  return {
    near(chunk) {
      const text = chunk.toString('latin1')
      if (/\bbegin\b[^\0]*\0/i.test(text)) isInTransaction = true
      for (const [, name = '', statement = ''] of text.matchAll(PARSE)) {
        if (name) known.set(name, tableOf(statement))
        else written ??= tableOf(statement)
      }
      for (const [, name = ''] of text.matchAll(BIND)) written ??= known.get(name)
      if (/\brollback\0/i.test(text)) {
        isInTransaction = false
        written = undefined
      }
      const isEnd = /\bcommit\0/i.test(text)
      if (isEnd) isInTransaction = false
      else if (isInTransaction) return undefined
      if (written === undefined) return undefined
      const call = { method: 'COMMIT', path: written, body: '' }
      written = undefined
      return call
    },
  }
}
