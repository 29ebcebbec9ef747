import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoSidewaysScroll, tabTo, test } from './browser.ts'
import { bringToCheckout, cards, continueToPayment, fillCustomer, newEmail, pay, readOrderNumber } from './shopper.ts'

// Nobody is signed in at first.
test.use({ viewport: { width: 768, height: 1000 }, expected: [/Failed to load resource.*401/] })

const expectPage = async (page: Page, title: string | RegExp) => {
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect(page.getByText('Loading...')).toHaveCount(0)
  await expectNoSidewaysScroll(page)
}

test('the owner finds an order, and refunds part of it by keyboard', async ({ page }) => {
  test.slow()
  const email = newEmail()
  await bringToCheckout(page, '/checkout')
  await fillCustomer(page, email)
  await continueToPayment(page)
  await pay(page, cards.good)
  const number = await readOrderNumber(page)

  // After signing in, the owner lands on the page they opened.
  await page.goto('/admin/orders')
  await page.getByLabel('Username').fill('owner')
  await page.getByLabel('Password').fill('owner-demo')
  await page.getByRole('tabpanel').getByRole('button', { name: 'Login' }).click()
  await expectPage(page, 'Orders')

  await page.getByLabel('Order number, email, name or payment ID').fill(email)
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByRole('link', { name: number }).click()
  await expectPage(page, `Order ${number}`)

  await tabTo(page, page.getByRole('button', { name: 'Refund...' }))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: `Refund order ${number}` })
  await dialog.getByLabel('Another amount').check()
  await dialog.getByLabel('Amount in US dollars').fill('1.50')
  await dialog.getByRole('button', { name: 'Preview refund' }).click()
  await expect(dialog.getByText('Please enter a reason')).toBeVisible()
  await dialog.getByLabel('Reason').fill('A stain')
  await dialog.getByRole('button', { name: 'Preview refund' }).click()
  await expect(dialog.getByRole('button', { name: 'Refund $1.50' })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Refund $1.50' }).click()
  await expect(page.getByRole('complementary', { name: 'About this order' }).getByText('$1.50').first()).toBeVisible()

  // On a phone the menu is folded and tables are cards.
  await page.setViewportSize({ width: 360, height: 760 })
  for (const [path, title] of [
    ['/admin', 'Home'],
    ['/admin/inbox', 'Inbox'],
    ['/admin/payouts', 'Payouts'],
    ['/admin/subscribers', 'Subscribers'],
    ['/admin/products', 'Products'],
    ['/admin/catalog', 'Catalog'],
    ['/admin/log', 'Log'],
    ['/admin/privacy', 'Privacy'],
    ['/my-data', 'My data'],
  ] as const) {
    await page.goto(path)
    await expectPage(page, title)
  }
  await page.goto('/admin/orders')
  await expect(page.getByRole('row').filter({ hasText: number }).getByRole('cell')).toHaveCount(5)
  await page.getByRole('button', { name: 'Admin menu' }).click()
  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Products' }).click()
  await expectPage(page, 'Products')
  await expect(page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Settings' })).toBeHidden()

  await page.goto('/admin/products')
  await page
    .getByRole('button', { name: /^Edit / })
    .first()
    .click()
  await expectAccessible(page)
})

// Instead of waiting 15 minutes, the first call is answered with the server's own refusal; every later call is real.
const expireConfirmation = (page: Page, address: string, method: string) =>
  page.route(
    address,
    (route) =>
      route.request().method() === method
        ? route.fulfill({
            status: 403,
            json: { code: 'password_needed', message: 'Please enter your password again to continue.' },
          })
        : route.fallback(),
    { times: 1 },
  )

test.describe('more than 15 minutes after the owner confirmed the password', () => {
  test.use({ expected: [/Failed to load resource.*(?:401|403|422)/] })

  test('changing rates and downloading data ask for it again, and typed values stay in the form (L04)', async ({
    page,
  }) => {
    await page.request.post('/api/login', { data: { username: 'owner', password: 'owner-demo' } })
    const passwordDialog = page.getByRole('dialog', { name: 'Confirm your password' })
    const confirmPassword = async () => {
      await passwordDialog.getByLabel('Password', { exact: true }).fill('owner-demo')
      await passwordDialog.getByRole('button', { name: 'Continue' }).click()
      await expect(passwordDialog).toBeHidden()
    }
    /** @returns the name of the file that downloads after the password */
    const downloadAfter = async (press: () => Promise<void>): Promise<string> => {
      const download = page.waitForEvent('download')
      await press()
      await confirmPassword()
      return (await download).suggestedFilename()
    }

    await page.goto('/admin/partners')
    await page
      .getByRole('button', { name: /^New rate/ })
      .first()
      .click()
    const rate = page.getByRole('dialog').filter({ hasText: 'Rate in percent' })
    await rate.getByLabel('Rate in percent').fill('13')
    await rate.getByLabel('From').fill('2031-05-01')
    await expireConfirmation(page, '**/api/admin/partner-rates', 'POST')
    await rate.getByRole('button', { name: 'Save rate' }).click()
    await expect(passwordDialog).toBeVisible()
    await expectAccessible(page)
    await passwordDialog.getByLabel('Password', { exact: true }).fill('a wrong guess')
    await passwordDialog.getByRole('button', { name: 'Continue' }).click()
    await expect(passwordDialog.getByText('Not confirmed')).toBeVisible()
    await passwordDialog.getByRole('button', { name: 'Close' }).click()
    await expect(rate.getByText('Please enter your password again to continue.')).toBeVisible()
    await expect(rate.getByLabel('Rate in percent')).toHaveValue('13')
    await expect(rate.getByLabel('From')).toHaveValue('2031-05-01')
    await expireConfirmation(page, '**/api/admin/partner-rates', 'POST')
    await rate.getByRole('button', { name: 'Save rate' }).click()
    await confirmPassword()
    await expect(page.getByText(/earns 13 ?% from 2031-05-01/).first()).toBeVisible()

    await page.goto('/admin/payouts')
    await expireConfirmation(page, '**/api/admin/payouts/list', 'GET')
    expect(await downloadAfter(() => page.getByRole('button', { name: 'Payout history (CSV)' }).click())).toMatch(
      /\.csv$/,
    )

    await page.goto('/reports')
    await expireConfirmation(page, '**/api/reports/orders*', 'GET')
    expect(await downloadAfter(() => page.getByRole('link', { name: 'Order Details' }).click())).toMatch(
      /^orders-report-/,
    )

    const email = newEmail()
    await page.request.post('/api/contact', {
      data: { name: 'Ada Fan', email, subject: 'A hat', message: 'It fits my dog well.' },
    })
    await page.goto('/admin/privacy')
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Find data' }).click()
    await expireConfirmation(page, '**/api/admin/privacy/export', 'POST')
    expect(await downloadAfter(() => page.getByRole('button', { name: 'Download as a file' }).click())).toBe(
      'their-data.json',
    )
    await expect(page.getByLabel('Email')).toHaveValue(email)
  })
})
