import { cents, formatUsd } from '#shared/money.ts'
import { SANDBOX } from './addresses.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './browser.ts'
import {
  bringToCheckout,
  cards,
  continueToPayment,
  withFault,
  fillCustomer,
  mailTo,
  newEmail,
  pay,
  payButton,
  payByWallet,
  readLedger,
  readOrderNumber,
} from './shopper.ts'
import type { Page } from '@playwright/test'

async function comeToPayment(page: Page, email = newEmail()): Promise<void> {
  await bringToCheckout(page, '/checkout')
  await fillCustomer(page, email)
  await continueToPayment(page)
  await expect(page.getByRole('button', { name: 'Pay with PayPal' })).toBeVisible()
}

const control = (page: Page, path: string, data: object) => page.request.post(`${SANDBOX}/control/${path}`, { data })

/** PayPal's own events arrive after everything else. */
async function withWebhooksHeld(page: Page, act: () => Promise<void>): Promise<void> {
  await control(page, 'webhooks', { provider: 'paypal', hold: true })
  try {
    await act()
  } finally {
    await control(page, 'webhooks', { provider: 'paypal', release: true })
  }
}

const alertIn = (page: Page) => page.getByRole('main').getByRole('alert')

/** The payments in PayPal's own records. */
const takenBy = async (page: Page, walletOrder: string | null) =>
  (await readLedger(page)).payments.filter(({ id, status }) => id === walletOrder && status === 'COMPLETED')

test('a hat is bought with PayPal: order, email and Printful agree to the cent', async ({ page, context }) => {
  const email = newEmail()
  await comeToPayment(page, email)
  const total = (await payButton(page).innerText()).replace('Pay ', '')
  await payByWallet(page, 'Pay now')
  await expect(page.getByRole('main').getByText('Payment received')).toBeVisible()

  const orderNumber = await readOrderNumber(page)
  const address = new URL(page.url())
  expect(address.pathname).toBe('/payment-success')
  expect(address.searchParams.get('paymentMethod')).toBe('paypal')
  expect(address.searchParams.get('orderNumber')).toBe(orderNumber.slice(2))
  const walletOrder = address.searchParams.get('paypal_order_id')
  expect(await page.evaluate(() => Object.keys(localStorage))).not.toContain('backup-cart')
  expect(await (await context.request.get('/api/cart')).json()).toEqual([])

  const mail = await mailTo(page, email)
  expect(mail.subject).toContain(orderNumber)
  expect(mail.text).toContain(total)
  await expect
    .poll(async () => (await readLedger(page)).partner_orders.map(({ external_id }) => external_id), {
      timeout: 20_000,
    })
    .toContain(orderNumber.slice(2))
  const taken = await takenBy(page, walletOrder)
  expect(taken.map(({ amount_cents }) => formatUsd(cents(amount_cents)))).toEqual([total])
})

