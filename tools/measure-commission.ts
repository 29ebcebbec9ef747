import type pg from 'pg'
import { openWorld } from '#sandbox/world.ts'

// How long a partner with 100,000 orders of two lines waits for the earnings page, a statement and its workbook, and how much
// memory the workbook takes. The rows are written directly to the database; only reading them is measured.

const ORDERS = 100_000
const ROUNDS = 7

await using world = await openWorld({ database: 'embedded', fromScratch: true })
const { pool } = world.shop.database

const rows = [
  `insert into payment select 'stripe:pi_' || n, 'stripe', 'pi_' || n, 'captured', 9000, 'usd', false, null, now() - n * interval '20 seconds'
   from generate_series(1, ${ORDERS}) n`,
  `insert into checkout (id, session_id, state, order_number, quote_hash, country, subtotal_cents, shipping_cents, surcharge_cents,
     tax_cents, vat_protection_cents, total_cents, provider, provider_payment_id, created_at, updated_at)
   select md5('c' || n)::uuid, 's' || n, 'paid', 'N' || n, 'q', 'US', 8000, 0, 0, 1000, 0, 9000, 'stripe', 'pi_' || n, now(), now()
   from generate_series(1, ${ORDERS}) n`,
  `insert into shop_order (order_number, checkout_id, payment_key, session_id, payment_status, fulfilment_status, subtotal_cents,
     shipping_cents, tax_cents, vat_protection_cents, total_cents, customer_email, customer_name, shipping_address, collection,
     external_id, created_at, updated_at)
   select 'N' || n, md5('c' || n)::uuid, 'stripe:pi_' || n, 's' || n, 'paid', 'delivered', 8000, 0, 1000, 0, 9000,
     'fan@mail.example', 'Fan', '{}', 'rudy', 'N' || n, now() - n * interval '20 seconds', now()
   from generate_series(1, ${ORDERS}) n`,
  `insert into order_line (order_id, position, product_id, variant_id, product_name, collection, quantity, unit_price_cents)
   select o.id, p, v.product_id, v.id, 'A hat', 'rudy', 1, 4000
   from shop_order o cross join generate_series(0, 1) p cross join lateral
     (select id, product_id from variant order by id offset (o.id % 20) limit 1) v`,
  `insert into attribution select o.checkout_id, k.partner_id, k.id, o.created_at - interval '1 hour', null, o.created_at
   from shop_order o cross join (select id, partner_id from affiliate_link order by id limit 1) k`,
  `insert into affiliate_click select md5('k' || n)::uuid, (select min(id) from affiliate_link), '/', now() - n * interval '20 seconds', null
   from generate_series(1, ${ORDERS}) n`,
  `insert into commission_entry (partner_id, link_id, order_id, position, product_id, kind, cause, base_cents, basis_points,
     amount_cents, booked_at, approved_from)
   select a.partner_id, a.link_id, o.id, l.position, l.product_id, 'sale', 'sale:' || o.payment_key, 4000, 1200, 480,
     o.created_at, o.created_at + interval '30 days'
   from shop_order o join attribution a on a.checkout_id = o.checkout_id join order_line l on l.order_id = o.id`,
  'analyze',
]
for (const statement of rows) {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query({ text: statement, query_timeout: 600_000 } as pg.QueryConfig)
    await client.query('reset statement_timeout')
  } finally {
    client.release()
  }
}

const partner = world.shopper()
await partner.send('POST', '/api/login', { username: 'partner', password: 'partner-demo' })
const month = new Date().toISOString().slice(0, 7)
const reads = {
  'a partner’s page, 30 days': '/api/partnership/earnings',
  'a page of orders': '/api/partnership/earnings/orders',
  'a month’s statement': `/api/partnership/statements/${month}`,
  'the statement as PDF': `/api/partnership/statement-file?month=${month}&kind=pdf`,
}
const formatSpread = (numbers: readonly number[]) =>
  [Math.min(...numbers), numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0, Math.max(...numbers)]
    .map((ms) => ms.toFixed(0))
    .join(' / ')
console.log(`${ORDERS} orders of two lines; minimum / median / maximum of ${ROUNDS}, in ms`)
for (const [name, path] of Object.entries(reads)) {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now()
    const { status } = await partner.send('GET', path)
    if (status !== 200) throw new Error(`${path} answered ${status}`)
    times.push(performance.now() - startedAt)
  }
  console.log(`${name.padEnd(34)}${formatSpread(times)}`)
}

const before = process.memoryUsage().rss
let highest = before
const watching = setInterval(() => (highest = Math.max(highest, process.memoryUsage().rss)), 20)
const startedAtMs = performance.now()
const workbook = await fetch(`${world.address}/api/partnership/statement-file?month=${month}&kind=xlsx`, {
  headers: { cookie: partner.cookie() },
})
let bytes = 0
for await (const chunk of workbook.body ?? []) bytes += chunk.byteLength
clearInterval(watching)
console.log(
  `the statement as a workbook       ${(performance.now() - startedAtMs).toFixed(0)} ms, ${bytes} bytes, ${Math.round((highest - before) / 2 ** 20)} MB of memory`,
)
