import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readOrderNumber } from '#shared/ids.ts'
import { cents } from '#shared/money.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { Refusal } from '#server/http/refusal.ts'
import { refundOrder } from '#server/payments/refunds.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { giveGiftCard } from '#server/gift-cards/gift-cards.ts'
import { expectGiftCardsAgree, ordersOf } from './invariants.ts'

type Event =
  | { kind: 'refund'; order: number; share: number }
  | { kind: 'refund_elsewhere'; order: number; share: number }
  | { kind: 'refund_fails'; order: number }
  | { kind: 'dispute' | 'win' | 'lose'; order: number }
  | { kind: 'sweep' }

const ORDERS = 6
const order = fc.nat(ORDERS - 1)
const share = fc.double({ min: 0.05, max: 1, noNaN: true })
const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('refund' as const), order, share }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refund_elsewhere' as const), order, share }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refund_fails' as const), order }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('dispute' as const, 'win' as const, 'lose' as const), order }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'sweep' as const }) },
)

/** Some orders are paid by a gift card in part. */
const hasGiftCard = (at: number) => at < 4

/** Every other order is paid by wallet. */
const isWallet = (at: number) => at % 2 === 1

/** `HISTORY_EVENTS` and `HISTORY_SEED` lengthen a run, or repeat it. */
test('random refunds, late failures and disputes, with events lost, doubled and shuffled, balance to the cent', async () => {
  const seed = Number(process.env['HISTORY_SEED'] ?? Math.floor(Math.random() * 1e9))
  const length = Number(process.env['HISTORY_EVENTS'] ?? 40)
  const [history = []] = fc.sample(fc.array(event, { minLength: length, maxLength: length }), { seed, numRuns: 1 })
  await using world = await openWorld()
  const payments = await Promise.all(Array.from({ length: ORDERS }, (_, at) => sold(world, at)))
  await world.settled()
  for (const provider of ['stripe', 'paypal'] as const)
    await world.simulators.kit.webhooks.set({ provider, drop: 3, duplicate: 2, shuffle: true })

  for (const [at, event] of history.entries()) {
    await happens(world, payments, event)
    if (at % 10 === 9) await agree(world, payments, seed)
  }
  await agree(world, payments, seed)
}, 600_000)

async function sold(world: World, at: number): Promise<string> {
  const shopper = world.shopper()
  if (hasGiftCard(at)) {
    const given = { requestKey: randomUUID(), amount: cents(1000), reason: 'a story', recipientEmail: null }
    await shopper.adds('mug')
    await shopper.send('POST', '/api/cart/code', { code: await giveGiftCard(world.shop, given, COMMAND) })
  }
  if (!isWallet(at)) {
    const payment = await shopper.paysByCard({ quantity: 1 + at })
    await payment.returnsToShop()
    return payment.payment_intent
  }
  const id = await shopper.approvesWallet({ buying: 'pillow', quantity: at })
  await shopper.captures(id)
  return id
}

async function happens(world: World, payments: readonly string[], event: Event): Promise<void> {
  if (event.kind === 'sweep') return void (await world.sweep())
  const id = payments[event.order] ?? ''
  const provider = isWallet(event.order) ? 'paypal' : 'stripe'
  const stored = (await ordersOf(world)).find(({ payment_key: key }) => key === `${provider}:${id}`)
  const amount = 'share' in event ? cents(Math.max(1, Math.floor(Number(stored?.total_cents) * event.share))) : cents(0)
  switch (event.kind) {
    case 'refund': {
      const number = readOrderNumber(stored?.order_number ?? '')
      // A refund of more than is left is refused, which is part of the history.
      if (number)
        await refundOrder(world.shop, number, { kind: 'amount', amount }, 'a story', COMMAND).catch(
          (error: unknown) => {
            if (!(error instanceof Refusal)) throw error
          },
        )
      return
    }
    case 'refund_elsewhere':
      return refundElsewhere(world, event.order, id, amount)
    case 'refund_fails': {
      const made = world.simulators[provider].ledger().refunds?.find((refund) => refund.payment_id === id)
      return changed(world, provider, { change: 'fail_refund', refund: made?.id })
    }
    case 'dispute':
      return changed(world, provider, { change: 'dispute', payment_intent: id, order: id, chargeback: true })
    case 'win':
    case 'lose': {
      const dispute = (await disputes(world)).find(
        (row) => row.payment_key === `${provider}:${id}` && row.status === 'open',
      )
      return changed(world, provider, { change: `${event.kind}_dispute`, dispute: dispute?.dispute_id })
    }
  }
}

