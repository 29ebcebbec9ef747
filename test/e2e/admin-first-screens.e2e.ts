import type { Page } from '@playwright/test'
import { formatOrderNumber, readOrderNumber } from '#shared/ids.ts'
import { cents } from '#shared/money.ts'
import { DAY_MS, HOUR_MS } from '#shared/time.ts'
import { dayIn, startOfDay } from '#shared/time-zone.ts'
import type { World } from '#sandbox/world.ts'
import { salesOf, subtotalOf, totalOf, writeSales } from '../properties/sales.ts'
import { expect, expectAccessible, expectNoSidewaysScroll } from './browser.ts'
import { test } from './own-world.ts'

// A shop with sixty days of sales that add up to $1,234,567.89.

const ALL_TIME = cents(123_456_789)
const SALES = 120

test.use({ viewport: { width: 1440, height: 900 }, colorScheme: 'light', expected: [/status of (?:401|409)/] })

/** @returns the gross of yesterday, and an order of today that is late */
async function fill(world: World) {
  const { shop, shopper } = world
  const { pool } = shop.database
  // Written sales are numbered from 1.
  await pool.query(`select setval('shop_order_id_seq', 100000)`)
  const numbers: string[] = []
  for (const status of ['in_production', 'on_hold']) {
    const payment = await shopper().paysByCard({ buying: 'mug' })
    const { body } = await payment.returnsToShop()
    await world.settled()
    numbers.push(String(body.orderId))
    await pool.query(
      `update shop_order set fulfilment_status = $2, attention_reason = case $2 when 'on_hold' then 'On hold by the shop' end,
         held_at = case $2 when 'on_hold' then now() end where order_number = $1`,
      [readOrderNumber(String(body.orderId)), status],
    )
  }
  const [late = ''] = numbers
  await pool.query(
    `insert into parcel_notice (order_id, kind, pieces, state, told_at)
     select id, 'late', '[]', 'open', now() from shop_order where order_number = $1`,
    [readOrderNumber(late)],
  )
  const { rows } = await pool.query<{ total: string }>('select sum(total_cents) as total from shop_order')

  const zone = shop.config.reportTimeZone
  const today = dayIn(zone, Date.now())
  const sales = salesOf(SALES).map((sale, at) => ({
    ...sale,
    tax: cents(0),
    refund: null,
    // The first ones are of yesterday.
    at: new Date(startOfDay(zone, today - 1 - Math.floor(at / 2)) + HOUR_MS * (1 + (at % 2))),
  }))
  const last = sales.at(-1)
  if (!last) throw new Error('no sales')
  const others = sales.slice(0, -1).reduce((sum, sale) => sum + totalOf(sale), Number(rows[0]?.total))
  last.lines = [{ product: 1, quantity: 1, price: cents(ALL_TIME - others) }]
  await writeSales(pool, sales, [], new Date())
  await shopper().send('POST', '/api/contact', {
    ...{ name: 'Ada Fan', email: 'ada@mail.example', subject: 'A cushion' },
    message: 'My dog has eaten the cushion with the zeppelin on it.',
  })
  const yesterday = sales.filter(({ at }) => dayIn(zone, at.getTime()) === today - 1)
  return { yesterday: yesterday.reduce((sum, sale) => sum + subtotalOf(sale), 0), late: formatOrderNumber(late) }
}

const asUsd = (amount: number): string => (amount / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })

async function signsIn(page: Page) {
  await page.request.post('/api/login', { data: { username: 'owner', password: 'owner-demo' } })
}

/** Whether a text is in the first screen, on one line. */
async function expectInFirstScreen(page: Page, text: string | RegExp) {
  const found = page.locator('main').getByText(text).first()
  await expect(found).toBeVisible()
  await expect(found).toBeInViewport()
}

