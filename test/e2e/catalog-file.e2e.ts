import { readFile } from 'node:fs/promises'
import { expect, expectAccessible, expectNoSidewaysScroll, tabTo, test } from './browser.ts'

// Nobody is signed in at first; wrong files are refused.
test.use({ viewport: { width: 390, height: 800 }, expected: [/Failed to load resource.*4(?:01|22)/] })

test('the owner downloads the catalog, changes a cell, sees the difference and imports it, by keyboard and on a phone', async ({
  page,
}, info) => {
  test.slow()
  await page.goto('/admin/products')
  await page.getByLabel('Username').fill('owner')
  await page.getByLabel('Password').fill('owner-demo')
  await page.getByRole('tabpanel').getByRole('button', { name: 'Login' }).click()
  await page.getByRole('link', { name: 'Export and import' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Catalog file' })).toBeVisible()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Spreadsheet (.csv)' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('catalog.csv')
  const text = await readFile(await file.path(), 'utf8')
  const choose = (content: string) =>
    page
      .getByLabel('Catalog file')
      .setInputFiles({ name: 'catalog.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
  const check = page.getByRole('button', { name: 'Show what would change' })

  await choose('slug,colour,size of dog\r\nx,y,z')
  await tabTo(page, check)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('Nothing was imported.')
  await expect(page.getByRole('row', { name: 'row 1, colour There is no such column' })).toBeVisible()
  await expectAccessible(page)

  const name = 'Rudy Vented Hat "Bid, Ask, Nap"'
  const written = `"${name.replaceAll('"', '""')}"`
  expect(text).toContain(written)
  await choose(text.replaceAll(written, '"Rudy Hat"'))
  await tabTo(page, check)
  await page.keyboard.press('Enter')
  await expect(page.getByText(/This file would bring: 0 new, 1 changed/)).toBeVisible()
  await expect(page.getByRole('deletion')).toHaveText(name)
  await expect(page.getByRole('insertion')).toHaveText('Rudy Hat')
  for (const width of [390, 820, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await page.screenshot({ path: info.outputPath(`difference-${width}.png`), fullPage: true })
  }
  const apply = page.getByRole('button', { name: 'Import exactly this' })
  await tabTo(page, apply)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('Imported: 0 new, 1 changed')

  // As it was, for the other tests.
  await choose(text)
  await check.click()
  await apply.click()
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('Imported: 0 new, 1 changed')
})
