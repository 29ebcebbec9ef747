import { differenceKinds, type DifferenceKind } from '#domain/reconciliation/differences.ts'
import { entriesOfRefund } from '#domain/ledger/ledger.ts'
import { NO_PARTS } from '#domain/payments/returns.ts'
import type { OrderId, PaymentKey } from '#shared/ids.ts'
import { cents } from '#shared/money.ts'
import { HOUR_MS } from '#shared/time.ts'
import type { World } from '#sandbox/world.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { refund } from '#server/orders/schema.ts'
import { post } from '#server/ledger/ledger.ts'
import { reconcile } from '#server/reconciliation/reconciliation.ts'
import { repairException } from '#server/reconciliation/repairs.ts'
import { retryWhileBusy } from './retry-while-busy.ts'

// A shop's orders, the ways its books can differ from the providers', and what the shop does about it.

type Purchase = { key: PaymentKey; id: string; provider: 'stripe' | 'paypal'; total: number }
type Row = { id: number; order_number: string; external_id: string; payment_key: PaymentKey; total_cents: string }
type OpenRow = { id: number; kind: DifferenceKind; about: string; amount: string }

const PAYPAL_LAG_MS = 4 * HOUR_MS
const AT_ONCE = 8
/** Orders of many shoppers, booked and at the printer; every fifth by wallet. */
export async function makeOrders(world: World, count: number): Promise<void> {
  for (let made = 0; made < count; made += AT_ONCE) {
    if (made % (6 * AT_ONCE) === 0) await world.settled()
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, count - made) }, async (_, index) => {
        const shopper = world.shopper()
        await retryWhileBusy(async () => {
          if ((made + index) % 5 === 4) await shopper.captures(await shopper.approvesWallet({ buying: 'mug' }))
          else await (await shopper.paysByCard({ buying: 'mug' })).returnsToShop()
        })
      }),
    )
  }
  await world.settled()
}

const ordersIn = (world: World) => world.audit<Row>('orders')

/** The open differences in the list. */
export async function openDifferences(world: World): Promise<OpenRow[]> {
  const { rows } = await world.shop.database.pool.query<OpenRow>(
    `select id, kind, about, amount_cents::text as amount from shop_exception
     where resolved_at is null and kind = any($1) order by kind, id`,
    [[...differenceKinds]],
  )
  return rows
}

/** Waits out the delay of the wallet's history, and compares. */
export async function compareNow(world: World): Promise<OpenRow[]> {
  await world.settled()
  await world.advance(PAYPAL_LAG_MS)
  await reconcile(world.shop, 'owner')
  return openDifferences(world)
}

