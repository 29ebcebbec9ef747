import type { Page } from '@playwright/test'
import { country, expectSydney, shipping } from './address-fields.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './browser.ts'
import {
  bringHatToCheckout,
  bringToCheckout,
  cards,
  continueToPayment,
  fillCustomer,
  fillDelivery,
  newEmail,
  pay,
  readOrderNumber,
} from './shopper.ts'

/** Sets fields by their autofill tokens, all in one tick and with both events, as browsers fill a form. */
const fillAtOnce = (page: Page, values: Record<string, string>) =>
  page.evaluate((byToken) => {
    for (const [token, value] of Object.entries(byToken)) {
      const field = document.querySelector(`[autocomplete="${token}"]`)
      if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) throw new Error(`no ${token}`)
      const prototype = field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLSelectElement.prototype
      // Bypasses React, which watches the element's own property.
      Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value)
      field.dispatchEvent(new Event('input', { bubbles: true }))
      field.dispatchEvent(new Event('change', { bubbles: true }))
    }
  }, values)

const sydney = {
  'shipping address-line1': '1 Macquarie Street',
  'shipping address-level2': 'Sydney',
  'shipping address-level1': 'NSW',
  'shipping postal-code': '2000',
}

test('an autofilled address sets its country and keeps every value, for every country', async ({ page }) => {
  await bringHatToCheckout(page)
  await fillAtOnce(page, sydney)
  await expectSydney(page)
  await expect(shipping(page).getByRole('status')).toHaveText('Country set to Australia')
  // The United States are preselected; the list begins with an empty choice, and leaving it there shows an error.
  await expect(country(page).locator('option:not([value=""])')).toHaveCount(29)
  await expect(country(page).getByRole('option').first()).toHaveText('Please choose')
  await page.getByRole('button', { name: 'Clear Form' }).click()
  await expect(country(page)).toHaveValue('US')
  await country(page).selectOption('')
  await page.getByRole('button', { name: 'Calculate Tax' }).click()
  await expect(country(page)).toHaveAccessibleDescription('Please choose a country')
  await expectAccessible(page)
})

test('an autofilled address may have its country first or last', async ({ page }) => {
  await bringHatToCheckout(page)
  await fillAtOnce(page, { 'shipping country': 'AU', ...sydney })
  await expectSydney(page)
  await page.getByRole('button', { name: 'Clear Form' }).click()
  await expect(country(page)).toHaveValue('US')
  await fillAtOnce(page, { ...sydney, 'shipping country': 'AU' })
  await expectSydney(page)
})

test('a detected country is announced, the focus stays, and no field moves', async ({ page }) => {
  await bringHatToCheckout(page)
  const fields = shipping(page)
  await fields.getByLabel('City').fill('Berlin')
  const code = fields.getByLabel('ZIP code')
  await code.pressSequentially('10117')
  await expect(country(page)).toHaveValue('DE')
  const german = fields.getByLabel('Postal code')
  await expect(german).toBeFocused()
  await expect(german).toHaveValue('10117')
  await expect(fields.getByRole('status')).toHaveText('Country set to Germany')
  // The country's field order changes when the pointer leaves.
  const order = () => fields.locator('input').evaluateAll((inputs) => inputs.map(({ id }) => id))
  expect(await order()).toEqual([
    'shipping-line1',
    'shipping-line2',
    'shipping-city',
    'shipping-state',
    'shipping-postal_code',
  ])
  await page.getByLabel('Email').focus()
  await expect.poll(order).toEqual(['shipping-line1', 'shipping-line2', 'shipping-postal_code', 'shipping-city'])
  await expect(fields.getByLabel('City')).toHaveValue('Berlin')
  await expectAccessible(page)
})

test('a picked country stays while the address is possible there', async ({ page }) => {
  await bringHatToCheckout(page)
  const fields = shipping(page)
  await country(page).selectOption('France')
  await fields.getByLabel('Postal code').fill('75001')
  await fields.getByLabel('City').fill('Berlin')
  await fields.getByLabel('Address', { exact: true }).fill('1 Rue de Rivoli')
  await page.waitForTimeout(1200) // longer than a pause in typing
  await expect(country(page)).toHaveValue('FR')
  await expect(fields.getByRole('status')).toBeEmpty()
})

test('half a postal code changes the country only once typing pauses', async ({ page }) => {
  await bringHatToCheckout(page)
  await shipping(page).getByLabel('ZIP code').pressSequentially('2000')
  await expect(country(page)).toHaveValue('US')
  await expect(country(page)).toHaveValue('AU')
})

test('the alternate checkout detects only countries that it offers', async ({ page }) => {
  await bringHatToCheckout(page)
  await page.goto('/checkout-with-stripe-address')
  const list = page.getByLabel('Country')
  await expect(list.locator('option:not([value=""])')).toHaveCount(19)
  await page.getByLabel('ZIP code').fill('01310-100')
  await page.waitForTimeout(1200) // longer than a pause in typing
  await expect(list).toHaveValue('US')
  await page.getByLabel('ZIP code').fill('100-0001')
  await expect(list).toHaveValue('JP')
})

