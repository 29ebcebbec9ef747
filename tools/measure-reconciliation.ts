import { openWorld } from '#sandbox/world.ts'
import { reconcile } from '#server/reconciliation/reconciliation.ts'
import { readSums } from '#server/reconciliation/sides.ts'
import { compareNow, makeOrders } from '../test/properties/reconciling.ts'

// How long the first comparison of many payments takes, at the providers' own pace: Stripe's lists of a hundred with a pause between
// them, and the print partner's 120 calls a minute. The payments stand at the simulators and in the shop's tables alike.

const count = Number(process.argv[2] ?? 10_000)
const AT_ONCE = 8

/** The first order's rows, once for each payment, with names of their own; its postings with their entries, too. */
const COPIES = `
  with made as (select * from jsonb_to_recordset($1::jsonb) as m (intent text, partner bigint, number text, checkout uuid)),
  first as (select * from shop_order order by id limit 1),
  checkouts as (
    insert into checkout select (jsonb_populate_record(c, jsonb_build_object(
      'id', m.checkout, 'order_number', m.number, 'provider_payment_id', m.intent))).*
    from made m, checkout c join first f on f.checkout_id = c.id returning id),
  payments as (
    insert into payment select (jsonb_populate_record(p, jsonb_build_object(
      'payment_key', 'stripe:' || m.intent, 'payment_id', m.intent, 'checkout_id', m.checkout))).*
    from made m, payment p join first f on f.payment_key = p.payment_key returning payment_key),
  orders as (
    insert into shop_order select (jsonb_populate_record(o, jsonb_build_object(
      'id', nextval('shop_order_id_seq'), 'order_number', m.number, 'checkout_id', m.checkout,
      'payment_key', 'stripe:' || m.intent, 'external_id', m.number, 'printful_order_id', m.partner,
      'tax_transaction_id', null))).*
    from made m, (select s.* from shop_order s join first f on f.id = s.id) o returning id, payment_key),
  postings as (
    insert into ledger_posting (kind, key, order_id, payment_key, booked_at)
    select p.kind, p.kind || ':' || o.payment_key, o.id, o.payment_key, p.booked_at
    from orders o, ledger_posting p join first f on f.id = p.order_id where p.kind in ('sale', 'fee', 'partner_cost')
    returning id, kind)
  insert into ledger_entry (posting_id, account, amount_cents)
  select n.id, e.account, e.amount_cents from postings n, ledger_posting p
    join first f on f.id = p.order_id join ledger_entry e on e.posting_id = p.id where p.kind = n.kind`

const world = await openWorld({ database: 'embedded', fromScratch: true, env: { SWEEP_INTERVAL_S: '300' } })
const { settings, stripe, printful } = world.simulators
const { pool } = world.shop.database
try {
  await makeOrders(world, 1)
  await compareNow(world)
  const { rows: lines } = await pool.query<{ id: string }>('select variant_id as id from order_line limit 1')
  const { rows: like } = await pool.query<{ total: string; fee: string; checkout: string }>(
    `select o.total_cents as total, t.fee_cents as fee, o.checkout_id as checkout
     from shop_order o join provider_transaction t on t.payment_key = o.payment_key`,
  )
  const [template] = like
  if (!template) throw new Error('There is no payment to take as an example.')

  console.log(`making ${count} payments ...`)
  for (let from = 0; from < count; from += 200) {
    const numbers = Array.from({ length: Math.min(200, count - from) }, (_, index) => from + index)
    const made: { intent: string; partner: number; number: string; checkout: string }[] = []
    for (let first = 0; first < numbers.length; first += AT_ONCE)
      made.push(...(await Promise.all(numbers.slice(first, first + AT_ONCE).map(makeOne))))
    await pool.query(COPIES, [JSON.stringify(made)])
  }
  await printful.change({ change: 'rate_limit', perMinute: 120 })
  await pool.query('delete from provider_transaction')
  await pool.query('delete from provider_reading')
  await pool.query('delete from partner_order')
  await world.advance(4 * 3_600_000)

  const begun = performance.now()
  const run = await reconcile(world.shop, 'owner')
  const seconds = (performance.now() - begun) / 1000
  console.log(
    `${run.payments} payments and ${run.partnerOrders} orders read and compared in ${seconds.toFixed(1)} s, ${run.differences} differences`,
  )
  for (const sums of await readSums(world.shop.db)) console.log(sums)

  async function makeOne(index: number) {
    const number = `M${String(index).padStart(7, '0')}`.replace(/^(.{4})/, '$1-')
    const checkout = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
    const intent = await call<{ id: string }>(`${stripe.url}/v1/payment_intents`, settings['STRIPE_SECRET_KEY'], {
      form: {
        amount: String(template?.total),
        currency: 'usd',
        confirm: 'true',
        payment_method: 'pm_card_visa',
        'automatic_payment_methods[enabled]': 'true',
        'automatic_payment_methods[allow_redirects]': 'never',
        'metadata[checkout_id]': checkout,
      },
    })
    const { result } = await call<{ result: { id: number } }>(
      `${printful.url}/orders?confirm=1`,
      settings['PRINTFUL_TOKEN'],
      {
        json: {
          external_id: number,
          recipient: {
            name: 'Ada Fan',
            address1: '350 5th Avenue',
            city: 'New York',
            state_code: 'NY',
            country_code: 'US',
            zip: '10118',
          },
          items: [{ sync_variant_id: Number(lines[0]?.id), quantity: 1 }],
        },
      },
    )
    return { intent: intent.id, partner: result.id, number, checkout }
  }
} finally {
  await world[Symbol.asyncDispose]()
}
process.exit(0)

async function call<Answer>(
  url: string,
  key: string | undefined,
  body: { form?: Record<string, string>; json?: object },
): Promise<Answer> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': body.json ? 'application/json' : 'application/x-www-form-urlencoded',
      ...(body.json && { 'x-pf-store-id': settings['PRINTFUL_STORE_ID'] ?? '' }),
    },
    body: body.json ? JSON.stringify(body.json) : new URLSearchParams(body.form),
  })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Answer
}
