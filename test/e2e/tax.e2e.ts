import type { Page } from '@playwright/test'
import { SANDBOX } from './addresses.ts'
import { expect, expectAccessible, test } from './browser.ts'
import {
  bringToCheckout,
  cards,
  continueToPayment,
  withFault,
  fillCustomer,
  newEmail,
  pay,
  payButton,
  readOrderNumber,
} from './shopper.ts'

const order = (page: Page) => page.getByRole('complementary', { name: 'Your order' })
const rows = (page: Page, name: string) => order(page).locator('dl > div').filter({ hasText: name })

/** The demo's account collects nothing there, and Printful charges its own tax. */
async function fillSeoul(page: Page): Promise<void> {
  await fillCustomer(page, newEmail())
  const address = page.getByRole('group', { name: 'Shipping address' })
  await address.getByLabel('Country').selectOption('South Korea')
  await address.getByLabel('Address', { exact: true }).fill('110 Sejong-daero')
  await address.getByLabel('City', { exact: true }).fill('Seoul')
  await address.getByLabel('Province or city').fill('')
  await address.getByLabel('Postal code').fill('04524')
}

test('Printful’s tax is in the summary once, in the total, and on the order page', async ({ page }) => {
  await bringToCheckout(page, '/checkout')
  await fillSeoul(page)
  const tax = rows(page, 'Country Consumption Tax')
  await expect(tax).toHaveCount(1)
  await expect(tax).toContainText(/\$[1-9]\d*\.\d\d/)
  await expectAccessible(page)
  const amount = (await tax.innerText()).match(/\$[\d.]+/)?.[0] ?? ''
  await continueToPayment(page)
  await expect(rows(page, 'Country Consumption Tax')).toContainText(amount)
  const total = await pay(page, cards.good)
  const number = await readOrderNumber(page)

  await expect
    .poll(async () => {
      const mails = (await (
        await page.request.get(`${SANDBOX}/mail`, { headers: { accept: 'application/json' } })
      ).json()) as {
        id: string
        subject: string
      }[]
      const mail = mails.find(({ subject }) => subject.includes(number))
      if (!mail) return ''
      const answer = await page.request.get(`${SANDBOX}/mail/${mail.id}`, { headers: { accept: 'application/json' } })
      return ((await answer.json()) as { text: string }).text
    })
    .toMatch(new RegExp(`Country Consumption Tax:\\s+\\${amount}[\\s\\S]*Total \\(USD\\):\\s+\\${total}`))
})

test('a tax that could not be calculated is disclosed before the payment and not in the total', async ({ page }) => {
  await bringToCheckout(page, '/checkout')
  const notice = 'Tax could not be calculated right now, so this order is not charged any.'
  await withFault(
    page,
    { provider: 'stripe', match: { path: '/v1/tax/calculations' }, when: 'before', do: { status: 500, body: {} } },
    async () => {
      await fillCustomer(page, newEmail())
      await expect(order(page)).toContainText(notice)
      await expect(rows(page, 'Sales Tax')).toContainText('$0.00')
      await continueToPayment(page)
    },
  )
  await expect(order(page)).toContainText(notice)
  const subtotal = (await rows(page, 'Subtotal').innerText()).match(/\$[\d.]+/)?.[0] ?? 'none'
  await expect(payButton(page)).toHaveText(`Pay ${subtotal}`)
})

test.describe('an address that the tax provider cannot find', () => {
  test.use({ expected: [/Failed to load resource.*422/] })

  test('shows an error beside its field, and the shopper cannot continue', async ({ page }) => {
    await bringToCheckout(page, '/checkout')
    await fillCustomer(page, newEmail())
    const address = page.getByRole('group', { name: 'Shipping address' })
    await address.getByLabel('Address', { exact: true }).fill('FAIL TAX')
    const sentence = 'We couldn’t find this address. Please check street, city, state and postal code.'
    await expect(order(page)).toContainText(sentence)
    await page.getByRole('button', { name: 'Continue to Payment' }).click()
    await expect(address.getByLabel('ZIP code')).toHaveAccessibleDescription(
      'Please check the postal code, city and state.',
    )
    await expect(page.getByLabel('Card number')).toHaveCount(0)
    await expectAccessible(page)
  })
})
