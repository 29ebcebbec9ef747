import { once } from 'node:events'
import { Agent, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLoadSheddingServer, isLowPriority } from './load-shedding.ts'

const INSIDE = 2
const QUEUE = 3
/** Long enough for any machine. */
const noTimeout = { waitMs: 60_000, crowdAfterMs: 60_000, crowdWaitMs: 60_000, workMs: 60_000 }
const limits = {
  browsing: { ...noTimeout, atOnce: INSIDE, waitingMax: QUEUE },
  paying: { ...noTimeout, atOnce: 10, waitingMax: 10 },
}

const held: { url: string; response: ServerResponse }[] = []
const { server, load } = createLoadSheddingServer(
  ({ url = '' }: IncomingMessage, response) => {
    if (url.startsWith('/held')) held.push({ url, response })
    else response.end('served')
  },
  { slowAfterMs: 60_000, headers: { 'x-content-type-options': 'nosniff' }, shopName: () => 'The Shop', limits },
)
const agent = new Agent({ keepAlive: true, maxSockets: Infinity })

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  agent.destroy()
  server.closeAllConnections()
  server.close()
})

async function get(path: string, { method = 'GET', accept = '*/*' } = {}) {
  const { port } = server.address() as AddressInfo
  const sent = ask({ agent, host: '127.0.0.1', port, path, method, headers: { accept } })
  sent.end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) }
}

test.each([
  ['GET', '/', true],
  ['HEAD', '/products?color=red', true],
  ['GET', '/api/products', true],
  ['GET', '/cartoons', true],
  ['GET', '/api/search?q=/checkout', true],
  ['GET', '/checkout', false],
  ['GET', '/checkout-with-stripe-address?step=2', false],
  ['GET', '/order-confirmation/receipt.pdf', false],
  ['GET', '/api/payment-success/pi_1', false],
  ['GET', '/assets/app.js', false],
  ['GET', '/readyz', false],
  ['POST', '/webhooks/stripe', false],
  ['POST', '/api/contact', false],
])('%s %s has low priority under load: %s', (method, url, gives) => expect(isLowPriority({ method, url })).toBe(gives))

test('when browsing fills the shop, further browsing is rejected immediately and paying shoppers are served', async () => {
  const readers = Array.from({ length: INSIDE + QUEUE }, (_, n) => get(`/held?${n}`))
  await expect.poll(() => load(), { timeout: 20_000 }).toMatchObject({ browsing: INSIDE, waiting: QUEUE })
  expect(held).toHaveLength(INSIDE)

  const page = await get('/one-more', { accept: 'text/html' })
  expect(page).toMatchObject({ status: 503, headers: { 'content-type': 'text/html; charset=utf-8' } })
  expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  expect(Number(page.headers['retry-after'])).toBeGreaterThan(0)
  expect(page.body).toContain('The shop is busy right now. Please try again in a moment.')
  const call = await get('/api/products')
  expect(JSON.parse(call.body)).toEqual({ code: 'unavailable', message: expect.stringContaining('busy') })

  for (const [path, method] of [
    ['/checkout', 'GET'],
    ['/api/cart', 'POST'],
    ['/webhooks/stripe', 'POST'],
  ] as const)
    expect(await get(path, { method })).toMatchObject({ status: 200, body: 'served' })

  while (load().browsing + load().waiting > 0) {
    for (const { response } of held.splice(0)) response.end('at last')
    await new Promise((next) => setImmediate(next))
  }
  const statuses = (await Promise.all(readers)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(await get('/one-more')).toMatchObject({ status: 200 })
})
