import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OrderView } from '#contract/orders.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { MINUTE_MS } from '#shared/time.ts'
import { formatOrderNumber, type OrderNumber } from '#shared/ids.ts'
import { negate, ZERO } from '#shared/money.ts'
import { localExceptionKinds } from '#domain/reconciliation/exceptions.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { cancelOrder, resubmitOrder } from '#server/fulfillment/owner-actions.ts'
import { followPrinterOrder } from '#server/fulfillment/fulfillment.ts'
import { ProviderUnavailable } from '#server/providers/provider-errors.ts'
import { saveExceptions } from '#server/reconciliation/exceptions.ts'
import { reconcile } from '#server/reconciliation/reconciliation.ts'
import { repairException } from '#server/reconciliation/repairs.ts'
import { followFees } from '#server/payments/fees.ts'
import { refundOrder } from '#server/payments/refunds.ts'
import { passAMinute } from './a-minute-later.ts'

// Each fault that needs a person makes one exception, which closes automatically once its cause is fixed.

let world: World
beforeAll(async () => {
  world = await openWorld({ env: { SWEEP_INTERVAL_S: '300' } })
})
afterAll(() => world[Symbol.asyncDispose]())

type Open = { id: number; kind: string; order_id: number | null; amount_cents: string }

async function listOpen(): Promise<Open[]> {
  const all = await world.audit<Open & { resolved_at: Date | null }>('exceptions')
  return all.filter(({ resolved_at: at }) => at === null)
}

/** What the shop's own data shows; whether a provider can be read, only reading shows. */
const isLocal = ({ kind }: Open) => localExceptionKinds.some((one) => one === kind && one !== 'provider_down')

/**
 * The open exceptions, after any running work has had time to finish. Those that the shop's own data shows must have opened, and closed,
 * within a minute and before any book was read.
 */
async function openExceptions(): Promise<Open[]> {
  await world.settled()
  await world.advance(10 * MINUTE_MS)
  await passAMinute(world)
  const soon = await listOpen()
  await reconcile(world.shop, 'watch')
  const open = await listOpen()
  expect(soon.filter(isLocal)).toEqual(open.filter(isLocal))
  return open
}

const kindsOf = (open: readonly Open[]) => open.map(({ kind }) => kind)

async function aPaidOrder(email?: string, quantity = 1) {
  const shopper = world.shopper()
  if (email) shopper.customer.email = email
  const { payment_intent: intent, returnsToShop } = await shopper.paysByCard({ buying: 'mug', quantity })
  await returnsToShop()
  await world.settled()
  const order = (await world.audit<{ id: number; order_number: string; external_id: string }>('orders')).at(-1)
  if (!order) throw new Error('no order was made')
  return { ...order, intent, shopper }
}

const atPartner = (change: string, external_id: string, more: object = {}) =>
  world.simulators.printful.change({ change, external_id, ...more })

const down = (provider: 'stripe' | 'printful', path: string) =>
  world.simulators.kit.rules.add({ provider, match: { path }, when: 'before', do: { status: 500 }, times: 1000 })

const refundAll = ({ order_number: number }: { order_number: string }) =>
  refundOrder(world.shop, number as OrderNumber, { kind: 'rest' }, 'test', COMMAND)

test('a healthy shop has no exceptions', async () => {
  await aPaidOrder()
  expect(await openExceptions()).toEqual([])
})

test('an order on hold at the printer is an exception until it is released', async () => {
  const order = await aPaidOrder()
  await atPartner('hold', order.external_id, { reason: 'The design needs your approval' })
  const open = await openExceptions()
  expect(open).toMatchObject([{ kind: 'on_hold', order_id: order.id }])
  const { rows } = await world.shop.database.pool.query('select cause from shop_exception where resolved_at is null')
  expect(rows[0]).toMatchObject({ cause: expect.stringContaining('The design needs your approval') as string })
  expect(await openExceptions()).toHaveLength(1)
  await atPartner('release', order.external_id)
  expect(await openExceptions()).toEqual([])
})

test('an order the printer could not process is an exception until it is refunded', async () => {
  const order = await aPaidOrder()
  await atPartner('fail', order.external_id)
  expect(await openExceptions()).toMatchObject([{ kind: 'needs_attention', order_id: order.id }])
  await refundAll(order)
  expect(await openExceptions()).toEqual([])
})

