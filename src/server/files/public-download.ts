import { lookup } from 'node:dns'
import { get as getPlain, type IncomingMessage, type RequestOptions } from 'node:http'
import { get as getSecure } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { SECOND_MS } from '#shared/time.ts'

/** Why a file cannot be downloaded, in a sentence. @property isPassing another try may succeed */
export class DownloadFailure extends Error {
  readonly isPassing: boolean
  constructor(sentence: string, { isPassing = false, cause }: { isPassing?: boolean; cause?: unknown } = {}) {
    super(sentence, { cause })
    this.isPassing = isPassing
  }
}

const REDIRECTS_MAX = 3
const TIMEOUT_MS = 30 * SECOND_MS

/** Not on the public network: RFC 6890 and the registries of special addresses; of IPv6 everything but 2000::/3 and parts of it. */
// Two lists: an IPv4 address is also compared with a list's IPv6 networks, as ::ffff:0:0/96, which is in ::/3.
const notPublic = { ipv4: new BlockList(), ipv6: new BlockList() }
for (const [network, bits] of [
  ...([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
  ] as const),
  ...([
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
  ] as const),
  ...([
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 3],
  ] as const),
] as const)
  notPublic.ipv4.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of [
  ...([
    ['::', 3],
    ['4000::', 2],
    ['8000::', 1],
  ] as const),
  ...([
    ['2001::', 23],
    ['2001:db8::', 32],
    ['2002::', 16],
    ['3fff::', 20],
  ] as const),
] as const)
  notPublic.ipv6.addSubnet(network, bits, 'ipv6')

/** @param address an IP address */
export const isPublicAddress = (address: string): boolean => {
  const version = isIP(address)
  const family = version === 6 ? 'ipv6' : 'ipv4'
  return version !== 0 && !notPublic[family].check(address, family)
}

const NOT_PUBLIC = 'Its address leads into a private network.'

/** Checks what a name resolves to before the connection is made to just that, so a name cannot change its address in between. */
const lookupPublic: LookupFunction = (host, options, done) =>
  lookup(host, { ...options, all: true }, (error, found) => {
    const refused =
      error ?? (found.every(({ address }) => isPublicAddress(address)) ? null : new DownloadFailure(NOT_PUBLIC))
    const [first] = found ?? []
    if (refused || !first) return done(refused ?? new Error('no address'), [])
    return options.all ? done(null, found) : done(null, first.address, first.family)
  })

type Bounds = {
  bytesMax: number
  /** Takes addresses of private networks and plain http, too: for tests. */
  isAnyAllowed: boolean
}

/**
 * Downloads a file that a stranger's file names: by https, from public addresses only, also after redirects, within 30 seconds.
 * @throws DownloadFailure
 */
export async function downloadPublic(url: string, bounds: Bounds): Promise<Buffer> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  let at = url
  for (let hop = 0; hop <= REDIRECTS_MAX; hop += 1) {
    const answer = await request(at, bounds, signal)
    const status = answer.statusCode ?? 0
    const { location } = answer.headers
    if (status >= 300 && status < 400 && location !== undefined && URL.canParse(location, at)) {
      answer.destroy()
      at = new URL(location, at).href
      continue
    }
    if (status !== 200) {
      answer.destroy()
      throw new DownloadFailure(`The other shop answered ${status}.`, { isPassing: status >= 500 || status === 429 })
    }
    return await bodyOf(answer, bounds, signal)
  }
  throw new DownloadFailure(`Its address is redirected more than ${REDIRECTS_MAX} times.`)
}

function request(url: string, { isAnyAllowed }: Bounds, signal: AbortSignal): Promise<IncomingMessage> {
  const { protocol, hostname, username, password } = new URL(url)
  if (protocol !== 'https:' && !(isAnyAllowed && protocol === 'http:'))
    return Promise.reject(new DownloadFailure('Its address doesn’t begin with https://.'))
  if (username || password) return Promise.reject(new DownloadFailure('Its address has a password in it.'))
  const literal = hostname.replace(/^\[|\]$/g, '')
  // A name is checked when it is looked up; a literal address is never looked up.
  if (!isAnyAllowed && isIP(literal) !== 0 && !isPublicAddress(literal))
    return Promise.reject(new DownloadFailure(NOT_PUBLIC))
  const options: RequestOptions = {
    signal,
    agent: false,
    headers: { accept: 'image/*', 'accept-encoding': 'identity' },
    ...(!isAnyAllowed && { lookup: lookupPublic }),
  }
  return new Promise((resolve, reject) => {
    const get = protocol === 'https:' ? getSecure : getPlain
    get(url, options, resolve).on('error', (error) => reject(failureOf(error, signal)))
  })
}

async function bodyOf(answer: IncomingMessage, { bytesMax }: Bounds, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > bytesMax) throw new DownloadFailure(`It is larger than ${Math.floor(bytesMax / 2 ** 20)} MB.`)
      chunks.push(chunk)
    }
  } catch (error) {
    throw failureOf(error, signal)
  }
  return Buffer.concat(chunks, length)
}

function failureOf(error: unknown, signal: AbortSignal): DownloadFailure {
  if (error instanceof DownloadFailure) return error
  const sentence = signal.aborted ? 'The other shop took longer than 30 seconds.' : 'The other shop did not answer.'
  return new DownloadFailure(sentence, { isPassing: true, cause: error })
}
