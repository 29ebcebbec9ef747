import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FigureQuery } from '#contract/reports.ts'
import { cents, decimalFromCents, negate, plus, sum, ZERO, type Cents } from '#shared/money.ts'
import type { PaymentProvider } from '#shared/ids.ts'
import { dayFromIso } from '#shared/calendar-day.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { originColumns, originKinds } from '#contract/report-figures.ts'
import { listLines } from '#server/reports/lines.ts'
import { summarizeOrigins } from '#server/reports/origins.ts'
import { summarize } from '#server/reports/reports.ts'
import { workbookOf } from '#server/reports/workbooks.ts'
import { listGoods, subtotalOf, totalOf, writeSales, type Goods, type Sale, type Stray } from '../properties/sales.ts'

// Sales around every day boundary, and reports of random days in random time zones. Each figure must match its lines, the
// workbook, the ledger, and a sum computed here from the sales, with calendar days from `Intl`.

/** The ends of months and years, a leap day, and changes to and from daylight saving time. */
const borders = ['2024-02-29', '2024-03-01', '2025-03-09', '2025-03-30', '2025-11-02', '2025-12-31', '2026-01-01']
const zones = ['America/New_York', 'Europe/London', 'Asia/Kathmandu', 'Pacific/Apia', 'Australia/Lord_Howe', 'UTC']

const amount = (max: number) => fc.integer({ min: 0, max }).map(cents)
const moment = fc
  .tuple(fc.constantFrom(...borders), fc.integer({ min: -30, max: 30 }), fc.constantFrom(-1, 0, 1, 45_000, 3_599_999))
  // To the millisecond at full and quarter hours, where days begin in some time zone.
  .map(([day, quarters, ms]) => new Date(Date.parse(`${day}T00:00:00Z`) + quarters * 900_000 + ms))

const saleOf = (lines: fc.Arbitrary<Sale['lines']>): fc.Arbitrary<Sale> =>
  fc.record({
    at: moment,
    provider: fc.constantFrom<PaymentProvider>('stripe', 'paypal'),
    lines,
    shipping: amount(10_000),
    surcharge: fc.constant(ZERO),
    tax: amount(3_000),
    vatProtection: amount(500),
    fee: amount(500),
    cost: amount(3_000),
    commission: amount(600),
    refund: fc.option(
      fc.record({ amount: fc.constant(cents(100)), at: moment, cameBackAt: fc.option(moment, { freq: 4 }) }),
      { freq: 3 },
    ),
    listedMore: fc.constantFrom(ZERO, ZERO, ZERO, ZERO, null),
  })

const line = fc.record({
  product: fc.integer({ min: 0, max: 60 }),
  quantity: fc.integer({ min: 1, max: 9 }),
  price: fc.integer({ min: 101, max: 20_000 }).map(cents),
})

const listedUntil = new Date('2026-02-01T00:00:00Z')
let world: World
let goods: Goods[]
let sales: Sale[]
let strays: Stray[]

beforeAll(async () => {
  world = await openWorld()
  const seed = 20_260_121
  const ordered = fc.sample(saleOf(fc.array(line, { minLength: 1, maxLength: 4 })), { seed, numRuns: 220 })
  const alone = fc.sample(saleOf(fc.constant([])), { seed: seed + 1, numRuns: 15 })
  // A payment of zero does not count.
  sales = [...ordered, ...alone.map((sale) => ({ ...sale, tax: plus(sale.tax, cents(500)) }))]
  const stray = fc.record({
    at: moment,
    provider: fc.constantFrom<PaymentProvider>('stripe', 'paypal'),
    amount: amount(9_000),
    isOurs: fc.boolean(),
  })
  strays = fc.sample(stray, { seed: seed + 2, numRuns: 12 })
  goods = await listGoods(world.shop.database.pool)
  await writeSales(world.shop.database.pool, sales, strays, listedUntil)
})
afterAll(() => world[Symbol.asyncDispose]())

