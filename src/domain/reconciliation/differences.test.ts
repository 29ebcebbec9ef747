import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CheckoutId, OrderId, OrderNumber, PaymentKey } from '#shared/ids.ts'
import { cents, ZERO, type Cents } from '#shared/money.ts'
import {
  differencesOfLine,
  differencesOfOrder,
  differencesOfPayment,
  differencesOfStray,
  type OrderInBothBooks,
  type PaymentInBothBooks,
} from './differences.ts'
import { ruleOf, sentenceOf } from './exceptions.ts'
import type { Movement } from './movements.ts'

const key = 'stripe:pi_1' as PaymentKey
const line = (more: Partial<Movement>): Movement => ({
  provider: 'stripe',
  id: 'txn_1',
  kind: 'charge',
  amount: ZERO,
  fee: ZERO,
  currency: 'usd',
  paymentKey: key,
  sourceId: 'ch_1',
  checkoutId: null,
  occurredAt: new Date(0),
  ...more,
})

/** A paid order of which some went back and some was disputed, in both books alike. */
function agreed({
  total,
  fee,
  refunds,
  disputed,
}: {
  total: number
  fee: number
  refunds: number[]
  disputed: number
}) {
  const sides: PaymentInBothBooks = {
    key,
    isSecond: false,
    payment: { orderId: 7 as OrderId, isException: false },
    movements: [
      line({ amount: cents(total), fee: cents(fee), checkoutId: 'c' as CheckoutId }),
      ...refunds.map((amount, index) =>
        line({ id: `r${index}`, kind: 'refund', amount: cents(-amount), sourceId: `re_${index}` }),
      ),
      ...(disputed > 0
        ? [line({ id: 'd', kind: 'dispute', amount: cents(-disputed), fee: cents(1500), sourceId: 'du_1' })]
        : []),
    ],
    bookings: [
      { kind: 'sale', amount: cents(total), fee: ZERO },
      { kind: 'fee', amount: cents(-fee), fee: cents(fee) },
      ...refunds.map((amount) => ({ kind: 'refund' as const, amount: cents(-amount), fee: ZERO })),
      ...(disputed > 0 ? [{ kind: 'dispute' as const, amount: cents(-disputed - 1500), fee: cents(1500) }] : []),
    ],
    refunds: refunds.map((amount, index) => ({
      providerRefundId: `re_${index}`,
      amount: cents(amount),
      status: 'succeeded' as const,
      isBooked: true,
    })),
  }
  return sides
}

const histories = fc.record({
  total: fc.integer({ min: 50, max: 1_000_000 }),
  fee: fc.integer({ min: 0, max: 5000 }),
  refunds: fc.array(fc.integer({ min: 1, max: 10_000 }), { maxLength: 4 }),
  disputed: fc.integer({ min: 0, max: 50_000 }),
})

const kindsOf = (sides: PaymentInBothBooks) => differencesOfPayment(sides).map(({ kind }) => kind)

test('equal books have no differences', () =>
  fc.assert(
    fc.property(histories, (history) => {
      expect(differencesOfPayment(agreed(history))).toEqual([])
    }),
  ))

test('a difference of one cent is reported exactly once', () =>
  fc.assert(
    fc.property(histories, fc.nat(), (history, pick) => {
      const sides = agreed(history)
      const at = pick % sides.movements.length
      const moved = sides.movements.map((one, index) =>
        index === at ? { ...one, amount: cents(one.amount + 1) } : one,
      )
      const found = differencesOfPayment({ ...sides, movements: moved })
      expect(found).toHaveLength(1)
      const kinds = { charge: 'amount', refund: 'missing_refund', dispute: 'dispute_unknown' } as Record<string, string>
      expect(found[0]).toMatchObject({ kind: kinds[sides.movements[at]?.kind ?? ''], amount: 1, orderId: 7 })
    }),
  ))

const plain = agreed({ total: 5000, fee: 175, refunds: [], disputed: 0 })
const refunded = agreed({ total: 5000, fee: 175, refunds: [1000], disputed: 0 })

test.each<[says: string, sides: PaymentInBothBooks, kinds: string[]]>([
  ['money that the shop never heard of', { ...plain, payment: null, bookings: [] }, ['missing_order']],
  ['a second payment', { ...plain, payment: null, bookings: [], isSecond: true }, ['double_capture']],
  [
    'what another program took with the account',
    { ...plain, payment: null, bookings: [], movements: [line({ amount: cents(5000) })] },
    [],
  ],
  [
    'what went back before the shop heard of it',
    {
      ...refunded,
      payment: null,
      bookings: [],
      movements: [...plain.movements, line({ kind: 'refund', amount: cents(-5000) })],
    },
    [],
  ],
  ['a sale that the provider does not know', { ...plain, movements: [] }, ['missing_payment']],
  [
    'another currency',
    { ...plain, movements: plain.movements.map((one) => ({ ...one, currency: 'eur' })) },
    ['currency'],
  ],
  [
    'another currency that waits for the owner as money without an order',
    {
      ...plain,
      payment: { orderId: null, isException: true },
      movements: plain.movements.map((one) => ({ ...one, currency: 'eur' })),
    },
    [],
  ],
  ['a fee', { ...plain, movements: plain.movements.map((one) => ({ ...one, fee: cents(200) })) }, ['fee']],
  ['a refund made at the provider', { ...refunded, bookings: plain.bookings, refunds: [] }, ['missing_refund']],
  ['a refund that the provider does not know', { ...refunded, movements: plain.movements }, ['refund_unknown']],
  [
    'a refund that is decided, booked, and on its way',
    {
      ...refunded,
      movements: plain.movements,
      refunds: refunded.refunds.map((one) => ({ ...one, status: 'pending' })),
    },
    [],
  ],
  [
    'a refund that the bank sent back',
    {
      ...refunded,
      movements: [...refunded.movements, line({ id: 'f', kind: 'refund', amount: cents(1000), sourceId: 're_0' })],
    },
    ['missing_refund'],
  ],
  [
    'what a dispute took, told as a refund',
    {
      ...refunded,
      movements: refunded.movements.map((one) => (one.kind === 'refund' ? { ...one, kind: 'dispute' } : one)),
    },
    [],
  ],
])('%s', (_, sides, kinds) => expect(kindsOf(sides)).toEqual(kinds))

