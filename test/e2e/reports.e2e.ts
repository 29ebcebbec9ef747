import { readFileSync } from 'node:fs'
import { readXlsx } from 'hucre/xlsx'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './browser.ts'

// Expected: 401 before signing in, 422 for a range that ends before it starts, 503 for the failing download.
test.use({ expected: [/status of (?:401|422|503)/] })

test('the owner signs in, opens the figures of a report, and downloads its workbooks', async ({ page, browser }) => {
  await page.goto('/reports?start_date=2026-01-01')
  await expect(page).toHaveURL(/\/auth\?returnTo=%2Freports%3Fstart_date%3D2026-01-01$/)
  await page.request.post('/api/login', { data: { username: 'owner', password: 'owner-demo' } })

  await test.step('all figures are shown, accessible, at every width', async () => {
    await page.goto('/reports')
    for (const text of ['Total Orders', 'Total Revenue', 'Tax Collected', 'Avg Order Value'])
      await expect(page.getByText(text, { exact: true })).toBeVisible()
    for (const text of ['Net Revenue', 'Refunded', 'Profit', 'Declined Cards']) {
      const title = page.getByRole('term').filter({ hasText: new RegExp(`^${text}$`) })
      await expect(title.locator('xpath=following-sibling::dd')).toContainText('$')
    }
    const status = page.getByRole('region', { name: 'Payment Reconciliation Status' })
    for (const text of ['Database Total', 'Stripe Total', 'Missing from Database', 'Refunded Amounts'])
      await expect(status.getByText(text, { exact: true })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Revenue by Collection' })).toBeVisible()
    await expect(page.getByText('New York time. As of')).toBeVisible()
    await expectAccessible(page)
    for (const width of [768, 360]) {
      await page.setViewportSize({ width, height: 900 })
      await expectNoSidewaysScroll(page)
    }
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  await test.step('a range has its own address, and an invalid date is reported beside its field', async () => {
    await page.getByRole('link', { name: 'Last 7 days' }).click()
    await expect(page).toHaveURL(/start_date=\d{4}-\d\d-\d\d&end_date=\d{4}-\d\d-\d\d$/)
    await expect(page.getByText('Compared with')).toBeVisible()
    await page.getByLabel('Start date').fill('2026-03-02')
    await page.getByLabel('End date').fill('2026-03-01')
    await page.getByRole('button', { name: 'Show' }).click()
    await expect(page.getByLabel('End date')).toHaveAccessibleDescription('The end date is before the start date')
  })

  await test.step('a figure opens its lines and confirms that they add up', async () => {
    await page.goto('/reports')
    await page.getByRole('definition').filter({ hasText: '$' }).first().getByRole('link').click()
    await expect(page.getByRole('heading', { level: 1, name: 'Total Revenue' })).toBeVisible()
    await expect(
      page.getByText(/lines? adds? up to \$[\d,.]+; the report shows \$[\d,.]+, the ledger \$/),
    ).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Back to the report' }).click()
  })

  await test.step('a workbook downloads under its name; a failed download says so', async () => {
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Order Details' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(/^orders-report-\d{4}-\d\d-\d\d\.xlsx$/)
    const { sheets } = await readXlsx(new Uint8Array(readFileSync(await download.path())))
    expect(sheets.map(({ name }) => name)).toEqual(['Cover', 'Orders', 'Lines'])

    // Downloads use the dates as typed; the page itself waits for 'Show'.
    await page.getByLabel('Start date').fill('2026-03-01')
    await page.getByLabel('End date').fill('2026-03-31')
    await expect(page.getByText('For the dates you entered above.')).toBeVisible()
    const request = page.waitForRequest(/\/api\/reports\/orders/)
    await page.getByRole('link', { name: 'Order Details' }).click()
    expect(new URL((await request).url()).search).toBe('?start_date=2026-03-01&end_date=2026-03-31')
    await expect(page).toHaveURL(/\/reports$/)
    await expectAccessible(page)
    await page.getByLabel('Start date').fill('')
    await expect(page.getByRole('link', { name: 'Profit Analysis' })).toHaveAttribute(
      'href',
      '/api/reports/profit?end_date=2026-03-31',
    )

    await page.route('**/api/reports/profit*', (route) => route.fulfill({ status: 503 }))
    await page.getByRole('link', { name: 'Profit Analysis' }).click()
    await expect(page.getByRole('alert')).toHaveText('Failed to download report')
  })

  await test.step('the report and its workbooks work without script too', async () => {
    const state = await page.context().storageState()
    const plain = await browser.newContext({ javaScriptEnabled: false, storageState: state })
    const plainPage = await plain.newPage()
    await plainPage.goto('/reports')
    await expect(plainPage.getByText('Total Revenue', { exact: true })).toBeVisible()
    const downloading = plainPage.waitForEvent('download')
    await plainPage.getByRole('link', { name: 'Payment Recovery' }).click()
    expect((await downloading).suggestedFilename()).toMatch(/^recovery-report-/)
    await plain.close()
  })
})
