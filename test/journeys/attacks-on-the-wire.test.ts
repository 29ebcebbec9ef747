import { globSync, readFileSync } from 'node:fs'
import { request as askHttp, type IncomingMessage } from 'node:http'
import { createServer, request as askHttps, type Server } from 'node:https'
import { connect, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { paths } from '#contract/paths.ts'
import { payPaths } from '#contract/pay-paths.ts'
import { firstSigner } from '#sandbox/paypal/certificate.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { securityHeaders } from '#server/http/security.ts'
import { build } from '../../tools/build.ts'
import { scorePage } from './observatory.ts'

// The shop as a stranger meets it: behind TLS, as docs/operations.md describes, and byte by byte.

const HOST = 'shop.example'

let world: World
let proxy: Server
let port: number

beforeAll(async () => {
  await build()
  const { key, pem } = (await firstSigner()).signer
  world = await openWorld({
    pages: true,
    env: { PUBLIC_URL: `https://${HOST}`, TRUSTED_PROXIES: '127.0.0.1' },
  })
  port = Number(new URL(world.address).port)
  proxy = createServer({ key: key.export({ type: 'pkcs8', format: 'pem' }), cert: pem }, (incoming, outgoing) => {
    const { method, url, headers, socket } = incoming
    const forwarded = { ...headers, 'x-forwarded-proto': 'https', 'x-forwarded-for': socket.remoteAddress ?? '' }
    const inner = askHttp(world.address + (url ?? ''), { method, headers: forwarded }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(outgoing)
    })
    inner.once('error', () => outgoing.destroy())
    incoming.pipe(inner)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', () => resolve()))
})
afterAll(async () => {
  proxy.closeAllConnections()
  proxy.close()
  await world[Symbol.asyncDispose]()
})

type Told = { status: number; headers: Headers; text: string }

/** Sends a request over TLS, like a browser. */
function ask(method: string, path: string, headers: Record<string, string> = {}, body?: string): Promise<Told> {
  return new Promise((resolve, fail) => {
    const { port: at } = proxy.address() as AddressInfo
    const options = { host: '127.0.0.1', port: at, path, method, servername: HOST, rejectUnauthorized: false }
    const sent = askHttps({ ...options, headers: { host: HOST, ...headers } }, (answer: IncomingMessage) => {
      const pieces: Buffer[] = []
      answer.on('data', (piece: Buffer) => pieces.push(piece))
      answer.on('end', () => {
        const joined = new Headers()
        for (const [name, values] of Object.entries(answer.headersDistinct))
          for (const value of values ?? []) joined.append(name, value)
        resolve({ status: answer.statusCode ?? 0, headers: joined, text: Buffer.concat(pieces).toString() })
      })
    })
    sent.once('error', fail)
    sent.end(body)
  })
}

/** Sends raw bytes, which a client would correct. @returns what arrived until the connection closed */
function sendRaw(text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.on('data', (piece: Buffer) => (answer += piece.toString('latin1')))
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer))
    // The socket stays open: a server may close a connection whose client has finished.
    socket.write(text, 'latin1')
  })
}

const pages = [
  ...Object.values(paths).filter((path) => typeof path === 'string'),
  ...['/product/1', '/collections/sherlock', '/search?q=hat', '/no-such-page', '/my-data?token=x'],
]
const withoutQuery = (path: string) => path.split('?', 1)[0] ?? ''
const isPayment = (path: string) =>
  ([paths.checkout, paths.directCheckout, paths.alternateCheckout, ...Object.values(payPaths)] as string[]).includes(
    withoutQuery(path),
  )

/** The policy of a payment page with the providers' production hosts, since the simulators have no TLS. */
const atProviders = (path: string) => {
  const { stripe, paypal, publicUrl } = world.shop.config
  const real = {
    stripe: { ...stripe, scriptUrl: 'https://js.stripe.com/endive/stripe.js', apiBase: 'https://api.stripe.com' },
    paypal: { ...paypal, scriptUrl: 'https://www.paypal.com/web-sdk/v6/core', apiBase: 'https://api-m.paypal.com' },
  }
  return securityHeaders({ ...real, publicUrl }).of(withoutQuery(path))['content-security-policy'] ?? ''
}

