import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openWorld, type World } from '#sandbox/world.ts'
import type { Rule } from '#sandbox/kit/types.ts'
import { Secret } from '#server/config/secret.ts'
import { doctorByOwner } from '#server/admin/doctor.ts'
import { ownerVerbs } from '../../src/owner-verbs.ts'
import { createShopParts } from '../../src/shop.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.simulators.kit.rules.clear())

type Told = { healthy: boolean; findings: { name: string; state: string; what: string; fix?: string }[] }

const runDoctor = () => ownerVerbs(world.shop.database, async () => world.shop)(['doctor']) as Promise<Told>

const answers = (provider: Rule['provider'], path: string, to: Rule['do'], times = 1) =>
  world.simulators.kit.rules.add({ provider, match: { path }, when: 'before', do: to, times })

const notWell = ({ findings }: Told) => findings.filter(({ state }) => state !== 'passed')

const openSetups = async () =>
  (
    await world.shop.database.pool.query<{ about: string; cause: string }>(
      `select about, cause from shop_exception where kind = 'setup' and resolved_at is null order by about`,
    )
  ).rows

test('the doctor passes a well-configured shop, and names the one inconclusive check', async () => {
  const payment = await world.shopper().paysByCard()
  await payment.returnsToShop()
  await world.shopper().captures(await world.shopper().approvesWallet())
  await world.settled()
  const report = await runDoctor()
  expect(report.healthy).toBe(true)
  expect(notWell(report).map(({ name, state }) => `${name} ${state}`)).toEqual(['printful token inconclusive'])
  expect(report.findings.map(({ name }) => name)).toEqual([
    'modes',
    ...['stripe key', 'clock', 'stripe tax', 'stripe disputes', 'stripe wallets', 'stripe webhook', 'stripe signature'],
    ...['paypal webhook', 'paypal disputes', 'paypal dispute answers', 'paypal transactions', 'paypal signature'],
    ...['printful token', 'printful scopes', 'printful webhook'],
    ...[
      'raffle beacon',
      'mapping',
      'content policy',
      'mail',
      'mailbox',
      'address',
      'invoices',
      'disk',
      'backup',
      'database',
    ],
  ])
  expect(await openSetups()).toEqual([])

  await ownerVerbs(world.shop.database, async () => world.shop)(['backed-up'])
  const backup = async () => (await runDoctor()).findings.find(({ name }) => name === 'backup')
  expect(await backup()).toMatchObject({ state: 'passed' })
  await world.shop.database.pool.query(
    `update setting set value = '2026-01-01T03:00:00.000Z' where name = 'backed_up_at'`,
  )
  expect(await backup()).toMatchObject({ state: 'failed', what: 'The last backup is from 2026-01-01T03:00:00.000Z.' })
  await ownerVerbs(world.shop.database, async () => world.shop)(['backed-up'])
})

test('a failed check says how to fix it, shows among the exceptions, and clears when fixed', async () => {
  answers('stripe', '/v1/webhook_endpoints', {
    status: 200,
    body: {
      object: 'list',
      has_more: false,
      url: '/v1/webhook_endpoints',
      data: [
        {
          object: 'webhook_endpoint',
          url: `${world.address}/webhooks/stripe`,
          enabled_events: ['charge.refunded'],
          status: 'enabled',
        },
      ],
    },
  })
  answers('stripe', '/v1/account', { headers: { date: new Date(Date.now() - 400_000).toUTCString() } }, 2)
  answers('stripe', '/v1/tax/settings', { status: 200, body: { object: 'tax.settings', status: 'pending' } })
  answers('paypal', '/v1/notifications/webhooks/*', {
    status: 404,
    body: { name: 'RESOURCE_NOT_FOUND', message: 'no such webhook' },
  })
  answers('printful', '/webhooks', {
    status: 200,
    body: { code: 200, result: { url: 'https://old.example/hook', types: ['package_shipped'] } },
  })
  answers('printful', '/oauth/scopes', { status: 200, body: { code: 200, result: { scopes: [{ scope: 'orders' }] } } })
  const report = await runDoctor()
  expect(report.healthy).toBe(false)
  const wrong = notWell(report).filter(({ state }) => state === 'failed')
  expect(wrong.map(({ name }) => name)).toEqual([
    ...['clock', 'stripe tax', 'stripe webhook'],
    'paypal webhook',
    ...['printful scopes', 'printful webhook'],
  ])
  expect(wrong.find(({ name }) => name === 'clock')?.what).toMatch(/(?:39|40)\d seconds ahead/)
  expect(wrong.find(({ name }) => name === 'stripe webhook')?.what).toContain('payment_intent.succeeded')
  for (const { fix } of wrong) expect(fix).toMatch(/^[A-Z][^.!?]+(?:\.[^.!?\s]+|[^.!?])*\.$/)
  const open = await openSetups()
  expect(open.map(({ about }) => about)).toEqual(wrong.map(({ name }) => `setup:${name}`).toSorted())
  expect(open.map(({ cause }) => cause).join()).not.toContain(world.shop.config.printful.webhookSecret.reveal())

  await runDoctor()
  expect(await openSetups()).toEqual([])
})

