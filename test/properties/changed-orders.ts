import type { World } from '#sandbox/world.ts'

type Row = Record<string, unknown>
const n = (value: unknown): number => Number(value ?? 0)
const add = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

/** In one statement, and so in one moment: it is what these checks cost most. `refund` tells, beyond its view, what a change gave back. */
const READ_ORDER = `
  select to_json(o) as "order",
    (select json_agg(x) from audit_lines x where x.order_id = o.id) as lines,
    (select json_agg(x) from audit_payments x where x.order_id = o.id) as payments,
    (select json_agg(x) from audit_changes x where x.order_id = o.id) as changes,
    (select json_agg(x) from audit_ledger x where x.order_id = o.id) as ledger,
    (select json_agg(x) from audit_checkouts x where x.order_id = o.id) as checkouts,
    (select json_agg(x) from audit_mails x where x.order_id = o.id) as mails,
    (select json_agg(x) from audit_refunds x where x.payment_key = any (keys.list)) as refunds,
    (select sum(amount_cents) from refund
     where order_id = o.id and change_id is not null and status <> 'failed') as returned_by_changes,
    (select json_agg(base_cents) from commission_entry where order_id = o.id) as commission,
    exists (select from dispute where payment_key = any (keys.list)) as is_disputed
  from audit_orders o
  cross join lateral (select array(select payment_key from audit_payments where order_id = o.id) as list) keys
  where o.order_number = $1`

type Lists = 'lines' | 'payments' | 'changes' | 'ledger' | 'checkouts' | 'mails' | 'refunds'
type Read = Record<Lists, Row[] | null> & {
  order: Row
  returned_by_changes: string | null
  commission: number[] | null
  is_disputed: boolean
}

/** An order with all that audit views say about it; undefined without such an order. */
const readOrder = async (world: World, number: string): Promise<Read | undefined> =>
  (await world.shop.database.pool.query<Read>(READ_ORDER, [number])).rows[0]

/** What is to be made or canceled, and is not, once all providers work and every time is over. */
export async function whyChangedOrderIsUnfinished(world: World, number: string): Promise<string[]> {
  const read = await readOrder(world, number)
  const { payment_status: payment, fulfilment_status: status } = read?.order ?? {}
  const made = (world.simulators.printful.ledger().partner_orders ?? []).filter(
    (row) => row.external_id.startsWith(number) && !['draft', 'canceled', 'failed'].includes(row.status),
  )
  const waiting = (read?.changes ?? []).filter((row) => row['state'] === 'awaiting_payment')
  const isToBeMade = payment === 'paid' || payment === 'partially_refunded'
  return [
    ...(waiting.length > 0 ? ['a change still waits for its payment'] : []),
    ...(status === 'waiting' && isToBeMade ? ['the printer never got it'] : []),
    ...(['submitted', 'in_production'].includes(String(status)) && made.length === 0 ? ['nobody makes it'] : []),
    ...(status === 'cancelled' && made.length > 0 ? ['it is canceled and made'] : []),
    ...(status === 'cancelled' && isToBeMade ? ['it is canceled, and its money is kept'] : []),
  ]
}

/**
 * What does not agree about an order whatever was changed of it, by the audit views and the providers' own records.
 * @returns a sentence for each; none if all agrees
 */