const json = { 'content-type': 'application/json', origin: `https://${HOST}` }

/** The headers of every answer. */
const always = {
  'content-security-policy': /default-src 'none'.*frame-ancestors 'none'.*upgrade-insecure-requests/,
  'strict-transport-security': /^max-age=63072000; includeSubDomains$/,
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^DENY$/,
  'referrer-policy': /^strict-origin-when-cross-origin$/,
  'cross-origin-opener-policy': /^same-origin(?:-allow-popups)?$/,
  'cross-origin-resource-policy': /^same-origin$/,
  'permissions-policy': /camera=\(\).*geolocation=\(\).*microphone=\(\)/,
}

function expectProtected(answer: Pick<Told, 'headers'>, where: string): void {
  // Email programs are another site, and load the pictures of ordered products.
  const isPicture = where.includes(' /pictures/')
  const expected = { ...always, ...(isPicture && { 'cross-origin-resource-policy': /^cross-origin$/ }) }
  for (const [name, value] of Object.entries(expected))
    expect(answer.headers.get(name) ?? 'none', `${name} at ${where}`).toMatch(value)
  for (const name of ['x-powered-by', 'server', 'access-control-allow-origin', 'access-control-allow-credentials'])
    expect(answer.headers.has(name), `${name} at ${where}`).toBe(false)
}

test('every page scores an A+ of at least 120 points at Mozilla’s observatory over TLS (S76)', async () => {
  for (const path of pages) {
    const { status, headers, text } = await ask('GET', path)
    expect(status, path).toBeLessThan(500)
    if (isPayment(path)) headers.set('content-security-policy', atProviders(path))
    const { score, results } = scorePage({ headers, html: text })
    expect(score, `${path}: ${JSON.stringify(results)}`).toBeGreaterThanOrEqual(120)
    expect(text, path).not.toMatch(/<script(?![^>]*\b(?:src=|type="application\/(?:ld\+)?json"))|\son\w+="|javascript:/)
    // Only the providers' scripts run beside the shop's, and only on payment pages.
    expect(headers.get('content-security-policy')?.includes("script-src 'self';"), path).toBe(!isPayment(path))
  }
})

test('every answer carries the security headers, whatever its status (S76, S78)', async () => {
  const styles = /href="(\/assets\/[^"]+\.css)"/.exec((await ask('GET', '/')).text)?.[1] ?? 'none'
  const picture = /"(\/pictures\/[^" ]+\.webp)/.exec((await ask('GET', '/')).text)?.[1] ?? 'none'
  const etag = (await ask('GET', '/products')).headers.get('etag') ?? ''
  const requests: [number, string, string, Record<string, string>?, string?][] = [
    [200, 'GET', '/'],
    [200, 'HEAD', '/products'],
    [304, 'GET', '/products', { 'if-none-match': etag }],
    [200, 'GET', styles],
    [200, 'GET', picture],
    [302, 'GET', '/pictures/default.webp'],
    [200, 'GET', '/favicon.svg'],
    [200, 'GET', '/sitemap.xml'],
    [200, 'GET', '/api/openapi.json'],
    [302, 'GET', '/admin'],
    [302, 'GET', '/r/bullion'],
    [400, 'GET', '/%'],
    [400, 'POST', '/api/cart', json, '{'],
    [401, 'GET', '/api/user'],
    [403, 'POST', '/api/cart', { ...json, origin: 'https://evil.example' }, '{}'],
    [404, 'GET', '/no-such-page'],
    [404, 'GET', '/assets/nothing.js'],
    [404, 'GET', '/api/nothing', { origin: 'https://evil.example' }],
    [405, 'DELETE', '/api/products', { origin: json.origin }],
    [415, 'POST', '/api/cart', { ...json, 'content-type': 'text/plain' }, '{}'],
    [422, 'POST', '/api/contact', json, '{}'],
    [400, 'POST', '/webhooks/stripe', json, '{}'],
  ]
  for (const [status, method, path, headers, body] of requests) {
    const answer = await ask(method, path, { ...headers, origin: headers?.['origin'] ?? 'https://evil.example' }, body)
    expect(answer.status, `${method} ${path}`).toBe(status)
    expectProtected(answer, `${method} ${path}`)
    if (path.startsWith('/api/') && path !== '/api/openapi.json')
      expect(answer.headers.get('cache-control'), path).toBe('no-store')
  }
  const [head = ''] = (await sendRaw('nonsense\r\n\r\n')).split('\r\n\r\n')
  const lines = head
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(/: (.*)/s, 2) as [string, string])
  expectProtected({ headers: new Headers(lines) }, 'what is no request')
})

