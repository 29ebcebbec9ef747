import { expect, expectAccessible, expectNoSidewaysScroll, test } from './browser.ts'

// Nobody is signed in at first.
test.use({ viewport: { width: 390, height: 800 }, expected: [/Failed to load resource.*401/] })

const file = {
  name: 'products.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    'Title,URL handle,Description,Type,Published on online store,Status,SKU,Price,Product image URL,Image alt text,Collection\n' +
      'Biscuit Lamp,e2e-lamp,<p>Shines.</p>,Lamps,TRUE,Active,E2E-LAMP,40.00,https://127.0.0.1/lamp.png,,Rudy\n' +
      'Dear Tee,e2e-dear-tee,In euros.,T-Shirts,TRUE,Active,E2E-DEAR,€22.00,,,Rudy\n',
  ),
}

test('the owner brings products by keyboard on a phone: checks the file, chooses a type, imports, and sees which picture failed', async ({
  page,
}) => {
  test.slow()
  await page.goto('/admin/import')
  await page.getByLabel('Username').fill('owner')
  await page.getByLabel('Password').fill('owner-demo')
  await page.getByRole('tabpanel').getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Move to this shop' })).toBeVisible()
  await expectAccessible(page)

  await page.getByLabel('Export file').setInputFiles(file)
  await page.getByRole('button', { name: 'Check the file' }).press('Enter')
  const result = page.getByRole('region', { name: 'Result' })
  await expect(result).toContainText('0 products of Shopify would come.')
  await expect(result).toContainText('“€22.00” is in another currency.')
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)

  await result.getByLabel('“Lamps”, 1 product').selectOption('mug')
  await result.getByRole('button', { name: 'Check with these choices' }).press('Enter')
  await expect(result).toContainText('1 product of Shopify would come. 1 as a draft')
  await page.getByRole('button', { name: 'Import', exact: true }).press('Enter')
  await expect(result).toContainText('1 product of Shopify came.')

  const pictures = page.getByRole('region', { name: 'Pictures' })
  await expect(pictures).toContainText('private network', { timeout: 20_000 })
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await pictures.getByRole('button', { name: 'Try again' }).press('Enter')
  await page.setViewportSize({ width: 1440, height: 900 })
  await expectAccessible(page)
})
