import { appendFileSync, closeSync, openSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { openClock } from './clock.ts'
import { openFaults } from './faults.ts'
import type { Chaos, Faults } from './faults.ts'
import type { Answer, Call, Kit, LoggedCall, ProviderName, Rule } from './types.ts'
import { openWebhooks } from './webhooks.ts'
import type { Webhooks } from './webhooks.ts'

const BODY_MAX_BYTES = 12 * 1024 * 1024
const NO_ANSWER = 0 // logged status of a call that a fault kept from the simulator
const WITNESS_ANSWER_MAX = 8000 // characters; the witness file needs no whole product list
const LOG_ENTRIES_MAX = 5000 // calls and witnessed lines kept in memory; a long demo must not fill it

type WitnessEntry = { at: string; provider: ProviderName; kind: string; data: unknown }

/** The kit with everything that the control page and tests use. */
export type OpenKit = Kit & {
  /** Active fault rules. */
  rules: Pick<Faults, 'add' | 'list' | 'clear'>
  chaos: { set(wanted: Chaos | undefined): void; current(): Chaos | undefined }
  log: {
    /** Calls after number `seq`, oldest first. */
    since(seq: number): LoggedCall[]
    /** The lines of the event file, oldest first. */
    witnessed(): readonly WitnessEntry[]
    /** Calls to endpoints that the sandbox lacks: a test run fails on them. */
    notSimulated(): LoggedCall[]
    /** Called with every call, once it is answered. @returns unsubscribe */
    subscribe(listener: (call: LoggedCall) => void): () => void
  }
  webhooks: Webhooks
  /** Resolves when no webhook is being delivered. */
  idle(): Promise<void>
  /** Clears rules, chaos, webhooks and log. The clock keeps its time: clocks do not go back. */
  reset(): void
  close(): Promise<void>
}

/**
 * Opens what all simulators share.
 * @param speed how many times faster than real time production and parcels move; 0: only by the control calls
 * @param eventFile where the witness file is written, one JSON object per line; without it, in memory only
 * @param aheadMs how far ahead of the machine's time the clock begins
 * @param clockFile where it is written how far the clock is ahead of the machine's (`CLOCK_FILE` of the shop)
 * @param log called with unexpected failures, such as a crashing simulator; standard error by default
 */
export function openKit({
  speed,
  eventFile,
  clockFile,
  aheadMs = 0,
  log = (line) => process.stderr.write(`${line}\n`),
}: {
  speed: number
  eventFile?: string
  clockFile?: string
  aheadMs?: number
  log?: (line: string) => void
}): OpenKit {
  const announced = clockFile === undefined ? undefined : openClockFile(clockFile, aheadMs)
  const clock = openClock(
    speed,
    (label, error) => log(`sandbox: timer '${label}' failed: ${textOf(error)}`),
    announced?.write,
    aheadMs,
  )
  const endpoints: Kit['endpoints'] = new Map()
  const faults = openFaults()
  const missing = new WeakSet<Answer>()
  const servers = new Set<{ close(): Promise<void> }>()
  const listeners = new Set<(call: LoggedCall) => void>()
  let calls: LoggedCall[] = []
  let unknownCalls: LoggedCall[] = [] // separate from the capped log: a long test run must fail on its first one, too
  let witnessed: WitnessEntry[] = []
  let seq = 0

  function witness(provider: ProviderName, kind: string, data: unknown): void {
    const line: WitnessEntry = { at: clock.now().toISOString(), provider, kind, data }
    witnessed.push(line)
    if (witnessed.length > LOG_ENTRIES_MAX) witnessed = witnessed.slice(-LOG_ENTRIES_MAX / 2)
    // Written synchronously: the file must be complete after either process was killed.
    if (eventFile) appendFileSync(eventFile, `${JSON.stringify(line)}\n`)
  }

  const webhooks = openWebhooks({ clock, endpoints, witness })

  function record(logged: Omit<LoggedCall, 'seq' | 'at'>): void {
    seq += 1
    const call: LoggedCall = { seq, at: clock.now().toISOString(), ...logged }
    calls.push(call)
    if (calls.length > LOG_ENTRIES_MAX) calls = calls.slice(-LOG_ENTRIES_MAX / 2)
    const { provider, at: _, answer, ...facts } = call
    witness(provider, 'call', { ...facts, answer: shortenAnswer(answer) })
    if (call.notSimulated) {
      unknownCalls.push(call)
      log(`sandbox: ${call.provider} does not simulate ${call.method} ${call.path}`)
    }
    for (const listener of listeners) listener(call)
  }

  async function answerTo(name: ProviderName, call: Call, handle: Parameters<Kit['serve']>[2]): Promise<Answer> {
    try {
      return await handle(call)
    } catch (error) {
      log(`sandbox: ${name} failed on ${call.method} ${call.path}: ${textOf(error)}`)
      return { status: 500, body: { error: 'The simulator failed. See its log.' } }
    }
  }

  /** Answers one call, with its fault, and logs it. */
  async function handleCall(
    name: ProviderName,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    handle: Parameters<Kit['serve']>[2],
  ): Promise<void> {
    const raw = await bodyOf(incoming)
    if (raw === 'too large')
      return send(outgoing, { status: 413, body: { error: 'The body is larger than 12 MB.' } }, clock.now())
    const call = callFrom(incoming, raw)
    const key = keyOf(call)
    const rule = faults.take(name, call, externalIdOf(call))
    const request = readableBody(call.raw, call.headers['content-type'])
    const logged = {
      provider: name,
      method: call.method,
      path: call.path,
      ...(key && { key }),
      request,
      ...(rule && { rule }),
    }

    const untouched = rule === undefined || rule.when === 'after' || letsThrough(rule)
    if (rule && rule.when === 'before') await pause(rule, outgoing)
    const answer = untouched ? await answerTo(name, call, handle) : faultyAnswer(rule, { status: NO_ANSWER, body: {} })
    const final = untouched && rule ? faultyAnswer(rule, answer) : answer
    record({
      ...logged,
      status: final.status,
      answer: readableAnswer(answer.body),
      ...(missing.has(answer) && { notSimulated: true as const }),
    })
    if (rule && rule.when === 'after') await pause(rule, outgoing)
    if (rule?.do === 'hang') return
    if (rule?.do === 'reset') return void incoming.socket.resetAndDestroy()
    if (rule?.do === 'truncate') return truncate(outgoing, final)
    send(outgoing, final, clock.now())
  }

  const serve: Kit['serve'] = async (name, port, handle) => {
    const server = createServer((incoming, outgoing) => {
      handleCall(name, incoming, outgoing, handle).catch((error: unknown) => {
        log(`sandbox: ${name}: ${textOf(error)}`)
        outgoing.destroy()
      })
    })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', resolve)
    })
    const { port: taken } = server.address() as AddressInfo
    const running = {
      url: `http://127.0.0.1:${taken}`,
      close: () =>
        new Promise<void>((resolve) => {
          servers.delete(running)
          server.close(() => resolve())
          server.closeAllConnections()
        }),
    }
    servers.add(running)
    return running
  }

  return {
    clock,
    speed,
    witness,
    endpoints,
    serve,
    deliver: (delivery) => webhooks.deliver(delivery),
    notSimulated(answer) {
      missing.add(answer)
      return answer
    },
    rules: faults,
    chaos: { set: (wanted) => faults.setChaos(wanted), current: () => faults.chaos() },
    log: {
      since: (after) => calls.filter((call) => call.seq > after),
      witnessed: () => witnessed,
      notSimulated: () => [...unknownCalls],
      subscribe(listener) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
    webhooks,
    idle: () => webhooks.idle(),
    reset() {
      faults.clear()
      faults.setChaos(undefined)
      webhooks.reset()
      calls = []
      unknownCalls = []
      witnessed = []
    },
    async close() {
      clock.close()
      webhooks.reset()
      await Promise.all([...servers].map((server) => server.close()))
      announced?.close()
    },
  }
}

