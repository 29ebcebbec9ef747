import { expect, expectAccessible, expectNoSidewaysScroll, test } from './browser.ts'
import {
  bringHatToCheckout,
  cards,
  continueToPayment,
  fillCustomer,
  newEmail,
  pay,
  readOrderNumber,
} from './shopper.ts'

test('on a phone a hat is bought as a gift, and its recipient sees where it is without its price', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 })
  await bringHatToCheckout(page)
  await fillCustomer(page, newEmail())
  await page.getByText('Is this a gift?').click()
  await page.getByLabel('Recipient’s name').fill('Ada Byron')
  await page.getByLabel('Gift message').fill('Happy birthday')
  await expectAccessible(page)
  await continueToPayment(page)
  await expect(page.getByText('Ada Byron', { exact: true })).toBeVisible()

  await pay(page, cards.good)
  const number = (await readOrderNumber(page)).replace(/^PF/, '')
  await page.goto(`/order-confirmation?order=${number}`)
  await page.getByRole('link', { name: 'The recipient’s page' }).click()
  await expect(page.getByRole('heading', { name: 'Somebody has a gift made for you.' })).toBeVisible()
  await expect(page.getByText('Happy birthday')).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText('$')
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
})
