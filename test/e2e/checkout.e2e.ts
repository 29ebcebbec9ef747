import type { BrowserContext } from '@playwright/test'
import { cents, formatUsd } from '#kernel/money.ts'
import { expect, expectAccessible, test } from './browser.ts'
import {
  bringHatToCheckout,
  cards,
  continueToPayment,
  fillCustomer,
  newEmail,
  pay,
  payButton,
  readLedger,
} from './shopper.ts'

for (const path of ['/checkout', '/direct-checkout'])
  test(`an empty cart leads from ${path} back to the products, with a word why`, async ({ page }) => {
    await page.goto(path)
    await expect(page).toHaveURL(/\/products$/)
    await expect(page.getByText('Cart is Empty', { exact: true })).toBeVisible()
    await expect(page.getByText('Please add items to your cart before checking out.', { exact: true })).toBeVisible()
  })

test('fields are judged when they are left, and the first wrong one gets the focus', async ({ page }) => {
  await bringHatToCheckout(page)
  const email = page.getByLabel('Email')
  await email.fill('fan@')
  await expect(email).not.toHaveAttribute('aria-invalid')
  await page.getByLabel('Full name').focus()
  await expect(email).toHaveAccessibleDescription(/Please enter a valid email address/)

  await email.fill('fan@example.com')
  await expect(email).not.toHaveAttribute('aria-invalid')

  await page.getByRole('button', { name: 'Continue to Payment' }).click()
  await expect(page.getByLabel('Full name')).toBeFocused()
  await expect(page.getByLabel('ZIP code')).toHaveAccessibleDescription('Required')
  await expect(email).toHaveValue('fan@example.com')
})

test('the terms have to be agreed to', async ({ page }) => {
  await bringHatToCheckout(page)
  await fillCustomer(page, newEmail())
  const terms = page.getByLabel('I agree to the terms and conditions')
  await terms.uncheck()
  await page.getByRole('button', { name: 'Continue to Payment' }).click()
  await expect(page.getByText('Terms Agreement Required', { exact: true })).toBeVisible()
  await expect(terms).toBeFocused()
  await expect(terms).toHaveAccessibleDescription('Please agree to the terms and conditions to continue.')
})

test('shipping and tax appear by themselves when the address is complete', async ({ page }) => {
  await bringHatToCheckout(page)
  const order = page.getByRole('complementary', { name: 'Your order' })
  await expect(order).toContainText('Estimated total')
  await fillCustomer(page, newEmail())
  await expect(order).toContainText('Free Worldwide Shipping')
  await expect(order).toContainText('Sales Tax')
  await expect(order).not.toContainText('Estimated total')
})

test('only the e-mail address is kept, everything when asked for, nothing after Clear Saved Info', async ({ page }) => {
  await bringHatToCheckout(page)
  const email = newEmail()
  await expect(page.getByRole('button', { name: 'Clear Saved Info' })).toHaveCount(0)
  await fillCustomer(page, email)
  await page.reload()
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await expect(page.getByLabel('City')).toHaveValue('')

  await fillCustomer(page, email)
  await page.getByLabel('Save my details on this device').check()
  await page.reload()
  await expect(page.getByLabel('City')).toHaveValue('San Francisco')
  await expect(page.getByLabel('I agree to the terms and conditions')).not.toBeChecked()

  await page.getByRole('button', { name: 'Clear Saved Info' }).click()
  await expect(page.getByLabel('City')).toHaveValue('San Francisco')
  await page.reload()
  await expect(page.getByLabel('Email')).toHaveValue('')
  await page.getByLabel('Full name').fill('Ada')
  await page.getByRole('button', { name: 'Clear Form' }).click()
  await expect(page.getByLabel('Full name')).toHaveValue('')
  await expect(page.getByLabel('Email')).toBeFocused()
})