test('payouts and unrelated lines are compared on their own', () => {
  const payout = line({ kind: 'payout', amount: cents(-900), sourceId: 'po_1', paymentKey: null })
  expect(differencesOfLine(payout, cents(-900))).toEqual([])
  expect(differencesOfLine(payout, ZERO)).toMatchObject([{ kind: 'payout', about: 'payout:stripe:po_1', amount: 900 }])
  const monthly = line({ kind: 'fee', amount: cents(-700), paymentKey: null, sourceId: null })
  expect(differencesOfLine(monthly, ZERO)).toMatchObject([{ kind: 'adjustment', about: 'line:stripe:txn_1' }])
})

const order = (more: Partial<OrderInBothBooks['order']> = {}, cost: Cents = cents(1200)): OrderInBothBooks => ({
  order: {
    id: 7 as OrderId,
    orderNumber: 'K7QM-4T2X' as OrderNumber,
    externalId: 'K7QM-4T2X',
    fulfillmentStatus: 'submitted',
    paymentStatus: 'paid',
    isTaken: true,
    unreturned: cents(5000),
    ...more,
  },
  partnerOrders: [{ id: 1, externalId: 'K7QM-4T2X', status: 'pending', cost }],
  bookedCost: cents(1200),
})
const canceled = (sides: OrderInBothBooks): OrderInBothBooks => ({
  ...sides,
  bookedCost: ZERO,
  partnerOrders: sides.partnerOrders.map((one) => ({ ...one, status: 'canceled', cost: ZERO })),
})

test.each<[says: string, sides: OrderInBothBooks, kinds: string[]]>([
  ['an order that is made as it was paid for', order(), []],
  ['another cost', order({}, cents(1300)), ['partner_cost']],
  [
    'a cost that is being calculated',
    { ...order(), partnerOrders: [{ id: 1, externalId: 'K7QM-4T2X', status: 'pending', cost: null }] },
    [],
  ],
  ['an order that the partner lost', { ...order(), partnerOrders: [] }, ['order_without_partner']],
  [
    'an order that the owner held back before it was submitted',
    { ...order({ fulfillmentStatus: 'on_hold', isTaken: false }), partnerOrders: [], bookedCost: ZERO },
    [],
  ],
  ['an order that waits', { ...order({ fulfillmentStatus: 'waiting' }), partnerOrders: [], bookedCost: ZERO }, []],
  [
    'cancelled there, not refunded',
    canceled(order({ fulfillmentStatus: 'cancelled' })),
    ['partner_credit_not_passed_on'],
  ],
  ['cancelled there and refunded', canceled(order({ fulfillmentStatus: 'cancelled', unreturned: ZERO })), []],
  [
    'cancelled there after a part of it had left, which is paid for',
    { ...order(), partnerOrders: [{ id: 1, externalId: 'K7QM-4T2X', status: 'canceled', cost: cents(1200) }] },
    [],
  ],
  [
    'cancelled there and still booked',
    { ...canceled(order({ fulfillmentStatus: 'cancelled', unreturned: ZERO })), bookedCost: cents(1200) },
    ['partner_cost'],
  ],
])('%s', (_, sides, kinds) => expect(differencesOfOrder(sides).map(({ kind }) => kind)).toEqual(kinds))

test('a Printful order without an order here is reported until it is canceled or booked', () => {
  const stray = { id: 9, externalId: null, status: 'pending' as const, cost: cents(800) }
  expect(differencesOfStray(stray, ZERO)).toMatchObject([{ kind: 'partner_order_without_ours', amount: 800 }])
  expect(differencesOfStray(stray, cents(800))).toEqual([])
  expect(differencesOfStray({ ...stray, status: 'canceled', cost: ZERO }, ZERO)).toEqual([])
  expect(differencesOfStray({ ...stray, status: 'draft' }, ZERO)).toEqual([])
})

test('each difference has a sentence with both amounts, and a remedy', () => {
  const [found] = differencesOfPayment({ ...refunded, bookings: plain.bookings, refunds: [] })
  expect(found && sentenceOf(found)).toBe('Stripe refunded $10.00; the shop booked $0.00.')
  expect(found && ruleOf(found.kind)).toMatchObject({ repair: 'follow_returns' })
})
