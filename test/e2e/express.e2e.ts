import { cents, formatUsd } from '#shared/money.ts'
import { expect, expectAccessible, expectGoodOnPhone, test } from './browser.ts'
import { bringToCheckout, fillDelivery, HAT, newEmail, readLedger, readOrderNumber } from './shopper.ts'
import type { Page } from '@playwright/test'

test.use({ viewport: { width: 390, height: 844 } })

const paypalButton = (page: Page) => page.getByRole('button', { name: 'Check out with PayPal' })

test('from a product to paid with PayPal: three taps, nothing typed; no provider’s script', async ({ page }) => {
  const foreign: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script' && !request.url().includes('/assets/')) foreign.push(request.url())
  })
  await page.goto(HAT)
  await expect(page.getByText('You’ll see tax and the total before you pay.')).toBeVisible()
  await expectGoodOnPhone(page, 'express-product')

  await paypalButton(page).click() // 1
  await expect(page.getByRole('heading', { name: 'Sandbox wallet' })).toBeVisible()
  await page.getByRole('button', { name: 'Continue' }).click() // 2
  const pay = page.getByRole('button', { name: /^Pay \$[\d.]+ with PayPal$/ })
  await expect(pay).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Review and pay' })).toBeFocused()
  for (const line of ['Ada Sandbox', '500 Howard Street', 'San Francisco, CA 94105'])
    await expect(page.getByRole('main').getByText(line, { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Show order summary' }).click()
  await expect(page.getByRole('complementary', { name: 'Your order' })).toContainText('Arrives')
  await expectGoodOnPhone(page, 'express-review')
  const total = (await pay.innerText()).replace(/^Pay (\S+) with PayPal$/, '$1')
  await pay.click() // 3

  const orderNumber = await readOrderNumber(page)
  expect(orderNumber).toMatch(/^PF/)
  const order = new URL(page.url()).searchParams.get('paypal_order_id')
  const taken = (await readLedger(page)).payments.filter(({ id }) => id === order)
  expect(taken.map(({ status, amount_cents }) => [status, formatUsd(cents(amount_cents))])).toEqual([
    ['COMPLETED', total],
  ])
  expect(foreign).toEqual([])
})

test.describe('what PayPal cannot finish', () => {
  test.use({ expected: [/Failed to load resource/] })

  test('continues in step 1, with everything known filled in', async ({ page }) => {
    await page.goto(HAT)
    await page.getByRole('main').getByRole('button', { name: 'Add to Cart' }).click()
    await expect(page.getByText('Pays for everything in your cart.')).toBeVisible()
    await page.getByRole('button', { name: 'Cart, 1 item' }).click()
    const drawer = page.getByRole('dialog', { name: 'Shopping Cart (1 items)' })
    await expect(paypalButton(drawer.page())).toHaveCount(2)
    await expectGoodOnPhone(page, 'express-drawer')
    await drawer.getByRole('button', { name: 'Proceed to Checkout' }).click()

    // Canceled at PayPal: what was typed is still here.
    const email = newEmail()
    await fillDelivery(page, email)
    await expectGoodOnPhone(page, 'express-step-1')
    await paypalButton(page).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('status').filter({ hasText: 'You canceled' })).toBeVisible()
    await expect(page.getByLabel('Email')).toHaveValue(email)

    // To a country that we don't send to.
    await paypalButton(page).click()
    await page.getByRole('radio', { name: /Habana/ }).check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByRole('main').getByRole('alert')).toContainText('PayPal didn’t tell us everything')
    await expect(page.getByLabel('Full name')).toHaveValue('Ada Sandbox')
    await expect(page.getByLabel('Email')).toHaveValue('sandbox.shopper@paypal.example')
    await expect(page.getByRole('group', { name: 'Shipping address' }).getByLabel('City')).toHaveValue('La Habana')
    await expectAccessible(page)

    // Declined: nothing was charged, and the address stays.
    await paypalButton(page).click()
    await page.getByText('Other outcomes').click()
    await page.getByRole('button', { name: 'Approve, then decline' }).click()
    await page.getByRole('button', { name: /^Pay \$[\d.]+ with PayPal$/ }).click()
    await expect(page.getByRole('main').getByRole('alert')).toContainText('Payment processing failed')
    await expect(page.getByRole('group', { name: 'Shipping address' }).getByLabel('City')).toHaveValue('San Francisco')
    await expect(page.getByRole('button', { name: 'Continue to Payment' })).toBeVisible()
  })
})