test('a billing address of its own is asked for and judged', async ({ page }) => {
  await bringHatToCheckout(page)
  await fillCustomer(page, newEmail())
  await page.getByLabel('Copy from shipping address').uncheck()
  const billing = page.getByRole('group', { name: 'Billing address' })
  await expect(billing.getByLabel('City')).toHaveAttribute('autocomplete', 'billing address-level2')
  await page.getByRole('button', { name: 'Continue to Payment' }).click()
  await expect(billing.getByLabel('Address', { exact: true })).toBeFocused()
  await expectAccessible(page)
})

test.describe('a total that is no longer right', () => {
  test.use({ expected: [/Failed to load resource.*409/] })

  /** One hat more by the same session, from somewhere that this page does not hear of: another browser window would tell it. */
  const addAnotherHat = async ({ request }: BrowserContext) => {
    const [line] = (await (await request.get('/api/cart')).json()) as { id: number }[]
    const changed = await request.put(`/api/cart/${line?.id}`, { data: { quantity: 2 } })
    expect(changed.status()).toBe(200)
  }

  test('is shown fresh in step 1, and a second press goes on', async ({ page, context }) => {
    await bringHatToCheckout(page)
    await fillCustomer(page, newEmail())
    const order = page.getByRole('complementary', { name: 'Your order' })
    await expect(order).toContainText('Free Worldwide Shipping')
    await addAnotherHat(context)

    await page.getByRole('button', { name: 'Continue to Payment' }).click()
    await expect(page.getByRole('main').getByRole('alert')).toContainText(
      'Prices have changed since you last saw them.',
    )
    await expect(order).toContainText('2 items')
    await continueToPayment(page)
  })

  test('is charged only after it was seen in step 2', async ({ page, context }) => {
    await bringHatToCheckout(page)
    await fillCustomer(page, newEmail())
    await continueToPayment(page)
    const before = await payButton(page).innerText()
    await addAnotherHat(context)

    await pay(page, cards.good)
    const alert = page.getByRole('main').getByRole('alert')
    await expect(alert).toContainText('Prices have changed since you last saw them.')
    await expect(alert).toContainText('Nothing was charged')
    const total = (await payButton(page).innerText()).replace('Pay ', '')
    expect(total).not.toBe(before.replace('Pay ', ''))

    // A hasty second click pays once.
    await payButton(page).dblclick()
    await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible({ timeout: 20_000 })
    const payment = new URL(page.url()).searchParams.get('payment_intent')
    const paid = (await readLedger(page)).payments.filter(({ id }) => id === payment)
    expect(paid.map(({ amount_cents }) => formatUsd(cents(amount_cents)))).toEqual([total])
  })
})

