import sharp from 'sharp'
import { expect, expectAccessible, expectNoSidewaysScroll, tabTo } from './browser.ts'
import { test } from './own-world.ts'

// Nobody is signed in at first.
test.use({ viewport: { width: 1440, height: 1000 }, expected: [/Failed to load resource.*401/] })

test('the owner puts one drawing on several products by keyboard, corrects a name, publishes all, and they are on sale', async ({
  page,
}) => {
  test.slow()
  await page.goto('/admin/products')
  await page.getByLabel('Username').fill('owner')
  await page.getByLabel('Password').fill('owner-demo')
  await page.getByRole('tabpanel').getByRole('button', { name: 'Login' }).click()
  const begin = page.getByRole('link', { name: 'One drawing, several products' })
  await tabTo(page, begin)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'One drawing, several products' })).toBeVisible()

  const ink = { r: 200, g: 120, b: 60, alpha: 1 }
  const buffer = await sharp({ create: { width: 1200, height: 1200, channels: 4, background: ink } })
    .png()
    .toBuffer()
  await page.getByLabel('File').setInputFiles({ name: 'waffle.png', mimeType: 'image/png', buffer })
  await page.getByLabel('What it shows').fill('Waffle asleep')
  await page.getByRole('button', { name: 'Upload' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Waffle asleep' })).toHaveAttribute('aria-pressed', 'true')
  await page.getByLabel('Name', { exact: true }).fill('Waffle')
  await page.getByLabel('Collection', { exact: true }).selectOption('rudy')
  for (const [search, blank] of [
    ['glossy mug', 'White Glossy Mug'],
    ['EC8000', 'Eco Tote Bag | Econscious EC8000'],
    ['kiss-cut', 'Kiss-Cut Stickers'],
  ] as const) {
    await page.getByRole('searchbox', { name: 'Search' }).fill(search)
    await page.getByRole('button', { name: `Choose ${blank}`, exact: true }).press('Enter')
    await expect(page.getByRole('button', { name: `Chosen ${blank}`, exact: true })).toBeFocused()
  }
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Make 3 drafts' }).press('Enter')

  const rows = page.getByRole('list', { name: 'Products', exact: true }).getByRole('listitem')
  await expect(page.getByLabel('Name on White Glossy Mug')).toHaveValue('Waffle Mug')
  await page.getByLabel('Name on White Glossy Mug').fill('Waffle’s Morning Mug')
  // The shop has no type for stickers yet.
  await page.getByRole('button', { name: 'Choose the product type of Kiss-Cut Stickers' }).press('Enter')
  await page.getByRole('button', { name: 'Create type and go on' }).press('Enter')
  await expect(page.getByText('Please choose a product type.')).toHaveCount(0)
  const prices = page.getByRole('button', { name: 'Prices of Waffle’s Morning Mug' })
  await tabTo(page, prices)
  await page.keyboard.press('Enter')
  await expect(prices).toHaveAttribute('aria-expanded', 'true')
  await page.getByLabel('Price of 11 oz, in US dollars').fill('24.95')
  await expect(page.getByText('$24.95 to', { exact: false })).toBeVisible()
  await expectAccessible(page)
  for (const width of [390, 820, 1440]) {
    await page.setViewportSize({ width, height: 1000 })
    await expectNoSidewaysScroll(page)
  }

  await page.getByRole('button', { name: 'Publish all 3 products' }).press('Enter')
  await expect(page.getByText('3 published', { exact: true })).toBeVisible({ timeout: 180_000 })
  await expectAccessible(page)
  await expect(rows.getByRole('link', { name: /^Open its page/ })).toHaveCount(3)
  await rows.getByRole('link', { name: 'Open its page of Waffle’s Morning Mug' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Waffle’s Morning Mug' })).toBeVisible()
  await expect(page.getByText('$24.95').first()).toBeVisible()
})
