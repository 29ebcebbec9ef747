import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cents, sum, ZERO } from '#shared/money.ts'
import { DAY_MS } from '#shared/time.ts'
import {
  approvedFrom,
  changesOfCommission,
  remainingOfLines,
  type BookedLine,
  type CommissionLine,
  type ReturnedGoods,
} from './commission.ts'

const hat = { position: 0, unitPrice: cents(2495), quantity: 2, basisPoints: 1200 }
const mug = { position: 1, unitPrice: cents(1501), quantity: 1, basisPoints: 1500 }
const amount = (merchandise: number): ReturnedGoods => ({ merchandise: cents(merchandise), pieces: null })
const pieces = (position: number, quantity: number, merchandise: number): ReturnedGoods => ({
  merchandise: cents(merchandise),
  pieces: [{ position, quantity }],
})

describe('the remaining amounts of the lines', () => {
  test.each([
    ['nothing went back', [], [4990, 1501]],
    ['a piece went back', [pieces(0, 1, 2495)], [2495, 1501]],
    ['an amount went back, in proportion', [amount(1000)], [4221, 1270]],
    ['a piece first, then an amount of the rest', [pieces(0, 1, 2495), amount(1000)], [1871, 1125]],
    ['the other way round it is the same', [amount(1000), pieces(0, 1, 2495)], [1871, 1125]],
    ['a piece more than the line has counts as an amount', [pieces(1, 1, 1501), pieces(1, 1, 1501)], [3489, 0]],
    ['pieces that were refunded at another amount count as an amount', [pieces(0, 1, 2000)], [3452, 1039]],
    ['everything went back', [amount(6491)], [0, 0]],
    ['a bank took more than there was', [amount(6491), amount(500)], [0, 0]],
  ])('when %s', (_, gone, left) => expect(remainingOfLines([hat, mug], gone)).toEqual(left))
})

describe('before discounts, commission remains on the list price in proportion', () => {
  const paid = { ...hat, unitPrice: cents(2000), listPrice: cents(2495) }
  const free = { ...mug, unitPrice: ZERO, listPrice: cents(1501) }
  test.each([
    ['nothing went back', [paid, free], [], [4990, 1501]],
    ['a piece went back', [paid], [pieces(0, 1, 2000)], [2495]],
    ['half of a piece went back', [paid], [amount(1000)], [3743]],
    ['a third of a cent of it', [paid], [amount(1)], [4989]],
    ['everything went back, free pieces too', [paid, free], [amount(4000)], [0, 0]],
    ['a quarter went back, of free pieces too', [paid, free], [amount(1000)], [3743, 1126]],
  ] as [string, CommissionLine[], ReturnedGoods[], number[]][])('when %s', (_, lines, gone, left) =>
    expect(remainingOfLines(lines, gone)).toEqual(left),
  )
})

test('a sale earns each line’s rate, half a cent rounded up, and a refund takes back the excess', () => {
  const sold = changesOfCommission([hat, mug], [], [])
  expect(sold).toEqual([
    { position: 0, base: 4990, amount: 599 },
    { position: 1, base: 1501, amount: 225 },
  ])
  const back = changesOfCommission([hat, mug], [pieces(0, 1, 2495)], sold)
  expect(back).toEqual([{ position: 0, base: -2495, amount: -300 }])
  expect(changesOfCommission([hat, mug], [], [...sold, ...back])).toEqual([{ position: 0, base: 2495, amount: 300 }])
})

test('a correct commission is not booked again', () => {
  const sold = changesOfCommission([hat, mug], [], [])
  expect(changesOfCommission([hat, mug], [], sold)).toEqual([])
})

test.each([
  ['within the holding period', 10, 30],
  ['when it is over', 31, 31],
])('a deduction %s counts from then on', (_, day, from) => {
  const sale = new Date(0)
  expect(approvedFrom(sale, new Date(day * DAY_MS), 30)).toEqual(new Date(from * DAY_MS))
})

type Event = { order: number; kind: 'pieces' | 'amount' | 'fails' | 'disputed' | 'won'; of: number }
type Order = {
  partner: number
  lines: CommissionLine[]
  gone: (ReturnedGoods & { of: string })[]
  booked: BookedLine[]
}

