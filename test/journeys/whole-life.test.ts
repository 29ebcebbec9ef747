import { expect, test } from 'vitest'
import type { OrderNumber } from '#shared/ids.ts'
import { cents } from '#shared/money.ts'
import { HOUR_MS } from '#shared/time.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { followOrdersWithoutNews } from '#server/fulfillment/fulfillment.ts'
import { refundOrder } from '#server/payments/refunds.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { expectBooksAgree, ordersOf, postingsOf } from './invariants.ts'

type View = {
  status: string
  fulfillment: string
  amounts: { total: number; refunded: number }
  parcels: { name: string; deliveredAt: string | null; returnedAt: string | null }[]
  stillToCome: { quantity: number }[]
  lines: Record<string, unknown>[]
}

/** A paid order of three items in two lines, submitted to the printer. */
async function bought(world: World) {
  const shopper = world.shopper()
  await shopper.adds('vented hat', 2)
  const payment = await shopper.paysByCard({ buying: 'mug', to: addresses.newYork })
  const { body } = await payment.returnsToShop()
  await world.settled()
  const number = String(body.orderId) as OrderNumber
  return {
    shopper,
    number,
    total: payment.total_amount,
    intent: payment.payment_intent,
    partner: async (change: string, more: object = {}) => {
      await world.simulators.printful.change({ change, external_id: number, ...more })
      await world.settled()
    },
    page: async () => (await shopper.send<View>('GET', `/api/order?order=${number}`)).body,
    kinds: async () =>
      (await world.audit<{ kind: string; recipient: string }>('mails'))
        .filter(({ recipient }) => recipient === shopper.customer.email)
        .map(({ kind }) => kind)
        .toSorted(),
    partnerWord: () => world.simulators.printful.ledger().partner_orders?.[0]?.status,
  }
}

/** The account balances of a world with one order, without zeros. */
async function book(world: World): Promise<Record<string, number>> {
  const sums = new Map<string, number>()
  for (const { account, amount_cents: amount } of (await postingsOf(world)).flat())
    sums.set(account, (sums.get(account) ?? 0) + Number(amount))
  expect([...sums.values()].reduce((all, amount) => all + amount, 0)).toBe(0)
  return Object.fromEntries([...sums].filter(([, sum]) => sum !== 0))
}

test('an order of three parcels from payment to doorstep: page, emails, statuses, ledger and printer agree at each step', async () => {
  await using world = await openWorld({ env: { SWEEP_INTERVAL_S: '300' } })
  const { total, partner, page, kinds, partnerWord } = await bought(world)
  const steps: { does: () => Promise<unknown>; word: string; status: string; parcels: number; mails: string[] }[] = [
    { does: async () => {}, word: 'pending', status: 'submitted', parcels: 0, mails: [] },
    { does: () => partner('advance'), word: 'inprocess', status: 'in_production', parcels: 0, mails: [] },
    ...[1, 2].map((parcel) => ({
      does: () => partner('ship', { parcel, of: 3 }),
      word: 'partial',
      status: 'partially_shipped',
      parcels: parcel,
      mails: Array.from({ length: parcel }, () => 'shipped'),
    })),
    {
      does: () => partner('ship', { parcel: 3, of: 3 }),
      word: 'fulfilled',
      status: 'shipped',
      parcels: 3,
      mails: ['shipped', 'shipped', 'shipped'],
    },
    {
      does: async () => {
        await partner('deliver')
        await world.advance(3 * HOUR_MS)
        await followOrdersWithoutNews(world.shop)
        await world.settled()
      },
      word: 'fulfilled',
      status: 'delivered',
      parcels: 3,
      mails: ['delivered', 'delivered', 'delivered', 'shipped', 'shipped', 'shipped'],
    },
  ]
  for (const { does, word, status, parcels, mails } of steps) {
    await does()
    expect(partnerWord()).toBe(word)
    expect(await ordersOf(world)).toMatchObject([{ status, payment_status: 'paid' }])
    const view = await page()
    expect(view).toMatchObject({ status, amounts: { total, refunded: 0 } })
    expect(view.parcels).toHaveLength(parcels)
    expect(JSON.stringify(view.lines)).not.toContain('artnerCost')
    expect(world.simulators.printful.ledger().shipments).toHaveLength(parcels)
    expect((await kinds()).filter((kind) => kind !== 'confirmation')).toEqual(mails)
    const { 'provider:stripe': held = 0, 'expense:provider_fees': fee = 0, ...rest } = await book(world)
    expect(held + fee).toBe(total)
    expect(rest['expense:fulfillment']).toBe(-(rest['print_partner'] ?? 0))
    expect(rest['expense:fulfillment']).toBeGreaterThan(0)
  }
  const view = await page()
  expect(view.parcels.map(({ name }) => name)).toEqual(['Parcel 1 of 3', 'Parcel 2 of 3', 'Parcel 3 of 3'])
  expect(view.stillToCome).toEqual([])
  await expectBooksAgree(world)
})