export async function whyChangedOrderDiffers(world: World, number: string): Promise<string[]> {
  const read = await readOrder(world, number)
  if (!read) return ['no order']
  const { order } = read
  const [lines, payments, changes, ledger] = [
    read.lines ?? [],
    read.payments ?? [],
    read.changes ?? [],
    read.ledger ?? [],
  ]
  const refunds = (read.refunds ?? []).filter((row) => row['status'] !== 'failed')
  const total = n(order['total_cents'])
  const paid = add(payments.map((row) => n(row['amount_cents'])))
  const returned = add(refunds.map((row) => n(row['amount_cents'])))
  const returnedByChanges = n(read.returned_by_changes)
  const wrong: string[] = []
  const same = (what: string, a: number, b: number) => a !== b && wrong.push(`${what}: ${a} and ${b}`)

  same(
    'goods and subtotal',
    add(lines.map((row) => n(row['quantity']) * n(row['unit_price_cents']))),
    n(order['subtotal_cents']),
  )
  same('payments less what changes gave back, and total', paid - returnedByChanges, total)
  const checkout = read.checkouts?.[0]
  const isOfItems = (row: Row) => row['state'] === 'done' && row['kind'] !== 'canceled'
  const changed = add(changes.filter(isOfItems).map((row) => n(row['amount_cents'])))
  same('what was bought with its changes, and total', n(checkout?.['total_cents']) + changed, total)

  // What is requested is booked once the provider has it.
  const requested = add(refunds.filter((row) => row['status'] === 'requested').map((row) => n(row['amount_cents'])))
  const booked = (account: RegExp) =>
    add(ledger.filter((row) => account.test(String(row['account']))).map((row) => n(row['amount_cents'])))
  same('books and what is kept', -booked(/^revenue:|^liability:(?:tax|vat_protection)$/), paid - returned + requested)
  if (returned === returnedByChanges && requested === 0)
    same('booked and charged tax', -booked(/^liability:tax$/), n(order['tax_cents']))
  for (const [posting, entries] of Map.groupBy(ledger, (row) => row['posting_id']))
    same(`posting ${String(posting)}`, add(entries.map((row) => n(row['amount_cents']))), 0)

  // A partner's commission is on the goods as they are, whatever was changed, unless some were refunded otherwise.
  const isOtherwiseUntouched = returned === returnedByChanges && !read.is_disputed
  if (read.commission && isOtherwiseUntouched)
    same('commission and goods', add(read.commission), n(order['subtotal_cents']))

  // Every payment is at the provider, with the same refunds.
  const { stripe, paypal } = world.simulators
  const theirs = [...(stripe.ledger().refunds ?? []), ...(paypal.ledger().refunds ?? [])]
  for (const payment of payments) {
    const there = theirs.filter(({ payment_id: paymentId }) => paymentId === payment['payment_id'])
    const here = refunds.filter((row) => row['payment_key'] === payment['payment_key'] && row['status'] !== 'requested')
    same(
      `refunds of ${String(payment['payment_key'])}`,
      add(there.map(({ amount_cents: amount }) => amount)),
      add(here.map((row) => n(row['amount_cents']))),
    )
  }

  // The printer never has two orders to make, and what it makes is what the order is.
  const all = (world.simulators.printful.ledger().partner_orders ?? []).filter(({ external_id: external }) =>
    external.startsWith(number),
  )
  const made = all.filter(({ status }) => !['draft', 'canceled', 'failed'].includes(status))
  if (made.length > 1) wrong.push(`${made.length} orders at the printer`)
  if (made.length === 1 && made[0]?.external_id !== order['external_id']) wrong.push('the printer makes a former order')
  if (made[0]) {
    const pieces = (list: readonly { variant: number; quantity: number }[]) =>
      JSON.stringify(
        [...Map.groupBy(list, ({ variant }) => variant)]
          .map(([variant, group]) => [variant, add(group.map(({ quantity }) => quantity))])
          .toSorted((a, b) => n(a[0]) - n(b[0])),
      )
    const ours = pieces(lines.map((row) => ({ variant: n(row['variant_id']), quantity: n(row['quantity']) })))
    const items = made[0].items as unknown as { sync_variant_id: number; quantity: number }[]
    const printed = pieces(items.map(({ sync_variant_id: variant, quantity }) => ({ variant, quantity })))
    if (ours !== printed) wrong.push(`ordered ${ours}, printed ${printed}`)
  }

  // A confirmation once, and an email for each change of items or price.
  const mails = read.mails ?? []
  same('confirmations', mails.filter((row) => row['kind'] === 'confirmation').length, 1)
  const waits = changes.filter((row) => n(row['amount_cents']) > 0).length
  const other = returned - returnedByChanges
  if (requested === 0 && !read.is_disputed) {
    const expected = other === 0 ? 'paid' : other >= total ? 'refunded' : 'partially_refunded'
    if (order['payment_status'] !== expected) wrong.push(`${String(order['payment_status'])}, not ${expected}`)
  }
  same('emails to pay', mails.filter((row) => row['kind'] === 'change_to_pay').length, waits)
  return wrong
}
