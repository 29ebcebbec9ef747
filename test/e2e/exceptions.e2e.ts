import { expect, tabTo, test } from './browser.ts'

test.use({ viewport: { width: 768, height: 900 } })

test('the owner reads the exceptions and balances, and starts a comparison by keyboard', async ({ page }) => {
  const signedIn = await page.request.post('/api/login', { data: { username: 'owner', password: 'owner-demo' } })
  expect(signedIn.ok()).toBe(true)
  await page.goto('/admin/exceptions')
  await expect(page.getByRole('heading', { level: 1, name: 'Exceptions' })).toBeVisible()

  await page.goto('/admin/reconciliation')
  await expect(page.getByRole('table', { name: 'Balances' }).getByRole('row')).toHaveCount(4)
  await tabTo(page, page.getByRole('button', { name: 'Compare now' }))
  await page.keyboard.press('Enter')
  await expect(page.getByText('Comparing the books.').first()).toBeVisible()
})
