import type { Page } from '@playwright/test'
import { cents, formatUsd } from '#shared/money.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, tabTo, test } from './browser.ts'
import {
  bringToCheckout,
  cards,
  withFault,
  fillCard,
  fillDelivery,
  mailTo,
  newEmail,
  readLedger,
  readOrderNumber,
} from './shopper.ts'

const PATH = '/checkout-with-stripe-address'

const toReview = (page: Page) => page.getByRole('button', { name: 'Continue to Review' })
const payWithCard = (page: Page) => page.getByRole('button', { name: /^Pay with Card - \$/ })
const complete = (page: Page) => page.getByRole('button', { name: /^Complete Payment - \$/ })

async function comeToReview(page: Page, email = newEmail()): Promise<void> {
  await bringToCheckout(page, PATH)
  await fillDelivery(page, email)
  await toReview(page).click()
  await expect(page.getByRole('heading', { name: 'Review your order' })).toBeFocused()
}

async function comeToPayment(page: Page, email = newEmail()): Promise<void> {
  await comeToReview(page, email)
  await payWithCard(page).click()
  await expect(page.getByRole('heading', { name: 'Payment', exact: true })).toBeFocused()
  await expect(page.getByLabel('Card number')).toBeVisible()
}

test('an empty cart shows a message and a way back to the products', async ({ page }) => {
  await page.goto(PATH)
  await expect(page.getByRole('heading', { name: 'Your cart is empty' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Continue Shopping' }).click()
  await expect(page).toHaveURL(/\/products$/)
})

test('a hat is bought in three steps: the buttons, the mail and the bank name the same total', async ({ page }) => {
  const email = newEmail()
  await bringToCheckout(page, PATH)
  const order = page.getByRole('complementary', { name: 'Your order' })
  await expect(order.getByRole('heading', { name: 'Your Order (1 item)' })).toHaveCount(1)
  // Before the address: the price is asked a second after the last edit, which may be before the button is pressed.
  const asked = page.waitForRequest('**/api/calculate-shipping')
  await fillDelivery(page, email)
  await page.getByLabel('Phone').fill('+1 555 0100')
  await expectAccessible(page)
  await toReview(page).click()
  expect((await asked).postDataJSON()).toEqual({
    cartItems: [expect.objectContaining({ quantity: 1 })],
    destination: expect.objectContaining({ line1: '12 Ingot Street', state: 'CA', country: 'US' }),
  })

  const main = page.getByRole('main')
  await expect(main.getByText('+1 555 0100')).toBeVisible()
  for (const line of ['Ada Lovelace', '12 Ingot Street', 'San Francisco, CA 94105'])
    await expect(main.getByText(line, { exact: true })).toBeVisible()
  await expectAccessible(page)
  const total = (await payWithCard(page).innerText()).replace('Pay with Card - ', '')
  await expect(order).toContainText(total)
  await payWithCard(page).click()

  await expect(complete(page)).toHaveText(`Complete Payment - ${total}`)
  await expectAccessible(page)
  await fillCard(page, cards.good)
  await complete(page).click()
  const orderNumber = await readOrderNumber(page)
  const mail = await mailTo(page, email)
  expect(mail.subject).toContain(orderNumber)
  expect(mail.text).toContain(total)
  const payment = new URL(page.url()).searchParams.get('payment_intent')
  const paid = (await readLedger(page)).payments.find(({ id }) => id === payment)
  expect(formatUsd(cents(paid?.amount_cents ?? 0))).toBe(total)
})

test('the shopper cannot continue before everything is filled in, and reads why', async ({ page }) => {
  await bringToCheckout(page, PATH)
  await expect(toReview(page)).toBeDisabled()
  await expect(toReview(page)).toHaveAccessibleDescription(/your email, name and full address/)
  await page.getByLabel('Email').fill('fan@example.com')
  // The Enter key reaches a button that is only marked as disabled.
  await page.keyboard.press('Enter')
  await expect(page.getByText('Incomplete Address', { exact: true })).toBeVisible()
  await expect(page.getByText('Please complete the shipping address form.', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Full name')).toBeFocused()
  await expect(page.getByLabel('City')).toHaveAccessibleDescription('Required')

  await fillDelivery(page, 'fan@')
  await expect(toReview(page)).toBeEnabled()
  await toReview(page).click()
  await expect(page.getByText('Invalid Email', { exact: true })).toBeVisible()
  await expect(page.getByText('Please enter a valid email address.', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Email')).toBeFocused()
  await expect(page.getByLabel('Phone')).not.toHaveAttribute('required')
})

test('an age-restricted product requires an age confirmation at the review', async ({ page }) => {
  await bringToCheckout(page, PATH, '/product/rudy-can-cooler-happy-hour')
  await fillDelivery(page, newEmail())
  await toReview(page).click()
  await payWithCard(page).click()
  const age = page.getByLabel('I am 18 or older')
  await expect(age).toBeFocused()
  await expect(age).toHaveAccessibleDescription('Please confirm your age to continue.')
  await age.check()
  await payWithCard(page).click()
  await expect(complete(page)).toBeVisible()
})

test('this checkout offers its nineteen countries and no others', async ({ page }) => {
  await bringToCheckout(page, PATH)
  const countries = page.getByLabel('Country').locator('option:not([value=""])')
  await expect(countries).toHaveCount(19)
  await expect(countries.filter({ hasText: 'Brazil' })).toHaveCount(0)
  await expect(countries.filter({ hasText: 'Hong Kong' })).toHaveCount(0)
})

test('Back, Forward and the buttons change steps without losing anything typed', async ({ page }) => {
  await comeToPayment(page)
  await expect(page).toHaveURL(/\?step=payment$/)
  await fillCard(page, cards.good)
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Review your order' })).toBeFocused()
  await page.goBack()
  await expect(toReview(page)).toBeVisible()
  await expect(page.getByLabel('City')).toHaveValue('San Francisco')
  await page.goForward()
  await expect(payWithCard(page)).toBeVisible()
  await page.goForward()
  await expect(page.getByLabel('Card number')).toHaveValue(cards.good)

  await page.getByRole('button', { name: 'Back to Review' }).click()
  await page.getByRole('button', { name: 'Edit Information' }).click()
  await page.getByLabel('Full name').fill('Ada Byron')
  // The order has changed: Forward leads no further than it is valid.
  await page.goForward()
  await expect(toReview(page)).toBeVisible()
  await toReview(page).click()
  await expect(page.getByText('Ada Byron', { exact: true })).toBeVisible()
  await payWithCard(page).click()
  await expect(page.getByLabel('Card number')).toHaveValue(cards.good)
  await complete(page).click()
  await readOrderNumber(page)
})

test('a reload stays at its step with everything typed', async ({ page }) => {
  await bringToCheckout(page, PATH)
  await fillDelivery(page, newEmail())
  await page.getByLabel('Phone').fill('+1 555 0100')
  await page.reload()
  await expect(page.getByLabel('Phone')).toHaveValue('+1 555 0100')
  await expect(page.getByLabel('City')).toHaveValue('San Francisco')
  // Before the page knows the cart there is nothing to continue with.
  await expect(page.getByRole('heading', { name: 'Your Order (1 item)' })).toBeVisible()
  await toReview(page).click()
  await expect(payWithCard(page)).toBeVisible()
  await page.reload()
  await expect(payWithCard(page)).toBeVisible()
  await payWithCard(page).click()
  await expect(complete(page)).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Card number')).toBeVisible()
  await fillCard(page, cards.good)
  await complete(page).click()
  await readOrderNumber(page)
})

test.describe('when a service does not answer', () => {
  test.use({ expected: [/Failed to load resource/] })

  test('the review shows default rates, and the real total is shown before the payment', async ({ page }) => {
    await bringToCheckout(page, PATH)
    await page.route('**/api/calculate-*', (route) => route.abort())
    await fillDelivery(page, newEmail())
    await toReview(page).click()
    await expect(page.getByText('Calculation Error', { exact: true })).toBeVisible()
    await expect(page.getByText('Using default rates for shipping and tax.', { exact: true })).toBeVisible()
    const order = page.getByRole('complementary', { name: 'Your order' })
    await expect(order).toContainText('$5.99')
    await expect(order).toContainText('Standard shipping')
    const estimate = await payWithCard(page).innerText()
    await payWithCard(page).click()
    await expect(page.getByRole('main').getByRole('alert')).toContainText('Prices have changed')
    await expect(order).toContainText('Free Worldwide Shipping')
    expect(await payWithCard(page).innerText()).not.toBe(estimate)
    await payWithCard(page).click()
    await expect(complete(page)).toBeVisible()
  })

  test('a card outage is shown, with a way to pay with PayPal', async ({ page }) => {
    await comeToReview(page)
    const fault = {
      match: { method: 'POST', path: '/v1/payment_intents' },
      when: 'before',
      do: { status: 503 },
    } as const
    await withFault(page, { provider: 'stripe', ...fault }, async () => {
      await payWithCard(page).click()
      await expect(page.getByRole('main').getByRole('alert')).toContainText('Payment Setup Failed', { timeout: 20_000 })
    })
    const alert = page.getByRole('main').getByRole('alert')
    await expect(alert).toContainText('Card payment is not available')
    await expect(alert.getByRole('link', { name: 'pay with PayPal' })).toHaveAttribute('href', '/checkout')
    await payWithCard(page).click()
    await expect(complete(page)).toBeVisible()
  })

  test('a postal code unknown to the tax provider leads back to its field', async ({ page }) => {
    await bringToCheckout(page, PATH)
    await fillDelivery(page, newEmail())
    await page.getByLabel('ZIP code').fill('00000')
    await toReview(page).click()
    await expect(page.getByLabel('ZIP code')).toBeFocused()
    await expect(page.getByLabel('ZIP code')).toHaveAttribute('aria-invalid')
    await expect(toReview(page)).toBeVisible()
  })
})

test.describe('on a small phone', () => {
  test.use({ viewport: { width: 360, height: 740 } })

  test('all three steps fit and work with the keyboard alone', async ({ page }) => {
    await bringToCheckout(page, PATH)
    await fillDelivery(page, newEmail())
    await expectNoSidewaysScroll(page)
    await tabTo(page, toReview(page))
    await page.keyboard.press('Enter')
    await expect(payWithCard(page)).toBeVisible()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await tabTo(page, payWithCard(page))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByLabel('Card number'))
    await page.keyboard.type(cards.good)
    await page.keyboard.press('Tab')
    await page.keyboard.type('1234')
    await page.keyboard.press('Tab')
    await page.keyboard.type('123')
    await page.keyboard.press('Enter')
    await readOrderNumber(page)
  })
})
