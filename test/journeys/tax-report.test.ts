import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TaxLines, TaxReport } from '#contract/admin-tax.ts'
import { taxPaths, type TaxFigure } from '#contract/tax-paths.ts'
import { mainCountries } from '#domain/checkout/countries.ts'
import { spanOf } from '#domain/ledger/months.ts'
import { readOrderNumber, type OrderNumber } from '#shared/ids.ts'
import { monthAfter, monthOfDay, type Month } from '#shared/month.ts'
import { DAY_MS, HOUR_MS, SECOND_MS } from '#shared/time.ts'
import { dayIn } from '#shared/time-zone.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { closeMonth } from '#server/admin/months.ts'
import { findOrderByNumber } from '#server/orders/orders.ts'
import { changeOrder } from '#server/payments/order-changes.ts'
import { refundOrder, type RefundRequest } from '#server/payments/refunds.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { insertTaxOrders, makeTaxOrders } from '../properties/tax-orders.ts'
import { expectBooksAgree, expectTaxReportTies } from './invariants.ts'

const sessions = new WeakMap<World, ReturnType<World['shopper']>>()

async function ownerOf(world: World) {
  const known = sessions.get(world)
  if (known) return known
  const owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  sessions.set(world, owner)
  return owner
}

async function reportOf(world: World, period?: string): Promise<TaxReport> {
  const path = period === undefined ? '/api/admin/tax' : `/api/admin/tax?period=${period}`
  const { status, body } = await (await ownerOf(world)).send<TaxReport>('GET', path)
  expect(status, path).toBe(200)
  return body
}

async function linesOf(world: World, period: string, figure: TaxFigure): Promise<TaxLines> {
  const path = taxPaths.linesOf(period, figure).replace('/admin/tax/', '/api/admin/tax/')
  const { status, body } = await (await ownerOf(world)).send<TaxLines>('GET', path)
  expect(status, path).toBe(200)
  return body
}

async function fileOf(world: World, path: string): Promise<string[]> {
  const answer = await fetch(`${world.address}${path}`, { headers: { cookie: (await ownerOf(world)).cookie() } })
  expect(answer.status, path).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  return (await answer.text()).trimEnd().split('\r\n')
}

const monthNow = ({ shop }: World): Month => monthOfDay(dayIn(shop.config.reportTimeZone, shop.clock.now().getTime()))

const total = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0)
const ties = { difference: 0, count: 0, lines: [] }

