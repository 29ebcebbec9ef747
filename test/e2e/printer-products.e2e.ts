import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoSidewaysScroll, tabTo } from './browser.ts'
import { test } from './own-world.ts'

// Nobody is signed in at first.
test.use({ viewport: { width: 1440, height: 1000 }, expected: [/Failed to load resource.*401/] })

const expectPage = async (page: Page, title: string) => {
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect(page.getByText('Loading...')).toHaveCount(0)
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
}

test('the owner takes over a product of the printer’s dashboard by keyboard, and ignores another', async ({
  page,
  world,
}) => {
  test.slow()
  const products = (await (await page.request.get('/api/products')).json()) as {
    type: string
    providerProductId: number | null
  }[]
  const shirt = products.find(({ type }) => type === 't-shirt')?.providerProductId
  for (const name of ['Dashboard Shirt', 'Unwanted Shirt'])
    await world.simulators.printful.change({ change: 'copy_product', sync_product_id: shirt, name })
  await page.goto('/admin/products')
  await page.getByLabel('Username').fill('owner')
  await page.getByLabel('Password').fill('owner-demo')
  await page.getByRole('tabpanel').getByRole('button', { name: 'Login' }).click()
  await tabTo(page, page.getByRole('link', { name: 'New in the printer’s store' }))
  await page.keyboard.press('Enter')
  await expectPage(page, 'New in the printer’s store')
  await expect(page.getByText('2 products', { exact: true })).toBeVisible()
  await tabTo(page, page.getByRole('button', { name: 'Ignore Unwanted Shirt' }))
  await page.keyboard.press('Enter')
  await expect(page.getByText('1 product', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Ignored products (1)' }).click()
  await expectPage(page, 'Ignored products of the printer')
  await expect(page.getByRole('button', { name: 'Bring back Unwanted Shirt' })).toBeVisible()
  await page.goBack()
  await page.setViewportSize({ width: 390, height: 900 })
  await expectPage(page, 'New in the printer’s store')

  await tabTo(page, page.getByRole('button', { name: 'Take over Dashboard Shirt' }))
  await page.keyboard.press('Enter')
  await expectPage(page, 'New product')
  await expect(page.getByText('can only be changed there')).toBeVisible()
  await tabTo(page, page.getByRole('button', { name: 'Next: Price' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Price', level: 2 })).toBeFocused()
  await expect(page.getByText('Usual margin').first()).toBeVisible()
  await tabTo(page, page.getByRole('button', { name: 'Next: Words' }))
  await page.keyboard.press('Enter')
  await page.getByLabel('Description', { exact: true }).fill('Made over there.')
  await page.getByLabel('Product type').selectOption('t-shirt')
  await page.getByLabel('Collection').selectOption('rudy')
  await page.getByRole('button', { name: 'Next: Preview' }).click()
  await expect(page.frameLocator('iframe').getByRole('heading', { name: 'Dashboard Shirt' })).toBeVisible()
  await page.setViewportSize({ width: 820, height: 1100 })
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(page.getByText('Dashboard Shirt is on sale.')).toBeVisible({ timeout: 60_000 })
  await expectAccessible(page)
  await page.goto('/admin/products/printer')
  await expect(page.getByText('All caught up')).toBeVisible()
})