test('an order the printer can make only in part is an exception until the rest is refunded', async () => {
  const order = await aPaidOrder(undefined, 2)
  const { printful } = world.shop
  const findOrder = printful.findOrder.bind(printful)
  const news = () => followPrinterOrder(world.shop, order.external_id)
  printful.findOrder = async (...args) => {
    const theirs = await findOrder(...args)
    return theirs && { ...theirs, lines: theirs.lines.map((line) => ({ ...line, quantity: line.quantity - 1 })) }
  }
  try {
    await news()
    expect(await openExceptions()).toMatchObject([{ kind: 'needs_attention', order_id: order.id }])
    await refundOrder(
      world.shop,
      order.order_number as OrderNumber,
      { kind: 'pieces', pieces: [{ position: 0, quantity: 1 }] },
      'sold out',
      COMMAND,
    )
    await news()
    expect(await openExceptions()).toEqual([])
  } finally {
    printful.findOrder = findOrder
  }
})

test('a paid order missing at the printer is an exception until the printer answers again', async () => {
  down('printful', '/orders')
  const order = await aPaidOrder()
  expect(kindsOf(await openExceptions())).toContain('not_submitted')
  world.simulators.kit.rules.clear()
  await world.shop.database.pool.query(`update pgboss.job set start_after = now() where state = 'retry'`)
  await expect
    .poll(
      async () =>
        (await world.audit<{ id: number; status: string }>('orders')).find(({ id }) => id === order.id)?.status,
      {
        timeout: 15_000,
      },
    )
    .toBe('submitted')
  expect(await openExceptions()).toEqual([])
})

test('a dispute is an exception until it is decided', async () => {
  const order = await aPaidOrder()
  const { id } = (await world.simulators.stripe.change({ change: 'dispute', payment_intent: order.intent })) as {
    id: string
  }
  expect(await openExceptions()).toMatchObject([{ kind: 'disputed', order_id: order.id }])
  // The bank's own deadline: the simulated one accepts evidence for nine days.
  const { rows } = await world.shop.database.pool.query<{ left: number }>(
    `select extract(epoch from deadline_at - opened_at)::int as left from shop_exception where resolved_at is null`,
  )
  const DAY_S = 86_400
  expect(rows[0]?.left).toBeGreaterThan(8.9 * DAY_S)
  expect(rows[0]?.left).toBeLessThan(9 * DAY_S)
  await world.simulators.stripe.change({ change: 'win_dispute', dispute: id })
  expect(await openExceptions()).toEqual([])
})

test('a refund the bank returned is an exception until the shopper is refunded another way', async () => {
  const order = await aPaidOrder()
  await refundAll(order)
  await world.settled()
  const [refund] = await world.audit<{ provider_refund_id: string }>('refunds').then((rows) => rows.slice(-1))
  await world.simulators.stripe.change({ change: 'fail_refund', refund: refund?.provider_refund_id })
  expect(kindsOf(await openExceptions())).toContain('refund_failed')
  await refundAll(order)
  expect(kindsOf(await openExceptions())).not.toContain('refund_failed')
})

test('a returned parcel is an exception until a replacement ships', async () => {
  const order = await aPaidOrder()
  await atPartner('advance', order.external_id)
  await atPartner('ship', order.external_id)
  await atPartner('return', order.external_id)
  expect(kindsOf(await openExceptions())).toEqual(['returned'])
  await atPartner('ship', order.external_id, { again: true })
  expect(await openExceptions()).toEqual([])
})

test('an email that its address rejects is an exception', async () => {
  const order = await aPaidOrder('bounce@mail.example')
  expect(await openExceptions()).toMatchObject([{ kind: 'mail_bounced', order_id: order.id }])
  await world.shop.database.pool.query(`update mail set state = 'sent' where state = 'bounced'`)
  expect(await openExceptions()).toEqual([])
})

test('a job that ran out of retries is an exception until it succeeds', async () => {
  const { pool } = world.shop.database
  await pool.query(
    `update pgboss.job set state = 'failed' where id = (select id from pgboss.job where name = 'record-tax' limit 1)`,
  )
  expect(kindsOf(await openExceptions())).toEqual(['job_dead'])
  await pool.query(`update pgboss.job set state = 'completed' where state = 'failed'`)
  expect(await openExceptions()).toEqual([])
})

