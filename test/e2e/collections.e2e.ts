import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoSidewaysScroll, tabTo, test } from './browser.ts'

// Nobody is signed in at first.
test.use({ viewport: { width: 1440, height: 1000 }, expected: [/Failed to load resource.*401/] })

const expectPage = async (page: Page, title: string) => {
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect(page.getByText('Loading...')).toHaveCount(0)
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
}

test('the owner makes a collection by keyboard, sees unreadable colors refused while typing, and moves it up the menu', async ({
  page,
}) => {
  test.slow()
  await page.goto('/admin/collections')
  await page.getByLabel('Username').fill('owner')
  await page.getByLabel('Password').fill('owner-demo')
  await page.getByRole('tabpanel').getByRole('button', { name: 'Login' }).click()
  await expectPage(page, 'Collections')

  await tabTo(page, page.getByRole('link', { name: 'New collection' }))
  await page.keyboard.press('Enter')
  await expectPage(page, 'New collection')
  await tabTo(page, page.getByLabel('Name', { exact: true }))
  await page.keyboard.type('Biscuit')
  await page.keyboard.press('Tab')
  await page.keyboard.type('corgi')
  const preview = page.getByRole('region', { name: 'Preview' })
  await expect(preview).toContainText('Meet Biscuit.')
  await expect(page.getByLabel('Address', { exact: true })).toHaveValue('biscuit')

  await page.getByRole('button', { name: 'Create collection' }).press('Enter')
  await expectPage(page, 'The Biscuit Collection')

  const quiet = page.getByLabel('Quiet text', { exact: true })
  await tabTo(page, quiet)
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('#b0a89a')
  await expect(quiet).toHaveAccessibleDescription(/Hard to read on “Page”/)
  const save = page.getByRole('button', { name: 'Save' })
  await save.press('Enter')
  await expect(quiet).toBeFocused()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('#5d554a')
  await expect(quiet).toHaveAccessibleDescription('')
  await save.press('Enter')
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible()

  await page.setViewportSize({ width: 390, height: 900 })
  await expectPage(page, 'The Biscuit Collection')
  await page.goto('/admin/collections/new')
  await expectPage(page, 'New collection')
  await page.goto('/admin/collections')
  await expectPage(page, 'Collections')
  const names = page.getByRole('list', { name: 'Collections' }).getByRole('link', { name: /^The .* Collection$/ })
  await expect(names.last()).toHaveText('The Biscuit Collection')
  const up = page.getByRole('button', { name: 'Move The Biscuit Collection up' })
  await up.focus()
  await page.keyboard.press('Enter')
  await expect(names.last()).toHaveText('The Pip Collection')
  await expect(up).toBeFocused()

  await page.setViewportSize({ width: 1440, height: 1000 })
  await page.getByRole('link', { name: 'View shop' }).click()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'The Biscuit Collection' }).click()
  await expect(page).toHaveURL(/\/BiscuitCollection$/)
  await expectPage(page, 'Meet Biscuit.')
  expect(await page.evaluate(() => document.documentElement.dataset['collection'])).toBe('biscuit')

  // Other tests count on the demo's menu.
  await page.goto('/admin/collections/biscuit')
  await page.getByLabel('State').selectOption('retired')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible()
  await page.goto('/BiscuitCollection')
  await expect(page).toHaveURL(/\/products$/)
})
