import type { BrowserContext, Page } from '@playwright/test'
import { cents, formatUsd } from '#shared/money.ts'
import { SANDBOX } from './addresses.ts'
import { expect, expectAccessible, test } from './browser.ts'
import {
  bringHatToCheckout,
  bringToCheckout,
  cards,
  continueToPayment,
  withFault,
  fillCard,
  fillCustomer,
  fillDelivery,
  newEmail,
  pay,
  payButton,
  readLedger,
  readOrderNumber,
} from './shopper.ts'

for (const path of ['/checkout', '/direct-checkout'])
  test(`an empty cart leads from ${path} back to the products, with a message`, async ({ page }) => {
    await page.goto(path)
    await expect(page).toHaveURL(/\/products$/)
    await expect(page.getByText('Cart is Empty', { exact: true })).toBeVisible()
    await expect(page.getByText('Please add items to your cart before checking out.', { exact: true })).toBeVisible()
  })

test('a field is checked when the shopper leaves it; pressing Continue marks all that is missing and focuses the first', async ({
  page,
}) => {
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
  await expect(page.getByLabel('I agree to the terms and conditions')).toHaveAccessibleDescription(
    'Please agree to the terms and conditions to continue.',
  )
  await expect(email).toHaveValue('fan@example.com')
})

test('the payment does not start before the shopper agrees to the terms', async ({ page }) => {
  await bringHatToCheckout(page)
  await fillCustomer(page, newEmail())
  const terms = page.getByLabel('I agree to the terms and conditions')
  await terms.uncheck()
  await page.getByRole('button', { name: 'Continue to Payment' }).click()
  await expect(page.getByText('Terms Agreement Required', { exact: true })).toBeVisible()
  await expect(terms).toBeFocused()
  await expect(terms).toHaveAccessibleDescription('Please agree to the terms and conditions to continue.')
})

test('the checkout is short and leads nowhere else; the apartment waits behind a link', async ({ page }) => {
  await bringToCheckout(page, '/checkout')
  for (const [width, height, limit] of [
    [390, 844, 1150],
    [1440, 900, 900],
  ] as const) {
    await page.setViewportSize({ width, height })
    const button = await page.getByRole('button', { name: 'Continue to Payment' }).boundingBox()
    expect((button?.y ?? 0) + (button?.height ?? 0), `at ${width} px`).toBeLessThanOrEqual(limit)
    if (width === 390) expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(1500)
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByText('Secure checkout')).toBeVisible()
  await expect(page.locator('header, main, footer').getByRole('link')).toHaveCount(6)
  await expect(page.getByRole('navigation')).toHaveCount(0)
  const tops = await Promise.all(
    ['City', 'State', 'ZIP code'].map(async (label) => (await page.getByLabel(label).boundingBox())?.y),
  )
  expect(new Set(tops).size).toBe(1)

  const apartment = page.getByRole('textbox', { name: /^Apartment/ })
  await expect(apartment).toHaveCount(0)
  await page.getByRole('button', { name: '+ Add apartment' }).click()
  await expect(apartment).toBeFocused()

  await page.getByLabel('Email').fill('fan@gmial.com')
  await page.getByLabel('Full name').fill('Ada Lovelace')
  await page.getByRole('button', { name: 'fan@gmail.com' }).click()
  await expect(page.getByLabel('Email')).toHaveValue('fan@gmail.com')
  await expectAccessible(page)

  await fillCustomer(page, newEmail())
  await continueToPayment(page)
  await expect(page.getByRole('list', { name: 'We accept' }).getByRole('img')).toHaveCount(4)
  // The ways to pay are one box in the page's theme, as the order's.
  const lookOf = (name: string) =>
    page.getByRole(name === 'Card' ? 'radio' : 'region', { name, exact: true }).evaluate((element) => {
      const { backgroundColor, borderColor, borderTopLeftRadius } = getComputedStyle(
        element.closest('.sbx-item') ?? element,
      )
      return { backgroundColor, borderColor, borderTopLeftRadius }
    })
  await page.setViewportSize({ width: 820, height: 1180 })
  expect(await lookOf('Card')).toEqual(await lookOf('Order summary'))
  const boxOf = (name: string) =>
    page.getByRole('button', { name }).evaluate((button) => {
      const { top, height } = button.getBoundingClientRect()
      return { top, height, radius: getComputedStyle(button).borderRadius }
    })
  await expect(page.getByRole('button', { name: 'Sandbox Pay' })).toBeVisible()
  expect(await boxOf('Pay with PayPal')).toEqual(await boxOf('Sandbox Pay'))
})

