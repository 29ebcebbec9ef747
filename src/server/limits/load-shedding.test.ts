import { once } from 'node:events'
import { Agent, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLoadSheddingServer, doorOf } from './load-shedding.ts'

const INSIDE = 2
const QUEUE = 3
/** Long enough for any machine. */
const noTimeout = { waitMs: 60_000, crowdAfterMs: 60_000, crowdWaitMs: 60_000, workMs: 60_000 }
const limits = {
  browsing: { ...noTimeout, atOnce: INSIDE, waitingMax: QUEUE },
  paying: { ...noTimeout, atOnce: 10, waitingMax: 10 },
  rooms: { ...noTimeout, atOnce: 1, waitingMax: 1 },
}

const held: { url: string; response: ServerResponse }[] = []
const { server, load } = createLoadSheddingServer(
  ({ url = '' }: IncomingMessage, response) => {
    if (url.includes('held')) held.push({ url, response })
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
  ['GET', '/', 'browsing'],
  ['HEAD', '/products?color=red', 'browsing'],
  ['GET', '/api/products', 'browsing'],
  ['GET', '/cartoons', 'browsing'],
  ['GET', '/api/search?q=/checkout', 'browsing'],
  ['GET', '/checkout', 'paying'],
  ['GET', '/checkout-with-stripe-address?step=2', 'paying'],
  ['GET', '/order-confirmation/receipt.pdf', 'paying'],
  ['GET', '/api/payment-success/pi_1', 'paying'],
  ['GET', '/assets/app.js', 'paying'],
  ['GET', '/readyz', 'paying'],
  ['POST', '/webhooks/stripe', 'paying'],
  ['POST', '/api/contact', 'paying'],
  ['GET', '/drop/12/room', 'rooms'],
  ['GET', '/drop/12.ics', 'paying'],
  ['POST', '/api/drops/12/room?x=1', 'rooms'],
  ['POST', '/api/drops/12/notice', 'paying'],
])('under load, %s %s counts as %s', (method, url, door) => expect(doorOf({ method, url })).toBe(door))

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

test('a crowd in a waiting room delays nobody else, and its page asks again by itself', async () => {
  const crowd = [get('/drop/7/room?held'), get('/api/drops/7/room?held')]
  await expect.poll(() => load(), { timeout: 20_000 }).toMatchObject({ rooms: 1, waiting: 1 })
  const refused = await get('/drop/7/room', { accept: 'text/html' })
  expect(refused).toMatchObject({ status: 503, headers: { refresh: '10' } })
  for (const path of ['/products', '/checkout']) expect(await get(path)).toMatchObject({ status: 200 })
  while (load().rooms > 0) {
    for (const { response } of held.splice(0)) response.end('your place')
    await new Promise((next) => setImmediate(next))
  }
  expect((await Promise.all(crowd)).map(({ body }) => body)).toEqual(['your place', 'your place'])
})
