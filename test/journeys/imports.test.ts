import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ImportReport, RedirectRow } from '#contract/admin-imports.ts'
import type { PastOrderView } from '#contract/orders.ts'
import type { PastOrderMonths } from '#contract/reports.ts'
import { MINUTE_MS } from '#shared/time.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { ownerVerbs } from '../../src/owner-verbs.ts'

let world: World
let owner: ReturnType<World['shopper']>
beforeAll(async () => {
  world = await openWorld({ pages: true })
  owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
})
afterAll(() => world[Symbol.asyncDispose]())

const fixture = (name: string) => new URL(`../imports/${name}.csv`, import.meta.url)

async function imports(shop: string, file: string | Uint8Array, { dryRun = false, as = owner } = {}) {
  const answer = await fetch(`${world.address}/api/admin/imports/${shop}${dryRun ? '?dryRun=1' : ''}`, {
    method: 'POST',
    headers: { origin: world.address, cookie: as.cookie(), 'content-type': 'text/csv' },
    body: typeof file === 'string' ? readFileSync(fixture(file)) : Buffer.from(file),
  })
  return { status: answer.status, body: (await answer.json()) as ImportReport & { message: string } }
}

const count = async (table: string) =>
  Number((await world.shop.database.pool.query<{ n: string }>(`select count(*) as n from ${table}`)).rows[0]?.n)

const moved = async (path: string) => {
  const answer = await fetch(world.address + path, { redirect: 'manual' })
  return [answer.status, answer.headers.get('location')]
}

test('a dry run says what would come and changes nothing; the import does the same, and the file again changes nothing', async () => {
  for (const [file, table, added] of [
    ['shopify-orders', 'past_order', 2],
    ['shopify-customers', 'subscriber', 2],
    ['shopify-redirects', 'redirect', 4],
  ] as const) {
    const before = await count(table)
    const { body: dry } = await imports('shopify', file, { dryRun: true })
    expect(dry).toMatchObject({ isDryRun: true, added, unchanged: 0 })
    expect(dry.done).toContain('Nothing was changed')
    expect(await count(table)).toBe(before)

    const { body: real } = await imports('shopify', file)
    expect(real).toEqual({ ...dry, isDryRun: false, done: real.done })
    expect(await count(table)).toBe(before + added)

    expect((await imports('shopify', file)).body).toMatchObject({ added: 0, unchanged: added })
    expect(await count(table)).toBe(before + added)
  }
})

test('only the owner imports', async () => {
  expect((await imports('shopify', 'shopify-orders', { as: world.shopper() })).status).toBe(401)
})

test.each([
  ['a file of another shop', () => imports('woocommerce', 'shopify-orders'), 422, 'recognized by these columns'],
  ['no CSV', () => imports('shopify', Buffer.from('Name\n"never closed')), 422, 'not a CSV file'],
  ['an empty file', () => imports('shopify', Buffer.from('')), 422, 'empty'],
  ['an unknown shop', () => imports('etsy', 'shopify-orders'), 404, ''],
  ['more than 50 MB', () => imports('shopify', Buffer.alloc(51 * 2 ** 20, 'a')), 413, 'several files'],
])('%s is refused with a sentence, and nothing comes', async (_, send, status, sentence) => {
  const before = await Promise.all(['past_order', 'subscriber', 'redirect'].map(count))
  const answer = await send()
  expect(answer.status).toBe(status)
  expect(answer.body.message).toContain(sentence)
  expect(await Promise.all(['past_order', 'subscriber', 'redirect'].map(count))).toEqual(before)
})

test('the owner command imports a file too, and explains itself', async () => {
  const verbs = ownerVerbs(world.shop.database, async () => world.shop)
  const file = fixture('woocommerce-orders').pathname
  expect(await verbs(['import-from', 'woocommerce', file, '--dry-run'])).toMatchObject({ isDryRun: true, added: 2 })
  expect(await verbs(['import-from', 'woocommerce', file])).toMatchObject({ kind: 'orders', added: 2 })
  await expect(verbs(['import-from', 'etsy', file])).rejects.toThrow('Usage: npm run owner -- import-from')
  await expect(verbs(['import-from', 'shopify', '/nowhere.csv'])).rejects.toThrow('can’t be read')
  await expect(verbs(['import-from', 'shopify', file])).rejects.toThrow('recognized by these columns')
})