test('an unreadable provider is an exception until it can be read', async () => {
  down('stripe', '/v1/balance_transactions')
  await reconcile(world.shop, 'watch')
  expect(kindsOf(await openExceptions())).toEqual(['provider_down'])
  world.simulators.kit.rules.clear()
  expect(await openExceptions()).toEqual([])
})

test('silent webhooks are an exception until an event arrives', async () => {
  world.simulators.kit.endpoints.delete('stripe')
  for (const _ of [1, 2, 3]) await aPaidOrder()
  expect(kindsOf(await openExceptions())).toEqual(['webhook_silent'])
  world.simulators.announceShop(world.address)
  await aPaidOrder()
  expect(await openExceptions()).toEqual([])
})

test('a payment without an order is an exception until one click refunds it; a second click refunds nothing more', async () => {
  const { stripe, settings } = world.simulators
  const answer = await fetch(`${stripe.url}/v1/payment_intents`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${settings['STRIPE_SECRET_KEY']}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({
      amount: '4321',
      currency: 'usd',
      confirm: 'true',
      payment_method: 'pm_card_visa',
      'automatic_payment_methods[enabled]': 'true',
      'automatic_payment_methods[allow_redirects]': 'never',
      'metadata[checkout_id]': '00000000-0000-4000-8000-000000000001',
    }),
  })
  const { id } = (await answer.json()) as { id: string }
  await world.settle(id)
  const [open] = await openExceptions()
  expect(open).toMatchObject({ kind: 'unknown_checkout', amount_cents: '4321' })
  expect(await repairException(world.shop, open?.id ?? 0, COMMAND)).toBe(true)
  expect(await repairException(world.shop, open?.id ?? 0, COMMAND)).toBe(true)
  expect(await openExceptions()).toEqual([])
  expect(await repairException(world.shop, open?.id ?? 0, COMMAND)).toBe(false)
  const refunds = await world.audit<{ payment_key: string }>('refunds')
  expect(refunds.filter(({ payment_key: key }) => key === `stripe:${id}`)).toMatchObject([
    { amount_cents: '4321', status: 'succeeded' },
  ])
})

test('an order that cost more than it earned is an exception', async () => {
  const { rows } = await world.shop.database.pool.query<{ id: string }>(
    `select v.id from variant v join product p on p.id = v.product_id where p.name ilike '%mug%'`,
  )
  for (const { id } of rows)
    await world.simulators.printful.change({ change: 'cost', sync_variant_id: Number(id), cost: '99.00' })
  const order = await aPaidOrder()
  expect(await openExceptions()).toMatchObject([{ kind: 'negative_margin', order_id: order.id }])
})

test('an overdue order is an exception until it arrives', async () => {
  const order = await aPaidOrder()
  // Moving the clock would also get it produced and shipped.
  await world.shop.database.pool.query(
    `update shop_order set created_at = created_at - interval '12 days' where id = $1`,
    [order.id],
  )
  expect(await openExceptions()).toContainEqual(expect.objectContaining({ kind: 'late', order_id: order.id }))
  await atPartner('advance', order.external_id)
  await atPartner('ship', order.external_id)
  expect(kindsOf(await openExceptions())).not.toContain('late')
})

test('an order canceled after the list was loaded is not printed by a click, and stays listed until refunded', async () => {
  down('printful', '/orders')
  const order = await aPaidOrder()
  const waits = (await openExceptions()).find(({ kind }) => kind === 'not_submitted')
  world.simulators.kit.rules.clear()
  const { id, externalId } = await cancelOrder(world.shop, order.order_number as OrderNumber, COMMAND)
  expect(await repairException(world.shop, waits?.id ?? 0, COMMAND)).toBe(true)
  await world.settled()
  expect(await world.shop.printful.findOrder(externalId)).toBeUndefined()
  expect(waits?.order_id).toBe(id)
  // The printer never had it, so only the shop's ledger shows money to refund.
  const ofOrder = async () => kindsOf((await openExceptions()).filter((exception) => exception.order_id === id))
  expect(await ofOrder()).toEqual(['cancelled_not_refunded'])
  await refundAll(order)
  expect(await ofOrder()).toEqual([])
})

