import type { Page } from '@playwright/test'
import { cents, formatUsd } from '#shared/money.ts'
import { expect, test } from './browser.ts'
import {
  bringToCheckout,
  cards,
  continueToPayment,
  fillCard,
  HAT,
  mailTo,
  newEmail,
  payButton,
  payByWallet,
  readLedger,
  readOrderNumber,
} from './shopper.ts'

const PILLOW = '/product/rudy-pillow-18x18-safe-deposit'

type Destination = { country: string; fields: readonly (readonly [label: string, value: string])[] }

const brazil: Destination = {
  country: 'Brazil',
  fields: [
    ['Address', 'Rua Augusta 1500'],
    ['City', 'São Paulo'],
    ['State', 'São Paulo'],
    ['Postal code', '01304-001'],
    ['CPF or CNPJ', '529.982.247-25'],
  ],
}
const britain: Destination = {
  country: 'United Kingdom',
  fields: [
    ['Address', '12 Baker Street'],
    ['City', 'London'],
    ['Postcode', 'NW1 6XE'],
  ],
}
const germany: Destination = {
  country: 'Germany',
  fields: [
    ['Address', 'Torstraße 1'],
    ['City', 'Berlin'],
    ['Postal code', '10119'],
  ],
}
const australia: Destination = {
  country: 'Australia',
  fields: [
    ['Address', '1 Macquarie Street'],
    ['City', 'Sydney'],
    ['State', 'New South Wales'],
    ['Postcode', '2000'],
  ],
}
const hongKong: Destination = {
  country: 'Hong Kong',
  fields: [
    ['Address', '1 Connaught Road'],
    ['City', 'Central'],
  ],
}

type Way = 'card' | 'card with an extra check' | 'wallet'
type Face = 'main' | 'alternate'

/** Together they cover every payment method of each checkout, and every country that is special in some respect. */
const stories: readonly [Face, Destination, Way, product: string][] = [
  ['main', brazil, 'card', HAT],
  ['main', britain, 'card with an extra check', HAT],
  ['main', australia, 'wallet', PILLOW],
  ['main', hongKong, 'card', HAT],
  ['alternate', germany, 'card', HAT],
  ['alternate', australia, 'card with an extra check', PILLOW],
]

for (const [face, to, way, product] of stories)
  test(`to ${to.country} by ${way} in the ${face} checkout: page, provider and email show the same total`, async ({
    page,
  }) => {
    const email = newEmail()
    await bringToCheckout(page, face === 'main' ? '/checkout' : '/checkout-with-stripe-address', product)
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Full name').fill('Ada Lovelace')
    await fillAddress(page, to)
    const order = page.getByRole('complementary', { name: 'Your order' })
    await expect(order).not.toContainText('Estimated total')
    await expect(order).toContainText('Country Consumption Tax')
    if (product === PILLOW) await expect(order).toContainText('$34.99')

    const button = await comeToPayment(page, face)
    const total = /\$[\d,.]+$/.exec(await button.innerText())?.[0] ?? ''
    await expect(order).toContainText(total)
    if (way === 'wallet') await payByWallet(page, 'Pay now')
    else {
      await fillCard(page, way === 'card' ? cards.good : cards.withExtraCheck)
      await button.click()
      if (way !== 'card') {
        await expect(page.getByRole('button', { name: 'Contacting your bank...' })).toBeVisible()
        await page.getByRole('dialog').getByRole('button', { name: 'Complete authentication' }).click()
      }
    }

    await readOrderNumber(page)
    const { searchParams } = new URL(page.url())
    const id = searchParams.get('payment_intent') ?? searchParams.get('paypal_order_id')
    const paid = (await readLedger(page)).payments.filter((payment) => payment.id === id)
    expect(paid.map(({ amount_cents }) => formatUsd(cents(amount_cents)))).toEqual([total])
    expect((await mailTo(page, email)).text).toContain(total)
  })

async function fillAddress(page: Page, { country, fields }: Destination): Promise<void> {
  const address = page.getByRole('group', { name: 'Shipping address' })
  await address.getByLabel('Country').selectOption(country)
  for (const [label, value] of fields) await address.getByLabel(label, { exact: label === 'Address' }).fill(value)
  await expect(address.getByLabel('Country')).toHaveValue(/^[A-Z]{2}$/)
}

/** @returns the button that pays */
async function comeToPayment(page: Page, face: Face) {
  if (face === 'main') {
    await page.getByLabel('I agree to the terms and conditions').check()
    await continueToPayment(page)
    return payButton(page)
  }
  await page.getByRole('button', { name: 'Continue to Review' }).click()
  await page.getByRole('button', { name: /^Pay with Card - \$/ }).click()
  await expect(page.getByLabel('Card number')).toBeVisible()
  return page.getByRole('button', { name: /^Complete Payment - \$/ })
}