/** `2026-01-31`, computed independently by `Intl`. */
const dayOf = (zone: string, at: Date) => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(at)

type Days = { zone: string; start: string | undefined; end: string | undefined }

const isIn = ({ zone, start, end }: Days, at: Date) => {
  const day = dayOf(zone, at)
  return (start === undefined || day >= start) && (end === undefined || day <= end)
}

const dollars = (value: Cents) => Number(decimalFromCents(value))
const totalled = <Item>(items: readonly Item[], of: (item: Item) => Cents) => sum(items.map(of))

const days = fc
  .record({
    zone: fc.constantFrom(...zones),
    a: fc.option(fc.constantFrom(...borders), { nil: undefined, freq: 6 }),
    b: fc.option(fc.constantFrom(...borders), { nil: undefined, freq: 6 }),
  })
  .map(({ zone, a, b }): Days => {
    const isReversed = a !== undefined && b !== undefined && a > b
    return { zone, start: isReversed ? b : a, end: isReversed ? a : b }
  })

async function cellsOf(bytes: Readable) {
  const { sheets } = await readXlsx(await buffer(bytes))
  const totals = new Map(
    sheets.map(({ name, rows }) => {
      const [head = [], ...body] = rows
      const last = body.at(-1) ?? []
      return [name, new Map(head.map((title, index) => [String(title), last[index]]))]
    }),
  )
  const coverTexts = sheets[0]?.rows.flatMap(([, value]) => (typeof value === 'string' ? [value] : [])) ?? []
  return { totals, said: coverTexts }
}

