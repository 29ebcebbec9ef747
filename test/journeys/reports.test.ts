import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ReportLines, type ReportsSummary } from '#contract/reports.ts'
import { workbookTypes } from '#contract/report-figures.ts'
import type { WorkbookType } from '#contract/report-figures.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { refundOrder } from '#server/payments/refunds.ts'
import type { OrderNumber } from '#shared/ids.ts'
import { cents, decimalFromCents } from '#shared/money.ts'

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

test('before the first order a report shows no sales, and that no list was read', async () => {
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

test('sales are summed, and each sum opens into lines that add up to it', async () => {
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

test('refunds are shown separately, and do not change revenue', async () => {
  const before = await summary()
  const [order] = await world.audit<{ order_number: OrderNumber }>('orders')
  await refundOrder(
    world.shop,
    order?.order_number as OrderNumber,
    { kind: 'amount', amount: cents(500) },
    'a stain',
    COMMAND,
  )
  await world.settled()
  const after = await summary()
  expect(after.totalRevenue).toBe(before.totalRevenue)
  expect(after.stripeReconciliation.refundedTotal).toBe(500)
  const refunded = await lines('figure=refunded&provider=stripe')
  expect(refunded).toMatchObject({ total: 500, reported: 500, booked: 500, count: 1 })
  expect(refunded.lines[0]).toMatchObject({ orderNumber: order?.order_number, what: 'refunded: a stain' })
})

/** A workbook read by another library: sheets by name, without the header row. */
async function workbook(type: WorkbookType, query = '') {
  const answer = await fetch(`${world.address}/api/reports/${type}${query}`, { headers: { cookie: owner.cookie() } })
  const { sheets } = await readXlsx(new Uint8Array(await answer.arrayBuffer()))
  return {
    answer,
    sheets: new Map(sheets.map(({ name, rows }) => [name, rows.slice(1)])),
    heads: new Map(sheets.map(({ name, rows }) => [name, rows[0] ?? []])),
  }
}

test.each(workbookTypes)(
  'the %s workbook is named after the day, and its cover agrees with the report',
  async (type) => {
    const { answer, sheets } = await workbook(type)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    expect(answer.headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="${type}-report-\\d{4}-\\d{2}-\\d{2}\\.xlsx"$`),
    )
    const cover = sheets.get('Cover') ?? []
    const coverTexts = cover.flatMap(([label, value]) => (label === null || label === '' ? [value] : []))
    expect(coverTexts.filter((line) => String(line).startsWith('They differ'))).toEqual([])
    expect(coverTexts).toContain('They match.')
    expect(cover.find(([label]) => label === 'Time zone')?.[1]).toMatch(/^America\/New_York/)
    expect(cover.find(([label]) => label === 'Currency')?.[1]).toBe('US dollars (USD)')
  },
)

test('the workbook has the same orders, lines and sums as the page', async () => {
  const report = await summary()
  const { sheets, heads } = await workbook('orders')
  const orders = sheets.get('Orders') ?? []
  const total = (title: string) => orders.at(-1)?.[heads.get('Orders')?.indexOf(title) ?? -1]
  const listed = (await lines('figure=revenue')).lines.map(({ orderNumber }) => orderNumber)
  expect(orders.slice(0, -1).map(([number]) => number)).toEqual(listed.toReversed().map((number) => `PF${number}`))
  expect([total('Total'), total('Tax'), total('Refunded')]).toEqual([
    dollars(report.totalRevenue),
    dollars(report.totalTax),
    dollars(report.stripeReconciliation.refundedTotal),
  ])
})

const dollars = (amount: number) => Number(decimalFromCents(cents(amount)))

test('only the owner can read a report, by any route (S28)', async () => {
  const partner = world.shopper()
  await partner.send('POST', '/api/login', { username: 'partner', password: 'partner-demo' })
  const user = world.shopper()
  await user.send('POST', '/api/register', { username: 'somebody', password: 'a long password' })
  const statusFor = async (who: { cookie(): string }, method: string, call: string) =>
    (await fetch(`${world.address}${call}`, { method, headers: { cookie: who.cookie() } })).status
  const calls = [
    '/api/reports/summary',
    '/api/reports/lines?figure=revenue',
    '/api/reports/orders',
    '/api/reports/stripe-complete',
    '/api/reports/profit',
    '/api/reports/recovery',
  ]
  for (const call of calls)
    for (const method of ['GET', 'HEAD'])
      expect([
        call,
        await statusFor(world.shopper(), method, call),
        await statusFor(user, method, call),
        await statusFor(partner, method, call),
        await statusFor(owner, method, call),
      ]).toEqual([call, 401, 403, 403, 200])
  // A stranger learns nothing about the request's format.
  expect((await world.shopper().send('GET', '/api/reports/orders?start_date=never')).status).toBe(401)
})

test.each([
  ...[
    'start_date=2024-13-40',
    "start_date='--",
    'start_date=0000-01-01',
    'end_date=9999-12-31T25:00',
    'start_date=1726-01-01',
  ],
  ...[
    'start_date=2024-02-30',
    'start_date=2026-01-01&start_date=2026-01-02',
    'start_date[]=2026-01-01x',
    'end_date=%00',
  ],
  ...['start_date=2026-02-01&end_date=2026-01-31', 'start_date=2026-1-1', 'start_date=20260101'],
])('invalid dates are refused with a sentence: %s (S33)', async (query) => {
  for (const call of ['summary', 'orders', 'lines']) {
    const { status, body } = await owner.send('GET', `/api/reports/${call}?figure=revenue&${query}`)
    if (query.includes('[]')) expect(status).toBe(200)
    else {
      expect([call, status]).toEqual([call, 422])
      expect(Object.values(body['fields'] as Record<string, string>)[0]).toMatch(
        /^(?:Please enter a date|The end date is)/,
      )
    }
  }
})

test('ten years are reported by month, and an empty field counts as not set (S33)', async () => {
  const { length: orders } = await world.audit('orders')
  const decade = await summary('?start_date=2020-01-01&end_date=2029-12-31')
  expect(decade.steps).toHaveLength(120)
  expect(decade.totalOrders).toBe(orders)
  expect((await summary('?start_date=&end_date=')).totalOrders).toBe(orders)
  expect((await summary('?start_date=2020-01-01&end_date=2020-12-31')).totalOrders).toBe(0)
})
