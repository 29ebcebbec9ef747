import type { Page } from '@playwright/test'
import { cents, formatUsd } from '#shared/money.ts'
import { MINUTE_MS } from '#shared/time.ts'
import type { World } from '#sandbox/world.ts'
import { ownerVerbs } from '../../src/owner-verbs.ts'
import { expect, expectAccessible } from './browser.ts'
import { test } from './own-world.ts'
import { bringToCheckout, cards, continueToPayment, fillCustomer, newEmail, pay, payButton } from './shopper.ts'

// Changes in the Printful store while a shopper is at the checkout. They also move the shop's clock.

test.use({ expected: [/Failed to load resource.*409/] })

const alertIn = (page: Page) => page.getByRole('main').getByRole('alert')
const summaryOf = (page: Page) => page.getByRole('complementary', { name: 'Your order' })
const totalOn = async (page: Page) => (await payButton(page).innerText()).replace('Pay ', '')

/** The variant in the page's cart. */
const variantOf = async (page: Page): Promise<number> => {
  const [line] = (await (await page.request.get('/api/cart')).json()) as { variantId: number }[]
  return line?.variantId ?? 0
}

async function partnerSays(world: World, change: Record<string, unknown>): Promise<void> {
  await world.simulators.printful.change(change)
  await world.settled()
}

/** A new price at Printful, which the owner accepts. */
async function costsNow(world: World, variant: number, price: string): Promise<void> {
  await partnerSays(world, { change: 'price', sync_variant_id: variant, retail_price: price })
  const owner = ownerVerbs(world.shop.database, async () => world.shop)
  const known = (await owner(['sync', '--list'])) as { id: number; waiting: number }[]
  await owner(['sync', '--apply', String(known.find(({ waiting }) => waiting > 0)?.id)])
}

/** All card payments of this world: tests that ran in it before may have bought too. */
const taken = (world: World) =>
  (world.simulators.stripe.ledger().payments ?? []).filter(({ status }) => status === 'succeeded')

test('a price that changes before the payment is shown updated, and nothing typed is lost', async ({ page, world }) => {
  await bringToCheckout(page, '/checkout')
  await fillCustomer(page, newEmail())
  await expect(summaryOf(page)).toContainText('Free Worldwide Shipping')
  await costsNow(world, await variantOf(page), '41.00')
  await page.getByRole('button', { name: 'Continue to Payment' }).click()
  await expect(alertIn(page)).toContainText('Prices have changed since you last saw them.')
  await expect(summaryOf(page)).toContainText('$41.00')
  await expect(page.getByLabel('City')).toHaveValue('San Francisco')
  await continueToPayment(page)
  await expect(summaryOf(page)).toContainText(await totalOn(page))
})

test('an offered total holds for half an hour; then the new one is shown and charged', async ({ page, world }) => {
  const before = taken(world).length
  await bringToCheckout(page, '/checkout', '/product/rudy-mug-15-oz-second-coffee')
  await fillCustomer(page, newEmail())
  await continueToPayment(page)
  const offered = await totalOn(page)
  await costsNow(world, await variantOf(page), '33.00')
  await world.advance(31 * MINUTE_MS)
  await pay(page, cards.good)
  await expect(alertIn(page)).toContainText('Prices have changed since you last saw them.')
  await expect(alertIn(page)).toContainText('Nothing was charged')
  const total = await totalOn(page)
  expect(total).not.toBe(offered)
  await expect(summaryOf(page)).toContainText('$33.00')
  expect(taken(world)).toHaveLength(before)
  await expect(page.getByLabel('Card number')).toHaveValue(cards.good)
  await payButton(page).click()
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible({ timeout: 20_000 })
  expect(
    taken(world)
      .slice(before)
      .map(({ amount_cents }) => formatUsd(cents(amount_cents))),
  ).toEqual([total])
})

test('an item that sells out or is withdrawn is named, with a link to the cart, and nothing is charged', async ({
  page,
  world,
}) => {
  const before = taken(world).length
  await bringToCheckout(page, '/checkout', '/product/rudy-mug-11-oz-opening-bell')
  const variant = await variantOf(page)
  await fillCustomer(page, newEmail())
  await expect(summaryOf(page)).toContainText('Free Worldwide Shipping')
  await partnerSays(world, { change: 'stock_out', sync_variant_id: variant })
  await page.getByRole('button', { name: 'Continue to Payment' }).click()
  await expect(alertIn(page)).toContainText(/is sold out/)
  await expect(page.getByLabel('City')).toHaveValue('San Francisco')
  await alertIn(page).getByRole('button', { name: 'Open your cart' }).click()
  await expect(page.getByRole('dialog')).toContainText('No longer available')
  await page.keyboard.press('Escape')

  await partnerSays(world, { change: 'back_in_stock', sync_variant_id: variant })
  await continueToPayment(page)
  await partnerSays(world, { change: 'discontinue', sync_variant_id: variant })
  await world.advance(31 * MINUTE_MS)
  await pay(page, cards.good)
  await expect(alertIn(page)).toContainText(/is sold out/)
  await expect(alertIn(page)).toContainText('Nothing was charged. Remove it from your cart or choose another option.')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Pay with PayPal' }).click()
  await expect(alertIn(page)).toContainText(/Payment processing failed: .* is sold out/)
  await alertIn(page).getByRole('button', { name: 'Open your cart' }).click()
  await expect(page.getByRole('dialog')).toContainText('No longer available')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Edit customer info' }).click()
  await expect(page.getByLabel('City')).toHaveValue('San Francisco')
  expect(taken(world)).toHaveLength(before)
})