test('figures, their lines, the workbooks and the ledger show the same sums (S64)', async () => {
  await fc.assert(
    fc.asyncProperty(days, fc.constantFrom('stripe' as const, 'paypal' as const), async (wanted, provider) => {
      const { zone, start, end } = wanted
      const shop = { ...world.shop, config: { ...world.shop.config, reportTimeZone: zone } }
      const query = {
        start_date: start === undefined ? undefined : dayFromIso(start),
        end_date: end === undefined ? undefined : dayFromIso(end),
      }
      const report = await summarize(shop, query)
      const within = sales.filter(({ at }) => isIn(wanted, at))
      const orders = within.filter(({ lines }) => lines.length > 0)

      expect(report.totalOrders).toBe(orders.length)
      expect(report.totalRevenue).toBe(totalled(orders, totalOf))
      expect(report.totalTax).toBe(totalled(orders, ({ tax }) => tax))
      expect(totalled(report.steps, ({ revenue }) => revenue)).toBe(report.totalRevenue)
      const { before } = report
      const earlier = before
        ? sales.filter(({ at, lines }) => lines.length > 0 && isIn({ zone, start: before.from, end: before.to }, at))
        : []
      expect(before?.revenue ?? ZERO).toBe(totalled(earlier, totalOf))
      expect(totalled(report.steps, ({ revenueBefore }) => revenueBefore ?? ZERO)).toBe(totalled(earlier, totalOf))
      expect(totalled(report.collections, ({ revenue }) => revenue)).toBe(totalled(orders, subtotalOf))
      for (const { id, revenue, orders: count } of report.collections) {
        const ofCollection = (sale: Sale) =>
          sale.lines.filter(({ product }) => goods[product % goods.length]?.collection === id)
        expect(revenue).toBe(totalled(orders, (sale) => subtotalOf({ ...sale, lines: ofCollection(sale) })))
        expect(count).toBe(orders.filter((sale) => ofCollection(sale).length > 0).length)
      }

      const figures = provider === 'stripe' ? report.stripeReconciliation : report.paypalReconciliation
      const listedHere =
        provider === 'stripe' ? report.stripeReconciliation.stripeTotal : report.paypalReconciliation.paypalTotal
      const paid = within.filter((sale) => sale.provider === provider)
      const unlisted = paid.filter(({ listedMore }) => listedMore === null)
      const lost = strays.filter((stray) => stray.provider === provider && isIn(wanted, stray.at))
      const missing = totalled(
        lost.filter(({ isOurs }) => isOurs),
        (line) => line.amount,
      )
      expect(figures.databaseTotal).toBe(totalled(paid, totalOf))
      expect(figures.withoutOrder).toBe(
        totalled(
          paid.filter(({ lines }) => lines.length === 0),
          totalOf,
        ),
      )
      expect(figures.missingFromDatabase).toBe(missing)
      expect(figures.unknownToProvider).toBe(totalled(unlisted, totalOf))
      expect(listedHere).toBe(sum([totalled(paid, totalOf), missing, negate(totalled(unlisted, totalOf))]))
      const back = sales.flatMap(({ refund, ...sale }) => (refund && sale.provider === provider ? [refund] : []))
      expect(figures.refundedTotal).toBe(
        sum([
          totalled(
            back.filter(({ at }) => isIn(wanted, at)),
            (line) => line.amount,
          ),
          negate(
            totalled(
              back.filter(({ cameBackAt }) => cameBackAt && isIn(wanted, cameBackAt)),
              (line) => line.amount,
            ),
          ),
        ]),
      )

      const opened: [Partial<FigureQuery> & Pick<FigureQuery, 'figure'>, Cents][] = [
        [{ figure: 'revenue' }, report.totalRevenue],
        [{ figure: 'tax' }, report.totalTax],
        ...report.collections.map(({ id, revenue }): (typeof opened)[number] => [
          { figure: 'collection', collection: id },
          revenue,
        ]),
        [{ figure: 'database', provider }, figures.databaseTotal],
        [{ figure: 'listed', provider }, listedHere],
        [{ figure: 'missing', provider }, missing],
        [{ figure: 'others', provider }, figures.ofOthers],
        [{ figure: 'refunded', provider }, figures.refundedTotal],
      ]
      for (const [figure, shownSum] of opened) {
        const { total, reported, booked, count, lines } = await listLines(shop, { ...query, ...figure })
        const label = JSON.stringify({ ...figure, zone, start, end })
        expect([label, total, reported, booked ?? shownSum]).toEqual([label, shownSum, shownSum, shownSum])
        if (count === lines.length) expect([label, totalled(lines, (line) => line.amount)]).toEqual([label, shownSum])
      }

      const details = await cellsOf((await workbookOf(shop, 'orders', query)).bytes)
      expect(details.totals.get('Orders')?.get('Total')).toBe(dollars(report.totalRevenue))
      expect(details.totals.get('Orders')?.get('Tax')).toBe(dollars(report.totalTax))
      expect(details.totals.get('Lines')?.get('Amount')).toBe(dollars(totalled(orders, subtotalOf)))
      const profit = await cellsOf((await workbookOf(shop, 'profit', query)).bytes)
      const costs = totalled(orders, ({ fee, cost, commission }) => sum([fee, cost, commission]))
      for (const sheet of ['By order', 'By product', 'By collection']) {
        const cell = (title: string) => profit.totals.get(sheet)?.get(title)
        expect(cell('Paid')).toBe(dollars(report.totalRevenue))
        expect(cell('Provider fees')).toBe(dollars(totalled(orders, ({ fee }) => fee)))
        expect(cell('Printer cost')).toBe(dollars(totalled(orders, ({ cost }) => cost)))
        const gone = cents(Math.round(Number(cell('Refunded')) * 100))
        expect(cell('Margin')).toBe(
          dollars(sum([report.totalRevenue, negate(report.totalTax), negate(gone), negate(costs)])),
        )
      }
      const listed = await cellsOf((await workbookOf(shop, 'stripe-complete', query)).bytes)
      const recovery = await cellsOf((await workbookOf(shop, 'recovery', query)).bytes)
      for (const { said: coverTexts } of [details, profit, listed, recovery]) {
        expect(coverTexts.filter((sentence) => sentence.startsWith('They differ'))).toEqual([])
        expect(coverTexts).toContain('They match.')
      }
    }),
    { numRuns: 5 },
  )
}, 120_000)

