import { pino, type Logger } from 'pino'
import { Writable } from 'node:stream'

export type Log = Logger

/** Fields whose values never reach a log. */
const SECRET_PATHS = [
  'password',
  'client_secret',
  'clientSecret',
  'authorization',
  'cookie',
  'taxNumber',
  'tax_number',
  'iban',
  'accountNumber',
  'routingNumber',
  '*.password',
  '*.client_secret',
  '*.clientSecret',
  '*.authorization',
  '*.cookie',
  '*.taxNumber',
  '*.tax_number',
  '*.iban',
  '*.accountNumber',
  '*.routingNumber',
]

/**
 * One logger for the whole shop: JSON lines when live, readable lines otherwise.
 * Never log a request's body: it holds names, addresses and passwords.
 */
export function createLog(mode: 'live' | 'sandbox', level: string = 'info'): Log {
  const options = {
    level,
    redact: { paths: SECRET_PATHS, censor: '***' },
    serializers: { err: describeError, error: describeError },
    base: null,
  }
  return mode === 'live' ? pino(options) : pino(options, readableLog())
}

/** `name@mail.example` becomes `n***@mail.example`. */
export const maskEmail = (email: string): string => email.replace(/^(.)[^@]*/u, '$1***')

/**
 * The parts of an error that may be logged. A database error's message contains all parameters (names, addresses, hashes), so only
 * its statement and code are logged.
 */
function describeError(error: unknown): Record<string, unknown> {
  // The job queue reports errors as plain objects.
  if (!(error instanceof Error)) return { message: String(messageOf(error)) }
  const { cause } = error
  if ('query' in error && 'params' in error)
    return {
      name: error.name,
      query: error.query,
      code: cause instanceof Error && 'code' in cause ? cause.code : undefined,
      constraint: cause instanceof Error && 'constraint' in cause ? cause.constraint : undefined,
    }
  return {
    name: error.name,
    message: error.message,
    ...('code' in error && { code: error.code }),
    stack: error.stack,
    ...(cause !== undefined && { cause: describeError(cause) }),
  }
}

const messageOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'message' in value ? value.message : value

const LEVELS: Readonly<Record<number, string>> = { 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }

/** One readable line per record: time, level, message, facts. Control characters are escaped, so a record stays on one line. */
function readableLog(): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      const { level, time, msg, ...facts } = JSON.parse(chunk.toString()) as Record<string, unknown>
      const details = Object.entries(facts)
        .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
        .join(' ')
      const sentence = typeof msg === 'string' ? msg : ''
      const line = `${new Date(Number(time)).toISOString().slice(11, 23)} ${LEVELS[Number(level)] ?? ''} ${sentence} ${details}`
      process.stderr.write(`${line.trimEnd().replace(/\p{Cc}/gu, (c) => JSON.stringify(c).slice(1, -1))}\n`)
      done()
    },
  })
}
