import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, describe, expect, test } from 'vitest'

import { openKit } from './kit.ts'
import type { OpenKit } from './kit.ts'
import type { Answer, Delivery, Rule } from './types.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
})

function aKit(options: Partial<Parameters<typeof openKit>[0]> = {}): OpenKit {
  const kit = openKit({ speed: 0, log: () => {}, ...options })
  open.push(kit)
  return kit
}

/** A shop that takes webhooks and answers with the status set here. */
async function aShop(kit: OpenKit) {
  const received: { body: string; signature: string }[] = []
  const answers: number[] = []
  const server = createServer((incoming, outgoing) => {
    let body = ''
    incoming.on('data', (chunk: Buffer) => (body += chunk.toString()))
    incoming.on('end', () => {
      received.push({ body, signature: String(incoming.headers['x-signature']) })
      outgoing.writeHead(answers.shift() ?? 200).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push({ close: () => new Promise((resolve) => server.close(resolve)) })
  kit.endpoints.set('printful', { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, secret: 'x' })
  return { received, answers, bodies: () => received.map(({ body }) => body) }
}

const event = (eventId: string, more: Partial<Delivery> = {}): Delivery => ({
  provider: 'printful',
  eventId,
  type: 'order_created',
  body: `{"id":"${eventId}"}`,
  headers: (attempt, sign) => ({ 'x-signature': `${sign} ${attempt}` }),
  retryAfterMs: [MINUTE, 4 * MINUTE],
  ...more,
})

describe('the clock', () => {
  test('runs due timers in order of time, and those that they set', async () => {
    const { clock } = aKit()
    const seen: string[] = []
    const startedAt = clock.now().getTime()
    const note = (word: string) => void seen.push(`${word} ${Math.round((clock.now().getTime() - startedAt) / MINUTE)}`)
    clock.later(3 * MINUTE, 'third', () => note('third'))
    clock.later(MINUTE, 'first', () => {
      note('first')
      clock.later(MINUTE, 'second', () => note('second'))
    })
    await clock.advance(10 * MINUTE)
    expect(seen).toEqual(['first 1', 'second 2', 'third 3'])
    expect(clock.now().getTime() - startedAt).toBeGreaterThanOrEqual(10 * MINUTE)
  })

  test('does not run a canceled timer, and survives one that fails', async () => {
    const { clock } = aKit()
    const seen: string[] = []
    clock.later(MINUTE, 'cancelled', () => void seen.push('cancelled'))()
    clock.later(MINUTE, 'failing', () => Promise.reject(new Error('no')))
    clock.later(2 * MINUTE, 'last', () => void seen.push('last'))
    await clock.advance(DAY)
    expect(seen).toEqual(['last'])
  })

  test('speeds up production, and counts an advance once for both times', async () => {
    const quick = aKit({ speed: 10_000_000 }).clock
    await new Promise<void>((resolve) => quick.laterInLife(DAY, 'a day of production', resolve))
    const still = aKit({ speed: 0 }).clock
    const seen: string[] = []
    still.laterInLife(DAY, 'a day of production', () => void seen.push('a day'))
    await still.advance(DAY - 1)
    expect(seen).toEqual([])
    await still.advance(1)
    expect(seen).toEqual(['a day'])
  })

  test('never goes back', () => {
    expect(() => aKit().clock.advance(-1)).toThrow('forward')
  })
})

describe('a call', () => {
  async function aProvider(kit: OpenKit, handle: (n: number) => Answer = (n) => ({ status: 200, body: { calls: n } })) {
    let handled = 0
    const { url } = await kit.serve('printful', 0, () => handle((handled += 1)))
    return { url, handled: () => handled }
  }
  const post = (url: string, body: unknown) =>
    fetch(url, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
  const rule = (more: Partial<Rule>): Rule => ({
    provider: 'printful',
    match: {},
    when: 'before',
    do: 'reset',
    ...more,
  })

  test('is logged with its key, its body and its response', async () => {
    const kit = aKit()
    const { url } = await aProvider(kit)
    await post(`${url}/orders?confirm=true`, { external_id: 'K7QM4T2X' })
    await fetch(`${url}/orders/@K7QM4T2X`)
    expect(kit.log.since(0)).toMatchObject([
      {
        seq: 1,
        method: 'POST',
        path: '/orders',
        key: 'K7QM4T2X',
        request: { external_id: 'K7QM4T2X' },
        status: 200,
        answer: { calls: 1 },
      },
      { seq: 2, method: 'GET', path: '/orders/@K7QM4T2X', key: 'K7QM4T2X', answer: { calls: 2 } },
    ])
    expect(kit.log.since(1)).toHaveLength(1)
  })

  test('fails before it is handled, as often as the rule says', async () => {
    const kit = aKit()
    const provider = await aProvider(kit)
    kit.rules.add(rule({ do: { status: 502, body: '<html>', headers: { 'retry-after': '30' } }, times: 2 }))
    const first = await fetch(`${provider.url}/orders`)
    expect([first.status, first.headers.get('retry-after'), await first.text()]).toEqual([502, '30', '<html>'])
    expect((await fetch(`${provider.url}/orders`)).status).toBe(502)
    expect(provider.handled()).toBe(0)
    expect((await fetch(`${provider.url}/orders`)).status).toBe(200)
  })

  test('can be handled and its response lost', async () => {
    const kit = aKit()
    const provider = await aProvider(kit)
    kit.rules.add(rule({ when: 'after', do: 'reset' }))
    kit.rules.add(rule({ when: 'after', do: 'truncate' }))
    await expect(fetch(`${provider.url}/orders`)).rejects.toThrow()
    await expect(fetch(`${provider.url}/orders`).then((answer) => answer.json())).rejects.toThrow()
    expect(provider.handled()).toBe(2)
    expect(kit.log.since(0).map(({ rule: hit }) => hit?.do)).toEqual(['reset', 'truncate'])
  })

  test('can hang until the caller gives up', async () => {
    const kit = aKit()
    const provider = await aProvider(kit)
    kit.rules.add(rule({ do: 'hang' }))
    await expect(fetch(`${provider.url}/orders`, { signal: AbortSignal.timeout(50) })).rejects.toThrow()
    expect(provider.handled()).toBe(0)
  })

  test('matches a rule only if method, path, order, body and number fit', async () => {
    const kit = aKit()
    const { url } = await aProvider(kit)
    const no = { status: 500 }
    kit.rules.add(rule({ match: { method: 'POST', path: '/orders', external_id: 'B', nth: 2 }, do: no }))
    kit.rules.add(rule({ match: { path: '/orders/*/confirm' }, do: no }))
    kit.rules.add(rule({ match: { body: 'Rua' }, do: no }))
    const statuses = [
      (await post(`${url}/orders`, { external_id: 'B' })).status,
      (await post(`${url}/orders`, { external_id: 'A' })).status,
      (await post(`${url}/orders`, { external_id: 'B' })).status,
      (await post(`${url}/orders/12/confirm`, {})).status,
      (await post(`${url}/orders/12/lines/confirm`, {})).status,
      (await post(`${url}/shipping/rates`, { address1: 'Rua Augusta' })).status,
    ]
    expect(statuses).toEqual([200, 200, 500, 500, 200, 500])
  })

  test('gets the same chaos for the same seed', async () => {
    const statuses = async (seed: number) => {
      const kit = aKit()
      const { url } = await aProvider(kit)
      kit.chaos.set({ seed, rate: 0.5 })
      const answers: (number | string)[] = []
      for (let n = 0; n < 12; n += 1) {
        answers.push(
          await fetch(`${url}/orders`).then(
            async (answer) => (await answer.text().catch(() => 'cut')) && answer.status,
            () => 'reset',
          ),
        )
      }
      return answers
    }
    const once = await statuses(7)
    expect(await statuses(7)).toEqual(once)
    expect(once.filter((status) => status !== 200).length).toBeGreaterThan(2)
  })

  test('to an endpoint that is not simulated is reported', async () => {
    const kit = aKit()
    const { url } = await aProvider(kit, () => kit.notSimulated({ status: 404, body: {} }))
    await fetch(`${url}/mockup-generator/task`)
    expect(kit.log.notSimulated()).toMatchObject([{ path: '/mockup-generator/task', notSimulated: true }])
  })

  test('with a body over 12 MB is refused', async () => {
    const kit = aKit()
    const { url } = await aProvider(kit)
    expect((await fetch(url, { method: 'POST', body: 'x'.repeat(12 * 1024 * 1024 + 1) })).status).toBe(413)
  })

  test('that crashes the simulator is answered 500 and logged', async () => {
    const told: string[] = []
    const kit = aKit({ log: (line) => told.push(line) })
    const { url } = await aProvider(kit, () => {
      throw new Error('a mistake')
    })
    expect((await fetch(`${url}/orders`)).status).toBe(500)
    expect(told.join()).toContain('a mistake')
  })

  test('is in the event file as soon as it is answered', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'witness-'))
    open.push({ close: () => rm(folder, { recursive: true }) })
    const kit = aKit({ eventFile: join(folder, 'events.jsonl') })
    const { url } = await aProvider(kit)
    await post(`${url}/orders`, { external_id: 'K7QM4T2X' })
    const [line] = (await readFile(join(folder, 'events.jsonl'), 'utf8')).trim().split('\n')
    expect(JSON.parse(line ?? '')).toMatchObject({
      provider: 'printful',
      kind: 'call',
      data: { key: 'K7QM4T2X', status: 200 },
    })
  })
})

describe('a webhook', () => {
  test('is retried in sandbox time until the shop accepts it', async () => {
    const kit = aKit()
    const shop = await aShop(kit)
    shop.answers.push(500, 503)
    kit.deliver(event('e1'))
    await kit.idle()
    await kit.clock.advance(MINUTE)
    await kit.clock.advance(4 * MINUTE)
    await kit.clock.advance(DAY)
    expect(shop.received.map(({ signature }) => signature)).toEqual(['good 1', 'good 2', 'good 3'])
    expect(kit.webhooks.list()).toMatchObject([
      { event: 'e1', state: 'delivered', attempts: [{ answer: 500 }, { answer: 503 }, { answer: 200 }] },
    ])
  })

  test('is given up after the last try', async () => {
    const kit = aKit()
    const shop = await aShop(kit)
    shop.answers.push(500, 500, 500)
    kit.deliver(event('e1'))
    await kit.idle()
    await kit.clock.advance(DAY)
    expect(shop.received).toHaveLength(3)
    expect(kit.webhooks.list()).toMatchObject([{ state: 'given_up' }])
  })

  test('can be lost, and resent by hand', async () => {
    const kit = aKit()
    const shop = await aShop(kit)
    await kit.webhooks.set({ provider: 'printful', type: 'order_created', drop: 1 })
    kit.deliver(event('e1'))
    kit.deliver(event('e2'))
    await kit.idle()
    expect(shop.bodies()).toEqual(['{"id":"e2"}'])
    await kit.webhooks.redeliver('e1')
    expect(shop.bodies()).toEqual(['{"id":"e2"}', '{"id":"e1"}'])
    await expect(kit.webhooks.redeliver('e9')).rejects.toThrow('e9')
  })

  test('can come more than once, and late', async () => {
    const kit = aKit()
    const shop = await aShop(kit)
    await kit.webhooks.set({ duplicate: 2, delayMs: MINUTE })
    kit.deliver(event('e1'))
    await kit.idle()
    expect(shop.received).toHaveLength(0)
    await kit.clock.advance(MINUTE)
    expect(shop.received).toHaveLength(3)
  })

  test('can be held and released in another order', async () => {
    const kit = aKit()
    const shop = await aShop(kit)
    await kit.webhooks.set({ hold: true, shuffle: true })
    const names = ['e1', 'e2', 'e3', 'e4', 'e5', 'e6']
    for (const name of names) kit.deliver(event(name))
    await kit.idle()
    expect(shop.received).toHaveLength(0)
    await kit.webhooks.set({ release: true })
    const order = shop.bodies().map((body) => (JSON.parse(body) as { id: string }).id)
    expect(order.toSorted()).toEqual(names)
    expect(order).not.toEqual(names)
  })

  test('that was duplicated comes exactly that often when it is released', async () => {
    const kit = aKit()
    const shop = await aShop(kit)
    await kit.webhooks.set({ hold: true, duplicate: 1 })
    kit.deliver(event('e1'))
    await kit.webhooks.set({ release: true, shuffle: true, duplicate: 1 })
    await kit.clock.advance(MINUTE)
    expect(shop.received).toHaveLength(2)
    kit.deliver(event('e2'))
    expect(shop.received).toHaveLength(2)
    await kit.clock.advance(MINUTE)
    expect(shop.received).toHaveLength(4)
  })

  test('can be flushed before its time', async () => {
    const kit = aKit()
    const shop = await aShop(kit)
    shop.answers.push(500)
    kit.deliver(event('e1'))
    await kit.idle()
    await kit.webhooks.set({ hold: true })
    kit.deliver(event('e2'))
    expect(await kit.webhooks.flush()).toBe(2)
    expect(shop.received).toHaveLength(3)
  })

  test('can be signed wrongly, or changed after it was signed', async () => {
    const kit = aKit()
    const shop = await aShop(kit)
    await kit.webhooks.set({ sign: 'old' })
    await kit.webhooks.set({ type: 'order_created', body: 'mutate' })
    kit.deliver(event('e1', { body: '{"total":100}' }))
    await kit.idle()
    expect(shop.received).toEqual([{ body: '{"total":101}', signature: 'old 1' }])
  })

  test('fails without waiting when the shop is unknown or down', async () => {
    const kit = aKit()
    kit.deliver(event('e1'))
    kit.endpoints.set('printful', { url: 'http://127.0.0.1:1/', secret: 'x' })
    kit.deliver(event('e2'))
    await kit.idle()
    expect(kit.webhooks.list()).toMatchObject([
      { state: 'no_endpoint' },
      { state: 'waiting', attempts: [{ answer: 'ECONNREFUSED' }] },
    ])
  })
})