test('cookies are bound to this host and to TLS, hidden from scripts, and too long to guess (S77)', async () => {
  const sessions = async () =>
    (await world.shop.database.pool.query<{ n: number }>('select count(*)::int as n from session')).rows[0]?.n ?? 0
  const before = await sessions()
  for (const path of ['/', '/products', '/product/1', '/api/products', '/api/cart', '/checkout', '/auth'])
    expect((await ask('GET', path)).headers.getSetCookie(), path).toEqual([])
  expect(await sessions()).toBe(before)

  const clicked = (await ask('GET', '/r/bullion', { 'user-agent': 'Mozilla/5.0', 'sec-fetch-mode': 'navigate' }))
    .headers
  const added = await ask('POST', '/api/cart', json, JSON.stringify({ productId: await aProduct(), variantId: null }))
  expect(added.status).toBe(200)
  const cookies = [...added.headers.getSetCookie(), ...clicked.getSetCookie()]
  expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual(['__Host-session', '__Host-click'])
  for (const cookie of cookies) {
    expect(cookie).toMatch(/; Path=\/;.*HttpOnly; Secure; SameSite=Lax$/)
    expect(cookie).not.toContain('Domain=')
  }
  const [, token = ''] = /=([^;]+)/.exec(cookies[0] ?? '') ?? []
  expect(Buffer.from(token, 'base64url').length * 8).toBeGreaterThanOrEqual(128)
})

async function aProduct(): Promise<number | undefined> {
  const products = JSON.parse((await ask('GET', '/api/products')).text) as { id: number; name: string }[]
  return products.find(({ name }) => /mouse pad/i.test(name))?.id
}

