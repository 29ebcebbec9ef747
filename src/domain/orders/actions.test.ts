import { describe, expect, test } from 'vitest'
import { cents, ZERO } from '#shared/money.ts'
import {
  allowedActions,
  explainGoodsAfterRefund,
  needsAttention,
  type OrderAction,
  type OrderFacts,
} from './actions.ts'

const facts = (now: Partial<OrderFacts>): OrderFacts => ({
  payment: 'paid',
  fulfillment: 'waiting',
  isHeldHere: false,
  printerStatus: null,
  left: cents(5000),
  ...now,
})

const paid: readonly [string, Partial<OrderFacts>, OrderAction[]][] = [
  ['waits for the printer', {}, ['refund', 'hold', 'cancel', 'resubmit']],
  ['is held here', { fulfillment: 'on_hold', isHeldHere: true }, ['refund', 'release', 'cancel']],
  ['is a draft there', { fulfillment: 'waiting', printerStatus: 'draft' }, ['refund', 'cancel', 'resubmit']],
  ['is with the printer', { fulfillment: 'submitted', printerStatus: 'pending' }, ['refund', 'cancel']],
  ['is held by the printer', { fulfillment: 'on_hold', printerStatus: 'onhold' }, ['refund', 'cancel']],
  ['was refused by the printer', { fulfillment: 'needs_attention' }, ['refund', 'hold', 'cancel', 'resubmit']],
  [
    'failed at the printer',
    { fulfillment: 'needs_attention', printerStatus: 'failed' },
    ['refund', 'cancel', 'resubmit'],
  ],
  ['is made with fewer pieces', { fulfillment: 'needs_attention', printerStatus: 'inprocess' }, ['refund']],
  ['is being made', { fulfillment: 'in_production', printerStatus: 'inprocess' }, ['refund']],
  ['is being made, as the printer knows already', { fulfillment: 'submitted', printerStatus: 'inprocess' }, ['refund']],
  ['stands there in a way that we do not know', { fulfillment: 'submitted', printerStatus: 'archived' }, ['refund']],
  ['was sent in part', { fulfillment: 'partially_shipped', printerStatus: 'partial' }, ['refund']],
  ['was sent', { fulfillment: 'shipped', printerStatus: 'fulfilled' }, ['refund']],
  ['has arrived', { fulfillment: 'delivered', printerStatus: 'fulfilled' }, ['refund']],
  ['came back', { fulfillment: 'returned', printerStatus: 'fulfilled' }, ['refund']],
  ['was canceled', { fulfillment: 'cancelled', printerStatus: 'canceled' }, ['refund', 'resubmit']],
]

const possible = (now: Partial<OrderFacts>) =>
  Object.entries(allowedActions(facts(now))).flatMap(([action, why]) => (why === null ? [action] : []))

describe('what can be done with an order that', () => {
  test.each(paid)('%s', (_, now, can) => expect(possible(now)).toEqual(can))

  test.each(paid)('%s, and whose money went back: nothing costs money again', (_, now, can) =>
    expect(possible({ ...now, payment: 'refunded', left: ZERO })).toEqual(
      can.filter((action) => action !== 'refund' && action !== 'resubmit'),
    ),
  )

  test.each(paid)('%s says why not to all else', (_, now, can) => {
    const whys = Object.entries(allowedActions(facts(now))).filter(([action]) => !can.includes(action as OrderAction))
    for (const [, why] of whys) expect(why).toMatch(/^[A-Z].{10,}\.$/)
  })
})

test('a refunded order needs no attention', () => {
  expect(needsAttention({ payment: 'refunded' })).toBe(false)
  for (const payment of ['paid', 'partially_refunded', 'disputed'] as const)
    expect(needsAttention({ payment })).toBe(true)
})

test.each([
  ['not begun, all goes back', { fulfillment: 'submitted', printerStatus: 'pending' }, true, /ask the printer to stop/],
  [
    'not begun, some goes back',
    { fulfillment: 'submitted', printerStatus: 'pending' },
    false,
    /still be made and shipped.*\$17\.95/,
  ],
  [
    'being made',
    { fulfillment: 'in_production', printerStatus: 'inprocess' },
    true,
    /can’t stop.*still ship.*\$17\.95/,
  ],
  ['sent in part', { fulfillment: 'partially_shipped' }, true, /rest will still be made and shipped.*\$17\.95/],
  ['sent', { fulfillment: 'delivered' }, true, /has shipped.*\$17\.95/],
  ['returned', { fulfillment: 'returned' }, true, /was returned.*\$17\.95/],
  ['canceled', { fulfillment: 'cancelled' }, true, /nothing will be made/],
] as const)(
  'before a refund of an order that is %s, the owner reads what happens to the items and who pays',
  (_, now, isAll, says) => {
    expect(explainGoodsAfterRefund(facts(now), isAll, cents(1795))).toMatch(says)
  },
)