test.describe('when something does not answer', () => {
  test.use({ expected: [/Failed to load resource/] })

  test('the preview says so, and the calculation stands in with the default rates', async ({ page }) => {
    await bringHatToCheckout(page)
    await page.route('**/api/calculate-*', (route) => route.abort())
    await fillCustomer(page, newEmail())
    const order = page.getByRole('complementary', { name: 'Your order' })
    await expect(order).toContainText('Unable to calculate shipping costs')

    await page.getByRole('button', { name: 'Calculate Tax' }).click()
    await expect(page.getByText('Calculation Error', { exact: true })).toBeVisible()
    await expect(page.getByText('Using default rates for shipping and tax.', { exact: true })).toBeVisible()
    await expect(order).toContainText('$5.99')
    await expect(order).toContainText('Standard shipping')

    await page.unroute('**/api/calculate-*')
    await continueToPayment(page)
    await expect(order).toContainText('Free Worldwide Shipping')
  })

  test('the payment setup says so and can be tried again', async ({ page }) => {
    await bringHatToCheckout(page)
    await fillCustomer(page, newEmail())
    await page.route('**/api/create-payment-intent', (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }))
    await page.getByRole('button', { name: 'Continue to Payment' }).click()
    const alert = page.getByRole('main').getByRole('alert')
    await expect(alert).toContainText('Payment Setup Failed')
    await expect(alert).toContainText('Please try again or contact support.')
    await page.unroute('**/api/create-payment-intent')
    await continueToPayment(page)
  })

  test('a payment script that does not come is told, with a way on', async ({ page }) => {
    await bringHatToCheckout(page)
    await fillCustomer(page, newEmail())
    await page.route('**/stripe.js', (route) => route.abort())
    await page.getByRole('button', { name: 'Continue to Payment' }).click()
    await expect(page.getByText('Stripe Configuration Error')).toBeVisible()
    await expectAccessible(page)
    await page.unroute('**/stripe.js')
    await page.getByRole('button', { name: 'Refresh the page' }).click()
    await expect(page.getByRole('heading', { name: 'Checkout', level: 1 })).toBeVisible()
  })

  test('an address that the tax source refuses gets a sentence beside its field, and no payment starts', async ({
    page,
  }) => {
    await bringHatToCheckout(page)
    await fillCustomer(page, newEmail())
    await page.getByLabel('ZIP code').fill('00000')
    await page.getByRole('button', { name: 'Continue to Payment' }).click()
    await expect(page.getByLabel('ZIP code')).toHaveAccessibleDescription(/Please check the postal code/)
    await expect(page.getByRole('heading', { name: 'Payment', exact: true })).toHaveCount(0)
  })
})

test.describe('a return address', () => {
  test.use({ expected: [/Failed to load resource.*404/] })

  const addresses = [
    '/payment-success',
    '/payment-success?payment_intent=pi_unknown',
    '/payment-success?paymentMethod=paypal&orderNumber=AAAA-AAAA',
    '/success?session_id=pi_unknown',
  ]
  for (const address of addresses)
    test(`without a payment of ours cannot be verified: ${address}`, async ({ page }) => {
      await page.goto(address)
      await expect(page.getByRole('heading', { name: 'Payment Verification Failed' })).toBeVisible()
      await expect(
        page.getByText("We couldn't verify your payment. Please contact support if you believe this is an error."),
      ).toBeVisible()
      await expect(page.getByRole('link', { name: 'Contact Support' })).toBeVisible()
      await expectAccessible(page)
    })
})

const outcomes = [
  ['held', 'Your payment is on hold', /reviewing it/],
  ['failed', 'Payment Verification Failed', /couldn't verify your payment/],
] as const

for (const [status, title, words] of outcomes)
  test(`a ${status} payment is told as what it is`, async ({ page }) => {
    await page.route('**/api/process-completed-payment', (route) => route.fulfill({ json: { success: false, status } }))
    await page.route('**/api/payment-success/*', (route) => route.fulfill({ json: { success: false, status } }))
    await page.goto('/payment-success?payment_intent=pi_1')
    await expect(page.getByRole('heading', { name: title })).toBeVisible()
    await expect(page.getByText(words)).toBeVisible()
    await expectAccessible(page)
  })

test('a payment that is being processed is asked about again, and then told truthfully', async ({ page }) => {
  let asked = 0
  await page.clock.install()
  await page.route('**/api/process-completed-payment', (route) =>
    route.fulfill({ json: { success: false, status: 'processing' } }),
  )
  await page.route('**/api/payment-success/*', (route) => {
    asked += 1
    return route.fulfill({ json: { success: false, status: 'processing' } })
  })
  await page.goto('/payment-success?payment_intent=pi_1')
  await expect(page.getByRole('heading', { name: 'Processing your payment...' })).toBeVisible()
  const title = page.getByRole('heading', { name: 'Your payment is being processed' })
  await expect(async () => {
    await page.clock.fastForward('00:02')
    await expect(title).toBeVisible({ timeout: 100 })
  }).toPass()
  expect(asked).toBe(15)
  await expect(page.getByText('You do not need to pay again')).toBeVisible()
})