test.describe('Apple Pay or Google Pay', () => {
  test.use({ expected: [/Failed to load resource/] })

  test('from the drawer to paid in three taps; a declined card goes on in step 1', async ({ page }) => {
    await page.addInitScript(() => Object.assign(window, { ApplePaySession: { canMakePayments: () => true } }))
    await page.goto(HAT)
    await page.getByRole('main').getByRole('button', { name: 'Add to Cart' }).click()
    await page.getByRole('button', { name: 'Cart, 1 item' }).click()
    const drawer = page.getByRole('dialog', { name: 'Shopping Cart (1 items)' })
    const wallet = drawer.getByRole('button', { name: 'Check out with Apple Pay' })
    await expect(wallet).toBeVisible()
    await expectGoodOnPhone(page, 'express-wallet-drawer')

    await wallet.click()
    const button = page.getByRole('button', { name: 'Sandbox Pay' })
    await expect(button).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Express checkout', level: 2 })).toBeFocused()
    await expectGoodOnPhone(page, 'express-sheet')
    await button.click()
    const sheet = page.getByRole('dialog', { name: 'Sandbox Pay' })
    await expect(sheet).toContainText('Sales Tax $3.19 · Free Worldwide Shipping $0.00 · Total $40.14')
    await sheet.getByRole('radio', { name: /Berlin/ }).check()
    await expect(sheet).toContainText('Total $43.97')
    await sheet.getByRole('button', { name: 'Pay with a card that is declined' }).click()
    await expect(page.getByRole('main').getByRole('alert')).toContainText('Your card was declined')
    await expect(page.getByLabel('Full name')).toHaveValue('Ada Sandbox')
    await expect(page.getByLabel('Email')).toHaveValue('sandbox.shopper@wallet.example')
    await expect(page.getByRole('group', { name: 'Shipping address' }).getByLabel('City')).toHaveValue('Berlin')
    await expectGoodOnPhone(page, 'express-declined')

    await page.getByRole('button', { name: 'Check out with Apple Pay' }).click() // 1
    await button.click() // 2
    await expect(sheet).toContainText('Total $40.14')
    await sheet.getByRole('button', { name: 'Pay', exact: true }).click() // 3
    await readOrderNumber(page)
    const payment = new URL(page.url()).searchParams.get('payment_intent')
    const paid = (await readLedger(page)).payments.filter(({ id }) => id === payment)
    expect(paid.map(({ status, amount_cents }) => [status, amount_cents])).toEqual([['succeeded', 4014]])
  })
})

test.describe('Apple Pay from a product', () => {
  test.use({ expected: [/Failed to load resource/] })

  test('is paid in three taps; a closed sheet goes on in step 1, with what it has told', async ({ page }) => {
    await page.addInitScript(() => Object.assign(window, { ApplePaySession: { canMakePayments: () => true } }))
    const button = page.getByRole('button', { name: 'Sandbox Pay' })
    const sheet = page.getByRole('dialog', { name: 'Sandbox Pay' })
    const wallet = page.getByRole('main').getByRole('button', { name: 'Check out with Apple Pay' })

    await page.goto(HAT)
    await wallet.click()
    await button.click()
    // To a country that we don’t send to.
    await page.route('**/api/express-quote', (route) =>
      route.fulfill({ status: 422, json: { code: 'country_blocked', message: 'We can’t ship it there.' } }),
    )
    await sheet.getByRole('radio', { name: /Berlin/ }).check()
    await expect(sheet).toContainText('can’t send it to this address')
    await expect(sheet.getByRole('button', { name: 'Pay', exact: true })).toBeDisabled()
    await page.unrouteAll()
    await sheet.getByRole('button', { name: 'Cancel' }).click()
    const address = page.getByRole('group', { name: 'Shipping address' })
    await expect(page.getByRole('button', { name: 'Continue to Payment' })).toBeVisible()
    await expect(address.getByLabel('Country')).toHaveValue('DE')
    await expect(address.getByLabel('City')).toHaveValue('Berlin')
    await expect(address.getByLabel('Postal code')).toHaveValue('10117')

    // What was typed stays when the next sheet is closed.
    await address.getByLabel('Address', { exact: true }).fill('Kastanienallee 1')
    await wallet.click()
    await button.click()
    await expect(sheet).toContainText('Total $40.14')
    await sheet.getByRole('button', { name: 'Cancel' }).click()
    await expect(address.getByLabel('City')).toHaveValue('Berlin')
    await expect(address.getByLabel('Address', { exact: true })).toHaveValue('Kastanienallee 1')

    await page.request.delete('/api/cart')
    await page.goto(HAT)
    await wallet.click() // 1
    await button.click() // 2
    await expect(sheet).toContainText('Total $40.14')
    await sheet.getByRole('button', { name: 'Pay', exact: true }).click() // 3
    await readOrderNumber(page)
  })
})

test('nothing in step 1 moves while the express buttons’ script is on its way', async ({ page }) => {
  const arrives = Promise.withResolvers<void>()
  await page.route(/\/assets\/ExpressCheckout-/, async (route) => {
    await arrives.promise
    await route.continue()
  })
  await bringToCheckout(page, '/checkout')
  const email = page.getByLabel('Email')
  const top = async () => (await email.boundingBox())?.y
  const before = await top()
  await email.fill(newEmail())
  expect(await top()).toBe(before)
  arrives.resolve()
  await expect(paypalButton(page)).toBeVisible()
  expect(await top()).toBe(before)
})