test('an order with a hold, an unavailable item, a returned parcel, a partial refund and a lost dispute agrees at each step', async () => {
  await using world = await openWorld({ env: { SWEEP_INTERVAL_S: '300' } })
  const { number, total, intent, partner, page, kinds } = await bought(world)
  await partner('hold', { reason: 'A print file needs your approval' })
  expect(await page()).toMatchObject({ status: 'on_hold' })
  await partner('release')
  await partner('advance')
  expect(await page()).toMatchObject({ status: 'in_production' })
  expect(await kinds()).toEqual(['confirmation'])

  // One of the hats cannot be made: the printer charges nothing for it, and it is refunded.
  const before = (await book(world))['expense:fulfillment'] ?? 0
  await partner('credit', { amount: '5.00' })
  expect((await book(world))['expense:fulfillment']).toBe(before - 500)
  const wanted = { kind: 'pieces' as const, pieces: [{ position: 0, quantity: 1 }] }
  await refundOrder(world.shop, number, wanted, 'could not be made', COMMAND)
  await world.settled()
  const refunded = (await page()).amounts.refunded
  expect(refunded).toBeGreaterThan(0)
  expect(await page()).toMatchObject({ status: 'in_production' })

  await partner('ship', { parcel: 1, of: 2 })
  await partner('ship')
  await partner('return', { shipment: Number(world.simulators.printful.ledger().shipments?.[0]?.id) })
  expect(await page()).toMatchObject({ fulfillment: 'shipped', amounts: { refunded } })
  expect((await page()).parcels.filter(({ returnedAt }) => returnedAt !== null)).toHaveLength(1)

  // The bank returns all that is left to the shopper.
  const dispute = (await world.simulators.stripe.change({ change: 'dispute', payment_intent: intent })) as {
    id: string
  }
  await world.settled()
  expect(await ordersOf(world)).toMatchObject([{ payment_status: 'disputed' }])
  await world.simulators.stripe.change({ change: 'lose_dispute', dispute: dispute.id })
  await world.settled()
  expect(await ordersOf(world)).toMatchObject([{ payment_status: 'refunded', fulfilment_status: 'shipped' }])
  const left = await book(world)
  expect(left['expense:disputes']).toBe(total)
  expect(left['receivable:disputes']).toBeUndefined()
  expect(left['provider:stripe']).toBe(
    total - refunded - total - (left['expense:provider_fees'] ?? 0) - (left['expense:dispute_fees'] ?? 0),
  )
  await expect(
    refundOrder(world.shop, number, { kind: 'amount', amount: cents(1) }, 'nothing is left', COMMAND),
  ).rejects.toMatchObject({ code: 'nothing_to_refund' })
  expect(await kinds()).toEqual(['confirmation', 'refunded', 'shipped', 'shipped'])
})
