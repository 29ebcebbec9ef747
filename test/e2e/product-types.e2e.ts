import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoSidewaysScroll, tabTo, test } from './browser.ts'

// Nobody is signed in at first; a refused deletion answers 409.
test.use({ viewport: { width: 1440, height: 1000 }, expected: [/Failed to load resource.*40[19]/] })

const expectPage = async (page: Page, title: string) => {
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect(page.getByText('Loading...')).toHaveCount(0)
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
}

test('the owner makes a product type from a blank by keyboard, corrects its size guide, restores and deletes it', async ({
  page,
}) => {
  test.slow()
  await page.goto('/admin/product-types')
  await page.getByLabel('Username').fill('owner')
  await page.getByLabel('Password').fill('owner-demo')
  await page.getByRole('tabpanel').getByRole('button', { name: 'Login' }).click()
  await expectPage(page, 'Product types')

  await tabTo(page, page.getByRole('link', { name: 'New product type' }))
  await page.keyboard.press('Enter')
  await expectPage(page, 'New product type')
  await tabTo(page, page.getByRole('main').getByLabel('Search', { exact: true }))
  await page.keyboard.type('gildan 18500 hoodie')
  const choose = page.getByRole('button', { name: 'Choose Unisex Heavy Blend Hoodie' })
  await expect(page.getByText(/^2 blanks$|^1 blank$/)).toBeVisible()
  await tabTo(page, choose.first())
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Hoodie')
  await expect(page.getByLabel('Length of S')).toHaveValue('27')
  await page.setViewportSize({ width: 390, height: 900 })
  await expectPage(page, 'New product type')
  await page.setViewportSize({ width: 1440, height: 1000 })

  const length = page.getByLabel('Length of S')
  await length.fill('long')
  const create = page.getByRole('button', { name: 'Create product type' })
  await create.press('Enter')
  await expect(length).toBeFocused()
  await expect(length).toHaveAccessibleDescription('Please enter inches, such as 20 or 18 - 20')
  await length.fill('26 - 28')
  await create.press('Enter')
  await expectPage(page, 'Hoodie')
  await expect(page).toHaveURL(/\/admin\/product-types\/hoodie$/)

  await page.getByLabel('Plural').fill('Hooded sweaters')
  await page.getByRole('button', { name: 'Save' }).press('Enter')
  await page.getByText('History', { exact: true }).click()
  await page.getByRole('button', { name: 'Restore version 1' }).press('Enter')
  await expect(page.getByLabel('Plural')).toHaveValue('Hoodies')
  await expect(page.getByLabel('Length of S')).toHaveValue('26 - 28')
  await page.setViewportSize({ width: 390, height: 900 })
  await expectPage(page, 'Hoodie')

  await page.goto('/admin/product-types/mug')
  await page.getByRole('button', { name: 'Delete this type' }).press('Enter')
  await page.getByRole('button', { name: 'Delete Mug' }).press('Enter')
  await expect(page.getByRole('alert')).toContainText('products are of this type. Please give them another type first.')
  await page.goto('/admin/product-types/hoodie')
  await page.getByRole('button', { name: 'Delete this type' }).press('Enter')
  await page.getByRole('button', { name: 'Delete Hoodie' }).press('Enter')
  await expectPage(page, 'Product types')
  await expect(page.getByRole('link', { name: 'Hoodie' })).toHaveCount(0)
})