test('a rejected key fails; a provider that is down or at its rate limit is inconclusive and blocks nothing', async () => {
  answers('stripe', '/v1/tax/settings', {
    status: 401,
    body: { error: { type: 'invalid_request_error', message: 'Invalid API Key' } },
  })
  expect(notWell(await runDoctor())).toMatchObject([
    { name: 'stripe tax', state: 'failed' },
    { name: 'printful token' },
  ])
  answers('stripe', '/v1/tax/settings', { status: 500 }, 2)
  expect(notWell(await runDoctor())).toMatchObject([
    { name: 'stripe tax', state: 'inconclusive' },
    { name: 'printful token' },
  ])
  expect(await openSetups()).toMatchObject([{ about: 'setup:stripe tax' }])
  answers('stripe', '/v1/tax/settings', { status: 429, body: { error: { type: 'invalid_request_error' } } }, 9)
  answers('paypal', '/v1/notifications/webhooks/*', { status: 429, body: { name: 'RATE_LIMIT_REACHED' } })
  expect(notWell(await runDoctor())).toMatchObject([
    { name: 'stripe tax', state: 'inconclusive', fix: 'Run this again in a minute.' },
    { name: 'paypal webhook', state: 'inconclusive', fix: 'Run this again in a minute.' },
    { name: 'printful token' },
  ])
})

test('a lost PayPal event and an expired certificate are found; without any events the check is inconclusive', async () => {
  await using own = await openWorld()
  const webhookCheck = async () => {
    const { findings } = (await ownerVerbs(own.shop.database, async () => own.shop)(['doctor'])) as Told
    return findings.find(({ name }) => name === 'paypal signature')
  }
  expect(await webhookCheck()).toMatchObject({ state: 'inconclusive' })
  await own.shopper().approvesWallet()
  await own.settled()
  expect(await webhookCheck()).toMatchObject({ state: 'passed', what: expect.stringContaining('its chain is trusted') })

  await own.simulators.kit.webhooks.set({ provider: 'paypal', sign: 'bad' })
  await own.shopper().approvesWallet()
  await own.settled()
  await own.advance(20 * 60_000)
  expect(await webhookCheck()).toMatchObject({
    state: 'failed',
    what: expect.stringMatching(/event WH-.* does not have it/),
  })

  await own.simulators.kit.webhooks.set({ provider: 'paypal', sign: 'good' })
  await own.advance(60 * 60_000)
  await own.settled()
  expect(await webhookCheck()).toMatchObject({ state: 'passed' })
  await own.simulators.paypal.change({ change: 'rotate_certificate' })
  expect(await webhookCheck()).toMatchObject({
    state: 'failed',
    what: expect.stringContaining('no certificate at its URL'),
  })
})

test('another shop at this address is not mistaken for this one, and strangers learn nothing there (L05)', async () => {
  const { port } = new URL(world.address)
  const other = await openWorld({ database: 'embedded' })
  const { config } = world.shop
  const address = async (publicUrl: string) => {
    const { findings } = await doctorByOwner({ ...world.shop, config: { ...config, publicUrl } })
    return findings.find(({ name }) => name === 'address')
  }
  expect(await address(`http://localhost:${port}`)).toMatchObject({ state: 'passed' })
  expect(await address(other.address)).toMatchObject({
    state: 'failed',
    what: `${other.address} leads to a different shop or database.`,
  })
  expect(await address(world.simulators.stripe.url)).toMatchObject({ state: 'failed' })
  await other[Symbol.asyncDispose]()
  for (const question of ['0'.repeat(32), 'examined_at', 'address_proof', '%25'])
    expect((await world.shopper().send('GET', `/api/address-proof/${question}`)).status).toBe(404)
  const { rows } = await world.shop.database.pool.query(`select name from setting where name like 'address_proof%'`)
  expect(rows).toEqual([])
})

test('a host name that does not resolve is reported as such, whatever it belongs to', async () => {
  const nowhere = 'nowhere.invalid'
  const config = {
    ...world.shop.config,
    publicUrl: `https://shop.${nowhere}`,
    stripe: { ...world.shop.config.stripe, apiBase: `https://stripe.${nowhere}` },
    paypal: { ...world.shop.config.paypal, apiBase: `https://paypal.${nowhere}` },
    printful: { ...world.shop.config.printful, apiBase: `https://printful.${nowhere}` },
    mail: { url: new Secret(`smtp://mail.${nowhere}:587`), from: 'care@pawtelier.example' },
  }
  const { database, log, clock } = world.shop
  const parts = createShopParts({ database, config, log, clock })
  const { findings } = await doctorByOwner(parts)
  const unresolved = findings.filter(({ what }) => what.includes(`${nowhere} does not resolve`))
  expect(unresolved.map(({ name }) => name)).toEqual([
    ...['stripe key', 'clock', 'stripe tax', 'stripe disputes', 'stripe wallets', 'stripe webhook'],
    ...['paypal webhook', 'paypal disputes', 'paypal dispute answers', 'paypal transactions', 'paypal signature'],
    ...['printful token', 'printful scopes', 'printful webhook'],
    ...['mail', 'address'],
  ])
  for (const { state, what } of unresolved) expect([state, what.includes('sign-in')]).toEqual(['failed', false])
})
