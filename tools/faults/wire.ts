import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'

// Proxies on every connection of an instance. They report a call when it is requested, when it is done but not yet answered, and
// when it is answered. Instances are killed at these moments, and the proxies can send wrong answers.

/** `requested`: nothing is done yet. `done`: executed, but the caller has no answer. `answered`: the answer was just sent. */
export type Moment = 'requested' | 'done' | 'answered'

/** @property to the far end that executes the call, once known */
export type Crossing = { method: string; path: string; body: string; to?: string }

/** `twice`: executes the call twice, like a proxy that lost the first answer. `other`: sends the answer of another call. */
export type Trick = 'twice' | 'other'

/** Called at each moment of each call. A trick only takes effect at `requested`. */
export type Watch = (moment: Moment, call: Crossing) => Trick | undefined

export type Line = { url: string; port: number; close(): Promise<void> }

/** `cut(true)` closes open connections and refuses new ones until `cut(false)`. */
export type RawLine = Line & { cut(isCut: boolean): void }

type Answer = { status: number; headers: string[]; body: Buffer; isWhole: boolean }

/** A new connection for each call: the far end could close a reused one just as it is used. */
const agent = new Agent({ keepAlive: false })

/** Chooses a far end; `undefined` when none is available. */
type FarEnd = (tried: readonly string[]) => string | undefined

/** Rewrites raw headers (names and values alternate) for the chosen far end. */
type Rewrite = (headers: readonly string[], target: string) => readonly string[]

/**
 * An HTTP proxy. It drops the connection when the far end does, and answers 502 when no far end listens.
 * @param farEnd called for each call, and again when the previous choice did not listen
 */
export async function openLine(farEnd: FarEnd, watch: Watch, rewrite: Rewrite = (headers) => headers): Promise<Line> {
  /** The last good answer to each kind of call, with its path. */
  const lastAnswers = new Map<string, { path: string; answer: Answer }>()

  async function carry(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await bytesOf(incoming)
    const path = incoming.url ?? '/'
    const call: Crossing = { method: incoming.method ?? 'GET', path, body: body.toString('utf8') }
    const trick = watch('requested', call)
    const kind = `${call.method} ${path.replaceAll(/\/(?=[^/]*\d)[^/?]+/g, '/*')}`
    const earlier = lastAnswers.get(kind)
    if (trick === 'other' && call.method === 'GET' && earlier && earlier.path !== path)
      return reply(outgoing, earlier.answer)
    if (trick === 'twice') await forward(call, incoming, body, farEnd, outgoing, rewrite)
    const answer = await forward(call, incoming, body, farEnd, outgoing, rewrite)
    if (answer === 'nobody') return void outgoing.writeHead(502, { 'x-line': 'nobody' }).end()
    if (answer === 'broken') return void incoming.socket.resetAndDestroy()
    if (answer.status === 200 && answer.isWhole) lastAnswers.set(kind, { path, answer })
    watch('done', call)
    outgoing.once('finish', () => watch('answered', call))
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

/** @returns `nobody` when no far end listens, `broken` when it closed the connection without an answer */
async function forward(
  call: Crossing,
  incoming: IncomingMessage,
  body: Buffer,
  farEnd: FarEnd,
  outgoing: ServerResponse,
  rewrite: Rewrite,
): Promise<Answer | 'nobody' | 'broken'> {
  const tried: string[] = []
  for (;;) {
    const target = farEnd(tried)
    if (target === undefined) return 'nobody'
    call.to = target
    const answer = await forwardTo(target, incoming, body, outgoing, rewrite(incoming.rawHeaders, target))
    if (answer !== 'nobody') return answer
    tried.push(target)
  }
}

function forwardTo(
  target: string,
  { method, url }: IncomingMessage,
  body: Buffer,
  outgoing: ServerResponse,
  headers: readonly string[],
): Promise<Answer | 'nobody' | 'broken'> {
  return new Promise((resolve) => {
    const out = request(new URL(url ?? '/', target), { method, agent, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.once('close', () =>
        resolve({
          status: answer.statusCode ?? 502,
          headers: answer.rawHeaders,
          body: Buffer.concat(chunks),
          isWhole: answer.complete,
        }),
      )
      answer.once('error', () => {})
    })
    out.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED' ? 'nobody' : 'broken'))
    // The caller has given up, so the proxy does too.
    outgoing.once('close', () => outgoing.writableEnded || out.destroy())
    out.end(body)
  })
}

async function bytesOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Recognizes calls in a protocol other than HTTP. */
type Listener = {
  /** @returns the call that these bytes from the instance complete */
  near(chunk: Buffer): Crossing | undefined
}

/**
 * A TCP proxy to the mail server or the database. `listen` recognizes calls; the next bytes from the far end count as the answer.
 * @param delayMs delay of data from the far end
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
    for (const socket of [near, far]) {
      open.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.once('close', () => {
        open.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (chunk: Buffer) => {
      const call = listener.near(chunk)
      if (call) {
        watch('requested', call)
        underWay = call
      }
      far.write(chunk)
    })
    let lateUntil = 0
    far.on('data', (chunk: Buffer) => {
      const call = underWay
      underWay = undefined
      if (call) watch('done', call)
      const deliver = () => near.write(chunk, () => call && watch('answered', call))
      // Delayed data stays in order.
      lateUntil = Math.max(lateUntil, Date.now() + delayMs())
      const wait = lateUntil - Date.now()
      if (wait > 0) setTimeout(deliver, wait)
      else deliver()
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return {
    url: `127.0.0.1:${port}`,
    port,
    cut(wanted) {
      isCut = wanted
      if (isCut) for (const socket of open) socket.destroy()
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        for (const socket of open) socket.destroy()
      }),
  }
}

/** Recognizes the end of an email. */
export function mailListener(): Listener {
  let tail = ''
  return {
    near(chunk) {
      tail = (tail + chunk.toString('latin1')).slice(-8)
      return tail.endsWith('\r\n.\r\n') ? { method: 'DATA', path: '', body: '' } : undefined
    },
  }
}

/** PostgreSQL's Parse message: the statement's name, which may be empty, and its text. */
const PARSE = /P[\s\S]{4}([^\0]*)\0((?:insert into|update|delete from|with|select)[^\0]*)\0/gi
/** PostgreSQL's Bind message: the name of the statement. */
const BIND = /B[\s\S]{4}[^\0]*\0([\w-]+)\0/g

/** Recognizes commits, of transactions and of single writes, named by the first of `tables` that was written. */
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
