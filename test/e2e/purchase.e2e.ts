import { cents, formatUsd } from '#shared/money.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, tabTo, test } from './browser.ts'
import {
  bringHatToCheckout,
  cards,
  continueToPayment,
  fillCard,
  fillCustomer,
  HAT,
  mailTo,
  newEmail,
  pay,
  payButton,
  readLedger,
  readOrderNumber,
  SHIRT,
} from './shopper.ts'

test('a hat is bought by card: order, email and Printful agree to the cent', async ({ page }) => {
  const email = newEmail()
  await bringHatToCheckout(page)
  await fillCustomer(page, email)
  await continueToPayment(page)
  // Paying needs no scrolling.
  for (const [width, height] of [
    [390, 844],
    [820, 1180],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.evaluate(() => scrollTo(0, 0))
    await expect(payButton(page)).toBeInViewport({ ratio: 1 })
  }
  const total = await pay(page, cards.good)
  await expect(page.getByRole('status').filter({ hasText: 'Payment received' })).toBeVisible()

  const orderNumber = await readOrderNumber(page)
  const payment = new URL(page.url()).searchParams.get('payment_intent')
  await expect(page.getByText(String(payment))).toBeVisible()
  await expect(page.getByRole('button', { name: 'Cart', exact: true })).toBeVisible()
  expect(await page.evaluate(() => Object.keys(localStorage))).not.toContain('backup-cart')

  // On a phone's first screen: goods, day and total, no code.
  await page.setViewportSize({ width: 390, height: 844 })
  await page.evaluate(() => scrollTo(0, 0))
  const ordered = page.getByRole('list', { name: 'What you ordered' }).getByRole('img')
  const arrives = page.getByText(/^Arrives \w{3} \d/)
  const days = arrives.locator('[aria-hidden]')
  for (const shown of [
    ordered,
    arrives,
    page.getByText(`You paid ${total}`),
    page.getByRole('link', { name: 'See your order' }),
  ])
    await expect(shown).toBeInViewport({ ratio: 1 })
  for (const code of [page.getByText(String(payment)), page.getByText(orderNumber, { exact: true })])
    await expect(code).not.toBeInViewport()
  await expect(page.getByRole('link', { name: 'Add to calendar' })).toHaveAttribute('href', /arrival\.ics/)
  await expect(page.getByRole('heading', { name: 'Set a password to keep this order' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Pairs well with' }).getByRole('listitem')).toHaveCount(4)
  await expectAccessible(page)

  const mail = await mailTo(page, email)
  expect(mail.subject).toContain(orderNumber)
  expect(mail.text).toContain(total)
  expect(mail.text).toContain(`Arrives: ${await days.innerText()}`)

  await expect
    .poll(async () => (await readLedger(page)).partner_orders.map(({ external_id }) => external_id), {
      timeout: 20_000,
    })
    .toContain(orderNumber.slice(2))
  const { payments } = await readLedger(page)
  const paid = payments.find(({ id }) => id === payment)
  expect(paid).toMatchObject({ status: 'succeeded', currency: 'usd' })
  expect(formatUsd(cents(paid?.amount_cents ?? 0))).toBe(total)

  await page.goto(`/success?session_id=${payment}`)
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible()
  await page.getByRole('link', { name: 'See your order' }).click()
  await expect(page.getByText('Visa ending in 4242')).toBeVisible()
})

test('a payment’s success is shown although its order, the collections and the script for both never come', async ({
  page,
}) => {
  await bringHatToCheckout(page)
  await fillCustomer(page, newEmail())
  await continueToPayment(page)
  await page.route(/\/api\/(?:order\?|collections)|PaidOrder/, () => undefined)
  await pay(page, cards.good)
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible()
})

test('a shirt is bought in a window enlarged to 400 %: all of it can be reached, and nothing is wider than the window', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 256 })
  await page.goto('/')
  await page.getByRole('banner').getByRole('button', { name: 'Search' }).click()
  await expect(page.getByPlaceholder('Search all products...').filter({ visible: true })).toBeFocused()
  await expectNoSidewaysScroll(page)
  await page.goto(SHIRT)
  const add = page.getByRole('main').getByRole('button', { name: 'Add to Cart, S' })
  await add.focus()
  // Neither the main bar nor a buy bar takes the room that is left.
  await page.getByRole('main').getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded()
  await expect(page.getByRole('banner').getByRole('link', { name: /home page$/ })).not.toBeInViewport()
  await expect(page.getByRole('button', { name: 'Choose size' })).toBeHidden()
  await add.click()
  await page.getByRole('button', { name: 'View cart' }).click()
  const line = page.getByRole('dialog').locator('[data-line]')
  await line.getByRole('button', { name: /^One more/ }).scrollIntoViewIfNeeded()
  await expect(line.getByRole('button', { name: /^One more/ })).toBeInViewport({ ratio: 1 })
  await page.getByRole('button', { name: 'Proceed to Checkout' }).click()
  await fillCustomer(page, newEmail())
  await expectNoSidewaysScroll(page)
  await continueToPayment(page)
  await expectNoSidewaysScroll(page)
  await pay(page, cards.good)
  await readOrderNumber(page)
  await expectNoSidewaysScroll(page)
})

test('a failed bank check charges nothing, and the same form can pay afterwards', async ({ page }) => {
  await bringHatToCheckout(page)
  await fillCustomer(page, newEmail())
  await continueToPayment(page)
  await pay(page, cards.withExtraCheck)
  await page.getByRole('dialog').getByRole('button', { name: 'Fail authentication' }).click()

  const alert = page.getByRole('main').getByRole('alert')
  await expect(alert).toContainText('Payment Failed')
  await expect(alert).toContainText('Nothing was charged')
  await expect(page.getByLabel('Security code')).toHaveValue('123')

  await payButton(page).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Complete authentication' }).click()
  await readOrderNumber(page)
})

test('a declined card shows the reason, and the same form then pays with another card', async ({ page }) => {
  await bringHatToCheckout(page)
  await fillCustomer(page, newEmail())
  await continueToPayment(page)
  const total = await pay(page, cards.declined)

  const alert = page.getByRole('main').getByRole('alert')
  await expect(alert).toContainText('Your card was declined.')
  await expect(alert).toContainText('Nothing was charged')
  await expectAccessible(page)

  expect(await pay(page, cards.good)).toBe(total)
  const orderNumber = await readOrderNumber(page)
  const { payments } = await readLedger(page)
  const payment = new URL(page.url()).searchParams.get('payment_intent')
  expect(payments.filter(({ id, status }) => id === payment && status === 'succeeded')).toHaveLength(1)
  expect(orderNumber).toMatch(/-/)
})

test.describe('declined too often', () => {
  test.use({ expected: [/status of 429/] })

  test('after five declined cards the page explains it, keeps everything typed, and offers PayPal (S93)', async ({
    page,
  }) => {
    await bringHatToCheckout(page)
    const email = newEmail()
    await fillCustomer(page, email)
    await continueToPayment(page)
    const alert = page.getByRole('main').getByRole('alert')
    for (let n = 0; n < 4; n += 1) {
      await pay(page, cards.declined)
      await expect(alert).toContainText('Your card was declined.')
      await expect(payButton(page)).toBeEnabled()
    }
    await pay(page, cards.declined)
    await expect(alert).toHaveText(
      'Several cards were declined, so card payment is closed for this order. Nothing was charged, and your details are still here. You can pay with PayPal.',
    )
    await expect(page.getByLabel('Card number')).toHaveCount(0)
    await expect(page.getByText(email)).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await page.reload()
    await expect(alert.filter({ hasText: 'card payment is closed' })).toBeVisible()
    await page.locator('paypal-button').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Pay now' }).click()
    await readOrderNumber(page)
  })
})

test('an incomplete card is not submitted, and the missing field is named', async ({ page }) => {
  await bringHatToCheckout(page)
  await fillCustomer(page, newEmail())
  await continueToPayment(page)
  await page.getByLabel('Card number').fill(cards.good)
  await payButton(page).click()
  await expect(page.getByRole('main').getByRole('alert').filter({ hasText: 'Payment Error' })).toBeVisible()
  await expect(page.getByText('Please complete all payment fields.', { exact: true })).toBeVisible()
})

test('step 1 can be edited from step 2; the card stays filled in and the new total is charged', async ({ page }) => {
  await bringHatToCheckout(page)
  await fillCustomer(page, newEmail())
  await continueToPayment(page)
  await fillCard(page, cards.good)
  const before = await payButton(page).innerText()

  await page.getByRole('button', { name: 'Edit customer info' }).click()
  await page.getByLabel('Country').selectOption('Hong Kong')
  await expect(page.getByLabel('ZIP code')).toHaveCount(0)
  await page.getByLabel('City').fill('Central')
  await page.getByRole('button', { name: 'Continue to Payment' }).click()

  await expect(payButton(page)).toBeVisible()
  expect(await payButton(page).innerText()).not.toBe(before)
  await expect(page.getByLabel('Card number')).toHaveValue(cards.good)
  const total = (await payButton(page).innerText()).replace('Pay ', '')
  await payButton(page).click()
  await readOrderNumber(page)
  const payment = new URL(page.url()).searchParams.get('payment_intent')
  const paid = (await readLedger(page)).payments.find(({ id }) => id === payment)
  expect(formatUsd(cents(paid?.amount_cents ?? 0))).toBe(total)
})

test('a hat can be bought with the keyboard alone', async ({ page }) => {
  await page.goto(HAT)
  const main = page.getByRole('main')
  await tabTo(page, main.getByRole('button', { name: 'Add to Cart' }))
  await page.keyboard.press('Enter')
  const cart = page.getByRole('button', { name: 'Cart, 1 item' })
  await expect(cart).toBeVisible()
  await page.reload()
  await tabTo(page, cart)
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Proceed to Checkout' }))
  await page.keyboard.press('Enter')

  await tabTo(page, page.getByLabel('Email'))
  const types = async (...texts: string[]) => {
    for (const text of texts) {
      await page.keyboard.type(text)
      await page.keyboard.press('Tab')
    }
  }
  await types(newEmail(), 'Ada Lovelace')
  await tabTo(page, page.getByRole('combobox', { name: 'Country' }))
  await types('United States', '12 Ingot Street', '', 'San Francisco', 'California', '94105')
  await tabTo(page, page.getByLabel('I agree to the terms and conditions'))
  await page.keyboard.press('Space')
  await tabTo(page, page.getByRole('button', { name: 'Continue to Payment' }))
  await page.keyboard.press('Enter')

  await expect(page.getByRole('heading', { name: 'Payment', exact: true })).toBeFocused({ timeout: 30_000 })
  await tabTo(page, page.getByLabel('Card number'))
  await page.keyboard.type(cards.good)
  await page.keyboard.press('Tab')
  await page.keyboard.type('1234')
  await page.keyboard.press('Tab')
  await page.keyboard.type('123')
  await page.keyboard.press('Enter')
  await readOrderNumber(page)
})

test.describe('on a small phone', () => {
  test.use({ viewport: { width: 360, height: 740 } })

  test('a hat can be bought without scrolling sideways, and every state is accessible', async ({ page }) => {
    const look = async () => {
      await expectNoSidewaysScroll(page)
      await expectAccessible(page)
    }
    await bringHatToCheckout(page)
    await look()
    await page.getByRole('button', { name: 'Show order summary' }).click()
    await expect(page.getByText('Subtotal')).toBeVisible()
    await page.getByRole('button', { name: 'Continue to Payment' }).click()
    await expect(page.getByLabel('Email')).toBeFocused()
    await look()
    await fillCustomer(page, newEmail())
    await continueToPayment(page)
    await look()
    await pay(page, cards.good)
    await readOrderNumber(page)
    await look()
  })
})
