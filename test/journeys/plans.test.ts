import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clearListingCache } from '#server/catalog/listing-cache.ts'
import { sumSealedDays } from '#server/ledger/day-sums.ts'
import { sealPostings } from '#server/ledger/seals.ts'
import { listCommissionLines } from '#server/partners/sealed-lines.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { seedOrders, seedProducts } from '../../tools/bench/seed.ts'

// Requests that people wait for use an index, however large the shop. The tables here are small, so sequential scans are made
// expensive for the planner: where it still uses one, there is no other way.

/** Tables that grow with products and sales, and have some rows here. */
const FILLED = [
  ...[
    'product',
    'product_picture',
    'variant',
    'listed_product',
    'checkout',
    'checkout_version',
    'payment',
    'order_line',
  ],
  ...['payment_processing_log', 'shop_order', 'order_step', 'order_access', 'ledger_posting', 'ledger_entry', 'mail'],
  'provider_transaction',
  'review',
]
/** Growing tables without rows here. */
const EMPTY = [
  ...[
    'copied_picture',
    'session',
    'cart_line',
    'shipment',
    'refund',
    'provider_event',
    'partner_order',
    'wallet_order',
  ],
  ...[
    'affiliate_click',
    'attribution',
    'commission_entry',
    'owner_action',
    'shop_exception',
    'conversation',
    'conversation_message',
    'conversation_photo',
    'inbound_mail',
    'review_photo',
  ],
]

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Index Cond'?: string
  'Index Name'?: string
  Plans?: Node[]
}
type Sent = { text: string; values: unknown[] }

