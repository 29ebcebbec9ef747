import type { World } from '#sandbox/world.ts'

/**
 * Copies the one paid order of a world, a second apart each, to simulate more sales. The copies have no job, and no submission
 * has started.
 * @returns their external ids, in order of payment
 */
export async function copyOrder(world: World, copies: number): Promise<string[]> {
  const { pool } = world.shop.database
  const number = `'K7' || lpad(n::text, 6, '0')`
  const copy = (table: string, changed: string) =>
    pool.query(`
      insert into ${table}
      select (jsonb_populate_record(one, jsonb_build_object(${changed}))).*
      from ${table} one, generate_series(1, ${copies}) n`)
  const made = `'id', md5('checkout' || n)::uuid`
  await copy(
    'checkout',
    `${made}, 'session_id', 'copy ' || n, 'order_number', ${number}, 'provider_payment_id', 'pi_copy' || n`,
  )
  await copy(
    'payment',
    `'payment_key', 'stripe:pi_copy' || n, 'payment_id', 'pi_copy' || n, 'checkout_id', md5('checkout' || n)::uuid`,
  )
  await copy(
    'shop_order',
    `'id', one.id + n, 'order_number', ${number}, 'external_id', ${number}, 'checkout_id', md5('checkout' || n)::uuid,
     'payment_key', 'stripe:pi_copy' || n, 'session_id', 'copy ' || n, 'created_at', one.created_at + n * interval '1 second',
     'tax_report', 'not_reported', 'fulfilment_status', 'waiting', 'printful_order_id', null, 'partner_tried_at', null,
     'partner_cost_cents', null, 'tax_transaction_id', null`,
  )
  await pool.query("select setval(pg_get_serial_sequence('shop_order', 'id'), (select max(id) from shop_order))")
  await copy('order_line', `'order_id', one.order_id + n`)
  const { rows } = await pool.query<{ id: string }>(
    "select external_id as id from shop_order where fulfilment_status = 'waiting' order by created_at, id",
  )
  return rows.map(({ id }) => id)
}
