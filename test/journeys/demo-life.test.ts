import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reconcile } from '#server/reconciliation/reconciliation.ts'
import { verifyByOwner } from '#server/partners/owner-verify.ts'
import { hashOfBooks } from '#sandbox/demo-life/books-hash.ts'
import { DEMO, type DemoFacts } from '#sandbox/demo-life/files.ts'
import { LIFE, playLife } from '#sandbox/demo-life/play.ts'
import { openWorld, type World } from '#sandbox/world.ts'

// What `npm start` begins with. `npm run demo -- --check` plays all of its days again.

const facts = JSON.parse(readFileSync(DEMO.facts, 'utf8')) as DemoFacts

let world: World
beforeAll(async () => {
  world = await openWorld({ isLived: true })
})
afterAll(() => world[Symbol.asyncDispose]())

test('a new sandbox begins with 90 days that nobody changed, and that agree with the providers’ books', async () => {
  expect(await hashOfBooks(world.shop)).toBe(facts.hash)
  expect(await verifyByOwner(world.shop.db, [])).toMatchObject({ intact: true, closings: 3 })
  await reconcile(world.shop, 'owner', LIFE.startsAt)
  const { rows: open } = await world.shop.database.pool.query<{ kind: string }>(
    `select kind from shop_exception where resolved_at is null
     union all select kind from payment_exception where resolved_at is null order by 1`,
  )
  // Both are for the owner to answer; nothing is wrong.
  expect(open.map(({ kind }) => kind)).toEqual(['claim_waiting', 'message_waiting'])
  const { rows: differing } = await world.shop.database.pool.query(
    `select count(*)::int as count from catalog_change where state = 'waiting'`,
  )
  expect(differing).toEqual([{ count: 0 }])
  const { rows } = await world.shop.database.pool.query<Record<'orders' | 'days' | 'countries' | 'gaps', number>>(
    `select count(*)::int as orders, count(distinct (created_at at time zone 'America/New_York')::date)::int as days,
       count(distinct shipping_address ->> 'country')::int as countries,
       -- Columns of reports that would be empty: declined cards, carts by each partner's link, searches in vain, the collections.
       (select count(*) from (select exists (select from card_decline) as there
         union all select count(c.carted_at) > 0 from affiliate_click c group by c.link_id
         union all select exists (select from search_miss)
         union all select count(distinct collection) = 3 from order_line) each where not there)::int as gaps from shop_order`,
  )
  expect(rows[0]?.orders).toBeGreaterThan(200)
  expect(rows[0]?.days).toBeGreaterThan(80)
  expect(rows[0]?.countries).toBeGreaterThan(8)
  expect(rows[0]?.gaps).toBe(0)
})

test('the same seed gives the same books', async () => {
  const { days, hash } = facts.early
  await using again = await openWorld({
    database: 'embedded',
    fromScratch: true,
    startsAt: LIFE.startsAt,
    env: LIFE.env,
  })
  const hashes: string[] = []
  await playLife(again, { seed: facts.seed, days }, async () => void hashes.push(await hashOfBooks(again.shop)))
  expect(hashes.at(-1)).toBe(hash)
})