describe.runIf(process.env['TEST_DATABASE'] === 'postgresql')('no query reads a whole table', () => {
  let world: World
  const sent = new Map<string, Sent>()
  let partial: Set<string>
  const { query } = pg.Client.prototype

  beforeAll(async () => {
    // Intercepts every statement on connections opened from now on.
    pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
      const [first, second] = args as [string | { text?: string; values?: unknown[] } | undefined, unknown]
      const text = typeof first === 'string' ? first : first?.text
      const values = (typeof first === 'object' ? first.values : undefined) ?? (Array.isArray(second) ? second : [])
      if (text) sent.set(text, { text, values })
      return Reflect.apply(query, this, args) as never
    }
    world = await openWorld()
    const { pool, db } = world.shop.database
    await seedProducts(pool, 300)
    await seedOrders(pool, 300)
    // As every hour; what was booked since is read, and nothing before.
    await sealPostings(world.shop, listCommissionLines)
    await sumSealedDays(world.shop)
    await pool.query(
      `insert into review (product_id, state, stars, words, name, is_demo, created_at, updated_at)
       select 3, case when n % 9 = 0 then 'hidden' else 'published' end, 1 + n % 5, 'Word ' || n, 'Ada', true, now(), now()
       from generate_series(1, 10000) n`,
    )
    // Plans follow statistics and the visibility map, which would otherwise depend on when they are made.
    await pool.query('vacuum analyze')
    clearListingCache(db)
    const { rows } = await pool.query<{ name: string }>(
      `select indexrelid::regclass::text as name from pg_index where indpred is not null`,
    )
    partial = new Set(rows.map(({ name }) => name))
  })
  afterAll(async () => {
    pg.Client.prototype.query = query
    await world[Symbol.asyncDispose]()
  })

  /** The statements of an action that would read a large table from end to end. */
  async function readWhole(act: () => Promise<unknown>): Promise<string[]> {
    sent.clear()
    await act()
    const statements = [...sent.values()]
    const client = await world.shop.database.pool.connect()
    const whole: string[] = []
    try {
      await client.query('set enable_seqscan = off')
      for (const { text, values } of statements) {
        if (!/^\s*(?:select|with|update|insert|delete)\b/i.test(text) || /pgboss\.|advisory/.test(text)) continue
        await client.query('begin')
        const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Node }[] }>(`explain (format json) ${text}`, values)
        await client.query('rollback')
        const found = wholeIn(rows[0]?.['QUERY PLAN'][0]?.Plan, false)
        whole.push(...found.map((what) => `${what}: ${text}`))
      }
    } finally {
      await client.query('reset enable_seqscan')
      client.release()
    }
    expect(statements.length).toBeGreaterThan(0)
    return whole
  }

  function wholeIn(node: Node | undefined, isLimited: boolean): string[] {
    if (!node) return []
    const { 'Node Type': kind, 'Relation Name': table, Plans: below = [] } = node
    const isFilled = FILLED.includes(table ?? '')
    // An ordered index scan that stops once a page is full is no full read, nor is one over the few waiting rows.
    const isWalk =
      node['Index Name'] !== undefined &&
      node['Index Cond'] === undefined &&
      !isLimited &&
      !partial.has(node['Index Name'])
    const isWhole = (kind === 'Seq Scan' && (isFilled || EMPTY.includes(table ?? ''))) || (isFilled && isWalk)
    const here = isWhole ? [`${kind} on ${table}`] : []
    const isUnsorted = kind === 'Limit' || (isLimited && !/Sort|Aggregate|Hash/.test(kind))
    return [...here, ...below.flatMap((node) => wholeIn(node, isUnsorted))]
  }

  test('for a table without an index, which this test would notice', async () => {
    const { pool } = world.shop.database
    expect(await readWhole(() => pool.query(`select 1 from shop_order where terms_version = 'x'`))).toEqual([
      expect.stringContaining('Seq Scan on shop_order'),
    ])
    expect(
      await readWhole(() => pool.query(`select created_at from shop_order order by total_cents, created_at limit 5`)),
    ).toHaveLength(1)
  })

  test.each([
    '/api/products',
    '/api/products?after=3',
    '/api/listing',
    '/api/listing?after=3',
    '/api/listing?sort=price&after=3',
    '/api/listing?sort=newest&collection=rudy',
    '/api/listing?sort=rating&before=1000100',
    '/api/listing?before=1000100',
    '/api/listing?collection=rudy&after=3',
    '/api/listing?type=mug&type=hat&color=Ivory&size=XL',
    '/api/listing?collection=sherlock&color=Ivory&priceFrom=2000&priceTo=3000',
    '/api/listing?collection=rudy&search=amber',
    '/api/listing?search=§',
    '/api/products/3',
    '/api/products/seeded-7',
    '/api/products/3/reviews',
    '/api/products/3/reviews?stars=4&after=5000',
    '/api/showcase',
    '/api/printful/products/371204815',
    '/api/search?q=amber+mug',
    '/api/search?q=who',
    '/api/search?q=ambre',
    '/api/search?q=shrlock+vsior&type=visor',
    '/api/search/suggestions?q=ambe',
    '/sitemap.xml',
    '/sitemap/1000.xml',
  ])('for GET %s', async (path) => {
    clearListingCache(world.shop.database.db)
    const answers: number[] = []
    expect(await readWhole(async () => answers.push((await fetch(world.address + path)).status))).toEqual([])
    expect(answers).toEqual([200])
  })

  test('for a purchase, from cart to email', async () => {
    const shopper = world.shopper()
    // The first purchase records the figures it agreed to, which empties what is kept in memory; the second fills that.
    for (let before = 0; before < 2; before += 1) {
      await shopper.paysByCard({ buying: 'hat' })
      await world.settled()
    }
    expect(
      await readWhole(async () => {
        await shopper.paysByCard({ buying: 'hat' })
        await world.settled()
      }),
    ).toEqual([])
  })

  test.each([
    ...['', '?q=fan-12%40mail.example', '?q=Ada', '?status=needs_attention', '?status=partially_refunded', '?late=1'],
    ...['?provider=paypal', '?provider=stripe&older=40', '?collection=example', '?from=2026-01-01&to=2026-02-01'],
  ])('for the admin’s orders%s', async (query) => {
    const owner = await signedIn()
    expect(await readWhole(() => owner.send('GET', `/api/admin/orders${query}`))).toEqual([])
  })

  test.each([
    ...[
      '/api/admin',
      '/api/admin/overview',
      '/api/admin/find?q=fan-12',
      '/api/admin/reconciliation',
      '/api/admin/log',
      '/api/admin/exceptions',
      '/api/admin/products',
      '/api/admin/reviews',
    ],
    ...['/api/admin/reviews?state=hidden&stars=2', '/api/admin/reviews?product=3&older=400'],
  ])('for %s', async (path) => {
    const owner = await signedIn()
    expect(await readWhole(() => owner.send('GET', path))).toEqual([])
  })

  async function signedIn() {
    const owner = world.shopper()
    expect((await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })).status).toBe(200)
    return owner
  }
})