test('the pages of a figure’s lines continue each other, and together are complete', async () => {
  const shop = world.shop
  const seen: string[] = []
  let total = ZERO
  let after: string | undefined
  do {
    const page = await listLines(shop, { figure: 'revenue', after })
    seen.push(...page.lines.map(({ id }) => id))
    total = plus(
      total,
      totalled(page.lines, (line) => line.amount),
    )
    after = page.next ?? undefined
  } while (after)
  const orders = sales.filter(({ lines }) => lines.length > 0)
  expect(new Set(seen).size).toBe(orders.length)
  expect(seen).toHaveLength(orders.length)
  expect(total).toBe(totalled(orders, totalOf))
})

test('a provider whose list cannot be read keeps its last figures, and shows since when', async () => {
  const since = new Date('2026-01-15T12:00:00Z')
  await world.shop.database.pool.query(`update provider_reading set failing_since = $1 where provider = 'stripe'`, [
    since,
  ])
  const { stripeReconciliation } = await summarize(world.shop, {})
  expect(stripeReconciliation.stripeTotal).toBeGreaterThan(0)
  expect(stripeReconciliation).toMatchObject({
    listedUntil: listedUntil.toISOString(),
    failingSince: since.toISOString(),
  })
})

test('by whatever orders are told apart, rows add up to the report, and each figure opens into lines of the same sum', async () => {
  const range = fc.record({ wanted: days, by: fc.constantFrom(...originKinds) })
  await fc.assert(
    fc.asyncProperty(range, fc.constantFrom(...originColumns), async ({ wanted: { zone, start, end }, by }, column) => {
      const shop = { ...world.shop, config: { ...world.shop.config, reportTimeZone: zone } }
      const query = {
        start_date: start === undefined ? undefined : dayFromIso(start),
        end_date: end === undefined ? undefined : dayFromIso(end),
      }
      const { rows, total, reported } = await summarizeOrigins(shop, { by, ...query })
      expect(reported).toBe((await summarize(shop, query)).totalRevenue)
      expect(total.revenue).toBe(reported)
      expect(totalled(rows, (row) => row[column])).toBe(total[column])
      for (const row of rows.slice(0, 4)) {
        const opened = await listLines(shop, { ...query, figure: 'brought', by, key: row.key, column })
        const label = JSON.stringify({ by, key: row.key, column, zone, start, end })
        const shown = row[column]
        expect([label, opened.total, opened.reported, opened.booked]).toEqual([label, shown, shown, shown])
        if (opened.next === null) expect([label, totalled(opened.lines, (line) => line.amount)]).toEqual([label, shown])
      }
    }),
    { numRuns: 60, seed: 20_261_126 },
  )
})

test('by product and collection, figures are those of the workbook Profit Analysis', async () => {
  const { sheets } = await readXlsx(await buffer((await workbookOf(world.shop, 'profit', {})).bytes))
  for (const [by, sheet] of [
    ['product', 'By product'],
    ['collection', 'By collection'],
  ] as const) {
    const [head = [], ...body] = sheets.find(({ name }) => name === sheet)?.rows ?? []
    const column = (title: string) => head.indexOf(title)
    const { rows } = await summarizeOrigins(world.shop, { by })
    for (const row of rows.filter(({ orders }) => orders > 0)) {
      const of = body.find((cells) =>
        by === 'product' ? cells[column('Product ID')] === row.key : cells[0] === row.name,
      )
      expect([row.name, of?.[column('Paid')], of?.[column('Margin')], of?.[column('Commission')]]).toEqual([
        ...[row.name, dollars(row.revenue), dollars(row.margin), dollars(row.commission)],
      ])
    }
  }
})
