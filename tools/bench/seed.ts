import type pg from 'pg'

// Writes products and orders in large numbers directly to the database, a statement per table. Their invented texts share no word
// with the demo products, so a search for those finds the same number in a large catalog.

/** Demo products that stay visible, by collection: 24 in total. */
const DEMO = { rudy: 16, sherlock: 5, example: 3 }
/** The first id of added products. */
export const FIRST_SEEDED = 1_000_000

const firsts = 'amber birch cedar dapple ember fable gusto hollow indigo jolly kestrel lumen mellow nimble opal plume'
const seconds = 'acre beacon copse dell easel ferry glade harbour islet jetty knoll lagoon meander nook orchard prairie'

const wordOf = (words: string, number: string): string =>
  `initcap((string_to_array('${words}', ' '))[1 + (${number}) % ${words.split(' ').length}])`

/**
 * Keeps 24 demo products and adds the rest, each with three variants and four pictures of a demo product.
 * @param count at least 24
 */
export async function seedProducts(pool: pg.Pool, count: number): Promise<void> {
  const visible = Object.entries(DEMO)
    .map(([collection, most]) => `(collection = '${collection}' and place <= ${most})`)
    .join(' or ')
  const more = count - Object.values(DEMO).reduce((sum, products) => sum + products, 0)
  await runInTransaction(pool, [
    `update product set state = 'retired' where id not in (
       select id from (select id, collection, row_number() over (partition by collection order by id) as place from product) p
       where ${visible})`,
    `create temp table model on commit drop as
       select row_number() over (order by id) - 1 as at, p.* from product p where visible`,
    `create temp table copy on commit drop as
       select n, ${FIRST_SEEDED} + n as id, m.id as model from generate_series(1, ${more}) n
       join model m on m.at = n % (select count(*) from model)`,
    `insert into product (id, slug, name, description, collection, type, badge, metadata, requires_options,
       sync_product_id, provider_product_id, colors)
     select c.id, 'seeded-' || n, ${wordOf(firsts, 'n')} || ' ' || ${wordOf(seconds, 'n / 16')} || ' ' || initcap(replace(m.type, '-', ' ')) || ' ' || n,
       'Drawn at the ' || ${wordOf(seconds, 'n / 7')} || ' by the ' || ${wordOf(firsts, 'n / 3')} || ' ' || ${wordOf(seconds, 'n / 5')} || ', piece ' || n || ' of its row.',
       m.collection, m.type, case when n % 50 = 0 then 'NEW ARRIVAL' end, m.metadata, m.requires_options,
       10000000 + n, 10000000 + n, m.colors
     from copy c join product m on m.id = c.model`,
    `insert into product_picture select c.id, p.position, p.view, p.color, p.file, p.widths, p.width, p.height
     from copy c join product_picture p on p.product_id = c.model and p.position < 4`,
    `insert into variant (id, product_id, catalog_variant_id, position, name, color, size, unit_price_cents, cost_cents, availability)
     select 100000000 + n * 10 + v.place, c.id, v.catalog_variant_id, v.place, v.name, v.color, v.size, v.unit_price_cents + n % 500,
       v.cost_cents, 'active'
     from copy c join (
       select row_number() over (partition by product_id order by position) - 1 as place, * from variant where gone_at is null
     ) v on v.product_id = c.model and v.place < 3`,
  ])
  await vacuumAnalyze(pool, ['product', 'product_picture', 'variant', 'listed_product'])
}

/** The tables that an order writes, in order. */
const ORDER_TABLES = [
  ...['checkout', 'checkout_version', 'payment', 'payment_processing_log', 'shop_order', 'order_line', 'order_step'],
  ...['order_access', 'ledger_posting', 'ledger_entry', 'mail', 'provider_transaction'],
]
const DAYS = 730

/**
 * Adds paid and delivered orders of two lines over the last two years, with all the rows of a purchase. Foreign keys are not checked
 * and indexes are built afterward, so a million takes minutes, not hours. The database user must be a superuser.
 */