test('an order that was refunded when the printer had just begun is an exception until it ships or the printer cancels it; its shopper keeps both', async () => {
  const shipped = await aPaidOrder()
  const stopped = await aPaidOrder()
  const refundedInProduction = await aPaidOrder()
  await atPartner('advance', refundedInProduction.external_id)
  await world.settled()
  await refundAll(refundedInProduction)
  for (const order of [shipped, stopped]) {
    // The shop has not heard yet that the printer began.
    await world.simulators.kit.webhooks.set({ provider: 'printful', drop: 1 })
    await atPartner('advance', order.external_id)
    await refundAll(order)
  }
  const open = async () =>
    (await openExceptions()).flatMap(({ kind, order_id: id }) => (kind === 'stopped_too_late' ? id : []))
  expect(await open()).toEqual([shipped.id, stopped.id])

  const page = async () =>
    (await shipped.shopper.send<OrderView>('GET', `/api/order?order=${shipped.order_number}`)).body
  expect(await page()).toMatchObject({ status: 'refunded', isMadeAnyway: true })
  await atPartner('ship', shipped.external_id)
  await atPartner('cancel', stopped.external_id)
  expect(await open()).toEqual([])
  expect(await page()).toMatchObject({ status: 'refunded', isMadeAnyway: true })
  const mail = world.mailbox
    .list()
    .find(({ subject }) => subject.startsWith(`On its way: your order ${formatOrderNumber(shipped.order_number)}`))
  expect(mail?.text).toContain('what arrives is yours to keep')
  const { rows } = await world.shop.database.pool.query(
    'select amount_cents from refund where order_id = any($1) group by order_id, amount_cents having count(*) = 1',
    [[shipped.id, stopped.id, refundedInProduction.id]],
  )
  expect(rows).toHaveLength(3)
})

test('an order the printer canceled is either refunded or resubmitted, never both', async () => {
  const order = await aPaidOrder()
  await atPartner('cancel', order.external_id, { reason: 'Out of stock for good' })
  const open = (await openExceptions()).find(
    (exception) => exception.order_id === order.id && exception.kind === 'partner_credit_not_passed_on',
  )
  const number = order.order_number as OrderNumber
  await Promise.allSettled([
    repairException(world.shop, open?.id ?? 0, COMMAND),
    resubmitOrder(world.shop, number, COMMAND),
  ])
  // An order being refunded is not resubmitted, nor the reverse, however late the second request comes.
  const second = await Promise.allSettled([
    resubmitOrder(world.shop, number, COMMAND),
    repairException(world.shop, open?.id ?? 0, COMMAND),
  ])
  await world.settled()
  const { partner_orders: made = [] } = world.simulators.printful.ledger()
  const again = made.filter(({ external_id: id, status }) => id.startsWith(order.order_number) && status !== 'canceled')
  const back = (await world.audit<{ payment_key: string }>('refunds')).filter(
    ({ payment_key: key }) => key === `stripe:${order.intent}`,
  )
  expect({ open: open?.kind, outcomes: again.length + back.length }).toEqual({
    open: 'partner_credit_not_passed_on',
    outcomes: 1,
  })
  // Resubmitting again repeats the same submission; after a refund it is refused.
  expect([second[0]?.status, back.length]).not.toEqual(['fulfilled', 1])
})

test('an order the printer lost is not printed again if it is refunded while being resubmitted', async () => {
  const order = await aPaidOrder()
  await atPartner('lose', order.external_id)
  await world.shop.database.pool.query('delete from partner_order where external_id = $1', [order.external_id])
  const lost = (await openExceptions()).find(
    (exception) => exception.kind === 'order_without_partner' && exception.order_id === order.id,
  )
  const { printful } = world.shop
  const createDraft: typeof printful.createDraft = async (wanted) => {
    await refundAll(order)
    await world.settled()
    return printful.createDraft(wanted)
  }
  expect(await repairException({ ...world.shop, printful: { ...printful, createDraft } }, lost?.id ?? 0, COMMAND)).toBe(
    true,
  )
  expect(await printful.findOrder(order.external_id)).toMatchObject({ status: 'canceled' })
})

const sumOf = async (account: string, orderId: number): Promise<number> => {
  const { rows } = await world.shop.database.pool.query<{ sum: number }>(
    `select coalesce(sum(e.amount_cents), 0)::int as sum from ledger_entry e join ledger_posting p on p.id = e.posting_id
     where e.account = $1 and p.order_id = $2`,
    [account, orderId],
  )
  return rows[0]?.sum ?? 0
}

