import { expect, type Page } from '@playwright/test'
import { SANDBOX } from './addresses.ts'
import { untilHydrated } from './hydrated.ts'

export const HAT = '/product/rudy-vented-hat-bid-ask-nap'
export const SHIRT = '/product/rudy-t-shirt-asleep-at-the-vault'

export const cards = {
  good: '4242 4242 4242 4242',
  withExtraCheck: '4000 0025 0000 3155',
  declined: '4000 0000 0000 0002',
} as const

export const BUYER = 'Ada Lovelace'
export const COUNTRY = 'United States'
/** By the labels of this country's fields. */
export const ADDRESS = [
  ['Address', '12 Ingot Street'],
  ['City', 'San Francisco'],
  ['State', 'California'],
  ['ZIP code', '94105'],
] as const

export const ORDER_NUMBER = /^PF[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/

let shoppers = 0
/** A unique email address per purchase, to find its emails again. */
export const newEmail = (): string => `fan-${process.pid}-${(shoppers += 1)}@example.com`

/** From the product page through the drawer to the checkout. */
export async function bringHatToCheckout(page: Page): Promise<void> {
  await page.goto(HAT)
  await page.getByRole('main').getByRole('button', { name: 'Add to Cart' }).click()
  await page.getByRole('button', { name: 'Cart, 1 item' }).click()
  const drawer = page.getByRole('dialog', { name: 'Shopping Cart (1 items)' })
  await expect(drawer.getByText('Bid, Ask, Nap').first()).toBeVisible()
  await drawer.getByRole('button', { name: 'Proceed to Checkout' }).click()
  await expect(page.getByRole('heading', { name: 'Checkout', level: 1 })).toBeVisible()
  await untilHydrated(page)
}

/** A shortcut for tests that begin at the checkout. */
export async function bringToCheckout(page: Page, path: string, product = HAT): Promise<void> {
  const ask = async <T>(url: string) => (await (await page.request.get(url)).json()) as T
  const products = await ask<{ id: number; slug: string; providerProductId: number }[]>('/api/products')
  const wanted = products.find(({ slug }) => product.endsWith(`/${slug}`))
  const { result } = await ask<{ result: { sync_variants: { id: number }[] } }>(
    `/api/printful/products/${wanted?.providerProductId}`,
  )
  const data = { productId: wanted?.id, variantId: result.sync_variants[0]?.id }
  expect((await page.request.post('/api/cart', { data })).ok()).toBe(true)
  await page.goto(path)
  await expect(page.getByRole('heading', { name: 'Checkout', level: 1 })).toBeVisible()
}

export async function fillDelivery(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Full name').fill(BUYER)
  const address = page.getByRole('group', { name: 'Shipping address' })
  await address.getByLabel('Country').selectOption(COUNTRY)
  for (const [label, value] of ADDRESS) await address.getByLabel(label, { exact: true }).fill(value)
}

export async function fillCustomer(page: Page, email: string): Promise<void> {
  await fillDelivery(page, email)
  await page.getByLabel('I agree to the terms and conditions').check()
}

export async function continueToPayment(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Continue to Payment' }).click()
  // A busy machine answers and renders for longer than a click may take elsewhere.
  await expect(page.getByRole('heading', { name: 'Payment', exact: true })).toBeFocused({ timeout: 30_000 })
  await expect(page.getByLabel('Card number')).toBeVisible()
}

export async function fillCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiration date').fill('12 / 34')
  await page.getByLabel('Security code').fill('123')
}

export const payButton = (page: Page) => page.getByRole('button', { name: /^Pay \$/ })

/** @returns the total on the button, `$35.34` */
export async function pay(page: Page, card: string): Promise<string> {
  await fillCard(page, card)
  const words = await payButton(page).innerText()
  await payButton(page).click()
  return words.replace('Pay ', '')
}

/** @returns the order's number as the confirmation page shows it */
export async function readOrderNumber(page: Page): Promise<string> {
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible({ timeout: 20_000 })
  const number = page.getByText(ORDER_NUMBER)
  await expect(number).toBeVisible()
  return number.innerText()
}

type ListedMail = { id: string; to: string | string[]; subject: string }
type Mail = ListedMail & { text: string; html: string }

/** The email to an address, as soon as it arrives. @param about picks one of several */
export async function mailTo(page: Page, email: string, about = /./): Promise<Mail> {
  const ask = async <T>(path: string) =>
    (await (await page.request.get(`${SANDBOX}${path}`, { headers: { accept: 'application/json' } })).json()) as T
  const find = async () =>
    (await ask<ListedMail[]>('/mail')).find(({ to, subject }) => String(to).includes(email) && about.test(subject))
  await expect.poll(async () => (await find()) !== undefined, { timeout: 20_000 }).toBe(true)
  return ask<Mail>(`/mail/${(await find())?.id}`)
}

type Ledger = {
  payments: { id: string; status: string; amount_cents: number; currency: string }[]
  partner_orders: { id: string; external_id: string; status: string; items: unknown[] }[]
}

/** The providers' records. */
export const readLedger = async (page: Page): Promise<Ledger> =>
  (await (await page.request.get(`${SANDBOX}/control/ledger`)).json()) as Ledger

type Fault = {
  provider: 'stripe' | 'paypal' | 'printful'
  match: { method?: string; path?: string; body?: string }
  when: 'before' | 'after'
  do: { status?: number; body?: unknown; delayMs?: number } | 'truncate' | 'hang'
  times?: number
}

/** Makes a provider fail only while `act` runs. */
export async function withFault(page: Page, fault: Fault, act: () => Promise<void>): Promise<void> {
  const made = await page.request.post(`${SANDBOX}/control/rules`, { data: { times: 50, ...fault } })
  expect(made.ok()).toBe(true)
  try {
    await act()
  } finally {
    await page.request.delete(`${SANDBOX}/control/rules`)
  }
}

/** Presses the PayPal button and makes a choice in its dialog. */
export async function payByWallet(
  page: Page,
  choice: 'Pay now' | 'Cancel' | 'Approve, then hold' | 'Approve, then decline' | 'Fail',
): Promise<void> {
  await page.getByRole('button', { name: 'Pay with PayPal' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sandbox wallet' })
  await expect(dialog).toContainText('USD')
  const button = dialog.getByRole('button', { name: choice, exact: true })
  if (!(await button.isVisible())) await dialog.getByText('Other outcomes').click()
  await button.click()
}