test('an item added while PayPal is open stays in the cart after the purchase', async ({ page, context }) => {
  await comeToPayment(page)
  await page.getByRole('button', { name: 'Pay with PayPal' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sandbox wallet' })
  await expect(dialog).toContainText('USD')
  const lines = async () =>
    (await (await context.request.get('/api/cart')).json()) as { id: number; quantity: number }[]
  const [hat] = await lines()
  await context.request.put(`/api/cart/${hat?.id}`, { data: { quantity: 3 } })
  await dialog.getByRole('button', { name: 'Pay now' }).click()
  await readOrderNumber(page)
  expect((await lines()).map(({ quantity }) => quantity)).toEqual([2])
})

test('a shopper who closes PayPal is not charged and can still pay', async ({ page }) => {
  await comeToPayment(page)
  await payByWallet(page, 'Cancel')
  const told = page.getByRole('main').getByRole('status').filter({ hasText: 'You canceled' })
  await expect(told).toContainText('Nothing was charged')
  await expectAccessible(page)
  await payByWallet(page, 'Pay now')
  await readOrderNumber(page)
})

test('a payment under review is shown as on hold, also on its own page', async ({ page }) => {
  await comeToPayment(page)
  await payByWallet(page, 'Approve, then hold')
  const main = page.getByRole('main')
  await expect(main).toContainText(
    'Payment is on hold pending PayPal review. Your order will be processed once payment is cleared.',
  )
  await expect(page.getByRole('button', { name: 'Pay with PayPal' })).toHaveCount(0)
  await expect(payButton(page)).toHaveCount(0)
  await expect(page.getByRole('list', { name: 'Checkout steps' })).not.toContainText('Payment, done')
  await expectAccessible(page)
  await main.getByRole('link', { name: 'Check its status' }).click()
  await expect(page.getByRole('heading', { name: 'Your payment is on hold' })).toBeVisible()
})

test.describe('when the payment fails', () => {
  test.use({ expected: [/Failed to load resource/] })

  test('a declined payment shows the reason, and the shopper can choose again', async ({ page }) => {
    await comeToPayment(page)
    await payByWallet(page, 'Approve, then decline')
    await expect(alertIn(page)).toContainText('Payment processing failed: ')
    await expect(alertIn(page)).toContainText('Nothing was charged')
    await expectAccessible(page)
    await payByWallet(page, 'Pay now')
    await readOrderNumber(page)
    const walletOrder = new URL(page.url()).searchParams.get('paypal_order_id')
    expect(await takenBy(page, walletOrder)).toHaveLength(1)
  })

  test('when PayPal fails, a card can pay the same checkout', async ({ page }) => {
    await comeToPayment(page)
    await payByWallet(page, 'Fail')
    await expect(alertIn(page)).toContainText('Payment processing failed: The wallet failed, as it was asked to.')
    await expect(page.getByRole('button', { name: 'Pay with PayPal' })).toBeEnabled()
    const total = await pay(page, cards.good)
    await readOrderNumber(page)
    const payment = new URL(page.url()).searchParams.get('payment_intent')
    const paid = (await readLedger(page)).payments.find(({ id }) => id === payment)
    expect(formatUsd(cents(paid?.amount_cents ?? 0))).toBe(total)
  })

  test('an address that PayPal refuses shows an error and a way to correct it', async ({ page }) => {
    await comeToPayment(page)
    const refused = {
      name: 'UNPROCESSABLE_ENTITY',
      message: 'The requested action could not be performed, semantically incorrect, or failed business validation.',
      details: [{ issue: 'SHIPPING_ADDRESS_INVALID', description: 'Provided shipping address is invalid.' }],
      debug_id: 'f2a1',
    }
    await withFault(
      page,
      {
        provider: 'paypal',
        match: { method: 'POST', path: '/v2/checkout/orders' },
        when: 'before',
        do: { status: 422, body: refused },
      },
      async () => {
        await page.getByRole('button', { name: 'Pay with PayPal' }).click()
        await expect(alertIn(page)).toContainText('Address validation error: Provided shipping address is invalid.')
      },
    )
    await expect(alertIn(page)).toContainText('Please verify your shipping address and try again.')
    await expectAccessible(page)
    await alertIn(page).getByRole('button', { name: 'Edit your address' }).click()
    await expect(page.getByLabel('City')).toHaveValue('San Francisco')
    await continueToPayment(page)
    await payByWallet(page, 'Pay now')
    await readOrderNumber(page)
  })

  test('an approval unknown to PayPal shows an error, and the shopper can choose again', async ({ page }) => {
    await comeToPayment(page)
    const body = {
      name: 'UNPROCESSABLE_ENTITY',
      message: 'The requested action could not be performed, semantically incorrect, or failed business validation.',
      details: [{ issue: 'ORDER_NOT_APPROVED', description: 'Payer has not yet approved the Order for payment.' }],
      debug_id: 'f2a2',
    }
    const match = { method: 'POST', path: '/v2/checkout/orders/*/capture' }
    const fault = { provider: 'paypal', match, when: 'before', do: { status: 422, body } } as const
    await withFault(page, fault, async () => {
      await payByWallet(page, 'Pay now')
      await expect(alertIn(page)).toContainText(
        'Payment processing failed: This payment has not been approved at PayPal yet. Nothing was charged.',
      )
    })
    await page.getByRole('button', { name: 'Pay with PayPal' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sandbox wallet' })
    const paid = page.getByRole('heading', { name: 'Payment Successful!' })
    // The first approval is still valid at PayPal: the sweep may process it before the second one.
    await expect(dialog.filter({ hasText: 'USD' }).or(paid)).toBeVisible({ timeout: 20_000 })
    if (await dialog.isVisible()) await dialog.getByRole('button', { name: 'Pay now', exact: true }).click()
    await readOrderNumber(page)
  })

  test('after a reload while PayPal is open, the checkout can still be paid', async ({ page }) => {
    await comeToPayment(page)
    await page.getByRole('button', { name: 'Pay with PayPal' }).click()
    await expect(page.getByRole('dialog', { name: 'Sandbox wallet' })).toContainText('USD')
    await page.reload()
    await expect(page.getByRole('button', { name: 'Pay with PayPal' })).toBeVisible()
    await payByWallet(page, 'Pay now')
    await readOrderNumber(page)
  })

  test('a capture that times out is polled until PayPal answers', async ({ page }) => {
    test.slow()
    await comeToPayment(page)
    const match = { method: 'POST', path: '/v2/checkout/orders/*/capture' }
    await withFault(page, { provider: 'paypal', match, when: 'before', do: 'hang', times: 1 }, async () => {
      const processing = page.waitForResponse('**/api/process-paypal-order')
      await payByWallet(page, 'Pay now')
      await expect(page.getByRole('main')).toContainText('Processing your payment...')
      await processing
      await expect(page.getByRole('main')).not.toContainText('Payment Failed')
    })
    // The shop gives the lost capture up after 20 s, and only then asks again.
    await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible({ timeout: 60_000 })
    await readOrderNumber(page)
    const walletOrder = new URL(page.url()).searchParams.get('paypal_order_id')
    expect(await takenBy(page, walletOrder)).toHaveLength(1)
  })

  test('a completed payment is never shown as failed, even if the last call fails', async ({ page }) => {
    await comeToPayment(page)
    await page.route('**/api/process-paypal-order', (route) => route.abort())
    await payByWallet(page, 'Pay now')
    await expect(page.getByRole('main').getByText('Payment received')).toBeVisible()
    await page.unroute('**/api/process-paypal-order')
    await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible({ timeout: 20_000 })
    expect(new URL(page.url()).searchParams.get('paypal_order_id')).not.toBeNull()
  })

  test('after a lost capture response no charge is ruled out, and the next attempt finds the payment', async ({
    page,
  }) => {
    await comeToPayment(page)
    await page.route('**/paypal/order/*/capture', (route) => route.abort(), { times: 1 })
    // If PayPal's event arrived, the shop would take the money by itself, and the second PayPal window would close.
    await withWebhooksHeld(page, async () => {
      await payByWallet(page, 'Pay now')
      await expect(alertIn(page)).toContainText('Payment processing failed: The shop could not be reached.')
      await expect(alertIn(page)).toContainText('you are never charged twice')
      await payByWallet(page, 'Pay now')
      await readOrderNumber(page)
    })
    const walletOrder = new URL(page.url()).searchParams.get('paypal_order_id')
    expect(await takenBy(page, walletOrder)).toHaveLength(1)
  })

  test('when PayPal cannot be set up, the specification’s message is shown and cards work', async ({ page }) => {
    await bringToCheckout(page, '/checkout')
    await fillCustomer(page, newEmail())
    await withFault(
      page,
      {
        provider: 'paypal',
        match: { method: 'POST', path: '/v1/oauth2/token', body: 'client_token' },
        when: 'before',
        do: { status: 503 },
      },
      async () => {
        await continueToPayment(page)
        await expect(
          page.getByText('PayPal temporarily unavailable. Please use credit/debit card option above', { exact: true }),
        ).toBeVisible()
      },
    )
    await expectAccessible(page)
    await pay(page, cards.good)
    await readOrderNumber(page)
  })

  test('during a card outage PayPal works, and card payment can be retried', async ({ page }) => {
    await bringToCheckout(page, '/checkout')
    await fillCustomer(page, newEmail())
    await expect(page.getByRole('complementary', { name: 'Your order' })).not.toContainText('Estimated total')
    const words = 'Card payment is not available right now. Please use PayPal above.'
    await withFault(
      page,
      {
        provider: 'stripe',
        match: { method: 'POST', path: '/v1/payment_intents' },
        when: 'before',
        do: { status: 503 },
      },
      async () => {
        await page.getByRole('button', { name: 'Continue to Payment' }).click()
        await expect(page.getByText(words, { exact: true })).toBeVisible({ timeout: 20_000 })
        await expectAccessible(page)
      },
    )
    await page.getByRole('button', { name: 'Try card payment again' }).click()
    await expect(page.getByLabel('Card number')).toBeVisible()
    await payByWallet(page, 'Pay now')
    await readOrderNumber(page)
  })

  test('a changed total is shown before PayPal is charged', async ({ page, context }) => {
    await comeToPayment(page)
    const before = await payButton(page).innerText()
    const [hat] = (await (await context.request.get('/api/cart')).json()) as { id: number }[]
    await context.request.put(`/api/cart/${hat?.id}`, { data: { quantity: 2 } })
    await page.getByRole('button', { name: 'Pay with PayPal' }).click()
    await expect(alertIn(page)).toContainText('Prices have changed since you last saw them.')
    await expect(page.getByRole('dialog', { name: 'Sandbox wallet' })).toHaveCount(0)
    const total = (await payButton(page).innerText()).replace('Pay ', '')
    expect(total).not.toBe(before.replace('Pay ', ''))
    await payByWallet(page, 'Pay now')
    await readOrderNumber(page)
    const walletOrder = new URL(page.url()).searchParams.get('paypal_order_id')
    const taken = await takenBy(page, walletOrder)
    expect(taken.map(({ amount_cents }) => formatUsd(cents(amount_cents)))).toEqual([total])
  })

  test('a checkout paid in another tab is not paid again', async ({ page, context }) => {
    await comeToPayment(page)
    const other = await context.newPage()
    await other.goto('/checkout')
    // Once the first tab's address is shown, the page has started and accepts input.
    await expect(other.getByLabel('Email')).toHaveValue(/@/)
    await fillCustomer(other, newEmail())
    await page.getByRole('button', { name: 'Pay with PayPal' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sandbox wallet' })
    await expect(dialog).toContainText('USD')
    await continueToPayment(other)
    // The first tab does not hear yet that its cart is empty, and would leave the checkout.
    await page.route('**/api/cart', () => {})
    await pay(other, cards.good)
    const orderNumber = await readOrderNumber(other)
    await dialog.getByRole('button', { name: 'Pay now' }).click()
    // Not an error: the order page opens.
    expect(await readOrderNumber(page)).toBe(orderNumber)
  })

  test('a checkout whose card payment went through behind a lost response is not paid again', async ({ page }) => {
    await comeToPayment(page)
    const confirm = { method: 'POST', path: '/v1/payment_intents/*/confirm' }
    const fault = { provider: 'stripe', match: confirm, when: 'after', do: 'truncate', times: 1 } as const
    await withFault(page, fault, async () => {
      await pay(page, cards.good)
      await expect(alertIn(page)).toContainText('you are never charged twice')
    })
    await expect.poll(async () => (await (await page.request.get('/api/cart')).json()) as unknown).toEqual([])
    await page.getByRole('button', { name: 'Pay with PayPal' }).click()
    await readOrderNumber(page)
    expect(new URL(page.url()).searchParams.get('payment_intent')).not.toBeNull()
  })

  test('a PayPal review behind a lost response opens its status page, not an error', async ({ page }) => {
    await comeToPayment(page)
    const ordered = page.waitForResponse('**/paypal/order')
    await payByWallet(page, 'Cancel')
    const { id } = (await (await ordered).json()) as { id: string }
    // The same checkout in another window, whose approval PayPal reviews; the response to its capture is lost.
    await withWebhooksHeld(page, async () => {
      await control(page, 'world', { provider: 'paypal', change: 'approve', order: id, as: 'hold' })
      const match = { method: 'POST', path: '/v2/checkout/orders/*/capture' }
      await withFault(page, { provider: 'paypal', match, when: 'after', do: 'truncate', times: 1 }, async () => {
        const captured = await page.request.post(`/paypal/order/${id}/capture`)
        expect(await captured.json()).toMatchObject({ status: 'PROCESSING' })
      })
      await page.getByRole('button', { name: 'Pay with PayPal' }).click()
      await expect(page.getByRole('heading', { name: 'Your payment is on hold' })).toBeVisible()
      expect(new URL(page.url()).searchParams.get('paypal_order_id')).toBe(id)
    })
  })
})

test('a payment that takes longer than 30 seconds shows a message and still succeeds (F22)', async ({ page }) => {
  await comeToPayment(page)
  await page.clock.install()
  let goOn = () => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  await page.route('**/paypal/order/*/capture', async (route) => {
    await held
    await route.continue()
  })
  await payByWallet(page, 'Pay now')
  await expect(page.getByRole('main')).toContainText('Processing your payment...')
  await page.clock.fastForward('00:29')
  await expect(alertIn(page)).toHaveCount(0)
  await page.clock.fastForward('00:02')
  await expect(alertIn(page)).toContainText(
    'Payment processing is taking longer than expected. Please check your order confirmation email or contact support.',
  )
  await expectAccessible(page)
  goOn()
  await expect(page.getByRole('main').getByText('Payment received')).toBeVisible()
  await page.clock.fastForward('00:02')
  await readOrderNumber(page)
})

test('an impatient shopper opens one PayPal window and pays once', async ({ page }) => {
  await comeToPayment(page)
  const asked: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/paypal/order') asked.push(request.method())
  })
  await page.getByRole('button', { name: 'Pay with PayPal' }).dblclick()
  await expect(page.getByRole('dialog', { name: 'Sandbox wallet' })).toHaveCount(1)
  await page.getByRole('dialog').getByRole('button', { name: 'Pay now' }).dblclick()
  await readOrderNumber(page)
  expect(asked).toEqual(['POST'])
})

test('Apple Pay or Google Pay pays the same payment intent where Stripe offers it', async ({ page }) => {
  await comeToPayment(page)
  const total = (await payButton(page).innerText()).replace('Pay ', '')
  await page.getByRole('button', { name: 'Sandbox Pay' }).click()
  await readOrderNumber(page)
  const payment = new URL(page.url()).searchParams.get('payment_intent')
  const paid = (await readLedger(page)).payments.filter(({ id }) => id === payment)
  expect(paid.map(({ status, amount_cents }) => [status, formatUsd(cents(amount_cents))])).toEqual([
    ['succeeded', total],
  ])
})

for (const width of [360, 1280])
  test(`nothing moves on a screen of ${width} px when the payment methods load one after another`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 })
    await bringToCheckout(page, '/checkout')
    await fillCustomer(page, newEmail())
    // Later than half a second after the press, when a browser no longer blames the shopper for a shift.
    for (const [script, delay] of Object.entries({ 'stripe.js': 900, 'paypal.js': 1600 }))
      await page.route(`**/${script}`, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, delay))
        await route.continue()
      })
    await page.getByRole('button', { name: 'Continue to Payment' }).click()
    await expect(page.getByRole('heading', { name: 'Payment', exact: true })).toBeFocused()
    await page.evaluate(() => {
      Object.assign(window, { shifts: [] })
      new PerformanceObserver((list) => {
        const { shifts } = window as unknown as { shifts: number[] }
        for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value)
      }).observe({ type: 'layout-shift' })
    })
    await expect(page.getByLabel('Card number')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Pay with PayPal' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Sandbox Pay' })).toBeVisible()
    const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)
    expect(shifts.reduce((sum, value) => sum + value, 0)).toBeLessThan(0.01)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  })

test('only the payment step loads the providers’ scripts, each once', async ({ page }) => {
  const scripts: string[] = []
  page.on('request', (request) => {
    if (
      request.resourceType() === 'script' &&
      request.url().startsWith('http://127.0.0.1') &&
      !request.url().includes('/assets/')
    )
      scripts.push(new URL(request.url()).pathname)
  })
  await bringToCheckout(page, '/checkout')
  await fillCustomer(page, newEmail())
  expect(scripts).toEqual([])
  await continueToPayment(page)
  await expect(page.getByRole('button', { name: 'Pay with PayPal' })).toBeVisible()
  expect(scripts.toSorted()).toEqual(['/paypal.js', '/stripe.js'])
  await expect(page.getByText('OR', { exact: true }).filter({ visible: true })).toHaveCount(1)
})
