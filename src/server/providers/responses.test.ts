import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import type { Config } from '#server/config/config.ts'
import { Secret } from '#server/config/secret.ts'
import { publicLink } from './responses.ts'
import { createPaypal } from './paypal/paypal.ts'
import { createPrintful } from './printful/client.ts'
import { createStripe } from './stripe/stripe.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const MB = 1024 * 1024

async function startServer(answer: (request: IncomingMessage, answer: ServerResponse) => void): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** All three providers behind one address. */
function gatewaysAt(apiBase: string) {
  const secret = new Secret('secret')
  const printfulSettings = { token: secret, storeId: undefined, webhookSecret: secret, apiBase }
  const paypalSettings = {
    clientId: 'c',
    clientSecret: secret,
    webhookId: 'w',
    live: false,
    apiBase,
    scriptUrl: apiBase,
  }
  const stripeSettings = { secretKey: secret, webhookSecrets: [secret], apiBase }
  const config = { printful: printfulSettings, paypal: paypalSettings, stripe: stripeSettings } as unknown as Config
  const clock = { now: () => new Date() }
  const printful = createPrintful({ log: pino({ level: 'silent' }), config, clock })
  const stripe = createStripe({ ...config, clock })
  const paypal = createPaypal({ ...config, clock })
  return {
    'Stripe’s account': () => stripe.describeAccount(),
    'Stripe’s list of money that went back': () => stripe.listReturns('pi_1'),
    'PayPal’s token': () => paypal.clientToken(),
    'Printful’s order': () => printful.findOrder('x'),
    'Printful’s picture': () => printful.downloadPicture(`${apiBase}/preview.png`),
  }
}

test('a provider’s response of 300 MB is cut off after ten (P01)', async () => {
  let sent = 0
  const blanks = Buffer.alloc(MB, ' ')
  const apiBase = await startServer((_, answer) => {
    answer.writeHead(200, { 'content-type': 'image/png', 'content-length': 300 * MB })
    const more = () => {
      for (let free = true; free && !answer.destroyed && sent < 300 * MB; sent += MB) free = answer.write(blanks)
    }
    answer.on('drain', more).on('error', () => {})
    more()
  })
  for (const [name, ask] of Object.entries(gatewaysAt(apiBase))) {
    sent = 0
    await expect(ask(), name).rejects.toMatchObject({ name: 'ProviderUnavailable' })
    // Stripe's library retries, and listing returns sends two requests in parallel; the network buffers some of it.
    expect(sent, name).toBeLessThan(100 * MB)
  }
})

test('a response that is too large only when unpacked is cut off as well (P01)', async () => {
  const bomb = gzipSync(Buffer.alloc(60 * MB, ' '))
  const apiBase = await startServer((_, answer) => {
    answer.writeHead(200, { 'content-type': 'image/png', 'content-encoding': 'gzip' }).end(bomb)
  })
  for (const [name, ask] of Object.entries(gatewaysAt(apiBase)))
    await expect(ask(), name).rejects.toMatchObject({
      name: 'ProviderUnavailable',
      cause: expect.objectContaining({ message: expect.stringMatching(/larger than|connection to Stripe/i) }),
    })
})

test('a provider’s redirect to another host is not followed (P01)', async () => {
  let followed = 0
  const elsewhere = await startServer((_, answer) => {
    followed += 1
    answer.end('{}')
  })
  const apiBase = await startServer((_, answer) => answer.writeHead(307, { location: elsewhere }).end())
  for (const [name, ask] of Object.entries(gatewaysAt(apiBase)))
    await expect(ask(), name).rejects.toMatchObject({ name: 'ProviderUnavailable' })
  expect(followed).toBe(0)
})

test.each([
  ['https://track.example/1?a=b', 'https://track.example/1?a=b'],
  ['https://Track.Example./1', 'https://track.example./1'],
  ['https://www.bücher.example/1', 'https://www.xn--bcher-kva.example/1'],
  ['http://track.example/1', null],
  ['javascript:alert(1)', null],
  ['https://user@track.example/1', null],
  ['https://ups.com:password@evil.example/1', null],
  ['https://track.example:8443/1', null],
  ['https://127.0.0.1/1', null],
  ['https://0x7f.1/1', null],
  ['https://[::1]/1', null],
  ['https://10.0.0.7/1', null],
  ['https://8.8.8.8/1', null],
  ['https://localhost/1', null],
  ['https://printer.local/1', null],
  ['https://router.home.arpa./1', null],
  ['https://intranet/1', null],
  [`https://track.example/${'a'.repeat(3000)}`, null],
  ['', null],
])('a provider’s link %s is shown as %s (P03)', (given, link) => expect(publicLink(given)).toBe(link))

test('a link on the provider’s own host is trusted, unless it contains a username (P03)', () => {
  expect(publicLink('http://127.0.0.1:3013/tracking/1', 'http://127.0.0.1:3013')).toBe(
    'http://127.0.0.1:3013/tracking/1',
  )
  expect(publicLink('http://user@127.0.0.1:3013/1', 'http://127.0.0.1:3013')).toBeNull()
})
