import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ReportLines, ReportsSummary } from '#contract/reports.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { refundOrder } from '#server/settlement/refunds.ts'
import type { OrderNumber } from '#kernel/ids.ts'
import { cents } from '#kernel/money.ts'

let world: World
let owner: ReturnType<World['shopper']>

beforeAll(async () => {
  world = await openWorld()
  owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
})
afterAll(() => world[Symbol.asyncDispose]())

const summary = async (query = '') => (await owner.send<ReportsSummary>('GET', `/api/reports/summary${query}`)).body
const lines = async (query: string) => (await owner.send<ReportLines>('GET', `/api/reports/lines?${query}`)).body

test('before the first order a report says nothing was sold, and that no list was read', async () => {
  const report = await summary()
  expect(report).toMatchObject({
    totalOrders: 0,
    totalRevenue: 0,
    averageOrderValue: 0,
    collections: [],
    stripeReconciliation: { databaseTotal: 0, stripeTotal: 0, reconciliationStatus: 'not_read' },
  })
  expect(report.steps).toHaveLength(1)
})

test('what was bought is summed, and each sum opens into lines that add up to it', async () => {
  for (const buying of ['hat', 'sherlock', 'pillow'])
    await (await world.shopper().paysByCard({ buying })).returnsToShop()
  const wallet = world.shopper()
  const paid = await wallet.approvesWallet({ buying: 'mug', quantity: 2 })
  await wallet.captures(paid)
  await wallet.processes(paid)
  await world.settled()

  const report = await summary()
  const orders = await world.audit<{
    total_cents: string
    tax_cents: string
    order_number: string
    subtotal_cents: string
  }>('orders')
  const totalOf = (column: 'total_cents' | 'tax_cents' | 'subtotal_cents') =>
    orders.reduce((total, row) => total + Number(row[column]), 0)
  expect(report.totalOrders).toBe(4)
  expect(report.totalRevenue).toBe(totalOf('total_cents'))
  expect(report.totalTax).toBe(totalOf('tax_cents'))
  expect(report.collections.map(({ name }) => name).toSorted()).toEqual(['Pip', 'Rudy', 'Sherlock'])
  const byCollection = report.collections.reduce((total, { revenue }) => total + revenue, 0)
  expect(byCollection).toBe(totalOf('subtotal_cents'))
  expect(byCollection + report.besidesCollections).toBe(report.totalRevenue)
  expect(report.stripeReconciliation.databaseTotal + report.paypalReconciliation.databaseTotal).toBe(
    report.totalRevenue,
  )

  for (const [query, amount] of [
    ['figure=revenue', report.totalRevenue],
    ['figure=tax', report.totalTax],
    ['figure=database&provider=stripe', report.stripeReconciliation.databaseTotal],
    ['figure=database&provider=paypal', report.paypalReconciliation.databaseTotal],
    ...report.collections.map(({ id, revenue }) => [`figure=collection&collection=${id}`, revenue] as const),
  ] as const) {
    const found = await lines(query)
    expect([query, found.total, found.reported]).toEqual([query, amount, amount])
    expect([query, found.lines.reduce((total, line) => total + line.amount, 0)]).toEqual([query, amount])
    if (found.booked !== null) expect([query, found.booked]).toEqual([query, amount])
  }
})

test('what went back stands apart, and changes no revenue', async () => {
  const before = await summary()
  const [order] = await world.audit<{ order_number: OrderNumber }>('orders')
  await refundOrder(world.shop, order?.order_number as OrderNumber, { kind: 'amount', amount: cents(500) }, 'a stain')
  await world.settled()
  const after = await summary()
  expect(after.totalRevenue).toBe(before.totalRevenue)
  expect(after.stripeReconciliation.refundedTotal).toBe(500)
  const refunded = await lines('figure=refunded&provider=stripe')
  expect(refunded).toMatchObject({ total: 500, reported: 500, booked: 500, count: 1 })
  expect(refunded.lines[0]).toMatchObject({ orderNumber: order?.order_number, what: 'refunded: a stain' })
})