describe('redirects', () => {
  test('an old address leads to our page for good, over several steps; where a page answers, they do nothing', async () => {
    expect(await moved('/sale?utm=mail')).toEqual([301, '/products'])
    expect(await moved('/pages/our-story/')).toEqual([301, '/about'])
    await owner.send('POST', '/api/admin/redirects', { from: '/summer', to: '/sale' })
    expect(await moved('/summer')).toEqual([301, '/products'])
    await owner.send('POST', '/api/admin/redirects', { from: '/about', to: '/contact' })
    expect((await moved('/about'))[0]).toBe(200)
    expect((await moved('/nowhere-at-all'))[0]).toBe(404)
  })

  test.each([
    [{ from: '/a', to: '/a' }, 'lead to itself'],
    [{ from: '/products-old', to: '/summer-2' }, 'lead back to itself'],
    [{ from: '/b', to: 'https://elsewhere.example/' }, 'page of this shop'],
    [{ from: '/b', to: '//elsewhere.example/' }, 'page of this shop'],
    [{ from: '/', to: '/products' }, 'old address'],
    [{ from: '/sale', to: '/about' }, 'already leads to /products'],
  ])('%o is refused', async (redirect, sentence) => {
    await owner.send('POST', '/api/admin/redirects', { from: '/summer-2', to: '/products-old' })
    const answer = await owner.send<{ message: string }>('POST', '/api/admin/redirects', redirect)
    expect(answer.status).toBe(422)
    expect(answer.body.message).toContain(sentence)
  })

  test('loops and other hosts in a file do not come, and say why', async () => {
    const { problems } = (await imports('shopify', 'shopify-redirects', { dryRun: true })).body
    expect(problems.map(({ row, reason }) => `${row}: ${reason}`)).toEqual(
      expect.arrayContaining([
        '5: This redirect leads to another host: elsewhere.example.',
        '7: This address would lead back to itself.',
      ]),
    )
  })

  test('the owner removes one', async () => {
    const list = async () =>
      (await owner.send<{ redirects: RedirectRow[] }>('GET', '/api/admin/redirects')).body.redirects
    const summer = (await list()).find(({ from }) => from === '/summer')
    await owner.send('DELETE', `/api/admin/redirects/${summer?.id}`)
    expect((await moved('/summer'))[0]).toBe(404)
    expect((await list()).map(({ from }) => from)).not.toContain('/summer')
  })
})

describe('subscribers', () => {
  const customers = (email: string) =>
    Buffer.from(`Email,Accepts Email Marketing,Consent date,Consent source\n${email},yes,2024-03-31,Popup\n`)
  const stateOf = async (email: string) =>
    (
      await owner.send<{ subscribers: { id: number; email: string; state: string }[] }>('GET', '/api/admin/subscribers')
    ).body.subscribers.find((subscriber) => subscriber.email === email)

  test('with proof of consent they are subscribed without an email to anybody', async () => {
    const mails = world.mailbox.list().length
    await imports('shopify', customers('quiet@mail.example'))
    expect(await stateOf('quiet@mail.example')).toMatchObject({ state: 'subscribed' })
    await world.settled()
    expect(world.mailbox.list()).toHaveLength(mails)
  })

  test('somebody who unsubscribed here never comes back', async () => {
    await imports('shopify', customers('gone@mail.example'))
    await owner.send('POST', `/api/admin/subscribers/${(await stateOf('gone@mail.example'))?.id}/leave`)
    const { body } = await imports('shopify', customers('gone@mail.example'))
    expect(body).toMatchObject({ added: 0, problems: [{ row: 2, reason: 'This person has unsubscribed here.' }] })
    expect(await stateOf('gone@mail.example')).toMatchObject({ state: 'left' })
  })
})