const PARTNERS = 5
const anyLine = fc.record({
  unitPrice: fc.integer({ min: 1, max: 20_000 }).map(cents),
  quantity: fc.integer({ min: 1, max: 99 }),
  basisPoints: fc.integer({ min: 0, max: 1500 }),
})
const anyOrder = fc.record({
  partner: fc.nat(PARTNERS - 1),
  lines: fc.array(anyLine, { minLength: 1, maxLength: 6 }),
})
const anyEvent: fc.Arbitrary<Event> = fc.record({
  order: fc.nat(19),
  kind: fc.constantFrom('pieces', 'amount', 'fails', 'disputed', 'won'),
  of: fc.double({ min: 0, max: 1, noNaN: true }),
})

/** The rule once more, in words of its own: a line earns its rate of what is left of it. */
const earned = (base: number, basisPoints: number) => Number((BigInt(base) * BigInt(basisPoints) + 5000n) / 10_000n)

test('at every instant of 10,000 events, each partner has the rate of each line after what went back, and no line less than nothing', () =>
  fc.assert(
    fc.property(
      fc.array(anyOrder, { minLength: 20, maxLength: 20 }),
      fc.array(anyEvent, { minLength: 500, maxLength: 500 }),
      (bought, events) => {
        const orders: Order[] = bought.map(({ partner, lines }) => ({
          partner,
          lines: lines.map((line, position) => ({ ...line, position })),
          gone: [],
          booked: [],
        }))
        for (const order of orders) order.booked.push(...changesOfCommission(order.lines, [], []))
        const perPartner = new Map<number, number>()
        for (const { partner, booked } of orders)
          perPartner.set(partner, (perPartner.get(partner) ?? 0) + sum(booked.map((one) => one.amount)))

        for (const event of events) {
          const order = orders[event.order]
          if (!order) throw new Error('no such order')
          happens(order, event)
          const changes = changesOfCommission(order.lines, order.gone, order.booked)
          order.booked.push(...changes)
          perPartner.set(order.partner, (perPartner.get(order.partner) ?? 0) + sum(changes.map((one) => one.amount)))

          const goods = order.lines.reduce((all, { unitPrice, quantity }) => all + unitPrice * quantity, 0)
          expect(sum(order.booked.map(({ base }) => base))).toBe(goods - wentBack(order))
          for (const { position, unitPrice, quantity, basisPoints } of order.lines) {
            const own = order.booked.filter((one) => one.position === position)
            const base = sum(own.map((one) => one.base))
            expect(base >= 0 && base <= unitPrice * quantity).toBe(true)
            expect(sum(own.map((one) => one.amount))).toBe(earned(base, basisPoints))
          }
        }
        for (let partner = 0; partner < PARTNERS; partner += 1) {
          const own = orders.filter((order) => order.partner === partner)
          const expected = own.flatMap(({ lines, booked }) =>
            lines.map(({ position, basisPoints }) =>
              earned(sum(booked.flatMap((one) => (one.position === position ? [one.base] : []))), basisPoints),
            ),
          )
          expect(perPartner.get(partner) ?? 0).toBe(expected.reduce((all, one) => all + one, 0))
        }
      },
    ),
    { numRuns: 20 },
  ))

const wentBack = ({ gone }: Order) => gone.reduce((all, { merchandise }) => all + merchandise, 0)

/** What an event does to an order; what cannot happen to it does nothing. */
function happens(order: Order, { kind, of }: Event): void {
  const rest = order.lines.reduce((all, { unitPrice, quantity }) => all + unitPrice * quantity, 0) - wentBack(order)
  const line = order.lines[Math.min(order.lines.length - 1, Math.floor(of * order.lines.length))]
  const add = (merchandise: number, name: string, pieces: ReturnedGoods['pieces'] = null) => {
    if (merchandise > 0 && merchandise <= rest) order.gone.push({ merchandise: cents(merchandise), pieces, of: name })
  }
  const drop = (name: string) => {
    const at = order.gone.findIndex((one) => one.of === name)
    if (at >= 0) order.gone.splice(at, 1)
  }
  if (kind === 'pieces' && line) {
    const quantity = 1 + Math.floor(of * (line.quantity - 1))
    add(line.unitPrice * quantity, 'refund', [{ position: line.position, quantity }])
  } else if (kind === 'amount') add(Math.floor(rest * of), 'refund')
  else if (kind === 'disputed') add(Math.floor(rest * of) || ZERO, 'dispute')
  else drop(kind === 'fails' ? 'refund' : 'dispute')
}
