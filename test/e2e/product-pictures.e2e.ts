import sharp from 'sharp'
import { expect, expectAccessible, expectNoSidewaysScroll, tabTo } from './browser.ts'
import { test } from './own-world.ts'

// Nobody is signed in at first.
test.use({ viewport: { width: 1440, height: 1000 }, expected: [/Failed to load resource.*401/] })

test('the owner adds a picture to a product, describes it, moves it to the first place by keyboard, and shoppers see it', async ({
  page,
}) => {
  test.slow()
  await page.goto('/admin/products')
  await page.getByLabel('Username').fill('owner')
  await page.getByLabel('Password').fill('owner-demo')
  await page.getByRole('tabpanel').getByRole('button', { name: 'Login' }).click()
  const edit = page.getByRole('button', { name: /^Edit / }).first()
  const name = ((await edit.getAttribute('aria-label')) ?? '').replace('Edit ', '')
  await tabTo(page, edit)
  await page.keyboard.press('Enter')
  const pictures = page.getByRole('region', { name: `Pictures of ${name}` })
  const rows = pictures.getByRole('list').getByRole('listitem')
  await expect(rows.first()).toBeVisible()
  const before = await rows.count()

  const upload = pictures.getByRole('group', { name: 'Add a picture' })
  await upload.getByRole('button', { name: 'Upload' }).press('Enter')
  await expect(upload.getByText('Please describe what the picture shows')).toBeVisible()
  await expect(upload.getByText('Please choose a file')).toBeVisible()
  const buffer = await sharp({ create: { width: 900, height: 900, channels: 3, background: '#335577' } })
    .png()
    .toBuffer()
  await upload.getByLabel('File').setInputFiles({ name: 'shelf.png', mimeType: 'image/png', buffer })
  await upload.getByLabel('File').focus()
  await tabTo(page, upload.getByLabel('What it shows'))
  await page.keyboard.type('Biscuit beside it on a shelf')
  await tabTo(page, upload.getByRole('button', { name: 'Upload' }))
  await page.keyboard.press('Enter')
  await expect(rows).toHaveCount(before + 1, { timeout: 30_000 })
  await expect(rows.last().getByLabel('What it shows')).toHaveValue('Biscuit beside it on a shelf')
  for (let place = before; place > 0; place -= 1)
    await rows
      .nth(place)
      .getByRole('button', { name: `Move picture ${place + 1} up` })
      .press('Enter')
  await expect(pictures.getByRole('status').filter({ hasText: 'place 1 of' })).toHaveCount(1)
  await expect(rows.first().getByLabel('What it shows')).toHaveValue('Biscuit beside it on a shelf')
  await rows.first().getByLabel('What it shows').fill('Biscuit beside it on an oak shelf')
  await expectAccessible(page)
  for (const width of [390, 820, 1440]) {
    await page.setViewportSize({ width, height: 1000 })
    await expectNoSidewaysScroll(page)
  }
  // From the last of many pictures.
  await rows.last().getByLabel('What it shows').focus()
  await tabTo(page, pictures.getByRole('button', { name: 'Save pictures' }))
  await page.keyboard.press('Enter')
  await expect
    .poll(async () => JSON.stringify(await (await page.request.get('/api/products')).json()))
    .toContain('Biscuit beside it on an oak shelf')
})
