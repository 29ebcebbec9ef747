import { expect, test } from 'vitest'
import { objectionToChange, type ChangeableOrder } from './changes.ts'

const until = new Date('2026-11-23T12:00:00Z')
const paid: ChangeableOrder = { fulfillment: 'waiting', payment: 'paid', isErased: false, until }
const [before, at] = [new Date(until.getTime() - 1), until]

test.each<[string, Partial<ChangeableOrder>, Date, ReturnType<typeof objectionToChange>]>([
  ['a paid order', {}, before, null],
  ['one held by the shop', { fulfillment: 'on_hold' }, before, null],
  ['one that was partly refunded', { payment: 'partially_refunded' }, before, null],
  ['a paid order after its time', {}, at, 'over'],
  ['one the printer has', { fulfillment: 'submitted' }, before, 'over'],
  ['one whose payment is disputed', { payment: 'disputed' }, before, 'disputed'],
  ['a canceled order', { fulfillment: 'cancelled' }, before, 'closed'],
  ['a refunded order', { payment: 'refunded' }, at, 'closed'],
  ['one of an erased customer', { isErased: true }, before, 'closed'],
])('whether a shopper can change %s', (_, facts, now, objection) => {
  expect(objectionToChange({ ...paid, ...facts }, now)).toBe(objection)
})