describe('a file outside the public folder', () => {
  test.each([
    ...['/assets/../package.json', '/assets/..%2f..%2f..%2fpackage.json', '/assets/%2e%2e%2f%2e%2e%2fpackage.json'],
    ...['/assets/..%5c..%5cpackage.json', '/assets/%c0%ae%c0%ae%c0%afpackage.json', '/assets/%2fetc%2fpasswd'],
    ...['/pictures/../../package.json', '/pictures/..%2f..%2fpackage.json', '/pictures/copied/..%2f..%2f.env'],
    ...['/.git/config', '/.env', '/package.json', '/node_modules/fastify/package.json', '/src/main.ts', '/assets/'],
    ...['/assets', '/pictures/', '/dist/stamp.json', '/assets/.vite/manifest.json', '/data/owner.pid', '/assets/%00'],
  ])('is not served at %s (S66)', async (path) => {
    const answer = await sendRaw(`GET ${path} HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 40[04] /)
    expect(answer).not.toMatch(/"dependencies"|\[core\]|root:x:|Index of/)
  })
})

describe('on the wire', () => {
  const head = `Host: ${HOST}\r\nConnection: close\r\n`
  const cart = `POST /api/cart HTTP/1.1\r\n${head}Content-Type: application/json\r\n`
  test.each([
    ['a request with two lengths', `${cart}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400],
    [
      'a request with a length and chunks',
      `${cart}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['an unknown encoding', `${cart}Transfer-Encoding: cow\r\n\r\n{}`, 400],
    ['a header with a space before its colon', `GET / HTTP/1.1\r\n${head}X-Y : 1\r\n\r\n`, 400],
    ['a folded header', `GET / HTTP/1.1\r\n${head}X-Y: 1\r\n 2\r\n\r\n`, 400],
    ['a bare line feed', `GET / HTTP/1.1\nHost: ${HOST}\n\n`, 400],
    ['an invalid chunk', `${cart}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`, 400],
    ['a request for two hosts', `GET / HTTP/1.1\r\n${head}Host: evil.example\r\n\r\n`, 400],
    ['a request without a host', `GET / HTTP/1.1\r\nConnection: close\r\n\r\n`, 400],
    ['a header of 80 KB', `GET / HTTP/1.1\r\n${head}X-Y: ${'y'.repeat(80_000)}\r\n\r\n`, 431],
    ['TRACE', `TRACE / HTTP/1.1\r\n${head}\r\n`, 404],
    ['another protocol', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ])('%s is refused (S70)', async (_, text, status) => {
    const answer = await sendRaw(text)
    expect(answer.slice(0, 40)).toMatch(new RegExp(`^HTTP/1\\.1 (?:${status}|405) `))
    expect(answer).not.toContain('evil.example')
    expect(await (await fetch(`${world.address}/healthz`)).json()).toEqual({ ok: true })
  })

  test('a forged host name never changes where links and redirects point (S70)', async () => {
    for (const host of ['evil.example', `${HOST}.evil.example`, `${HOST}:99999`, `${HOST}@evil.example`]) {
      for (const path of ['/', '/admin', '/r/bullion', '/sitemap.xml', '/robots.txt']) {
        const lines = `Host: ${host}\r\nX-Forwarded-Host: evil.example\r\nForwarded: host=evil.example\r\n`
        expect(await sendRaw(`GET ${path} HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`), path).not.toContain('evil')
      }
    }
    const absolute = await sendRaw(`GET http://evil.example/ HTTP/1.1\r\n${head}\r\n`)
    expect(absolute).not.toContain('evil.example')
  })
})

test('two hundred deliberately slow connections are closed and delay nobody (S42)', async () => {
  await using impatient = await openWorld({ env: { SLOW_CLIENT_S: '2' } })
  const { port: at, host } = new URL(impatient.address)
  const middle = async () => {
    const times: number[] = []
    for (let n = 0; n < 40; n += 1) {
      const startedAt = performance.now()
      expect((await fetch(`${impatient.address}/api/config`)).status).toBe(200)
      times.push(performance.now() - startedAt)
    }
    return times.toSorted((a, b) => a - b)[20] ?? 0
  }
  const alone = await middle()

  const head = `Host: ${host}\r\nContent-Type: application/json\r\n`
  const pieces = [
    `GET / HTTP/1.1\r\n${head}X-Slow: `,
    `POST /api/cart HTTP/1.1\r\n${head}Content-Length: 500\r\n\r\n{"productId":`,
    '',
  ]
  const opened = performance.now()
  const closed = Array.from({ length: 200 }, (_, index) => {
    const socket = connect(Number(at), '127.0.0.1')
    socket.on('error', () => {})
    socket.resume()
    socket.write(pieces[index % pieces.length] ?? '')
    // Each sends a little more, so it never looks idle.
    const drip = setInterval(() => socket.writable && index % 3 < 2 && socket.write('x'), 100)
    return new Promise<number>((resolve) =>
      socket.once('close', () => {
        clearInterval(drip)
        resolve(performance.now() - opened)
      }),
    )
  })
  expect(await middle()).toBeLessThan(5 * alone + 100)
  expect(Math.max(...(await Promise.all(closed)))).toBeLessThan(15_000)
})

test('addresses that scanners try on other shops do not exist here (S84)', async () => {
  const roots = [
    ...['administrator', 'debug', 'metrics', 'graphql', 'swagger', 'api-docs', 'console', 'actuator', 'server-status'],
    ...[
      'phpinfo.php',
      'wp-admin',
      'wp-login.php',
      'xmlrpc.php',
      '.well-known/security',
      'backup',
      'backup.sql',
      'dump.sql',
    ],
    ...[
      'config.json',
      '.env.production',
      '.DS_Store',
      '.svn/entries',
      'trace',
      'test',
      'dev',
      'internal',
      'private',
      'status',
    ],
    ...[
      'users',
      'orders',
      'customers',
      'sandbox',
      'style-guide',
      'storybook',
      '__vite_ping',
      '@vite/client',
      '@fs/etc/passwd',
    ],
  ]
  const calls = [
    ...['users', 'users/1', 'orders', 'orders/1', 'customers', 'debug', 'config/secrets', 'session', 'sessions'],
    ...[
      'graphql',
      'v1/users',
      'v2/orders',
      'internal/health',
      'payments',
      'refunds',
      'webhooks',
      'env',
      'token',
      'keys',
    ],
    ...['products/1/cost', 'checkouts', 'mails', 'jobs', 'events', 'ledger', 'audit', 'backup', 'exec', 'eval', 'sql'],
  ]
  const requests = [...roots.map((name) => `/${name}`), ...calls.map((name) => `/api/${name}`)]
  for (const path of requests)
    for (const method of ['GET', 'POST'] as const) {
      const { statusCode } = await world.running.app.http.inject({
        ...{ method, url: path, headers: { host: HOST, origin: `https://${HOST}` } },
        ...(method === 'POST' && { payload: {} }),
      })
      expect([404, 405], `${method} ${path}`).toContain(statusCode)
    }
})

test('bundles and pages contain no secret, no path of the server and no source map (S74)', async () => {
  const { settings } = world.simulators
  const secrets = [
    'STRIPE_SECRET_KEY',
    'STRIPE_WEBHOOK_SECRET',
    'PAYPAL_CLIENT_SECRET',
    'PRINTFUL_TOKEN',
    'PRINTFUL_WEBHOOK_SECRET',
  ]
    .map((name) => settings[name] ?? '')
    .filter(Boolean)
  expect(secrets).toHaveLength(5)
  const root = join(import.meta.dirname, '../..')
  const files = globSync('dist/client/**/*.{js,css}', { cwd: root })
  expect(files.length).toBeGreaterThan(20)
  expect(globSync('dist/client/**/*.map', { cwd: root })).toEqual([])
  const texts = [
    ...files.map((file) => [file, readFileSync(join(root, file), 'utf8')] as const),
    ...(await Promise.all(pages.map(async (path) => [path, (await ask('GET', path)).text] as const))),
    ['/api/config', (await ask('GET', '/api/config')).text] as const,
    ['/api/openapi.json', (await ask('GET', '/api/openapi.json')).text] as const,
  ]
  for (const [where, text] of texts) {
    for (const secret of secrets) expect(text.includes(secret), where).toBe(false)
    expect(text, where).not.toMatch(
      /[sr]k_(?:live|test)_\w|whsec_|sourceMappingURL|node_modules\/|\bTODO\b|postgres:\/\//,
    )
    expect(text.includes(root), where).toBe(false)
  }
  const [script = ''] = files.filter((file) => file.endsWith('.js'))
  expect((await ask('GET', `/${script.replace('dist/client/', '')}.map`)).status).toBe(404)
})

describe('the webhook addresses', () => {
  const addresses = ['/webhooks/stripe', '/webhooks/paypal', '/webhooks/printful/guessed']

  test('accept only POST, and refuse compressed, huge and non-JSON bodies (S55)', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000)).toString('latin1')
    for (const address of addresses) {
      for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])
        expect([404, 405], `${method} ${address}`).toContain(
          (await ask(method, address, { origin: json.origin })).status,
        )
      const huge = { method: 'POST', headers: json, body: `"${'x'.repeat(1_100_000)}"` }
      const refused = await fetch(world.address + address, huge)
      expect(refused.status).toBe(413)
      expectProtected(refused, address)
      expect((await ask('POST', address, { 'content-type': 'text/plain' }, '{}')).status).toBe(415)
      const packed = await ask('POST', address, { ...json, 'content-encoding': 'gzip' }, bomb)
      expect([400, 404, 415], address).toContain(packed.status)
    }
    expect(await world.audit('events')).toEqual([])
  })
})