describe('5,000 orders over 29 countries with refunds', () => {
  const made = makeTaxOrders({ count: 5000, from: new Date('2026-06-20T12:00:00Z'), hours: 110 * 24, seed: 20_261_124 })
  let world: World
  beforeAll(async () => {
    world = await openWorld()
    await insertTaxOrders(world.shop.database.pool, made)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  /** What the tax source's own transactions say, by place. Days are those of New York, four hours behind. */
  const simulated = (from: string, until: string, type: 'transaction' | 'reversal') => {
    const at = (day: string) => Date.parse(`${day}T04:00:00Z`) / SECOND_MS
    const sums = new Map<string, number>()
    for (const one of made.transactions) {
      if (one.type !== type || one.posted_at < at(from) || one.posted_at >= at(until)) continue
      const { country, state } = one.customer_details.address ?? { country: null, state: null }
      const place = country === 'US' || country === 'CA' ? `${country}-${state}` : (country ?? '')
      const taxes = [...(one.line_items?.data ?? []), ...(one.shipping_cost ? [one.shipping_cost] : [])]
      sums.set(place, (sums.get(place) ?? 0) + total(taxes.map(({ amount_tax: tax }) => tax)))
    }
    return Object.fromEntries([...sums].filter(([, tax]) => tax !== 0))
  }

  const reported = ({ rows }: TaxReport, kind: 'sold' | 'refunded') => {
    const byPlace = Map.groupBy(rows, ({ country, state }) => (state ? `${country}-${state}` : country))
    return Object.fromEntries(
      [...byPlace]
        .map(([place, all]) => [place, total(all.map((row) => row[kind].tax))] as const)
        .filter(([, tax]) => tax !== 0),
    )
  }

  test.each([
    ['2026-07', '2026-07-01', '2026-08-01'],
    ['2026-09', '2026-09-01', '2026-10-01'],
    ['2026-Q3', '2026-07-01', '2026-10-01'],
    ['2026', '2026-01-01', '2027-01-01'],
  ])('tax report, ledger and tax source agree to the cent: %s', async (period, from, until) => {
    const report = await reportOf(world, period)
    expect(reported(report, 'sold')).toEqual(simulated(from, until, 'transaction'))
    const reversed = Object.entries(simulated(from, until, 'reversal')).map(([place, tax]) => [place, 0 - tax])
    expect(reported(report, 'refunded')).toEqual(Object.fromEntries(reversed))
    expect(report.ledger).toEqual({ total: report.due, ...ties })
    expect(report.source).toEqual({ total: report.due, ...ties })
    expect(report.due).toBeGreaterThan(0)
    for (const { sold, refunded, parts } of report.rows)
      expect(total(parts.map(({ due }) => due))).toBe(sold.tax - refunded.tax)
  })

  test('every country is in it, and the figures are those of the orders', async () => {
    const { rows, sold, refunded } = await reportOf(world, '2026')
    expect(new Set(rows.map(({ country }) => country))).toEqual(new Set(mainCountries))
    expect(sold.orders).toBe(5000)
    expect(refunded.net).toBeGreaterThan(0)
    const orders = made.rows.shop_order
    expect(sold.tax).toBe(total(orders.map(({ tax_cents: tax }) => Number(tax))))
    const net = orders.map(({ subtotal_cents: goods, shipping_cents: shipping }) => Number(goods) + Number(shipping))
    expect(sold.net).toBe(total(net))
    const labels = rows.filter(({ state }) => state === 'NY' || state === 'QC').map(({ label }) => label)
    expect(labels).toEqual(['GST 5% + QST 9.975%', 'Sales tax 4.5% + 4% + 0.375%'])
    await expectTaxReportTies(world)
  })

  test('each figure opens into its lines, whose sum it is', async () => {
    const { rows, sold, refunded } = await reportOf(world, '2026-Q3')
    for (const row of rows.slice(0, 3)) {
      const { country, state, rates } = row
      for (const kind of ['sold', 'refunded'] as const) {
        const { net, tax } = await linesOf(world, '2026-Q3', { country, state, rates, kind })
        const sign = kind === 'sold' ? 1 : -1
        expect([net * sign + 0, tax * sign + 0]).toEqual([row[kind].net, row[kind].tax])
      }
    }
    const all = await linesOf(world, '2026-Q3', {})
    expect([all.net, all.tax]).toEqual([sold.net - refunded.net, sold.tax - refunded.tax])
    expect(all.lines).toHaveLength(100)
    const path = `/api/admin/tax/lines?period=2026-Q3&after=${all.next}`
    const { body: next } = await (await ownerOf(world)).send<TaxLines>('GET', path)
    expect(next.count).toBe(all.count)
    expect(next.lines.some(({ id }) => all.lines.some((line) => line.id === id))).toBe(false)
  })

  test('what differs is listed by order, with the reason', async () => {
    const { pool } = world.shop.database
    const [sale] = made.rows.tax_transaction.filter(
      ({ tax_cents: tax, posted_at: at }) => Number(tax) > 0 && String(at),
    )
    await pool.query('alter table tax_transaction disable trigger user')
    await pool.query(`update tax_transaction set posted_at = '2025-05-05' where id = $1`, [sale?.['id']])
    const report = await reportOf(world, '2026')
    const tax = Number(sale?.['tax_cents'])
    expect(report.source).toMatchObject({ difference: 0 - tax, count: 1 })
    expect(report.source.lines).toMatchObject([{ reason: 'recorded there on another day, in another period' }])
    expect(total(report.source.lines.map(({ theirs, report: here }) => theirs - here))).toBe(0 - tax)
    expect(report.ledger).toMatchObject(ties)
  })
})

const seoul = { line1: '110 Sejong-daero', city: 'Seoul', state: null, postal_code: '04524', country: 'KR' }
const paris = { line1: '1 Rue de Rivoli', line2: null, city: 'Paris', state: null, postal_code: '75001', country: 'FR' }

async function sold(world: World, to: object, quantity = 2): Promise<OrderNumber> {
  const payment = await world.shopper().paysByCard({ buying: 'hat', quantity, to })
  const { body } = await payment.returnsToShop()
  await world.settled()
  const number = readOrderNumber(String(body.orderId))
  if (!number) throw new Error('no order was made')
  return number
}

async function refunds(world: World, number: OrderNumber, wanted: RefundRequest, asCredit = false): Promise<void> {
  await refundOrder(world.shop, number, wanted, 'the shopper asked', COMMAND, undefined, undefined, asCredit)
  await world.settled()
}

async function setting(world: World, name: string, value: unknown): Promise<number> {
  const owner = await ownerOf(world)
  const { body } = await owner.send<{ values: Record<string, unknown> }>('GET', '/api/admin/settings')
  const { status } = await owner.send('PUT', '/api/admin/settings', { [name]: { was: body.values[name], value } })
  return status
}

/** Of a changed order, only the newest evidence is left. */
const UNCHANGED = `order_id not in (select order_id from tax_booking where kind = 'change')`

const bookingsOf = async ({ shop }: World) =>
  (
    await shop.database.pool.query<Record<string, unknown>>(
      `select key, kind, country, state, net_cents, tax_cents, vat_protection_cents, booked_at,
         (select jsonb_agg(part order by part->>'percentage') from jsonb_array_elements(parts) part) as parts
       from tax_booking where ${UNCHANGED} order by key`,
    )
  ).rows

describe('a shop’s orders', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const rowOf = ({ rows }: TaxReport, country: string) => rows.filter((row) => row.country === country)

  test('sales, refunds in parts and as credit, and untaxed countries are by place and rate, and tie', async () => {
    const german = await sold(world, addresses.berlin)
    await sold(world, addresses.newYork)
    await sold(world, seoul)
    await refunds(world, german, { kind: 'pieces', pieces: [{ position: 0, quantity: 1 }] })
    const report = await reportOf(world)
    expect(report).toMatchObject({ period: monthNow(world), isClosed: false, ledger: ties, source: ties })
    expect(report.periods.months).toEqual([monthNow(world)])
    const [germany] = rowOf(report, 'DE')
    expect(germany).toMatchObject({ label: 'VAT 19%', countryName: 'Germany', registration: null, sold: { orders: 1 } })
    expect(germany?.refunded.net).toBe((germany?.sold.net ?? 0) / 2)
    expect(rowOf(report, 'US')).toMatchObject([{ state: 'NY', stateName: 'New York', parts: [{}, {}, {}] }])
    expect(rowOf(report, 'KR')).toMatchObject([{ label: 'No tax', sold: { tax: 0 } }])
    expect(rowOf(report, 'KR')[0]?.sold.vatProtection).toBeGreaterThan(0)
    await refunds(world, german, { kind: 'rest' }, true)
    const after = await reportOf(world)
    const [nothingLeft] = rowOf(after, 'DE')
    expect(nothingLeft?.refunded).toMatchObject({ net: nothingLeft?.sold.net, tax: nothingLeft?.sold.tax })
    expect(after).toMatchObject({ ledger: ties, source: ties })
    await expectBooksAgree(world)
  })

  test('a changed order leaves its country and comes to another, with that one’s rate', async () => {
    const number = await sold(world, paris)
    const order = await findOrderByNumber(world.shop.db, number)
    if (!order) throw new Error('no order')
    const soldIn = ({ rows }: TaxReport, country: string) =>
      total(rows.filter((row) => row.country === country).map((row) => row.sold.net))
    const before = await reportOf(world)
    const wish = { recipient: { name: 'Ada Fan', shippingAddress: addresses.berlin } }
    const { difference } = await changeOrder(world.shop, order, wish, { kind: 'shopper' })
    await world.settled()
    const report = await reportOf(world)
    expect(soldIn(report, 'DE')).toBe(soldIn(before, 'DE') + order.subtotalCents)
    expect(soldIn(report, 'FR')).toBe(0)
    // What goes back is the tax of the country that it leaves.
    const [france] = rowOf(report, 'FR')
    expect(france).toMatchObject({ label: 'VAT 20%', sold: { tax: 0 - difference }, refunded: { tax: 0 - difference } })
    expect(report).toMatchObject({ ledger: ties, source: ties })
    await expectBooksAgree(world)
  })

  test('what the previous release booked without the report is booked by the sweep, as it would have been', async () => {
    const { pool } = world.shop.database
    const before = await bookingsOf(world)
    await pool.query(`alter table tax_booking disable trigger user`)
    await pool.query(`delete from tax_booking where ${UNCHANGED}`)
    await pool.query(`alter table tax_booking enable trigger user`)
    expect((await reportOf(world)).ledger.count).toBeGreaterThan(0)
    await world.sweep()
    expect(await bookingsOf(world)).toEqual(before)
    expect((await reportOf(world)).ledger).toMatchObject(ties)
    await expectTaxReportTies(world)
  })

  test('files: everything, US states, and a One Stop Shop return that refuses to guess', async () => {
    const period = monthNow(world)
    const all = await fileOf(world, taxPaths.file(period, 'all'))
    expect(all[0]).toMatch(/^"Country","State","Rate"/)
    expect(all.some((row) => row.startsWith('"DE","","VAT 19%",'))).toBe(true)
    const us = await fileOf(world, taxPaths.file(period, 'us'))
    expect(us).toHaveLength(2)
    expect(us[1]).toMatch(/^"NY","Sales tax 4\.5% \+ 4% \+ 0\.375%",\d+\.\d\d,0\.00,\d+\.\d\d,\d+\.\d\d,"USD"$/)

    const owner = await ownerOf(world)
    const asks = async (of: string) =>
      (await owner.send<{ code: string; message: string }>('GET', taxPaths.file(of, 'oss'))).body
    const quarter = `${period.slice(0, 4)}-Q${Math.ceil(Number(period.slice(5)) / 3)}`
    expect(await asks(period)).toMatchObject({ code: 'oss_by_quarter' })
    expect(await asks(quarter)).toMatchObject({ code: 'oss_without_dispatch' })
    expect(await setting(world, 'ossDispatch', 'XX')).toBe(422)
    expect(await setting(world, 'ossDispatch', 'lv')).toBe(200)
    const refusal = await asks(quarter)
    expect(refusal.code).toBe('oss_without_rate')
    const [day = ''] = /\d{4}-\d\d-\d\d/.exec(refusal.message) ?? []
    expect(await setting(world, 'ecbRates', [{ day, perEuro: 0 }])).toBe(422)
    expect(await setting(world, 'ecbRates', [{ day, perEuro: 1.25 }])).toBe(200)
    const oss = await fileOf(world, taxPaths.file(quarter, 'oss'))
    expect(oss[1]).toMatch(new RegExp(`^"Supply","${quarter}","LV","(?:DE|FR)","(?:Germany|France)",(?:19|20),`))
    expect(oss[1]).toMatch(new RegExp(`,1\\.25,"${day}"$`))
    expect((await reportOf(world, quarter)).oss).toEqual({ objection: null, rate: { perEuro: 1.25, day } })
  })

  test('registrations and thresholds', async () => {
    expect(await setting(world, 'taxRegistrations', [{ place: 'Atlantis', number: '1', since: '2020-01-01' }])).toBe(
      422,
    )
    const rows = [{ place: 'us-ny', number: 'NY-1', since: '2020-01-01' }]
    expect(await setting(world, 'taxRegistrations', rows)).toBe(200)
    const without = await reportOf(world)
    expect(rowOf(without, 'US')).toMatchObject([{ registration: 'NY-1' }])
    expect(without.thresholds.find(({ place }) => place === 'EU')).toMatchObject({ percent: null, state: 'unknown' })
    expect(without.thresholds.find(({ place }) => place === 'US-NY')).toMatchObject({ isRegistered: true, percent: 0 })
    await setting(world, 'currencyRates', [{ currency: 'EUR', perDollar: 0.8, day: '2026-11-20' }])
    const { thresholds } = await reportOf(world)
    expect(thresholds.find(({ place }) => place === 'EU')).toMatchObject({ limit: 10_000, state: 'below' })
  })

  test('a wrong period is refused with a sentence; shoppers and strangers see nothing', async () => {
    const owner = await ownerOf(world)
    for (const path of [
      '/api/admin/tax?period=2026-13',
      '/api/admin/tax/lines?period=x',
      '/api/admin/tax/file?period=2026',
    ])
      expect((await owner.send('GET', path)).status, path).toBe(422)
    expect((await world.shopper().send('GET', '/api/admin/tax')).status).toBe(401)
  })

  test('a refund after the month is closed is in the next one; the frozen files stay', async () => {
    const month: Month = monthNow(world)
    const next = monthAfter(month)
    const number = await sold(world, addresses.berlin)
    const before = await reportOf(world, month)
    const until = spanOf(world.shop.config.reportTimeZone, month, [])?.until.getTime() ?? 0
    await world.advance(until + 2 * HOUR_MS - world.shop.clock.now().getTime())
    sessions.delete(world)
    const closing = await closeMonth(world.shop, month, true, COMMAND)
    const path = (file: string) => `/api/admin/month-files/${closing.number}/${file}`
    const frozen = await fileOf(world, path(`tax-${month}.csv`))
    expect(frozen).toEqual(await fileOf(world, taxPaths.file(month, 'all')))
    await world.advance(3 * DAY_MS)
    sessions.delete(world)
    await refunds(world, number, { kind: 'rest' })
    const { rows, sold: sales, refunded, due } = await reportOf(world, month)
    expect({ rows, sales, refunded, due }).toEqual({
      ...{ rows: before.rows, sales: before.sold, refunded: before.refunded, due: before.due },
    })
    expect(await fileOf(world, path(`tax-${month}.csv`))).toEqual(frozen)
    const later = await reportOf(world, next)
    expect(later).toMatchObject({ isClosed: false, sold: { net: 0 }, ledger: ties, source: ties })
    expect(later.refunded.tax).toBeGreaterThan(0)
    expect(later.due).toBe(0 - later.refunded.tax)
    await expectBooksAgree(world)
  })
})