const CLOCK_FILE_LENGTH = 32

/** Written in place, since a shop has it open, and in one piece, since a shop reads it at any moment. */
function openClockFile(file: string, startAheadMs: number): { write(aheadMs: number): void; close(): void } {
  const descriptor = openSync(file, 'w')
  const write = (aheadMs: number) =>
    void writeSync(descriptor, String(Math.trunc(aheadMs)).padEnd(CLOCK_FILE_LENGTH), 0, 'ascii')
  write(startAheadMs)
  return { write, close: () => closeSync(descriptor) }
}

const textOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error))

/** A rule that only delays, or only adds headers, still passes the call to the simulator. */
const letsThrough = ({ do: wanted }: Rule): boolean =>
  typeof wanted === 'object' && wanted.status === undefined && wanted.body === undefined

function faultyAnswer({ do: wanted }: Rule, answer: Answer): Answer {
  if (typeof wanted === 'string') return answer
  const headers = { ...answer.headers, ...wanted.headers }
  return {
    status: wanted.status ?? (answer.status || 200),
    body: 'body' in wanted ? wanted.body : wanted.status === undefined ? answer.body : {},
    headers,
  }
}

/** Real time, not sandbox time: this tests the caller's own timeout. */
function pause({ do: wanted }: Rule, outgoing: ServerResponse): Promise<void> {
  const ms = typeof wanted === 'object' ? (wanted.delayMs ?? 0) : 0
  if (ms === 0) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    outgoing.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer | 'too large'> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= BODY_MAX_BYTES) chunks.push(chunk)
  }
  return size > BODY_MAX_BYTES ? 'too large' : Buffer.concat(chunks)
}