/** Each makes the books differ about an order, and returns the reference of the difference. */
const injections: Readonly<Record<DifferenceKind, (world: World, order: Row, bought: Purchase) => Promise<string>>> = {
  missing_order: async (world) => {
    const { payment_intent: intent } = await world.shopper().paysByCard({ buying: 'hat' })
    return `payment:stripe:${intent}`
  },
  double_capture: async (world, _, bought) => {
    const { metadata } = await onStripe(world, 'GET', `/v1/payment_intents/${bought.id}`)
    const second = await onStripe(world, 'POST', '/v1/payment_intents', {
      amount: String(bought.total),
      currency: 'usd',
      'automatic_payment_methods[enabled]': 'true',
      'metadata[checkout_id]': metadata['checkout_id'] ?? '',
      'metadata[quote_hash]': metadata['quote_hash'] ?? '',
    })
    await world.shopper().confirms({ payment_intent: second.id, client_secret: second.client_secret })
    return `payment:stripe:${second.id}`
  },
  missing_payment: async (world, _, { id, key }) => {
    await world.simulators.stripe.change({ change: 'forget', payment_intent: id })
    // Only recent records are read again, so the test deletes what is missing from the shop's copy.
    await world.shop.database.pool.query('delete from provider_transaction where payment_key = $1', [key])
    return `payment:${key}`
  },
  amount: async (world, _, { id, key, total }) => {
    await world.simulators.stripe.change({ change: 'rebook', payment_intent: id, amount: total - 100 })
    return `payment:${key}`
  },
  currency: async (world, _, { id, key }) => {
    await world.simulators.stripe.change({ change: 'rebook', payment_intent: id, currency: 'eur' })
    return `payment:${key}`
  },
  fee: async (world, _, { id, key }) => {
    await world.simulators.stripe.change({ change: 'rebook', payment_intent: id, fee: 333 })
    return `payment:${key}`
  },
  missing_refund: async (world, _, { key }) => {
    await world.shop.payments.refund(key, cents(250), 900_000, `by-hand:${key}`)
    return `payment:${key}`
  },
  refund_unknown: async (world, order, { key }) => {
    const now = world.shop.clock.now()
    const parts = { ...NO_PARTS, merchandise: cents(300) }
    await world.shop.db.transaction(async (tx) => {
      const [row] = await tx
        .insert(refund)
        .values({
          paymentKey: key,
          orderId: order.id as OrderId,
          providerRefundId: `re_invented${order.id}`,
          amountCents: cents(300),
          parts,
          status: 'succeeded',
          reason: 'invented',
          createdAt: now,
          bookedAt: now,
        })
        .returning({ id: refund.id })
      await post(tx, {
        kind: 'refund',
        key: `refund:${row?.id}`,
        orderId: order.id as OrderId,
        paymentKey: key,
        bookedAt: now,
        entries: entriesOfRefund('stripe', parts),
      })
    })
    return `payment:${key}`
  },
  dispute_unknown: async (world, _, { id, key }) => {
    await world.simulators.stripe.change({ change: 'dispute', payment_intent: id })
    return `payment:${key}`
  },
  payout: async (world) => {
    const { id } = (await world.simulators.stripe.change({ change: 'payout', amount: 1000 })) as { id: string }
    return `payout:stripe:${id}`
  },
  adjustment: async (world) => {
    const { line } = (await world.simulators.stripe.change({ change: 'take_fee', amount: 700 })) as { line: string }
    return `line:stripe:${line}`
  },
  partner_order_without_ours: async (world) => {
    const { printful, settings } = world.simulators
    const [variant] = (await world.shop.database.pool.query<{ id: string }>('select id from variant limit 1')).rows
    const answer = await fetch(`${printful.url}/orders?confirm=1`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${settings['PRINTFUL_TOKEN']}`,
        'x-pf-store-id': settings['PRINTFUL_STORE_ID'] ?? '',
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        external_id: null,
        recipient: {
          name: 'Sample',
          address1: '350 5th Avenue',
          city: 'New York',
          state_code: 'NY',
          country_code: 'US',
          zip: '10118',
        },
        items: [{ sync_variant_id: Number(variant?.id), quantity: 1 }],
      }),
    })
    const { result } = (await answer.json()) as { result: { id: number } }
    return `partner_order:${result.id}`
  },
  order_without_partner: async (world, { id, external_id }) => {
    await world.simulators.printful.change({ change: 'lose', external_id })
    await world.shop.database.pool.query('delete from partner_order where external_id = $1', [external_id])
    return `order:${id}`
  },
  partner_cost: async (world, { id, external_id }) => {
    await world.simulators.printful.change({ change: 'credit', external_id, amount: '1.23' })
    return `order:${id}`
  },
  partner_credit_not_passed_on: async (world, { id, external_id }) => {
    await world.simulators.printful.change({ change: 'cancel', external_id, reason: 'Out of stock for good' })
    return `order:${id}`
  },
}

type Intent = { id: string; client_secret: string; metadata: Record<string, string> }

async function onStripe(world: World, method: string, path: string, form?: Record<string, string>): Promise<Intent> {
  const answer = await fetch(`${world.simulators.stripe.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${world.simulators.settings['STRIPE_SECRET_KEY']}`,
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(form && { body: new URLSearchParams(form) }),
  })
  return (await answer.json()) as Intent
}

/**
 * These differences are found only by comparing, so their webhooks are dropped. The printer's own events are delivered where
 * the shop needs them.
 */
const FOUND_WITHOUT_WEBHOOK: readonly DifferenceKind[] = ['partner_credit_not_passed_on']

/**
 * Creates every kind of difference this many times each, on separate orders.
 * @returns `kind about` of each
 */
export async function inject(world: World, times: number): Promise<Set<string>> {
  const orders = (await ordersIn(world)).filter(({ payment_key: key }) => key.startsWith('stripe:'))
  const injected = new Set<string>()
  const { kit } = world.simulators
  let next = 0
  for (const kind of differenceKinds) {
    if (!FOUND_WITHOUT_WEBHOOK.includes(kind))
      for (const name of ['stripe', 'paypal', 'printful'] as const) kit.endpoints.delete(name)
    for (let time = 0; time < times; time += 1) {
      const order = orders[next]
      if (!order) throw new Error('There are too few orders for so many differences.')
      next += 1
      const [provider, id] = order.payment_key.split(':') as ['stripe', string]
      const about = await injections[kind](world, order, {
        key: order.payment_key,
        id,
        provider,
        total: Number(order.total_cents),
      })
      injected.add(`${kind} ${about}`)
    }
    await world.settled()
    world.simulators.announceShop(world.address)
  }
  return injected
}

const PRESSED_AT_ONCE = 6

/**
 * Runs every repair twice, a few of them concurrently. @returns how many postings, refunds and printer orders the second runs
 * made
 */
export async function repairTwice(world: World, open: readonly OpenRow[]): Promise<number> {
  let more = 0
  for (let at = 0; at < open.length; at += PRESSED_AT_ONCE) {
    const press = async () => {
      await Promise.all(open.slice(at, at + PRESSED_AT_ONCE).map(({ id }) => repairException(world.shop, id, COMMAND)))
      await world.settled()
    }
    await press()
    const before = await countOf(world)
    await press()
    more += (await countOf(world)) - before
  }
  return more
}

async function countOf(world: World): Promise<number> {
  const { rows } = await world.shop.database.pool.query<{ n: number }>(
    `select ((select count(*) from ledger_posting) + (select count(*) from refund) + (select count(*) from shop_order)
       + (select count(*) from owner_action))::int as n`,
  )
  return (rows[0]?.n ?? 0) + (world.simulators.printful.ledger().partner_orders ?? []).length
}
