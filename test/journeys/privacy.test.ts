import { globSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminPrivacyCalls, type PersonalDataCounts } from '#contract/privacy.ts'
import { DAY_MS, MINUTE_MS } from '#shared/time.ts'
import type { OrderId } from '#shared/ids.ts'
import { personalData as admin } from '#server/admin/personal-data.ts'
import { lockOrder, moveFulfillment } from '#server/orders/orders.ts'
import type { PersonalData } from '#server/db/personal-data.ts'
import { owners } from '#server/privacy/owners.ts'
import { exportOf } from '#server/privacy/privacy.ts'
import { eraseExpired } from '#server/privacy/retention.ts'
import { mailSubscribers } from '#server/messages/newsletter.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { personOfEmail } from '#server/drops/persons.ts'
import { ownerVerbs } from '../../src/owner-verbs.ts'
import { expectBooksAgree } from './invariants.ts'

let world: World
let owner: ReturnType<World['shopper']>

beforeAll(async () => {
  world = await openWorld()
  owner = world.shopper()
  await signsIn()
})
afterAll(() => world[Symbol.asyncDispose]())

/** Signs in again after days have passed: an owner's session is short. */
const signsIn = () => owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })

const home = {
  line1: '77 Quuxmoor Road',
  line2: 'Flat Zetaquux',
  city: 'New York',
  state: 'NY',
  postal_code: '10118',
  country: 'US',
}
/** Letters that appear nowhere else in the database. */
/** The last is the first as bytes. */
const TRACES = ['quux', 'zelda', '71757578']

let people = 0
/** A person whose data all contains a trace. */
function somebody() {
  people += 1
  const shopper = world.shopper()
  shopper.customer.email = `Zelda${people}@quux.example`
  shopper.customer.name = 'Zelda Quux'
  return shopper
}

const orderOf = async ({ customer }: { customer: { email: string } }) => {
  const { rows } = await world.shop.database.pool.query<{ id: OrderId; order_number: string }>(
    'select id, order_number from shop_order where customer_email = $1',
    [customer.email],
  )
  return rows[0] ?? { id: 0 as OrderId, order_number: '' }
}

async function buys(shopper: ReturnType<typeof somebody>) {
  const payment = await shopper.paysByCard({ buying: 'mug', to: home })
  await payment.returnsToShop()
  await world.settled()
  return orderOf(shopper)
}

const arrives = (id: OrderId) =>
  world.shop.db.transaction(async (tx) =>
    moveFulfillment(tx, await lockOrder(tx, id), 'delivered', world.shop.clock.now()),
  )

