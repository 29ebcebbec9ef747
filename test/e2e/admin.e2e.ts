import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoSidewaysScroll, tabTo, test } from './browser.ts'
import { bringToCheckout, cards, continueToPayment, fillCustomer, newEmail, pay, readOrderNumber } from './shopper.ts'

// Nobody is signed in at first.
test.use({ viewport: { width: 768, height: 1000 }, expected: [/Failed to load resource.*401/] })

const shown = async (page: Page, title: string | RegExp) => {
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect(page.getByText('Loading...')).toHaveCount(0)
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
}

test('the owner finds an order, refunds a part of it by keyboard, and changes what shoppers see', async ({ page }) => {
  test.slow()
  const email = newEmail()
  await bringToCheckout(page, '/checkout')
  await fillCustomer(page, email)
  await continueToPayment(page)
  await pay(page, cards.good)
  const number = await readOrderNumber(page)

  // Whoever is not signed in comes back to the page that was asked for.
  await page.goto('/admin/orders')
  await page.getByLabel('Username').fill('owner')
  await page.getByLabel('Password').fill('owner-demo')
  await page.getByRole('tabpanel').getByRole('button', { name: 'Login' }).click()
  await shown(page, 'Orders')

  await page.getByLabel('Number, email, name or payment').fill(email)
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByRole('link', { name: number }).click()
  await shown(page, `Order ${number}`)

  await tabTo(page, page.getByRole('button', { name: 'Refund...' }))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: `Refund of order ${number}` })
  await dialog.getByLabel('An amount').check()
  await dialog.getByLabel('Amount in US dollars').fill('1.50')
  await dialog.getByRole('button', { name: 'See what goes back' }).click()
  await expect(dialog.getByText('Please say why')).toBeVisible()
  await dialog.getByLabel('Why').fill('A stain')
  await dialog.getByRole('button', { name: 'See what goes back' }).click()
  await expect(dialog.getByRole('button', { name: 'Give back $1.50' })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Give back $1.50' }).click()
  await expect(page.getByRole('complementary', { name: 'About this order' }).getByText('$1.50').first()).toBeVisible()

  await page.goto('/admin/content')
  await shown(page, 'Words')
  await page.getByLabel('Banner').fill('Closed on Monday')
  await page.getByRole('button', { name: 'Show it to shoppers' }).click()
  await expect(page.getByText('Shoppers see it now.', { exact: true })).toBeVisible()
  await page.goto('/about')
  await expect(page.getByRole('banner').getByText('Closed on Monday')).toBeVisible()
  expect((await page.request.put('/api/admin/content', { data: { banner: null, upcoming: null } })).ok()).toBe(true)

  // On a phone, where the menu is folded and tables are cards.
  await page.setViewportSize({ width: 360, height: 760 })
  for (const [path, title] of [
    ['/admin', 'What waits'],
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
    await shown(page, title)
  }
  await page.goto('/admin/orders')
  await expect(page.getByRole('row').filter({ hasText: number }).getByRole('cell')).toHaveCount(4)
  await page.getByText('Admin menu').click()
  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Products' }).click()
  await shown(page, 'Products')
  await expect(page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Words' })).toBeHidden()

  await page.goto('/admin/products')
  await page
    .getByRole('button', { name: /^Change / })
    .first()
    .click()
  await expectAccessible(page)
})

// Nobody waits for a quarter of an hour in a test: the shop's own refusal comes once, and all that follows is the shop's.
const forgetsPassword = (page: Page, address: string, method: string) =>
  page.route(
    address,
    (route) =>
      route.request().method() === method
        ? route.fulfill({
            status: 403,
            json: { code: 'password_needed', message: 'Please enter your password again to go on.' },
          })
        : route.fallback(),
    { times: 1 },
  )

test.describe('the owner whose password was given a while ago', () => {
  test.use({ expected: [/Failed to load resource.*(?:401|403|422)/] })

  test('is asked for it before rates change and data leave the shop, and nothing that was typed is lost (L04)', async ({
    page,
  }) => {
    await page.request.post('/api/login', { data: { username: 'owner', password: 'owner-demo' } })
    const asked = page.getByRole('dialog', { name: 'Confirm your password' })
    const confirms = async () => {
      await asked.getByLabel('Password', { exact: true }).fill('owner-demo')
      await asked.getByRole('button', { name: 'Continue' }).click()
      await expect(asked).toBeHidden()
    }
    /** Something that is downloaded, after the password. */
    const downloads = async (press: () => Promise<void>): Promise<string> => {
      const kept = page.waitForEvent('download')
      await press()
      await confirms()
      return (await kept).suggestedFilename()
    }

    await page.goto('/admin/partners')
    await page
      .getByRole('button', { name: /^New rate/ })
      .first()
      .click()
    const rate = page.getByRole('dialog').filter({ hasText: 'Rate in percent' })
    await rate.getByLabel('Rate in percent').fill('13')
    await rate.getByLabel('From').fill('2031-05-01')
    await forgetsPassword(page, '**/api/admin/partner-rates', 'POST')
    await rate.getByRole('button', { name: 'Agree on this rate' }).click()
    await expect(asked).toBeVisible()
    await expectAccessible(page)
    await asked.getByLabel('Password', { exact: true }).fill('a wrong guess')
    await asked.getByRole('button', { name: 'Continue' }).click()
    await expect(asked.getByText('Not yet')).toBeVisible()
    await asked.getByRole('button', { name: 'Close' }).click()
    await expect(rate.getByText('Please enter your password again to go on.')).toBeVisible()
    await expect(rate.getByLabel('Rate in percent')).toHaveValue('13')
    await expect(rate.getByLabel('From')).toHaveValue('2031-05-01')
    await forgetsPassword(page, '**/api/admin/partner-rates', 'POST')
    await rate.getByRole('button', { name: 'Agree on this rate' }).click()
    await confirms()
    await expect(page.getByText(/earns 13 ?% from 2031-05-01 on/).first()).toBeVisible()

    await page.goto('/admin/payouts')
    await forgetsPassword(page, '**/api/admin/payouts/list', 'GET')
    expect(await downloads(() => page.getByRole('button', { name: 'Payout list (CSV)' }).click())).toMatch(/\.csv$/)

    await page.goto('/reports')
    await forgetsPassword(page, '**/api/reports/orders*', 'GET')
    expect(await downloads(() => page.getByRole('link', { name: 'Order Details' }).click())).toMatch(/^orders-report-/)

    const email = newEmail()
    await page.request.post('/api/contact', {
      data: { name: 'Ada Fan', email, subject: 'A hat', message: 'It fits my dog well.' },
    })
    await page.goto('/admin/privacy')
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Look' }).click()
    await forgetsPassword(page, '**/api/admin/privacy/export', 'POST')
    expect(await downloads(() => page.getByRole('button', { name: 'Download as a file' }).click())).toBe(
      'their-data.json',
    )
    await expect(page.getByLabel('Email')).toHaveValue(email)
  })
})
