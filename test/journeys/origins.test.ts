import { afterAll, beforeAll, expect, test } from 'vitest'
import { originKinds } from '#contract/report-figures.ts'
import type { Origins, ReportLines, ReportsSummary } from '#contract/reports.ts'
import { formatOrderNumber, type OrderNumber } from '#shared/ids.ts'
import { sum } from '#shared/money.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { refundOrder } from '#server/payments/refunds.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { buysByLink, clicksLink } from './buys-by-link.ts'

let world: World
let owner: ReturnType<World['shopper']>
let byLink: OrderNumber
beforeAll(async () => {
  world = await openWorld()
  owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  byLink = await buysByLink(world)
  const rule = { code: 'TEN', benefit: { kind: 'percent', basisPoints: 1000 } }
  const made = await owner.send('POST', '/api/admin/codes?accepted=1', rule)
  expect(made, JSON.stringify(made.body)).toMatchObject({ status: 200 })
  const abroad = world.shopper()
  await abroad.adds('mug', 3)
  expect((await abroad.send('POST', '/api/cart/code', { code: 'TEN' })).status).toBe(200)
  const { body: started } = await abroad.startsPayment(addresses.berlin)
  await abroad.confirms(started)
  await abroad.returnsToShop(started.payment_intent)
  await world.settled()
  const undecided = world.shopper()
  undecided.usesCookie(await clicksLink(world))
  await undecided.adds('mug')
  await refundOrder(world.shop, byLink, { kind: 'pieces', pieces: [{ position: 0, quantity: 1 }] }, 'asked', COMMAND)
  await world.settled()
})
afterAll(() => world[Symbol.asyncDispose]())

const originsBy = async (by: string) => (await owner.send<Origins>('GET', `/api/reports/origins?by=${by}`)).body
const summary = async () => (await owner.send<ReportsSummary>('GET', '/api/reports/summary')).body

test.each(originKinds)(
  'orders by %s: each is in one row, and rows open into lines that the ledger has too',
  async (by) => {
    const { rows, total, reported } = await originsBy(by)
    const report = await summary()
    expect(sum(rows.map(({ revenue }) => revenue))).toBe(report.totalRevenue)
    expect(total.revenue).toBe(reported)
    // An order of several products is in several rows.
    if (by !== 'product') expect(rows.reduce((count, { orders }) => count + orders, 0)).toBe(report.totalOrders)
    for (const column of ['net', 'refunded', 'commission', 'margin'] as const)
      expect(sum(rows.map((row) => row[column]))).toBe(total[column])
    for (const { key, revenue, orders } of rows) {
      const of = `figure=brought&by=${by}&key=${encodeURIComponent(key)}`
      const { body } = await owner.send<ReportLines>('GET', `/api/reports/lines?${of}`)
      expect(body).toMatchObject({ count: orders, total: revenue, reported: revenue, booked: revenue })
    }
  },
)

test('a partner’s link shows its clicks, carts, the commission and the refund of what it brought', async () => {
  const partner = (await originsBy('partner')).rows.find(({ key }) => key === 'bullion')
  expect(partner).toMatchObject({ orders: 1, visits: 2, carts: 1, checkouts: 1, refundedOrders: 1 })
  expect(partner?.commission).toBeGreaterThan(0)
  expect(partner?.refunded).toBeGreaterThan(0)
  const link = (await originsBy('link')).rows.find(({ key }) => key === 'bullion-all')
  expect(link).toMatchObject({ name: '/r/bullion-all', revenue: partner?.revenue, margin: partner?.margin })
  const { body } = await owner.send<ReportLines>('GET', '/api/reports/lines?figure=brought&by=link&key=bullion-all')
  expect(body.lines.map(({ orderNumber }) => orderNumber && formatOrderNumber(orderNumber as OrderNumber))).toEqual([
    formatOrderNumber(byLink),
  ])
})

test('codes and countries are named; nothing of an unknown group is shown', async () => {
  expect((await originsBy('code')).rows.map(({ key, name }) => [key, name])).toEqual(
    expect.arrayContaining([
      ['TEN', 'TEN'],
      ['', 'No discount'],
    ]),
  )
  expect((await originsBy('country')).rows.map(({ name }) => name)).toContain('Germany')
  const { body } = await owner.send<ReportLines>('GET', '/api/reports/lines?figure=brought&by=code&key=NOPE')
  expect(body).toMatchObject({ count: 0, total: 0, reported: 0, booked: 0 })
  expect((await owner.send('GET', '/api/reports/origins?by=moon')).status).toBe(422)
})