describe('past orders', () => {
  const track = (orderNumber: string, email: string) =>
    world.shopper().send<PastOrderView>('POST', '/api/track/past', { orderNumber, email })

  test('people find theirs by number and email, as from the former shop', async () => {
    expect((await track('#1001', 'ADA@example.com')).body).toMatchObject({
      shop: 'Shopify',
      orderNumber: '1001',
      status: 'paid',
      lines: [{ productName: 'Biscuit Dad Cap - Navy', quantity: 2, total: 5590 }, { quantity: 1 }],
      total: 6519,
      other: 0,
    })
    expect((await track('1001', 'bo@example.com')).status).toBe(404)
  })

  test('the owner sees them by month and shop, within the days of the report and apart from all other figures', async () => {
    const months = async (days = '') =>
      (await owner.send<PastOrderMonths>('GET', `/api/reports/past-orders${days}`)).body.months
    expect(await months()).toContainEqual({ month: '2025-09', shop: 'Shopify', orders: 2, goods: 8090, refunded: 500 })
    expect(await months('?start_date=2025-09-05&end_date=2025-09-30')).toEqual([
      { month: '2025-09', shop: 'Shopify', orders: 1, goods: 2500, refunded: 500 },
    ])
    expect((await owner.send<{ totalOrders: number }>('GET', '/api/reports/summary')).body.totalOrders).toBe(0)
  })

  test('they are in nobody’s books', async () => {
    const { rows } = await world.shop.database.pool.query(
      'select 1 from shop_order union all select 1 from ledger_entry',
    )
    expect(rows).toEqual([])
  })

  test('a person’s export has them, and after erasure nobody finds them, not even after the same file came again', async () => {
    const file = (await owner.send('POST', '/api/admin/privacy/export', { email: 'ada@example.com' })).body
    expect(JSON.stringify(file)).toContain('Biscuit Dad Cap - Navy')
    const email = 'ada@example.com'
    expect((await owner.send('POST', '/api/admin/privacy/erase', { email, repeated: email })).status).toBe(200)
    await imports('shopify', 'shopify-orders')
    expect((await track('1001', email)).status).toBe(404)
    const { rows } = await world.shop.database.pool.query(
      `select * from past_order where past_order::text ilike '%ada%'`,
    )
    expect(rows).toEqual([])
  })

  test('a file of 20,000 orders comes in one step', async () => {
    const header =
      'Name,Email,Financial Status,Currency,Total,Created at,Lineitem quantity,Lineitem name,Lineitem price\n'
    const lines = Array.from(
      { length: 20_000 },
      (_, index) => `#B${index},p${index}@example.com,paid,USD,25.00,2025-01-31,1,Biscuit Mug,25.00\n`,
    )
    const file = Buffer.from(header + lines.join(''))
    expect((await imports('shopify', file)).body).toMatchObject({ rows: 20_000, added: 20_000, problemCount: 0 })
    expect((await imports('shopify', file)).body).toMatchObject({ added: 0, unchanged: 20_000 })
  })

  test('without JavaScript the form leads to the order by a key that ends after a quarter of an hour and nobody can make', async () => {
    const post = (email: string) =>
      fetch(`${world.address}/track`, {
        method: 'POST',
        headers: { origin: world.address, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ orderNumber: '#1002', email }),
        redirect: 'manual',
      })
    const leadsTo = (await post('bo@example.com')).headers.get('location') ?? ''
    expect(leadsTo).toMatch(/^\/track\?past=/)
    const page = async (path: string) => (await fetch(world.address + path)).text()
    expect(await page(leadsTo)).toContain('Biscuit Mug')
    expect(await page(leadsTo.replace(/past=\d+/, 'past=1'))).not.toContain('Biscuit')
    const key = new URLSearchParams(leadsTo.split('?')[1]).get('past') ?? ''
    const shown = await world.shopper().send('GET', `/api/track/past?key=${key}`)
    expect(shown).toMatchObject({ status: 200, body: { orderNumber: '1002' } })
    await world.advance(16 * MINUTE_MS)
    expect((await world.shopper().send('GET', `/api/track/past?key=${key}`)).status).toBe(404)
    expect((await post('ada@example.com')).headers.get('location')).toBe('/track?said=unknown_order&order=%231002')
  })
})