function callFrom(incoming: IncomingMessage, raw: Buffer): Call {
  const url = new URL(incoming.url ?? '/', 'http://sandbox')
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
  return { method: incoming.method ?? 'GET', path: url.pathname, query: url.searchParams, headers, raw }
}

function readableBody(raw: Buffer, type = ''): unknown {
  if (raw.length === 0) return undefined
  const text = raw.toString('utf8')
  if (type.includes('x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(text))
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

function readableAnswer(body: unknown): unknown {
  if (Buffer.isBuffer(body)) return `(${body.length} bytes)`
  // A copy, because simulators answer with objects that they keep changing.
  return body === undefined || typeof body === 'string' ? body : (JSON.parse(JSON.stringify(body)) as unknown)
}

function shortenAnswer(answer: unknown): unknown {
  const length = JSON.stringify(answer)?.length ?? 0
  return length > WITNESS_ANSWER_MAX ? `(${length} characters)` : answer
}

function externalIdOf({ path, raw, headers }: Call): string | undefined {
  const inPath = /\/@([^/]+)/.exec(path)?.[1]
  if (inPath) return decodeURIComponent(inPath)
  const body = readableBody(raw, headers['content-type'])
  const id = typeof body === 'object' && body !== null && 'external_id' in body ? body.external_id : undefined
  return typeof id === 'string' ? id : undefined
}

const keyOf = (call: Call): string | undefined =>
  call.headers['idempotency-key'] ?? call.headers['paypal-request-id'] ?? externalIdOf(call)

/** A response as sent. */
function wireOf({ status, body, headers = {} }: Answer): {
  status: number
  headers: Record<string, string>
  bytes: Buffer
} {
  const asIs = typeof body === 'string' || Buffer.isBuffer(body)
  const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(asIs ? body : JSON.stringify(body))
  const type = asIs ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8'
  return { status, headers: { 'content-type': type, ...headers, 'content-length': String(bytes.length) }, bytes }
}

function send(outgoing: ServerResponse, answer: Answer, now: Date): void {
  const { status, headers, bytes } = wireOf(answer)
  outgoing.writeHead(status, { date: now.toUTCString(), ...headers }).end(bytes)
}

/** Sends half of the body, then closes the connection, as a dying proxy does. */
function truncate(outgoing: ServerResponse, answer: Answer): void {
  const { status, headers, bytes } = wireOf(answer)
  outgoing.writeHead(status || 200, headers)
  outgoing.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => outgoing.socket?.destroy())
}