test('the owner’s first screens answer five questions, and what is searched, selected and saved', async ({
  page,
  world,
}) => {
  test.slow()
  const { yesterday, late } = await fill(world)
  await signsIn(page)

  await test.step('what must I do first, how was yesterday, what is late', async () => {
    await page.goto('/admin')
    const first = page.getByRole('region', { name: 'To do' }).getByRole('listitem').first()
    await expect(first).toBeInViewport()
    await expect(first).toContainText(/exception|on hold/)
    const columns = page.getByRole('region', { name: 'Sales' }).getByRole('listitem')
    const column = columns.filter({ has: page.getByText('Yesterday', { exact: true }) })
    await expect(column).toContainText(asUsd(yesterday))
    await expect(column).toBeInViewport()
    await expectInFirstScreen(page, '1 late')
    await expectAccessible(page)
  })

  await test.step('who brought most', async () => {
    await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Who brought it' }).click()
    await expect(page.getByRole('table').getByRole('row').nth(1)).toBeInViewport()
  })

  await test.step('what did we earn on this order', async () => {
    await page.goto(`/admin/orders/${late}`)
    await expectInFirstScreen(page, /^Profit/)
  })

  await test.step('amounts of any size are on one line, and labels stand under their bars', async () => {
    for (const width of [390, 820, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto('/reports')
      const amount = page.getByText(asUsd(ALL_TIME), { exact: true }).first()
      const lines = await amount.evaluate((element) => {
        const range = document.createRange()
        range.selectNodeContents(element)
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
      })
      expect(lines, `lines of the total at ${width}`).toBe(1)
      await expectNoSidewaysScroll(page)
      for (const days of [6, 60]) {
        const from = new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)
        await page.goto(`/reports?start_date=${from}`)
        await expect(page.getByRole('slider', { name: /Revenue by/ })).toBeVisible()
        expect(await farthestLabel(page), `${days} days at ${width}`).toBeLessThan(2)
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  await test.step('the search finds all kinds by keyboard, from any page', async () => {
    await page.goto('/admin/settings')
    await page.keyboard.press('/')
    const box = page.getByRole('combobox', { name: 'Find orders, customers, products, messages' })
    await expect(box).toBeFocused()
    await page.keyboard.type('zeppelin')
    const list = page.getByRole('listbox', { name: 'Found' })
    await expect(list.getByRole('group', { name: 'Messages' }).getByRole('option')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(list).toHaveCount(0)
    await box.fill('mug')
    await expect(list.getByRole('group', { name: 'Products' }).getByRole('option').first()).toBeVisible()
    await box.fill(late)
    await expect(list.getByRole('group', { name: 'Orders' }).getByRole('option')).toHaveCount(1)
    await expectAccessible(page)
    await page.keyboard.press('ArrowDown')
    await expect(list.getByRole('option', { selected: true })).toContainText(late)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toContainText(late)
  })

  await test.step('several orders at once: each has its own result', async () => {
    await page.goto('/admin/orders')
    await page.getByRole('checkbox', { name: `Select order ${late}` }).check()
    const held = page.getByRole('row').filter({ hasText: 'On hold' }).first()
    await held.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Hold...' }).click()
    const dialog = page.getByRole('dialog', { name: 'Hold 2 orders' })
    await dialog.getByLabel('Reason').fill('the owner looks first')
    await dialog.getByRole('button', { name: 'Hold 2 orders' }).click()
    const results = page.getByRole('region', { name: 'Hold 2 orders' })
    await expect(results.getByText('0 of 2 done, 2 not.')).toBeVisible()
    await expect(results.getByRole('listitem')).toHaveCount(2)
    await expect(results.getByText('Not done')).toHaveCount(2)
    await page.getByRole('button', { name: 'Add a note...' }).click()
    await page.getByRole('dialog').getByLabel('Note').fill('Seen.')
    await page.getByRole('dialog').getByRole('button', { name: 'Add a note to 2 orders' }).click()
    await expect(page.getByText('All 2 done.')).toBeVisible()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export as CSV' }).click()
    expect((await downloading).suggestedFilename()).toBe('orders.csv')
    await expectAccessible(page)
  })

  await test.step('a view is saved, opened and deleted', async () => {
    await page.goto('/admin/orders?status=on_hold')
    await page.getByRole('button', { name: 'Save this view...' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Held')
    await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
    await page.goto('/admin/orders')
    await page.getByRole('list', { name: 'Your views' }).getByRole('link', { name: 'Held' }).click()
    await expect(page).toHaveURL(/status=on_hold$/)
    await page.getByRole('button', { name: 'Delete the view Held' }).click()
    await expect(page.getByRole('list', { name: 'Your views' })).toHaveCount(0)
    await page.setViewportSize({ width: 360, height: 800 })
    await expectNoSidewaysScroll(page)
  })
})

/** How far the worst label stands from the middle of the nearest bar, in pixels. */
const farthestLabel = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const middle = ({ left, width }: DOMRect) => left + width / 2
    const chart = document.querySelector('[role=slider] svg')
    const bars = [...(chart?.querySelectorAll('rect') ?? [])].map((bar) => middle(bar.getBoundingClientRect()))
    const labels = [...(chart?.closest('section')?.querySelectorAll('[style*=left]') ?? [])]
      .map((label) => label.getBoundingClientRect())
      .filter(({ width }) => width > 0)
    if (bars.length === 0 || labels.length === 0) return Infinity
    return Math.max(...labels.map((label) => Math.min(...bars.map((bar) => Math.abs(bar - middle(label))))))
  })
