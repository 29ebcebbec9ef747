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
  await page.goto('/desk/orders')
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

  await page.goto('/desk/content')
  await shown(page, 'Words')
  await page.getByLabel('Banner').fill('Closed on Monday')
  await page.getByRole('button', { name: 'Show it to shoppers' }).click()
  await expect(page.getByText('Shoppers see it now.', { exact: true })).toBeVisible()
  await page.goto('/about')
  await expect(page.getByRole('banner').getByText('Closed on Monday')).toBeVisible()
  expect((await page.request.put('/api/desk/content', { data: { banner: null, upcoming: null } })).ok()).toBe(true)

  // On a phone, where the menu is folded and tables are cards.
  await page.setViewportSize({ width: 360, height: 760 })
  for (const [path, title] of [
    ['/desk', 'What waits'],
    ['/desk/inbox', 'Inbox'],
    ['/desk/payouts', 'Payouts'],
    ['/desk/subscribers', 'Subscribers'],
    ['/desk/products', 'Products'],
    ['/desk/catalogue', 'Catalogue'],
    ['/desk/log', 'Log'],
    ['/desk/privacy', 'Privacy'],
    ['/my-data', 'My data'],
  ] as const) {
    await page.goto(path)
    await shown(page, title)
  }
  await page.goto('/desk/orders')
  await expect(page.getByRole('row').filter({ hasText: number }).getByRole('cell')).toHaveCount(4)
  await page.getByText('Desk menu').click()
  await page.getByRole('navigation', { name: 'Desk' }).getByRole('link', { name: 'Products' }).click()
  await shown(page, 'Products')
  await expect(page.getByRole('navigation', { name: 'Desk' }).getByRole('link', { name: 'Words' })).toBeHidden()

  await page.goto('/desk/products')
  await page
    .getByRole('button', { name: /^Change / })
    .first()
    .click()
  await expectAccessible(page)
})
