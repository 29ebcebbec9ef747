import type { Page } from '@playwright/test'
import { expect } from './browser.ts'

export const shipping = (page: Page) => page.getByRole('group', { name: 'Shipping address' })
export const country = (page: Page) => shipping(page).getByLabel('Country')

export const expectSydney = async (page: Page) => {
  await expect(country(page)).toHaveValue('AU')
  const fields = shipping(page)
  await expect(fields.getByLabel('Address', { exact: true })).toHaveValue('1 Macquarie Street')
  await expect(fields.getByLabel('City')).toHaveValue('Sydney')
  await expect(fields.getByLabel('State or territory')).toHaveValue('NSW')
  await expect(fields.getByLabel('Postcode')).toHaveValue('2000')
}