test('shipping and tax appear automatically when the address is complete', async ({ page }) => {
  await bringHatToCheckout(page)
  const order = page.getByRole('complementary', { name: 'Your order' })
  await expect(order).toContainText('Estimated total')
  await fillCustomer(page, newEmail())
  await expect(order).toContainText('Free Worldwide Shipping')
  await expect(order).toContainText('Sales Tax')
  await expect(order).not.toContainText('Estimated total')
})

test('only the email is saved, all details with consent, and nothing after Clear Saved Info', async ({
  page,
  context,
}) => {
  await bringToCheckout(page, '/checkout')
  const email = newEmail()
  await expect(page.getByRole('button', { name: 'Clear Saved Info' })).toHaveCount(0)
  await fillCustomer(page, email)
  const later = await context.newPage()
  await later.goto('/checkout')
  await expect(later.getByLabel('Email')).toHaveValue(email)
  await expect(later.getByLabel('City')).toHaveValue('')

  await page.getByLabel('Save my details on this device').check()
  await later.reload()
  await expect(later.getByLabel('City')).toHaveValue('San Francisco')
  await expect(later.getByLabel('I agree to the terms and conditions')).not.toBeChecked()

  await later.getByRole('button', { name: 'Clear Saved Info' }).click()
  await expect(later.getByLabel('City')).toHaveValue('San Francisco')
  await later.reload()
  await expect(later.getByLabel('Email')).toHaveValue('')
  await later.getByLabel('Full name').fill('Ada')
  await later.getByRole('button', { name: 'Clear Form' }).click()
  await expect(later.getByLabel('Full name')).toHaveValue('')
  await expect(later.getByLabel('Email')).toBeFocused()
})

test('Back and Forward move between payment and form, and the card stays filled in', async ({ page }) => {
  await bringToCheckout(page, '/checkout')
  await fillCustomer(page, newEmail())
  await continueToPayment(page)
  await fillCard(page, cards.good)
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Checkout', level: 1 })).toBeFocused()
  await expect(page.getByLabel('City')).toHaveValue('San Francisco')
  await page.goForward()
  await expect(page.getByLabel('Card number')).toHaveValue(cards.good)
  await page.getByRole('button', { name: 'Edit customer info' }).click()
  await page.goBack()
  await expect(page).not.toHaveURL(/checkout/)
})

test('a reload loses nothing, returns to its step, and leaves no address in browser storage (S71)', async ({
  page,
}) => {
  await bringToCheckout(page, '/checkout')
  await fillCustomer(page, newEmail())
  await page.getByLabel('Apartment').fill('Door 7')
  await page.reload()
  await expect(page.getByLabel('Apartment')).toHaveValue('Door 7')
  await expect(page.getByLabel('I agree to the terms and conditions')).toBeChecked()
  await continueToPayment(page)
  const total = await payButton(page).innerText()
  await page.reload()
  await expect(payButton(page)).toHaveText(total)
  await expect(page.getByText(/Door 7/)).toBeVisible()

  const keptBy = () => page.evaluate(() => JSON.stringify([localStorage, sessionStorage, history.state as unknown]))
  expect(await keptBy()).not.toContain('Ingot')
  await pay(page, cards.good)
  await readOrderNumber(page)
  expect(await keptBy()).not.toMatch(/Ingot|@example/)
  await page.goBack()
  await expect(page).toHaveURL(/\/products$/)
})

test('a country found late, on a slow connection, leads nobody back from the payment', async ({ page }) => {
  const arrive = Promise.withResolvers<void>()
  await page.route('**/ship-country-*.js', async (route) => {
    await arrive.promise
    await route.continue()
  })
  await bringHatToCheckout(page)
  await fillCustomer(page, newEmail())
  await continueToPayment(page)
  const arrived = page.waitForResponse('**/ship-country-*.js')
  arrive.resolve()
  await (await arrived).finished()
  // The page has had time to act on it.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 200))))
  await expect(page.getByRole('heading', { name: 'Payment', exact: true })).toBeVisible()
})

