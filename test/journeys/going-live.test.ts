import { expect, test } from 'vitest'
import { openWorld } from '#sandbox/world.ts'
import { runDoctor } from '#server/admin/doctor.ts'
import { goLive } from '#server/admin/go-live.ts'

const APPLE_FILE = '/.well-known/apple-developer-merchantid-domain-association'

test('going live registers the domain for Apple Pay, Google Pay and Link, and serves Apple’s file', async () => {
  await using world = await openWorld({ env: { PUBLIC_URL: 'https://shop.example.com' } })
  const { app } = world.running
  const ask = (url: string) => app.http.inject({ url, headers: { host: 'shop.example.com' } })
  expect((await ask(APPLE_FILE)).statusCode).toBe(404)
  const wallets = async () => (await runDoctor(world.shop)).find(({ name }) => name === 'stripe wallets')
  expect(await wallets()).toMatchObject({ state: 'failed', what: expect.stringContaining('is not registered') })
  const registered = { domain: 'shop.example.com', applePay: 'active', googlePay: 'active', link: 'active' }
  expect(await goLive(world.shop, [])).toEqual(registered)
  expect((await ask(APPLE_FILE)).body).toMatch(/^[\da-f]+$/)
  expect(await wallets()).toMatchObject({ state: 'passed' })
  // A second run finds the domain registered and requests another check.
  expect(await goLive(world.shop, [])).toEqual(registered)
})

test('going live explains why Apple Pay is off when Apple cannot reach the shop', async () => {
  await using world = await openWorld()
  expect(await goLive(world.shop, [])).toMatchObject({ applePay: expect.stringContaining('could not reach') })
})

const report = (blocked: string, page = '/checkout') => ({
  'csp-report': {
    'document-uri': `http://127.0.0.1:3000${page}?client_secret=secret`,
    'blocked-uri': blocked,
    'violated-directive': 'script-src-elem',
  },
})

test('what browsers block on the payment pages is counted and shown to the owner', async () => {
  await using world = await openWorld()
  const fan = world.shopper()
  const send = (body: unknown, type = 'application/csp-report') =>
    fan.send('POST', '/policy-reports', JSON.stringify(body), { 'content-type': type })
  const finding = async () => (await runDoctor(world.shop)).find(({ name }) => name === 'content policy')
  for (let at = 0; at < 4; at += 1) expect((await send(report('https://evil.test/skim.js?card=4242'))).status).toBe(204)
  expect((await finding())?.what).toContain('No browser reported')
  const newer = {
    type: 'csp-violation',
    url: `${world.address}/checkout`,
    body: {
      documentURL: `${world.address}/checkout`,
      blockedURL: 'https://evil.test/skim.js',
      effectiveDirective: 'script-src-elem',
    },
  }
  await send([newer], 'application/reports+json')
  expect((await finding())?.what).toContain('https://evil.test (script-src-elem, 5 times on /checkout)')
  const { rows } = await world.shop.database.pool.query('select blocked, page, count from policy_report')
  expect(rows).toEqual([{ blocked: 'https://evil.test', page: '/checkout', count: 5 }])
})

test('an empty report is accepted, and not stored', async () => {
  await using world = await openWorld()
  for (const body of [
    JSON.stringify(report('chrome-extension://abc/inject.js')),
    JSON.stringify({ 'csp-report': { 'document-uri': '', 'blocked-uri': 'inline' } }),
    '<xml/>',
    'null',
    JSON.stringify(Array.from({ length: 1000 }, () => ({ type: 'csp-violation' }))),
  ]) {
    const headers = { 'content-type': 'application/csp-report' }
    const { status } = await world.shopper().send('POST', '/policy-reports', body, headers)
    expect([204, 413]).toContain(status)
  }
  const { rows } = await world.shop.database.pool.query('select * from policy_report')
  expect(rows).toEqual([])
})

test('fake reports fill their own table and nothing else (S97)', async () => {
  await using world = await openWorld()
  const fan = world.shopper()
  for (let at = 0; at < 210; at += 1)
    await fan.send('POST', '/policy-reports', JSON.stringify(report(`https://h${at}.test/`)), {
      'content-type': 'application/csp-report',
    })
  const { rows } = await world.shop.database.pool.query('select count(*)::int as count from policy_report')
  expect(rows).toEqual([{ count: 200 }])
})