/** A change the provider cannot make just then, such as a second dispute, is skipped. */
async function changed(world: World, provider: 'stripe' | 'paypal', wanted: Record<string, unknown>): Promise<void> {
  await world.simulators[provider].change(wanted).catch(() => {})
}

async function refundElsewhere(world: World, at: number, id: string, amount: ReturnType<typeof cents>): Promise<void> {
  // Uses the adapters with a number no refund of the shop has, like a person in the provider's dashboard.
  const key = `elsewhere-${Math.random()}`
  const gateway = world.shop
  await (
    isWallet(at)
      ? gateway.paypal.readOrder(id).then(({ captureId }) => gateway.paypal.refund(captureId ?? '', amount, 0, key))
      : gateway.stripe.refund(id, amount, 0, key)
  ).catch(() => {})
}

const disputes = async (world: World) =>
  (
    await world.shop.database.pool.query<{ payment_key: string; dispute_id: string; status: string }>(
      'select payment_key, dispute_id, status from dispute',
    )
  ).rows

/** After a sweep, everything that happened at the providers is in the ledger, to the cent. */
async function agree(world: World, payments: readonly string[], seed: number): Promise<void> {
  await world.settled()
  await world.sweep()
  await world.advance(4 * 3_600_000)
  await world.sweep()
  await world.settled()
  const entries = await world.audit<{ posting_id: string; account: string; amount_cents: string; payment_key: string }>(
    'ledger',
  )
  const postings = Map.groupBy(entries, ({ posting_id: id }) => id)
  for (const [, posting] of postings)
    expect(posting.reduce((sum, { amount_cents: amount }) => sum + Number(amount), 0)).toBe(0)

  await expectGiftCardsAgree(world, entries)
  type Row = { payment_key: string; amount_cents: string; status: string; gift_card_id: number | null }
  const rows = await world.audit<Row>('refunds')
  for (const [at, id] of payments.entries()) {
    const provider = isWallet(at) ? 'paypal' : 'stripe'
    const key = `${provider}:${id}`
    const theirs = (world.simulators[provider].ledger().refunds ?? []).filter(
      ({ payment_id: of, status }) => of === id && !/failed/i.test(status),
    )
    const ours = rows.filter(
      ({ payment_key: of, status, gift_card_id: card }) =>
        of === key && card === null && (status === 'succeeded' || status === 'pending'),
    )
    const toGiftCard = rows.filter(({ payment_key: of, gift_card_id: card }) => of === key && card !== null)
    const sum = (list: readonly { amount_cents: string | number }[]) =>
      list.reduce((total, { amount_cents: amount }) => total + Number(amount), 0)
    expect(sum(ours), `refunds of ${key}, seed ${seed}`).toBe(sum(theirs))

    const sold = (await ordersOf(world)).find(({ payment_key: of }) => of === key)
    const byGiftCard = Number(sold?.gift_card_cents)
    expect(byGiftCard).toBe(hasGiftCard(at) ? 1000 : 0)
    expect(sum(toGiftCard), `no more than it paid, seed ${seed}`).toBeLessThanOrEqual(byGiftCard)
    const total = Number(sold?.total_cents) - byGiftCard
    expect(sum(ours), `no more than was paid, seed ${seed}`).toBeLessThanOrEqual(total)
    const taken = entries.filter(({ payment_key: of, account }) => of === key && account.startsWith('provider:'))
    const disputeAccounts = ['receivable:disputes', 'expense:disputes', 'expense:dispute_fees', 'expense:provider_fees']
    const disputeEntries = entries.filter(
      ({ payment_key: of, account }) => of === key && disputeAccounts.includes(account),
    )
    expect(sum(taken), `what the provider holds of ${key}, seed ${seed}`).toBe(
      total - sum(theirs) - sum(disputeEntries),
    )
  }
}
