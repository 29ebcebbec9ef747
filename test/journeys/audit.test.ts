import { expect, test } from 'vitest'
import { fulfillmentStatuses, paymentStatuses, statusOf } from '#domain/orders/status.ts'
import { openWorld } from '#sandbox/world.ts'

test('the auditor sees the same status as the shop, for every pair of states', async () => {
  await using world = await openWorld()
  for (const payment of paymentStatuses)
    for (const fulfillment of fulfillmentStatuses) {
      const { rows } = await world.shop.database.pool.query<{ status: string }>(
        'select order_status($1, $2) as status',
        [payment, fulfillment],
      )
      expect(rows[0]?.status, `${payment} ${fulfillment}`).toBe(statusOf(payment, fulfillment))
    }
})

test('the ledger is append-only, and a posting that does not sum to zero is refused', async () => {
  await using world = await openWorld()
  const payment = await world.shopper().paysByCard()
  await payment.returnsToShop()
  const { pool } = world.shop.database
  await expect(pool.query('update ledger_entry set amount_cents = amount_cents + 1')).rejects.toThrow('append-only')
  await expect(pool.query('delete from ledger_posting')).rejects.toThrow('append-only')
  await expect(
    pool.query(`with p as (insert into ledger_posting (kind, key, booked_at) values ('sale', 'x', now()) returning id)
                insert into ledger_entry (posting_id, account, amount_cents) select id, 'provider:stripe', 5 from p`),
  ).rejects.toThrow('does not balance')
})

test('the database refuses what the invariants forbid', async () => {
  await using world = await openWorld()
  const payment = await world.shopper().paysByCard()
  await payment.returnsToShop()
  const { pool } = world.shop.database
  for (const statement of [
    'update shop_order set total_cents = total_cents + 1',
    'update shop_order set tax_cents = -1, total_cents = subtotal_cents + shipping_cents - 1',
    `update shop_order set payment_status = 'free'`,
    `update checkout set currency = 'jpy'`,
    'insert into payment_processing_log (payment_key, payment_type, payment_id) select payment_key, payment_type, payment_id from payment_processing_log',
    'update order_line set quantity = -1',
    'update variant set unit_price_cents = 0',
  ])
    await expect(pool.query(statement), statement).rejects.toThrow()
})

test('every audit view returns rows, with no more than an auditor needs', async () => {
  await using world = await openWorld()
  const payment = await world.shopper().paysByCard()
  await payment.returnsToShop()
  await world.settled()
  for (const view of ['checkouts', 'orders', 'lines', 'payments', 'ledger', 'events', 'jobs', 'mails'])
    expect((await world.audit(view)).length, view).toBeGreaterThan(0)
  for (const view of ['refunds', 'exceptions']) expect(await world.audit(view), view).toEqual([])
})