export async function seedOrders(pool: pg.Pool, count: number): Promise<void> {
  const numbers = `generate_series(1, ${count}) n`
  const at = `now() - make_interval(secs => n::float8 * ${DAYS * 86_400} / ${count})`
  const id = `md5('seeded' || n)::uuid`
  const { rows: indexes } = await pool.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = any ($1::regclass[]) and not exists (select 1 from pg_constraint where conindid = indexrelid)`,
    [ORDER_TABLES],
  )
  await runInTransaction(pool, [
    `set local session_replication_role = replica`,
    `set local maintenance_work_mem = '256MB'`,
    ...indexes.map(({ name }) => `drop index ${name}`),
    `create temp table sold on commit drop as
       select row_number() over (order by v.id) - 1 as at, v.id as variant_id, v.product_id, p.name, p.collection
       from variant v join product p on p.id = v.product_id where p.visible and v.gone_at is null limit 500`,
    `create unique index on sold (at)`,
    `insert into checkout (id, session_id, state, order_number, quote_hash, country, subtotal_cents, shipping_cents, surcharge_cents,
       tax_cents, vat_protection_cents, total_cents, provider, provider_payment_id, created_at, updated_at)
     select ${id}, 'seeded' || n, 'paid', 'S' || n, 'q' || n, 'US', 6000, 0, 0, 500, 0, 6500, 'stripe', 'pi_seeded_' || n, ${at}, ${at}
     from ${numbers}`,
    `insert into checkout_version (checkout_id, quote_hash, wish_hash, frozen, frozen_at)
     select ${id}, 'q' || n, 'w' || n, jsonb_build_object('customer', jsonb_build_object('email', 'fan-' || n || '@mail.example')), ${at}
     from ${numbers}`,
    `insert into payment select 'stripe:pi_seeded_' || n, 'stripe', 'pi_seeded_' || n, 'captured', 6500, 'usd', false, ${id}, ${at}, 218
     from ${numbers}`,
    `insert into payment_processing_log (payment_key, payment_type, payment_id, status, processed_at)
     select 'stripe:pi_seeded_' || n, 'stripe', 'pi_seeded_' || n, 'completed', ${at} from ${numbers}`,
    `create temp table seeded on commit drop as
       select n, nextval('shop_order_id_seq')::int as id, ${at} as at from ${numbers}`,
    `insert into shop_order (id, order_number, checkout_id, payment_key, session_id, payment_status, fulfilment_status, subtotal_cents,
       shipping_cents, tax_cents, vat_protection_cents, total_cents, customer_email, customer_name, shipping_address, collection,
       external_id, printful_order_id, partner_asked_at, partner_cost_cents, tax_report, created_at, updated_at)
     select id, 'S' || n, ${id}, 'stripe:pi_seeded_' || n, 'seeded' || n,
       case n % 100 when 7 then 'partially_refunded' else 'paid' end,
       case n % 1000 when 0 then 'needs_attention' when 1 then 'on_hold' else 'delivered' end, 6000, 0, 500, 0, 6500,
       'fan-' || n || '@mail.example', (array['Ada', 'Ben', 'Cleo', 'Dan'])[1 + n % 4] || ' Fan ' || n,
       '{"line1": "350 5th Avenue", "line2": null, "city": "New York", "state": "NY", "postalCode": "10118", "country": "US"}',
       (array['rudy', 'sherlock', 'example'])[1 + n % 3], 'S' || n, 500000000 + n, at, 2400, 'reported', at, at
     from seeded`,
    `insert into order_line (order_id, position, product_id, variant_id, product_name, collection, quantity, unit_price_cents)
     select s.id, line, g.product_id, g.variant_id, g.name, g.collection, 1, 3000
     from seeded s cross join generate_series(0, 1) line join sold g on g.at = (s.n * 7 + line) % (select count(*) from sold)`,
    `insert into order_step (order_id, fulfilment_status, taken_at)
     select id, status, at + step * interval '1 day' from seeded
     cross join unnest(array['waiting', 'submitted', 'shipped', 'delivered']) with ordinality s (status, step)`,
    `insert into order_access (token_hash, order_id, created_at, expires_at)
     select encode(sha256(('seeded' || n)::bytea), 'hex'), id, at, at + interval '90 days' from seeded`,
    `create temp table posted on commit drop as
       select nextval('ledger_posting_id_seq') as id, s.id as order_id, n, at, kind from seeded s
       cross join unnest(array['sale', 'fee', 'partner_cost']) kind`,
    `insert into ledger_posting (id, kind, key, order_id, payment_key, booked_at)
     select id, kind, kind || ':stripe:pi_seeded_' || n, order_id, 'stripe:pi_seeded_' || n, at from posted`,
    `insert into ledger_entry (posting_id, account, amount_cents)
     select p.id, e.account, e.amount from posted p join (values
       ('sale', 'provider:stripe', 6500), ('sale', 'revenue:merchandise', -6000), ('sale', 'liability:tax', -500),
       ('fee', 'expense:provider_fees', 218), ('fee', 'provider:stripe', -218),
       ('partner_cost', 'expense:fulfillment', 2400), ('partner_cost', 'print_partner', -2400)) e (kind, account, amount) on e.kind = p.kind`,
    `insert into mail (kind, recipient, order_id, subject, text_part, html_part, message_id, state, created_at, sent_at)
     select 'confirmation', 'fan-' || n || '@mail.example', id, 'Order Confirmation', '', '', 'seeded-' || n || '@mail.example', 'sent', at, at
     from seeded`,
    // Triggers add these up.
    `set local session_replication_role = origin`,
    `insert into provider_transaction (provider, id, kind, amount_cents, fee_cents, currency, payment_key, source_id, checkout_id, occurred_at, read_at,
       is_ours)
     select 'stripe', 'txn_seeded_' || n, 'charge', 6500, 218, 'usd', 'stripe:pi_seeded_' || n, 'ch_seeded_' || n, ${id}, ${at}, now(), true
     from ${numbers}`,
    ...indexes.map(({ definition }) => definition),
  ])
  await vacuumAnalyze(pool, ORDER_TABLES)
}

/** Of the last days orders are under way, and some of them late. */
const DAYS_UNDER_WAY = 10
const LATE_IN = 200
const CONVERSATIONS = 100_000
const FOREIGN_LINES = 1000
const POSTINGS_A_SEAL = 10_000

/**
 * What the owner's pages show besides the orders of `seedOrders`: some under way and late, the printer's orders, how far the providers'
 * books were read, lines of another program on the same account, sealed postings, and messages.
 */
export async function seedOffice(pool: pg.Pool): Promise<void> {
  await runInTransaction(pool, [
    `update shop_order set fulfilment_status = (array['submitted', 'in_production', 'shipped'])[1 + id % 3]
     where external_id like 'S%' and created_at > now() - interval '${DAYS_UNDER_WAY} days'`,
    `insert into parcel_notice (order_id, kind, pieces, state, told_at)
     select id, 'late', '[]', 'open', now() from shop_order where id % ${LATE_IN} = 0 and fulfilment_status in ('submitted', 'in_production', 'shipped')`,
    `insert into partner_order (id, external_id, status, cost_cents, created_at, read_at)
     select printful_order_id, external_id, 'fulfilled', 2400, created_at, now() from shop_order where printful_order_id is not null`,
    `insert into provider_reading (provider, since, until, read_at)
     select p, now() - interval '${DAYS} days', now(), now() from unnest(array['stripe', 'paypal', 'printful']) p
     on conflict (provider) do update set until = now(), read_at = now()`,
    `insert into provider_transaction (provider, id, kind, amount_cents, fee_cents, currency, payment_key, source_id, occurred_at, read_at)
     select 'stripe', 'txn_foreign_' || n, 'charge', 900, 30, 'usd', 'stripe:pi_foreign_' || n, 'ch_foreign_' || n,
       now() - n * interval '5 minutes', now() from generate_series(1, ${FOREIGN_LINES}) n`,
    `create temp table to_seal on commit drop as
       select id, (select coalesce(max(number), 0) from ledger_seal) + 1 + (n - 1) / ${POSTINGS_A_SEAL} as seal, (n - 1) % ${POSTINGS_A_SEAL} as position
       from (select id, row_number() over (order by id) as n from ledger_posting p
         where not exists (select from sealed_posting d where d.posting_id = p.id)) open`,
    `insert into ledger_seal (number, sealed_at, root, hash) select distinct seal, now(), 'seeded', 'seeded' from to_seal`,
    `insert into sealed_posting (posting_id, seal, position, hash) select id, seal, position, 'seeded' from to_seal`,
    `insert into conversation (reference, name, email, subject, state, waiting_since, is_unread, started_at)
     select 'seeded-' || n, (array['Ada', 'Ben', 'Cleo', 'Dan'])[1 + n % 4] || ' Fan ' || n, 'fan-' || n || '@mail.example',
       'A question about ' || ${wordOf(seconds, 'n')}, 'closed', null, false, now() - n * interval '10 minutes'
     from generate_series(1, ${CONVERSATIONS}) n`,
    `insert into conversation_message (conversation_id, author, channel, words, written_at)
     select c.id, 'customer', 'contact', 'My dog has taken the ' || c.reference || ' of the ' || ${wordOf(firsts, 'c.id')} || ' for a cushion. Can you send another?', c.started_at
     from conversation c where c.reference like 'seeded-%'`,
  ])
  await vacuumAnalyze(pool, [
    ...['shop_order', 'partner_order', 'partner_order_sum', 'provider_transaction', 'provider_sum'],
    ...['sealed_posting', 'conversation', 'conversation_message', 'parcel_notice'],
  ])
}

/** Leaves out empty tables: the planner would record them as empty and scan them in full while they fill. */
const vacuumAnalyze = (pool: pg.Pool, tables: readonly string[]) => pool.query(`vacuum analyze ${tables.join(', ')}`)

/** Runs statements without a timeout, in one transaction. */
async function runInTransaction(pool: pg.Pool, statements: readonly string[]): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('set local statement_timeout = 0')
    for (const statement of statements) await client.query({ text: statement, query_timeout: 0 } as pg.QueryConfig)
    await client.query('commit')
    client.release()
  } catch (error) {
    client.release(error as Error)
    throw error
  }
}