test('a link to a later step opens the first one', async ({ page }) => {
  await bringToCheckout(page, '/checkout?step=payment')
  await expect(page.getByLabel('Email')).toBeVisible()
  await expect(page).toHaveURL(/\/checkout$/)
})

test('an age-restricted product requires an age confirmation', async ({ page }) => {
  await bringToCheckout(page, '/checkout', '/product/rudy-can-cooler-happy-hour')
  await fillCustomer(page, newEmail())
  const age = page.getByLabel('I am 18 or older')
  await expect(age).toBeVisible()
  await page.getByRole('button', { name: 'Continue to Payment' }).click()
  await expect(age).toBeFocused()
  await expect(age).toHaveAccessibleDescription('Please confirm your age to continue.')
  await expectAccessible(page)
  await age.check()
  await continueToPayment(page)
})

test('a separate billing address is requested and checked', async ({ page }) => {
  await bringHatToCheckout(page)
  await fillCustomer(page, newEmail())
  await page.getByLabel('Copy from shipping address').uncheck()
  const billing = page.getByRole('group', { name: 'Billing address' })
  await expect(billing.getByLabel('City')).toHaveAttribute('autocomplete', 'billing address-level2')
  await page.getByRole('button', { name: 'Continue to Payment' }).click()
  await expect(billing.getByLabel('Address', { exact: true })).toBeFocused()
  await expectAccessible(page)
})