test('the billing address starts in the shipping country', async ({ page }) => {
  await bringHatToCheckout(page)
  await fillAtOnce(page, sydney)
  await page.getByLabel('Copy from shipping address').uncheck()
  await expect(page.getByRole('group', { name: 'Billing address' }).getByLabel('Country')).toHaveValue('AU')
})

test('a pillow for a Brazilian address is priced for Brazil, even if nobody picked the country', async ({
  page,
  context,
}) => {
  await bringHatToCheckout(page)
  const products = (await (await context.request.get('/api/products')).json()) as {
    id: number
    type: string
    providerProductId: number
  }[]
  const pillow = products.find(({ type }) => type === 'pillow')
  const detail = await context.request.get(`/api/printful/products/${pillow?.providerProductId}`)
  const { result } = (await detail.json()) as { result: { sync_variants: { id: number }[] } }
  const added = await context.request.post('/api/cart', {
    data: { productId: pillow?.id, variantId: result.sync_variants[0]?.id },
  })
  expect(added.status()).toBe(200)
  await page.reload()
  await fillAtOnce(page, {
    'shipping address-line1': 'Avenida Paulista 1578',
    'shipping address-level2': 'São Paulo',
    'shipping address-level1': 'SP',
    'shipping postal-code': '01310-200',
  })
  await expect(country(page)).toHaveValue('BR')
  const order = page.getByRole('complementary', { name: 'Your order' })
  await expect(order).toContainText('$34.99')
  await expect(order).toContainText('Country Consumption Tax')
})

const CPF_DIGITS = /529\D?982\D?247/

test('a parcel to Brazil requires a CPF, which is checked beside its field and not saved', async ({ page }) => {
  await bringHatToCheckout(page)
  await fillCustomer(page, newEmail())
  const fields = shipping(page)
  await fields.getByLabel('Address', { exact: true }).fill('Avenida Paulista 1578')
  await fields.getByLabel('City').fill('São Paulo')
  await fields.getByLabel('State').fill('SP')
  await fields.getByLabel('ZIP code').fill('01310-200')
  await expect(country(page)).toHaveValue('BR')
  const number = fields.getByLabel('CPF or CNPJ')
  await page.getByRole('button', { name: 'Continue to Payment' }).click()
  await expect(number).toBeFocused()
  await expect(number).toHaveAccessibleDescription(/Required/)
  await number.fill('529.982.247-24')
  await page.getByLabel('Email').focus()
  await expect(number).toHaveAccessibleDescription(/Please enter a CPF such as .* or a CNPJ such as/)
  await number.fill('529.982.247-25')
  await expect(number).not.toHaveAttribute('aria-invalid')
  await expectAccessible(page)
  await page.getByLabel('Save my details on this device').check()
  await page.reload()
  await expect(number).toHaveValue('')
  await expect(fields.getByLabel('City')).toHaveValue('São Paulo')
  expect(await page.evaluate(() => JSON.stringify([localStorage, history.state]))).not.toMatch(CPF_DIGITS)
  await number.fill('529.982.247-25')

  await continueToPayment(page)
  expect(await page.getByRole('main').innerText()).not.toMatch(CPF_DIGITS)
  await pay(page, cards.good)
  await readOrderNumber(page)
})

for (const [path, goOn, next] of [
  ['/checkout', 'Continue to Payment', 'Payment'],
  ['/checkout-with-stripe-address', 'Continue to Review', 'Review your order'],
] as const)
  test(`a ZIP code of another state is questioned once at ${path} and does not block the purchase`, async ({
    page,
  }) => {
    await bringToCheckout(page, path)
    await fillDelivery(page, newEmail())
    const terms = page.getByLabel('I agree to the terms and conditions')
    if (await terms.isVisible()) await terms.check()
    const fields = shipping(page)
    const zip = fields.getByLabel('ZIP code')
    await fields.getByLabel('State').fill('New York')
    await zip.fill('75001')
    const sentence = 'This ZIP code looks like Texas, not New York.'
    const question = fields.getByRole('status').filter({ hasText: 'Is this address right?' })

    await page.getByRole('button', { name: goOn }).click()
    await expect(zip).toBeFocused()
    await expect(zip).toHaveAccessibleDescription(sentence)
    await expect(zip).not.toHaveAttribute('aria-invalid')
    await expect(question).toBeVisible()
    await expectAccessible(page)
    for (const width of [390, 820, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await expectNoSidewaysScroll(page)
    }

    // Corrected, confirmed, or ignored: nothing typed is lost.
    await question.getByRole('button', { name: 'Change to Texas' }).click()
    await expect(fields.getByLabel('State')).toHaveValue('Texas')
    await expect(question).toHaveCount(0)
    await fields.getByLabel('State').fill('New York')
    await expect(question).toBeVisible()
    await question.getByRole('button', { name: 'Keep New York' }).click()
    await expect(question).toHaveCount(0)
    await expect(zip).toBeFocused()
    await zip.fill('94105')
    await zip.press('Tab')
    await expect(zip).toHaveAccessibleDescription('This ZIP code looks like California, not New York.')
    await page.getByRole('button', { name: goOn }).click()
    await expect(zip).toBeFocused()
    await page.getByRole('button', { name: goOn }).click()
    await expect(page.getByRole('heading', { name: next, exact: true })).toBeFocused()
  })