test('a cost that a repair booked is not booked again by the printer’s next event', async () => {
  const order = await aPaidOrder()
  world.simulators.kit.endpoints.delete('printful')
  await atPartner('credit', order.external_id, { amount: '1.23' })
  const costs = (await openExceptions()).find(
    (exception) => exception.kind === 'partner_cost' && exception.order_id === order.id,
  )
  world.simulators.announceShop(world.address)
  expect(await repairException(world.shop, costs?.id ?? 0, COMMAND)).toBe(true)
  await followPrinterOrder(world.shop, order.external_id)
  const theirs = await world.shop.printful.findOrder(order.external_id)
  expect(await sumOf('print_partner', order.id)).toBe(negate(theirs?.costTotal ?? ZERO))
})

test('a fee is booked once, by the repair or by the sweep; an unreadable payment does not block the others', async () => {
  const late = async () => {
    await world.simulators.stripe.change({ change: 'late_fee' })
    return aPaidOrder()
  }
  const [first, second] = [await late(), await late()]
  const fees = (await openExceptions()).find((exception) => exception.kind === 'fee' && exception.order_id === first.id)
  const { payments } = world.shop
  const read: typeof payments.read = async (key) => {
    if (key.endsWith(first.intent)) throw new ProviderUnavailable('stripe', 'no usable answer')
    return payments.read(key)
  }
  await followFees({ ...world.shop, payments: { ...payments, read } })
  const feeOf = ({ id }: { id: number }) => sumOf('expense:provider_fees', id)
  expect(await feeOf(first)).toBe(0)
  expect(await feeOf(second)).toBeGreaterThan(0)

  expect(await repairException(world.shop, fees?.id ?? 0, COMMAND)).toBe(true)
  await followFees(world.shop)
  expect(await feeOf(first)).toBe(await feeOf(second))
})

test('the copy of the printer’s orders is current, whatever the age of the order', async () => {
  const order = await aPaidOrder()
  await atPartner('cancel', order.external_id)
  await world.settled()
  const { rows } = await world.shop.database.pool.query(
    'select status, cost_cents::int as cost from partner_order where external_id = $1',
    [order.external_id],
  )
  expect(rows).toMatchObject([{ status: 'canceled', cost: 0 }])
})

test('new exceptions are emailed to the owner once, at most one email an hour', async () => {
  const digests = async () => {
    await world.settled()
    const mails = await world.audit<{ kind: string; id: number }>('mails')
    return mails.filter(({ kind }) => kind === 'exceptions')
  }
  await world.advance(61 * MINUTE_MS)
  await openExceptions()
  const before = await digests()
  const [first, second] = [await aPaidOrder(), await aPaidOrder()]
  await world.advance(61 * MINUTE_MS)
  for (const order of [first, second]) await atPartner('hold', order.external_id, { reason: 'Look at the design' })
  await openExceptions()
  await openExceptions()
  const after = await digests()
  expect(after).toHaveLength(before.length + 1)
  const ownerMails = world.mailbox
    .list()
    .filter(({ subject, text }) => /^\d new exceptions$/.test(subject) && text.includes(first.order_number))
  expect(ownerMails).toHaveLength(1)
  expect(ownerMails[0]?.text).toContain(second.order_number)
  expect(ownerMails[0]?.text).toContain('Look at the design')
  for (const order of [first, second]) await refundAll(order)
})

test('an exception that could not be stored is not mistaken for one that another instance stored', async () => {
  const { pool } = world.shop.database
  await pool.query(
    `insert into shop_exception (kind, about, amount_cents, cause, opened_at) values ('late', 'order:0', 0, '', now())`,
  )
  const last = `(select max(id) from shop_exception)`
  await pool.query(`select setval('payment_exception_id_seq', ${last} - 1)`)
  const noted = world.shop.db.transaction((tx) =>
    saveExceptions(
      tx,
      { kinds: ['job_dead'] },
      [{ kind: 'job_dead', about: 'job:x', orderId: null, amount: ZERO, cause: 'x' }],
      new Date(),
    ),
  )
  await expect(noted).rejects.toThrow()
  await pool.query(`select setval('payment_exception_id_seq', ${last})`)
})
