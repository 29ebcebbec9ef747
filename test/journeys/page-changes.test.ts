import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { defaultSettings } from '#site/shop-rules.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import type { Product } from '#contract/catalog.ts'
import { freePort } from '../../tools/free-port.ts'
import { createShop, type RunningShop } from '../../src/shop.ts'

// A running shop's caches follow commits made anywhere.

let world: World
let second: RunningShop | undefined
let addresses: string[]
const isServer = process.env['TEST_DATABASE'] === 'postgresql'

beforeAll(async () => {
  world = await openWorld()
  addresses = [world.address]
  if (!isServer) return
  const { config, log } = world.shop
  second = await createShop({ config: { ...config, port: await freePort() }, log })
  addresses.push(await second.listen())
})
afterAll(async () => {
  await second?.close()
  await world[Symbol.asyncDispose]()
})

/** Takes about a second on an idle machine. */
const WITHIN_MS = 10_000

const sql = (text: string, values: unknown[] = []) => world.shop.database.pool.query(text, values)
const products = async (address: string) => (await (await fetch(`${address}/api/products`)).json()) as Product[]
const bannerAt = async (address: string) =>
  ((await (await fetch(`${address}/api/config`)).json()) as { content: { banner: string } }).content.banner

/** The answer of every instance. */
const everywhere = <Said>(ask: (address: string) => Promise<Said>) => Promise.all(addresses.map(ask))

test('every instance shows a change that was made directly in the database', async () => {
  const [first] = await products(world.address)
  await everywhere(products)
  await sql('update product set name = $1 where id = $2', ['A Name From Outside', first?.id])
  await vi.waitFor(async () => {
    const names = await everywhere(
      async (address) => (await products(address)).find(({ id }) => id === first?.id)?.name,
    )
    expect(names).toEqual(addresses.map(() => 'A Name From Outside'))
  }, WITHIN_MS)
})

test('every instance shows what the owner changed at one of them', async () => {
  const owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  await everywhere(bannerAt)
  const banner = { was: defaultSettings.banner, value: 'Closed on Monday' }
  await owner.send('PUT', '/api/admin/settings', { banner })
  expect(await bannerAt(world.address)).toBe('Closed on Monday')
  await vi.waitFor(
    async () => expect(await everywhere(bannerAt)).toEqual(addresses.map(() => 'Closed on Monday')),
    WITHIN_MS,
  )
})

test('a page’s data is cached until something shown on it changes', async () => {
  const ask = (tag = '') => fetch(`${world.address}/api/products`, { headers: { 'if-none-match': tag } })
  const before = (await ask()).headers.get('etag') ?? ''
  const cart = { productId: (await products(world.address)).find(({ variantCount }) => variantCount === 1)?.id }
  await world.shopper().send('POST', '/api/cart', cart)
  // A synchronization's own timestamps appear on no page.
  await sql('update product set asked_at = now()')
  const again = await ask(before)
  expect([again.status, again.headers.get('cache-control')]).toEqual([304, expect.stringContaining('s-maxage')])
  await sql(`update variant set unit_price_cents = unit_price_cents + 100`)
  await vi.waitFor(async () => expect((await ask(before)).status).toBe(200), WITHIN_MS)
})

test.runIf(isServer)('a dropped connection reconnects, and catches up on what it missed', async () => {
  await everywhere(products)
  const cut = await sql(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'pawtelier changes' and datname = current_database()`,
  )
  expect(cut.rowCount).toBe(addresses.length)
  await sql(
    `update product set name = 'Named While Nobody Heard' where id = (select min(id) from product where visible)`,
  )
  const names = () => everywhere(async (address) => (await products(address)).map(({ name }) => name))
  await vi.waitFor(async () => {
    for (const all of await names()) expect(all).toContain('Named While Nobody Heard')
  }, WITHIN_MS)
})