test.describe('a total that has changed', () => {
  test.use({ expected: [/Failed to load resource.*409/] })

  /** Adds a hat in the same session without this page noticing: another browser window would notify it. */
  const addAnotherHat = async ({ request }: BrowserContext) => {
    const [line] = (await (await request.get('/api/cart')).json()) as { id: number }[]
    const changed = await request.put(`/api/cart/${line?.id}`, { data: { quantity: 2 } })
    expect(changed.status()).toBe(200)
  }

  test('is updated in step 1, and a second press continues', async ({ page, context }) => {
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

  test('is charged only after the shopper has seen it in step 2', async ({ page, context }) => {
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

    // A hasty double click pays once.
    await payButton(page).dblclick()
    await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible({ timeout: 20_000 })
    const payment = new URL(page.url()).searchParams.get('payment_intent')
    const paid = (await readLedger(page)).payments.filter(({ id }) => id === payment)
    expect(paid.map(({ amount_cents }) => formatUsd(cents(amount_cents)))).toEqual([total])
  })
})

test.describe('when a service does not answer', () => {
  test.use({ expected: [/Failed to load resource|blocked by CORS policy/] })

  test('the preview shows an error, and Calculate Tax uses the default rates', async ({ page }) => {
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

  test('a failed payment setup shows an error and can be retried', async ({ page }) => {
    await bringHatToCheckout(page)
    // A key without permission to calculate tax: nothing may be sold untaxed.
    const match = { method: 'POST', path: '/v1/tax/calculations' }
    const refused = { status: 401, body: { error: { type: 'invalid_request_error', message: 'no' } } }
    await withFault(page, { provider: 'stripe', match, when: 'before', do: refused }, async () => {
      await fillCustomer(page, newEmail())
      await page.getByRole('button', { name: 'Continue to Payment' }).click()
      const alert = page.getByRole('main').getByRole('alert')
      await expect(alert).toContainText('Payment Setup Failed')
      await expect(alert).toContainText('Please try again or contact support.')
    })
    await continueToPayment(page)
  })

  test('a request that does not reach the shop shows an error, and nothing typed is lost', async ({ page }) => {
    await bringToCheckout(page, '/checkout')
    await fillCustomer(page, newEmail())
    await page.route('**/api/create-payment-intent', (route) => route.abort())
    await page.getByRole('button', { name: 'Continue to Payment' }).click()
    const alert = page.getByRole('main').getByRole('alert')
    await expect(alert).toContainText('Failed to process your request. Please try again.')
    await page.unroute('**/api/create-payment-intent')
    await continueToPayment(page)
  })

  test('a payment script that does not load shows an error and a way to continue', async ({ page }) => {
    await bringHatToCheckout(page)
    await fillCustomer(page, newEmail())
    await page.route('**/stripe.js', (route) => route.abort())
    await page.getByRole('button', { name: 'Continue to Payment' }).click()
    await expect(page.getByText('Stripe Configuration Error')).toBeVisible()
    await expectAccessible(page)
    await page.unroute('**/stripe.js')
    await page.getByRole('button', { name: 'Refresh the page' }).click()
    await expect(page.getByLabel('Card number')).toBeVisible()
  })

  test('a payment form that does not load shows an error and a way to continue', async ({ page }) => {
    await bringToCheckout(page, '/checkout')
    await fillCustomer(page, newEmail())
    const fault = {
      match: { method: 'GET', path: '/v1/payment_intents/*' },
      when: 'before',
      do: { status: 503 },
    } as const
    await withFault(page, { provider: 'stripe', ...fault }, async () => {
      await page.getByRole('button', { name: 'Continue to Payment' }).click()
      await expect(page.getByRole('main').getByRole('alert')).toContainText('Payment Form Error')
    })
    const alert = page.getByRole('main').getByRole('alert')
    await expect(alert).toContainText('Unable to load payment form. Please refresh the page.')
    await expectAccessible(page)
    await alert.getByRole('button', { name: 'Refresh the page' }).click()
    await expect(page.getByLabel('Card number')).toBeVisible()
  })

  test('paying before the form has loaded shows that it is not ready', async ({ page }) => {
    await bringToCheckout(page, '/checkout')
    await fillCustomer(page, newEmail())
    let goOn = () => {}
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    await page.route('**/stripe.js', async (route) => {
      await held
      await route.continue()
    })
    await page.getByRole('button', { name: 'Continue to Payment' }).click()
    await payButton(page).click()
    const alert = page.getByRole('main').getByRole('alert')
    await expect(alert).toContainText('Payment system is not ready. Please refresh and try again.')
    goOn()
    await pay(page, cards.good)
    await readOrderNumber(page)
  })

  test('when the bank cannot be reached, no charge is ruled out, and a second press pays only once', async ({
    page,
  }) => {
    await bringToCheckout(page, '/checkout')
    await fillCustomer(page, newEmail())
    await continueToPayment(page)
    const alert = page.getByRole('main').getByRole('alert')
    const confirm = { method: 'POST', path: '/v1/payment_intents/*/confirm' }
    await withFault(page, { provider: 'stripe', match: confirm, when: 'after', do: 'truncate', times: 1 }, async () => {
      await pay(page, cards.good)
      await expect(alert).toContainText('you are never charged twice')
    })
    await expect(alert).toContainText('Payment Failed')
    await payButton(page).click()
    await readOrderNumber(page)
    const payment = new URL(page.url()).searchParams.get('payment_intent')
    expect((await readLedger(page)).payments.filter(({ id }) => id === payment)).toHaveLength(1)
    const main = page.getByRole('main')
    for (const words of ['Order ID', `Payment ID${payment}`]) await expect(main).toContainText(words)

    // The card's own success page finds the same payment.
    let letCome = () => {}
    const held = new Promise<void>((tell) => {
      letCome = tell
    })
    await page.route('**/api/process-completed-payment', async (route) => {
      await held
      await route.continue()
    })
    // A response may lack the collection: the featured one is used.
    await page.route('**/api/payment-success/*', (route) => route.fulfill({ json: { success: true } }))
    await page.goto(`/success?session_id=${payment}`)
    await expect(page.getByRole('heading', { name: 'Verifying your payment...' })).toBeVisible()
    letCome()
    await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'What happens next?' })).toBeVisible()
    for (const title of ['Order confirmation email', 'Production', 'Shipping with tracking'])
      await expect(main.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title }) })).toHaveCount(
        1,
      )
    await expect(main).toContainText('typically takes 3-7 business days')
    await expect(main.getByRole('link', { name: 'Continue Shopping' })).toHaveAttribute('href', '/products')
    await expect(main.getByRole('link', { name: /^Watch/ })).toHaveCount(1)
  })

  test('an address that the tax provider refuses shows an error at its field, and no payment starts', async ({
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

/** @returns the payment intent */
async function comeToPayment(page: Page): Promise<string> {
  await bringToCheckout(page, '/checkout')
  await fillCustomer(page, newEmail())
  const started = page.waitForResponse('**/api/create-payment-intent')
  await continueToPayment(page)
  return ((await (await started).json()) as { payment_intent: string }).payment_intent
}

/** Makes the provider's script return a given confirmation, which nothing in the sandbox can trigger. */
async function confirmAs(page: Page, answer: string): Promise<void> {
  await page.route('**/stripe.js', async (route) => {
    const script = await (await route.fetch()).text()
    await route.fulfill({
      contentType: 'text/javascript',
      body: script.replace('async confirmPayment(wanted) {', `async confirmPayment(wanted) { ${answer};`),
    })
  })
  await bringToCheckout(page, '/checkout')
  await fillCustomer(page, newEmail())
  await continueToPayment(page)
  await pay(page, cards.good)
}

test('a failed confirmation shows an error that does not rule out a charge', async ({ page }) => {
  await confirmAs(page, "throw new Error('broken')")
  const alert = page.getByRole('main').getByRole('alert')
  await expect(alert).toContainText('Payment Error')
  await expect(alert).toContainText('An unexpected error occurred. Please try again.')
  await expect(alert).not.toContainText('Nothing was charged')
})

test('a bank that requires authentication is reported, and the button stays', async ({ page }) => {
  await confirmAs(page, "return { paymentIntent: { id: 'pi_1', status: 'requires_action' } }")
  const alert = page.getByRole('main').getByRole('alert')
  await expect(alert).toContainText('Additional Authentication Required')
  await expect(alert).toContainText('Please complete the additional authentication step.')
  await expect(payButton(page)).toBeEnabled()
})

test('a payment that the bank is still processing leaves no pay button, and its page keeps checking', async ({
  page,
}) => {
  const payment_intent = await comeToPayment(page)
  const slow = { provider: 'stripe', change: 'processing', payment_intent }
  expect((await page.request.post(`${SANDBOX}/control/world`, { data: slow })).ok()).toBe(true)
  await pay(page, cards.good)
  const told = page.getByRole('main').getByRole('status').filter({ hasText: 'Payment Processing' })
  await expect(told).toContainText('You do not need to pay again')
  await expect(payButton(page)).toHaveCount(0)
  await expectAccessible(page)

  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/payment-success/')) asked.push(request.url())
  })
  await page.clock.install()
  await page.goto(`/payment-success?payment_intent=${payment_intent}`)
  await expect(page.getByRole('heading', { name: 'Processing your payment...' })).toBeVisible()
  const title = page.getByRole('heading', { name: 'Your payment is being processed' })
  await expect(async () => {
    await page.clock.fastForward('00:02')
    await expect(title).toBeVisible({ timeout: 100 })
  }).toPass()
  expect(asked).toHaveLength(15)
  await expect(page.getByText('You do not need to pay again')).toBeVisible()
  await expectAccessible(page)
})

test('a payment that nobody made cannot be verified (S24)', async ({ page }) => {
  const payment_intent = await comeToPayment(page)
  await page.goto(`/payment-success?payment_intent=${payment_intent}`)
  await expect(page.getByRole('heading', { name: 'Payment Verification Failed' })).toBeVisible()
  await expect(page.getByText(/couldn't verify your payment/)).toBeVisible()
})

test.describe('an error outside of the page’s own code', () => {
  test.use({ expected: [/lost promise|of the provider/] })

  test('is shown while a payment is open: a provider’s script or frame, or an unhandled rejection', async ({
    page,
  }) => {
    await bringToCheckout(page, '/checkout')
    await fillCustomer(page, newEmail())
    const reject = () => page.evaluate(() => void Promise.reject(new Error('a lost promise')))
    await reject()
    await expect(page.getByText('Payment System Error')).toHaveCount(0)
    await continueToPayment(page)

    const { stripe } = (await (await page.request.get('/api/config')).json()) as { stripe: { scriptUrl: string } }
    const src = new URL('/broken.js', stripe.scriptUrl).href
    await page.route(src, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: "throw new Error('a script of the provider broke')" }),
    )
    await page.evaluate(
      (from) => document.head.append(Object.assign(document.createElement('script'), { src: from })),
      src,
    )
    const alert = page.getByRole('main').getByRole('alert')
    await expect(alert).toContainText('Payment System Error')
    await expect(alert).toContainText('Please refresh the page and try again.')
    await expect(alert).not.toContainText('An unexpected error occurred.')

    await reject()
    await expect(alert).toContainText('An unexpected error occurred. Please refresh the page and try again.')
    await page.evaluate(() => {
      const frame = document.body.appendChild(document.createElement('iframe'))
      frame.dispatchEvent(new Event('error'))
      frame.remove()
    })
    await expect(alert).not.toContainText('An unexpected error occurred.')
    await pay(page, cards.good)
    await readOrderNumber(page)
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
  test('without a known payment cannot be verified', async ({ page }) => {
    for (const address of addresses) {
      await page.goto(address)
      await expect(page.getByRole('heading', { name: 'Payment Verification Failed' })).toBeVisible()
      await expect(
        page.getByText("We couldn't verify your payment. Please contact support if you believe this is an error."),
      ).toBeVisible()
      await expect(page.getByRole('link', { name: 'Contact Support' })).toBeVisible()
    }
    await expectAccessible(page)
  })
})

test.describe('a payment method with a redirect to the bank', () => {
  const complete = (page: Page) => page.getByRole('button', { name: /^(Pay|Complete Payment -) \$/ })
  const orders = async (page: Page) => (await readLedger(page)).payments.filter(({ status }) => status === 'succeeded')

  /** To the bank's page, where the shopper decides. */
  async function goToBank(page: Page): Promise<void> {
    await page.getByRole('radio', { name: 'Amazon Pay' }).check()
    await expect(page.getByLabel('Card number')).toBeHidden()
    await complete(page).click()
    await expect(page.getByRole('heading', { name: 'Amazon Pay test page' })).toBeVisible()
  }

  for (const path of ['/checkout', '/checkout-with-stripe-address'])
    test(`a shopper who does not pay there returns to an unchanged checkout and can pay: ${path}`, async ({ page }) => {
      await bringToCheckout(page, path)
      const isMain = path === '/checkout'
      await (isMain ? fillCustomer : fillDelivery)(page, newEmail())
      await page.getByLabel('Apartment').fill('Door 7')
      if (isMain) await continueToPayment(page)
      else {
        await page.getByRole('button', { name: 'Continue to Review' }).click()
        await page.getByRole('button', { name: /^Pay with Card - \$/ }).click()
      }
      const paidBefore = (await orders(page)).length
      await goToBank(page)
      await page.getByRole('button', { name: 'Fail Test Payment' }).click()

      await expect(page.getByRole('heading', { name: 'Not paid' })).toBeVisible({ timeout: 20_000 })
      await expect(page.getByText('Nothing was charged.')).toBeVisible()
      expect(new URL(page.url()).searchParams.get('redirect_status')).toBe('failed')
      await expectAccessible(page)
      // The provider's status counts, whatever the address says.
      const forged = page.url().replace('redirect_status=failed', 'redirect_status=succeeded')
      await page.goto(forged)
      await expect(page.getByRole('heading', { name: 'Not paid' })).toBeVisible({ timeout: 20_000 })
      await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toHaveCount(0)

      await page.getByRole('link', { name: 'Back to checkout' }).click()
      await expect(page).toHaveURL(new RegExp(`${path}\\?step=payment$`))
      await expect(page.getByLabel('Card number')).toBeVisible({ timeout: 20_000 })
      // The alternate checkout shows no address beside its payment; without one it would not have got this far.
      if (isMain) await expect(page.getByText(/Door 7/)).toBeVisible()
      expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Ingot')
      expect(await orders(page)).toHaveLength(paidBefore)

      await goToBank(page)
      await page.getByRole('button', { name: 'Authorize Test Payment' }).click()
      await readOrderNumber(page)
      expect(await orders(page)).toHaveLength(paidBefore + 1)
      expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toMatch(/Ingot|@example/)
    })
})
