import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type World } from '#sandbox/world.ts'

const TOKEN = 'a-token-for-those-who-count'
let world: World
beforeAll(async () => {
  world = await openWorld({ env: { METRICS_TOKEN: TOKEN } })
})
afterAll(() => world[Symbol.asyncDispose]())

const ask = (authorization?: string) =>
  fetch(`${world.address}/metrics`, { headers: authorization ? { authorization } : {} })

test('figures are for the bearer of the token alone; for anybody else there is no such page', async () => {
  for (const wrong of [undefined, 'Bearer', `Bearer ${TOKEN}x`, `Bearer ${TOKEN.replace('a', 'b')}`, TOKEN])
    expect((await ask(wrong)).status, String(wrong)).toBe(404)
  const answer = await ask(`Bearer ${TOKEN}`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

test('they tell of answers by route, of what waits, and of nobody', async () => {
  await fetch(`${world.address}/api/products?from=${encodeURIComponent('ada@mail.example')}`)
  const shopper = world.shopper()
  await shopper.adds('hat')
  await world.shop.database.pool.query(
    `insert into mail (kind, recipient, subject, text_part, html_part, message_id, created_at)
     values ('late', 'ada@mail.example', '', '', '', 'metrics', now() + interval '1 day')`,
  )
  const text = await (await ask(`Bearer ${TOKEN}`)).text()
  expect(text).toMatch(/http_request_duration_seconds_count\{method="GET",route="\/api\/products",status="200"\} \d+/)
  expect(text).toMatch(/http_request_duration_seconds_count\{method="POST",route="\/api\/cart",status="20[01]"\} 1/)
  expect(text).toMatch(/shop_open\{of="mails",label="queued"\} 1/)
  expect(text).toMatch(/shop_database_connections\{state="waiting"\} 0/)
  expect(text).toMatch(/process_resident_memory_bytes \d+/)
  expect(text).not.toContain('mail.example')
})
