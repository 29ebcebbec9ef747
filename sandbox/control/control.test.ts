import { request } from 'node:http'

import { createTransport } from 'nodemailer'
import { afterEach, describe, expect, test } from 'vitest'

import { demoProducts } from '../catalog/products.ts'
import { openKit } from '../kit/kit.ts'
import { startMailbox } from '../mailbox/mailbox.ts'
import { startPrintful } from '../printful/printful.ts'
import { seedProducts } from '../printful/products.ts'
import { startControl } from './control.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const products = seedProducts(demoProducts)
const variant = products[0]?.variants[0]

async function aSandbox() {
  const moved: number[] = []
  const kit = openKit({ speed: 1440, log: () => {} })
  closing.push(() => kit.close())
  const mailbox = await startMailbox(kit, { port: 0 })
  closing.push(() => mailbox.close())
  const printful = await startPrintful(kit, { port: 0, token: 'secret', storeId: 1, products })
  const control = await startControl(kit, [printful], mailbox, {
    port: 0,
    shopUrl: 'http://127.0.0.1:3000',
    moved: (ms) => void moved.push(ms),
  })
  closing.push(() => control.close())

  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    fetch(`${control.url}${path}`, {
      method,
      headers: { accept: 'application/json', ...headers },
      redirect: 'manual',
      ...(body !== undefined && { body: body instanceof URLSearchParams ? body : JSON.stringify(body) }),
    })
  return {
    kit,
    moved,
    mailbox,
    url: control.url,
    send,
    post: async (path: string, body?: unknown) => {
      const answer = await send('POST', path, body)
      return { status: answer.status, body: (await answer.json()) as unknown }
    },
    get: async (path: string) => (await (await send('GET', path)).json()) as unknown,
    page: async (path: string) => (await send('GET', path, undefined, { accept: 'text/html' })).text(),
    form: (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
      send('POST', path, new URLSearchParams(fields), { accept: 'text/html', ...headers }),
    mail: (to: string, subject: string, html: string) =>
      createTransport(mailbox.url).sendMail({ from: 'care@pawtelier.example', to, subject, text: 'In words.', html }),
    order: (external_id: string) =>
      fetch(`${printful.url}/orders?confirm=1`, {
        method: 'POST',
        headers: { authorization: 'Bearer secret' },
        body: JSON.stringify({
          external_id,
          recipient: { name: 'Ada Byron', address1: 'Torstr. 1', city: 'Berlin', country_code: 'DE', zip: '10119' },
          items: [{ sync_variant_id: variant?.id, quantity: 2 }],
        }),
      }),
  }
}

describe('a control call', () => {
  test('moves the clock and notifies its listener', async () => {
    const { kit, post, moved } = await aSandbox()
    const before = kit.clock.now().getTime()
    expect((await post('/control/clock', { advance: '2d' })).status).toBe(200)
    expect(kit.clock.now().getTime() - before).toBeGreaterThanOrEqual(172_800_000)
    expect(moved).toEqual([172_800_000])
    expect((await post('/control/clock', { advance: 'soon' })).status).toBe(422)
    expect((await post('/control/clock', { advance: '-1d' })).status).toBe(422)
  })

  test('adds faults, lists and clears them', async () => {
    const { post, get, send, order } = await aSandbox()
    const rule = {
      provider: 'printful',
      match: { method: 'POST', path: '/orders' },
      when: 'before',
      do: { status: 502, body: '<html>' },
    }
    expect(await post('/control/rules', rule)).toMatchObject({ status: 200, body: rule })
    expect(await get('/control/rules')).toMatchObject({ rules: [{ ...rule, left: 1 }], chaos: null })
    expect((await order('A1')).status).toBe(502)
    await post('/control/rules', rule)
    await send('DELETE', '/control/rules')
    expect((await order('A1')).status).toBe(200)
    expect(await get('/control/log?since=1')).toMatchObject([{ seq: 2, status: 200, path: '/orders', key: 'A1' }])
  })

  test.each([
    ['a misspelt match', { provider: 'printful', match: { methd: 'POST' }, when: 'before', do: 'reset' }],
    ['an unknown action', { provider: 'printful', match: {}, when: 'before', do: 'explode' }],
    ['an unknown provider', { provider: 'acme', match: {}, when: 'before', do: 'reset' }],
    ['half a chaos', { seed: 7 }],
  ])('refuse a rule with %s', async (_, rule) => {
    const { post, get } = await aSandbox()
    expect((await post('/control/rules', rule)).status).toBe(422)
    expect(await get('/control/rules')).toEqual({ rules: [], chaos: null })
  })

  test('starts chaos and ends it', async () => {
    const { post, get, send } = await aSandbox()
    await post('/control/rules', { seed: 7, rate: 0.2 })
    expect(await get('/control/rules')).toMatchObject({ chaos: { seed: 7, rate: 0.2 } })
    await send('DELETE', '/control/chaos')
    expect(await get('/control/rules')).toMatchObject({ chaos: null })
  })

  test('holds webhooks, flushes them and sends one again', async () => {
    const { kit, post, get, order } = await aSandbox()
    kit.endpoints.set('printful', { url: 'http://127.0.0.1:1/', secret: '' })
    expect((await post('/control/webhooks', { provider: 'printful', hold: true })).status).toBe(200)
    await order('A1')
    expect(await get('/control/webhooks')).toMatchObject({ events: [{ type: 'order_created', state: 'held' }] })
    expect((await post('/control/webhooks/flush')).body).toEqual({ sent: 1 })
    const event = kit.webhooks.list()[0]?.event ?? ''
    expect((await post(`/control/webhooks/redeliver/${event}`)).body).toMatchObject({ attempts: [{}, {}] })
    expect((await post('/control/webhooks/redeliver/none')).status).toBe(404)
    expect((await post('/control/webhooks', { holds: true })).status).toBe(422)
  })

  test('changes the world and reads each provider’s ledger', async () => {
    const { post, get, order } = await aSandbox()
    await order('A1')
    expect((await post('/control/world', { provider: 'printful', change: 'ship', external_id: 'A1' })).status).toBe(200)
    expect(await get('/control/ledger')).toMatchObject({
      payments: [],
      refunds: [],
      partner_orders: [{ external_id: 'A1', status: 'fulfilled', items: [{ quantity: 2 }] }],
      shipments: [{ status: 'shipped' }],
    })
    expect(await post('/control/world', { provider: 'printful', change: 'ship', external_id: 'A1' })).toMatchObject({
      status: 422,
      body: { message: 'Nothing is left to go into this parcel.' },
    })
    expect((await post('/control/world', { provider: 'paypal', change: 'release' })).status).toBe(422)
  })

  test('resets everything', async () => {
    const { post, get, order, mail } = await aSandbox()
    await order('A1')
    await mail('ada@example.com', 'Hello', '<p>Hello</p>')
    await post('/control/reset')
    expect(await get('/control/ledger')).toMatchObject({ partner_orders: [], shipments: [] })
    expect(await get('/mail')).toEqual([])
    expect(await get('/control/log')).toEqual([])
  })

  test('is refused when it is not JSON, has an unknown path or an invalid number', async () => {
    const { send } = await aSandbox()
    const statuses = [
      (await fetch(`${(await aSandbox()).url}/control/clock`, { method: 'POST', body: '{oops' })).status,
      (await send('POST', '/control/nonsense')).status,
      (await send('GET', '/nonsense')).status,
      (await send('GET', '/control/log?since=yesterday')).status,
    ]
    expect(statuses).toEqual([400, 404, 404, 422])
  })
})

describe('who may call', () => {
  const statusFor = (url: string, method: string, headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const out = request(`${url}/control/reset`, { method, headers, agent: false }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
      out.once('error', reject)
      out.end()
    })

  test.each([
    ['its own name', { host: '127.0.0.1:3010' }, 200],
    ['localhost', { host: 'localhost:3010' }, 200],
    ['a name on the internet', { host: 'evil.example' }, 403],
    ['a name that begins like its own', { host: '127.0.0.1.evil.example' }, 403],
    ['its own page', { host: 'localhost:3010', origin: 'http://localhost:3010' }, 200],
    ['another site’s page', { host: 'localhost:3010', origin: 'https://evil.example' }, 403],
    ['another port’s page', { host: 'localhost:3010', origin: 'http://localhost:3000' }, 403],
    ['a page without a name', { host: 'localhost:3010', origin: 'null' }, 403],
  ])('%s', async (_, headers, status) => {
    const { url } = await aSandbox()
    expect(await statusFor(url, 'POST', headers as Record<string, string>)).toBe(status)
  })
})

describe('the mailbox', () => {
  test('returns its list and each email as JSON', async () => {
    const { get, mail, send, url } = await aSandbox()
    await mail('ada@example.com', 'Your order', '<p>Thanks</p>')
    expect(await get('/mail')).toMatchObject([{ id: '1', to: 'ada@example.com', subject: 'Your order' }])
    expect(await get('/mail/1')).toMatchObject({
      html: expect.stringContaining('Thanks') as unknown,
      text: 'In words.\n',
    })
    expect((await send('GET', '/mail/2')).status).toBe(404)
    expect(await (await fetch(`${url}/mail/1/raw`)).text()).toContain('Subject: Your order')
    await send('DELETE', '/mail')
    expect(await get('/mail')).toEqual([])
  })

  test('shows an email and runs nothing that it contains', async () => {
    const { page, mail, url } = await aSandbox()
    await mail('ada@example.com', '<script>alert(1)</script>', '<script>alert(2)</script><p>Thanks</p>')
    for (const path of ['/mail', '/mail/1']) {
      const text = await page(path)
      expect(text).toContain('&lt;script&gt;alert(1)')
      expect(text).not.toContain('<script>alert')
    }
    expect(await page('/mail/1')).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"')
    const body = await fetch(`${url}/mail/1/body`)
    expect(body.headers.get('content-security-policy')).toMatch(/^sandbox allow-popups .*default-src 'none'/)
    expect(await page('/mail/9')).toContain('There is no email 9.')
  })
})

describe('the pages', () => {
  test('link to the shop, the mailbox and the cards, and list what is not simulated', async () => {
    const { page } = await aSandbox()
    const text = await page('/')
    expect(text).toContain('href="http://127.0.0.1:3000"')
    expect(text).toContain('href="/mail"')
    expect(text).toContain('href="/cards"')
    expect(text).toContain('What is not simulated')
    expect(text).toContain('one of their days takes 60 seconds')
  })

  test('list the orders with their possible next steps as forms', async () => {
    const { page, order, form, get } = await aSandbox()
    await order('A1')
    expect(await page('/')).toContain('aria-label="Ship A1"')
    const { partner_orders } = (await get('/control/ledger')) as { partner_orders: { id: string }[] }
    const shipped = await form('/control/world', {
      provider: 'printful',
      change: 'ship',
      id: partner_orders[0]?.id ?? '',
    })
    expect([shipped.status, shipped.headers.get('location')]).toEqual([303, '/'])
    const section = await page('/orders')
    expect(section).toContain('aria-label="Deliver A1"')
    expect(section).not.toContain('<html')
    const again = await form('/control/world', {
      provider: 'printful',
      change: 'ship',
      id: partner_orders[0]?.id ?? '',
    })
    expect([again.status, await again.text()]).toEqual([
      422,
      expect.stringContaining('Nothing is left to go into this parcel.'),
    ])
  })

  test('move the clock and fail an email by form', async () => {
    const { form, mailbox, moved } = await aSandbox()
    expect((await form('/control/clock', { advance: '7d' })).status).toBe(303)
    expect(moved).toEqual([604_800_000])
    await form('/control/world', { provider: 'smtp', change: 'fail_next', to: 'ada@example.com', code: '550' })
    expect(mailbox.failing()).toEqual([{ to: 'ada@example.com', code: 550 }])
  })

  test('break a provider and its webhooks by form, show what is broken, and stop it', async () => {
    const { kit, page, form, order } = await aSandbox()
    kit.endpoints.set('printful', { url: 'http://127.0.0.1:1/', secret: '' })
    const printer = { provider: 'printful' }
    const broken = await form('/control/break', { ...printer, what: 'answers', kind: 'away', calls: '' })
    expect([broken.status, broken.headers.get('location')]).toEqual([303, '/#trouble'])
    expect([(await order('A1')).status, (await order('A1')).status]).toEqual([503, 503])
    expect(await page('/')).toContain('is down for maintenance (503), until you stop it')
    await form('/control/break', { provider: 'stripe', what: 'answers', kind: 'lost', calls: '5' })
    await form('/control/unbreak', { ...printer, what: 'answers' })
    expect((await order('A1')).status).toBe(200)
    const text = await page('/')
    expect(text).not.toContain('is down for maintenance (503), ')
    expect(text).toContain('its response is lost, 5 more calls')

    await form('/control/break', { ...printer, what: 'events', kind: 'lost' })
    await order('A2')
    expect(await page('/')).toContain('they are lost')
    await form('/control/unbreak', { ...printer, what: 'events' })
    await form('/control/break', { ...printer, what: 'events', kind: 'held' })
    await order('A3')
    expect(kit.webhooks.list().map(({ state }) => state)).toEqual(expect.arrayContaining(['dropped', 'held']))
    await form('/control/unbreak', { ...printer, what: 'events' })
    expect(kit.webhooks.list().map(({ state }) => state)).not.toContain('held')
    expect(await page('/')).not.toContain('broken</span> they')

    await form('/control/break', { what: 'random', rate: '0.2' })
    expect(await page('/')).toContain('20% of calls fail')
    await form('/control/unbreak', { what: 'random' })
    expect(kit.chaos.current()).toBeUndefined()
    expect((await form('/control/break', { ...printer, what: 'answers', kind: 'explode' })).status).toBe(422)
  })

  test('list every test card and magic input', async () => {
    const { page } = await aSandbox()
    const text = await page('/cards')
    for (const input of [
      '4242 4242 4242 4242',
      '4000 0025 0000 3155',
      '4000 0000 0000 0002',
      'FAIL ADDRESS',
      'HOLD',
      'SLOW',
      'bounce@',
      '00000',
    ]) {
      expect(text).toContain(input)
    }
  })
})