/** Rows of every table that contain a trace in any column. */
async function traces(): Promise<string[]> {
  const { pool } = world.shop.database
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  expect(tables.length).toBeGreaterThan(40)
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${name} t`)
    for (const { row } of rows)
      if (TRACES.some((trace) => row.toLowerCase().includes(trace))) found.push(`${name}: ${row.slice(0, 300)}`)
  }
  return found
}

/** Fills every table that holds personal data. */
async function livesHere() {
  const shopper = somebody()
  const { email } = shopper.customer
  const { id, order_number: number } = await buys(shopper)
  const contactMessage = { name: 'Zelda Quux', email, subject: 'About my mug', message: 'The quux on it is not mine.' }
  await shopper.send('POST', '/api/contact', contactMessage)
  await owner.send('POST', `/api/admin/orders/${number}/notes`, { words: 'Zelda called twice' })
  const refund = { wanted: { kind: 'amount', amount: 100 }, reason: 'Zelda is right' }
  const { body } = await owner.send('POST', `/api/admin/orders/${number}/refund/preview`, { wanted: refund.wanted })
  await owner.send('POST', `/api/admin/orders/${number}/refund`, { ...refund, amount: 100, limit: body['limit'] })
  await shopper.send('POST', '/api/track', { orderNumber: number, email })
  const { pool } = world.shop.database
  const lower = email.toLowerCase()
  await pool.query(`insert into subscriber (name, email, asked_at) values ('Zelda', $1, now())`, [lower])
  await pool.query(
    `with c as (insert into conversation (reference, order_id, email, subject, waiting_since, started_at)
         values (gen_random_uuid(), $2::int, null, 'Order', now(), now()), (gen_random_uuid(), null, $1, 'Chat', now(), now()) returning id),
       m as (insert into conversation_message (conversation_id, author, channel, words, written_at, sender, email_id)
         select id, 'customer', 'chat', 'quux?', now(), 'zelda@quux.example', '<quux>' from c returning id)
     insert into conversation_photo (id, message_id, body) select gen_random_uuid(), id, 'quux'::bytea from m`,
    [email, id],
  )
  const registered = { username: `zelda-quux-${people}`, password: 'sleeps all day' }
  const { body: user } = await shopper.send<{ id: number }>('POST', '/api/register', registered)
  // A username the erased account might once have been given.
  await world.shopper().send('POST', '/api/register', { ...registered, username: `erased-${user.id}` })
  await pool.query('update app_user set email = $1 where username = $2', [lower, `zelda-quux-${people}`])
  await pool.query(`update shop_order set customer_phone = '+1 555 quux' where id = $1`, [id])
  await world.settled()
  await arrives(id)
  await pool.query(
    `insert into review (product_id, order_id, line, state, stars, words, name, created_at, updated_at)
     select product_id, order_id, position, 'published', 5, 'The quux is fine', 'Zelda', now(), now() from order_line where order_id = $1`,
    [id],
  )
  await pool.query('insert into review_opt_out (email, created_at) values ($1, now())', [lower])
  // An unpaid, abandoned checkout.
  await shopper.adds('hat')
  await shopper.startsPayment(home)
  await world.advance(2 * DAY_MS)
  await world.sweep()
  await world.settled()
  await signsIn()
  return { shopper, email, id, number }
}

test('a person’s data is shown completely, then erased everywhere; amounts, items, tax and the first part of the postal code stay (S80)', async () => {
  const { email, number } = await livesHere()
  const look = await owner.send<PersonalDataCounts>('POST', '/api/admin/privacy/look', { email: email.toUpperCase() })
  expect(look.body).toMatchObject({
    ...{ orders: 1, ordersUnderWay: 0, checkouts: 2, checkoutsUnderWay: 0 },
    ...{ messages: 3, subscriptions: 1, accounts: 1 },
  })
  const { body: file } = await owner.send('POST', '/api/admin/privacy/export', { email })
  const written = JSON.stringify(file)
  for (const part of ['77 Quuxmoor Road', 'The quux on it is not mine.', 'quux?', number, 'Order Confirmation'])
    expect(written).toContain(part)
  expect((await traces()).length).toBeGreaterThan(8)
  const before = await world.audit('orders')

  expect((await owner.send('POST', '/api/admin/privacy/erase', { email, repeated: 'other@mail.example' })).status).toBe(
    422,
  )
  for (const wanted of [200, 200])
    expect((await owner.send('POST', '/api/admin/privacy/erase', { email, repeated: email })).status).toBe(wanted)

  expect(await traces()).toEqual([])
  const after = await world.audit('orders')
  const amounts = (rows: Record<string, unknown>[]) =>
    rows.map(({ order_number: name, total_cents: total, tax_cents: tax, status }) => ({ name, total, tax, status }))
  expect(amounts(after)).toEqual(amounts(before))
  const { rows } = await world.shop.database.pool.query<{ evidence: { address: object } }>(
    'select tax_evidence as evidence from shop_order where order_number = $1',
    [number],
  )
  const remainingAddress = { state: 'NY', postalCode: '101', country: 'US', city: '', line1: '' }
  expect(rows[0]?.evidence.address).toMatchObject(remainingAddress)
  const { rows: sent } = await world.shop.database.pool.query<{ address: object }>(
    'select shipping_address as address from shop_order where order_number = $1',
    [number],
  )
  expect(sent[0]?.address).toMatchObject(remainingAddress)
  await expectBooksAgree(world)

  const orderView = await owner.send('GET', `/api/admin/orders/${number}`)
  expect(orderView.body).toMatchObject({ customer: { name: '', email: '' }, notes: [] })
  expect(orderView.body['erasedAt']).not.toBeNull()
  expect(await looksAt(email)).toMatchObject({ orders: 0, mails: 0, accounts: 0 })
})

/** What the tables' owners declare, by name in the database. */
async function declarations() {
  const declared = new Map([...owners, admin].flatMap(({ fates }) => Object.entries(fates)))
  const byTable = new Map<string, PersonalData['fates'][string] | undefined>()
  for (const file of globSync('src/server/*/*schema.ts'))
    for (const [name, table] of Object.entries((await import(/* @vite-ignore */ `../../${file}`)) as object))
      if (is(table, PgTable)) byTable.set(getTableName(table), declared.get(name))
  return byTable
}

const inDatabase = (column: string) => column.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Writes a trace wherever the journeys of this file leave none: to every table, and every column that is to be erased. */
async function leavesTraces({ email, id }: { email: string; id: OrderId }) {
  const lower = email.toLowerCase()
  const user = `(select id from app_user where email = '${lower}')`
  for (const statement of [
    `update app_user set password_hash = 'quux' where email = '${lower}'`,
    `update payment set payer_hash = 'quux' where payment_key = (select payment_key from shop_order where id = ${id})`,
    `update shop_order set attention_reason = 'quux', tax_number = 'quux', paid_card = '{"brand": "quux card", "lastFour": "4242"}', texts = '{"gift_note": "quux with love"}', billing_address = '{"line1": "quux"}' where id = ${id}`,
    `insert into session (id, user_id, device) values ('quux', ${user}, 'quux')`,
    `insert into cart_line (session_id, variant_id, quantity) select 'quux', max(id), 1 from variant`,
    `insert into order_viewer (session_id, order_id, until) values ('quux', ${id}, now())`,
    `insert into order_access (token_hash, order_id, created_at, expires_at) values ('quux', ${id}, now(), now())`,
    `insert into order_change (order_id, made_by, kind, amount_cents, state, plan, client_secret, created_at)
     values (${id}, 'shopper', 'address', 0, 'done', '{"recipient": {"name": "quux"}}', 'quux', now())`,
    `insert into order_correction (order_id, made_by, before, after, corrected_at)
     values (${id}, 'owner', '{"name": "quux"}', '{}', now())`,
    `insert into shipment (id, order_id, carrier, service, items, shipped_at) values (${id} + 900000, ${id}, 'USPS', 'Ground', '[]', now())`,
    `insert into tracking_event (shipment_id, happened_at, description) values (${id} + 900000, now(), 'Arrived in quux town')`,
    `insert into claim (order_id, kind, pieces, submission, declared_name, opened_at, waiting_since)
     values (${id}, 'withdrawal', '[]', gen_random_uuid(), 'quux', now(), now())`,
    `insert into claim_message (claim_id, is_owner, words, written_at) select max(id), false, 'quux is torn', now() from claim`,
    `insert into claim_photo (id, order_id, claim_id, body, created_at)
     select gen_random_uuid(), ${id}, max(id), 'quux'::bytea, now() from claim`,
    `insert into shop_exception (kind, about, order_id, amount_cents, cause, facts, opened_at)
     values ('kind', 'about', ${id}, 1, 'quux', '{"fact": "quux"}', now())`,
    `insert into provider_event (provider, event_id, type, payload, received_at)
     select 'printful', 'id', 'type', jsonb_build_object('externalId', external_id, 'reason', 'quux'), now()
     from shop_order where id = ${id}`,
    `insert into mail (kind, recipient, recipient_name, about, subject, text_part, html_part, message_id, headers, attachment, state, created_at)
     values ('my_data', '${email}', 'quux', 'quux', 'quux', 'quux letter', 'quux', 'id', '{"a": "quux"}', '{"b": "quux"}', 'sent', now())`,
    `insert into picture (file, kind, alt, widths, width, height, created_at)
     values ('customer.quux', 'customer', '', '{320}', 320, 320, now())`,
    `insert into review_photo (file, order_id, line, position, created_at) values ('customer.quux', ${id}, 0, 0, now())`,
    `insert into phone_order (request_key, session_id, customer, pieces, created_at, expires_at)
     values (gen_random_uuid(), 'quux by phone', '{"email": "${email}", "name": "quux"}', '[]', now(), now())`,
    `insert into gift_card (code_hash, seed, last_four, issued_cents, balance_cents, reason, recipient_email, created_at)
     values ('hash', 'seed', 'RTNB', 0, 0, 'quux was sad', '${email}', now())`,
    `insert into gift_card_purchase (request_key, amount_cents, buyer_email, recipient_email, sender_name, message, client_secret, created_at)
     values (gen_random_uuid(), 1000, '${email}', 'quux@quux.example', 'quux', 'quux for you', 'quux', now())`,
    `with r as (insert into raffle (slug, title, words, product_id, countries, starts_at, ends_at, draw_at, age_min, claim_days, created_at)
       select 'traced', 'A raffle', 'Words', min(id), '[]', now(), now() + interval '1 day', now() + interval '2 days', 18, 30, now() from product returning id),
     e as (insert into raffle_entry (raffle_id, email, entrant, country, secret, created_at) select id, '${lower}', 'quux', 'US', 'quux', now() from r returning id)
     insert into raffle_access (token_hash, entry_id, created_at) select 'quux', id, now() from e`,
    `insert into saved_cart (email, lines, codes, created_at) values ('${lower}', '[]', '["quux"]', now())`,
    `insert into order_visit (order_id, hour) values (${id}, now())`,
    `with d as (insert into dispute (provider, dispute_id, payment_key, order_id, amount_cents, fee_cents, status, opened_at)
       select 'stripe', 'traced', payment_key, id, 100, 0, 'open', now() from shop_order where id = ${id} returning dispute_id)
     insert into dispute_answer (provider, dispute_id, kind, state, reference, file, content, requested_at)
     select 'stripe', dispute_id, 'evidence', 'sent', 'r', 'quux'::bytea, '{"texts": "quux"}', now() from d`,
    `with d as (insert into drop (title, product_id, decision, starts_at, pieces, limit_per_person, early_codes, number_rule, created_at)
       select 'A drop', min(id), 'ended', now(), 5, 1, '{}', 'retire', now() from product returning id, product_id),
     h as (insert into drop_hold (checkout_id, drop_id, quantity, persons)
       select gen_random_uuid(), id, 1, array['quux', '${personOfEmail(email)}'] from d),
     e as (insert into edition (drop_id, number, order_id, position, product_id, variant_id, issued_at, next_email)
       select d.id, 1, ${id}, 0, d.product_id, v.id, now(), '${lower}' from d, (select max(id) as id from variant) v),
     n as (insert into drop_notice (drop_id, email, created_at) select id, '${lower}', now() from d)
     insert into drop_place (drop_id, email, state, queued_at) select id, '${lower}', 'waiting', now() from d`,
    `insert into second_factor (user_id, secret, started_at) values (${user}, 'quux', now())`,
    `insert into recovery_code (user_id, code_hash) values (${user}, 'quux')`,
    `insert into account_request (kind, email, created_at, expires_at) values ('email', '${email}', now(), now())`,
    `insert into account_link (token_hash, request_id) select 'quux', max(id) from account_request`,
    // Of the release before.
    `with c as (insert into contact_message (name, email, subject, message, created_at)
       values ('quux', '${email}', 'quux', 'quux', now()) returning id)
     insert into contact_answer (message_id, answer, answered_at) select id, 'quux answer', now() from c`,
    `with c as (insert into chat (email, started_at) values ('${email}', now()) returning id)
     insert into chat_message (chat_id, session_id, author, message, "timestamp") select id, 's', 'visitor', 'quux?', now() from c`,
    `insert into subscriber_access (token_hash, subscriber_id, created_at) select 'quux', max(id), now() from subscriber`,
    `insert into data_request (token_hash, email, created_at, expires_at) values ('hash', '${lower}', now(), now())`,
    `insert into erasure (email, asked_at) values ('${lower}', now())`,
    `insert into partner (id, display_name, channel_url, code, joined_at) values (${user}, 'quux', 'quux', 'quux', now())`,
    `insert into payout_account (partner_id, details, changed_at) values (${user}, '{"iban": "quux iban"}', now())`,
    `insert into payout (partner_id, reference, amount_cents, destination, made_at) values (${user}, 'P', 1, 'quux', now())`,
    `insert into partner_application (user_id, name, channel, audience, message, created_at)
     values (${user}, 'quux', 'quux', 'quux', 'quux', now())`,
    `insert into partner_proposal (user_id, version, share_basis_points, valid_from, offered_at, paragraphs)
     values (${user}, 1, 1, now(), now(), '["quux"]')`,
    `insert into past_order (shop, order_number, customer_email, customer_name, placed_at, status, shipping_cents, tax_cents, discount_cents, total_cents, refunded_cents, imported_at)
     values ('shopify', '1', '${lower}', 'quux past', now(), 'paid', 0, 0, 0, 0, 0, now())`,
    `insert into call_request (user_id, topic, times, time_zone, created_at) values (${user}, 'quux', '[]', 'UTC', now())`,
  ])
    await world.shop.database.pool.query(statement)
}

test('every text about a person is erased as the owner of its table says; no table is without an owner', async () => {
  const { pool } = world.shop.database
  const declared = await declarations()
  const { rows: tables } = await pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  )
  // Nobody reads it anymore; a later release drops it.
  const left = tables.map(({ name }) => name).filter((name) => name !== 'product_override')
  expect([...declared.keys()].toSorted()).toEqual(left.toSorted())
  expect([...declared].filter(([, fate]) => fate === undefined)).toEqual([])

  const { email, id, number } = await livesHere()
  await leavesTraces({ email, id })
  const untraced: string[] = []
  for (const [table, fate] of declared) {
    const erased = typeof fate === 'object' ? Object.keys(fate).filter((column) => fate[column] === 'erased') : []
    // A deleted row is gone with all its columns.
    for (const text of fate === 'deleted' ? ['t'] : erased.map(inDatabase)) {
      // A row without a text, such as a visit of the order's page, is the person's by its order.
      const { rows } = await pool.query(
        `select 1 from ${table} t where ${text}::text ~* $1 or '${text}' = 't' and (to_jsonb(t) ->> 'order_id')::int = $2`,
        [TRACES.join('|'), id],
      )
      if (rows.length === 0) untraced.push(`${table}: ${text}`)
    }
  }
  expect(untraced).toEqual([])

  const { body: file } = await owner.send('POST', '/api/admin/privacy/export', { email })
  const written = JSON.stringify(file)
  for (const part of [
    ...[number, 'Zelda Quux', email, '+1 555 quux', '77 Quuxmoor Road', '"cardOrWallet":"quux"', '"taxNumber":"quux"'],
    '"gift_note":"quux with love"',
    ...['"declaredName":"quux"', 'quux is torn', 'Arrived in quux town', 'cXV1eA=='],
    ...['"before":{"name":"quux"}', 'quux letter', 'The quux on it is not mine.', 'quux answer', 'quux?'],
    ...['"newsletter":{"name":"Zelda"', '"username":"zelda-quux', 'quux iban', 'quux past', '"lastFour":"RTNB"'],
    'quux for you',
    'quux card',
  ])
    expect(written).toContain(part)

  const slow = await exportOf(world.shop, email)
  expect((await owner.send('POST', '/api/admin/privacy/erase', { email, repeated: email })).status).toBe(200)
  expect(await traces()).toEqual([])
  expect((await pool.query('select 1 from order_visit where order_id = $1', [id])).rows).toEqual([])
  expect(written.match(/cXV1eA==/g)?.length).toBeGreaterThan(1)
  expect(await text(slow), 'a photo is read once it is its turn').not.toContain('cXV1eA==')
})

const looksAt = async (email: string) =>
  (await owner.send<PersonalDataCounts>('POST', '/api/admin/privacy/look', { email })).body

test('an order in production is completed, and erased afterward; new orders are welcome (S80)', async () => {
  const shopper = somebody()
  const { email } = shopper.customer
  const { id } = await buys(shopper)
  const { pool } = world.shop.database
  const verbs = ownerVerbs(world.shop.database, async () => world.shop)
  expect(await verbs(['erase', email])).toMatchObject({ orders: 0, later: 1 })
  expect((await pool.query('select customer_name from shop_order where id = $1', [id])).rows).toEqual([
    { customer_name: 'Zelda Quux' },
  ])
  await eraseExpired(world.shop)
  expect((await traces()).length).toBeGreaterThan(0)

  await arrives(id)
  await eraseExpired(world.shop)
  expect(await traces()).toEqual([])

  const again = somebody()
  again.customer.email = email
  const next = await buys(again)
  expect(next.order_number).not.toBe('')
  await arrives(next.id)
  await verbs(['erase', email])
  expect(await traces()).toEqual([])
  await expect(verbs(['erase', 'nobody'])).rejects.toThrow('Usage: npm run owner')
})

test('a guest exports and erases data by an emailed link; a stranger learns nothing (S82)', async () => {
  const shopper = somebody()
  const { email } = shopper.customer
  await arrives((await buys(shopper)).id)
  const before = world.mailbox.list().length
  const stranger = world.shopper()
  for (const requested of [email, 'nobody@mail.example'])
    expect(await stranger.send('POST', '/api/my-data', { email: requested })).toMatchObject({
      status: 200,
      body: { success: true },
    })
  await world.settled()
  // The work is the same for both, and nothing about a stranger is stored.
  const { pool } = world.shop.database
  expect((await pool.query(`select 1 from pgboss.job where name = 'mail-data-link'`)).rows).toHaveLength(2)
  expect((await pool.query(`select 1 from data_request where email like 'nobody%'`)).rows).toEqual([])
  const [mail, ...others] = world.mailbox.list().slice(0, world.mailbox.list().length - before)
  expect(others).toEqual([])
  expect(mail?.to).toContain(email.toLowerCase())
  const token = /my-data\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
  const { rows } = await pool.query('select * from mail where text_part like $1', [`%${token}%`])
  expect(rows).toEqual([])

  for (const path of ['look', 'export', 'erase'])
    expect((await stranger.send('POST', `/api/my-data/${path}`, { token: 'guessed' })).status).toBe(410)
  const mine = await shopper.send<PersonalDataCounts>('POST', '/api/my-data/look', { token })
  expect(mine.body).toMatchObject({ email: email.toLowerCase(), orders: 1 })
  expect(JSON.stringify((await shopper.send('POST', '/api/my-data/export', { token })).body)).toContain('Quuxmoor')
  expect((await shopper.send('POST', '/api/my-data/erase', { token })).status).toBe(200)
  expect(await traces()).toEqual([])
  expect((await shopper.send('POST', '/api/my-data/look', { token })).status).toBe(410)
})

test('names are erased automatically when their retention ends', async () => {
  const shopper = somebody()
  const { id } = await buys(shopper)
  await arrives(id)
  const { pool } = world.shop.database
  await pool.query(`update shop_order set created_at = created_at - interval '11 years' where id = $1`, [id])
  await shopper.send('POST', '/api/my-data', { email: shopper.customer.email })
  await world.settled()
  await world.advance(2 * DAY_MS)
  await eraseExpired(world.shop)
  expect((await traces()).filter((row) => !row.startsWith('public.mail'))).toEqual([])
  const { rows } = await pool.query<{ id: number }>('select id from affiliate_link limit 1')
  const clicked = (days: number) =>
    pool.query(`insert into affiliate_click (id, link_id, path, clicked_at) values (gen_random_uuid(), $1, '/', $2)`, [
      rows[0]?.id,
      new Date(world.shop.clock.now().getTime() - days * DAY_MS),
    ])
  for (const days of [401, 402, 399]) await clicked(days)
  expect(await eraseExpired(world.shop)).toMatchObject({ clicks: 2 })
  await world.advance(3 * 365 * DAY_MS)
  await eraseExpired(world.shop)
  expect(await traces()).toEqual([])
})

test('an address typed without paying is deleted after a month, an order’s is not', async () => {
  const shopper = somebody()
  await shopper.adds('mug')
  await shopper.startsPayment(home)
  const { body } = await shopper.startsPayment(addresses.newYork)
  await shopper.confirms(body)
  await shopper.returnsToShop(body.payment_intent)
  await world.settled()
  await world.advance(31 * DAY_MS)
  await eraseExpired(world.shop)
  const about = (await traces()).filter((row) => !row.startsWith('public.mail'))
  expect(about).toEqual([expect.stringMatching(/^public\.shop_order:/)])
})

test('an email to the owner about several people hides the others from each export, and is erased with any of them', async () => {
  await signsIn()
  const { pool } = world.shop.database
  const people = ['joann@row.example', 'ann@row.example.org', 'ann@row.example', 'bob@row.example']
  for (const email of people)
    await pool.query(`insert into subscriber (name, email, asked_at, confirmed_at) values ($1, $1, now(), now())`, [
      email,
    ])
  await mailSubscribers(world.shop)
  const [joann = '', , ann = '', bob = ''] = people
  const letter = { name: 'Joann', email: joann, subject: 'My bowl', message: 'It hums all night.' }
  expect((await world.shopper().send('POST', '/api/contact', letter)).status).toBe(200)
  await world.settled()
  const { body } = await owner.send('POST', '/api/admin/privacy/export', { email: ann })
  const written = JSON.stringify(body)
  for (const other of [joann, bob, 'ann@row.example.org']) expect(written).not.toContain(other)

  const naming = async (email: string) =>
    (await pool.query('select id from mail where strpos(text_part, $1) > 0 and order_id is null', [email])).rows.length
  const before = await naming(joann)
  expect(before).toBeGreaterThan(1)
  // The email naming all four is erased; the message from a similar address stays.
  expect((await owner.send('POST', '/api/admin/privacy/erase', { email: ann, repeated: ann })).status).toBe(200)
  expect(await naming(joann)).toBe(before - 1)
  expect(await naming(bob)).toBe(0)
})

test('exports and erasure are for the owner alone, and the owner cannot be erased (S82)', async () => {
  await signsIn()
  const nobody = world.shopper()
  for (const { path } of Object.values(adminPrivacyCalls))
    expect((await nobody.send('POST', path, { email: 'a@b.example' })).status).toBe(401)
  await world.shop.database.pool.query(`update app_user set email = 'boss@mail.example' where is_owner`)
  const email = 'boss@mail.example'
  expect((await owner.send('POST', '/api/admin/privacy/erase', { email, repeated: email })).status).toBe(409)
  await world.advance(20 * MINUTE_MS)
  const late = await owner.send('POST', '/api/admin/privacy/erase', { email, repeated: email })
  expect(late).toMatchObject({ status: 403, body: { code: 'password_needed' } })
})
