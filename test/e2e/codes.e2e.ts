import { expect, expectAccessible } from './browser.ts'
import { test } from './own-world.ts'
import { ADDRESS, BUYER, COUNTRY, HAT, newEmail } from './shopper.ts'

// A link's code counts for people, and the headless browser's own name is a machine's.
const userAgent = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36'
test.use({ userAgent, viewport: { width: 390, height: 844 }, expected: [/status of (?:401|409|422)/] })

test('RUDY10, which the owner made, is typed on a phone and taken off until the checkout', async ({ page, world }) => {
  const owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  await page.context().addCookies([{ name: 'session', value: owner.cookie().split('=')[1] ?? '', url: world.address }])
  await page.goto('/admin/codes')
  await expect(page.getByText('There is no code yet.')).toBeVisible()
  const form = page.getByRole('form', { name: 'New code' })
  await form.getByLabel('Code', { exact: true }).fill('rudy10')
  await form.getByLabel('Percent').fill('110')
  await form.getByRole('button', { name: 'Make code' }).click()
  await expect(form.getByText('Please enter a percentage from 1 to 100')).toBeVisible()
  await form.getByLabel('Percent').fill('10')
  await form.getByRole('button', { name: 'Make code' }).click()
  await page.getByRole('button', { name: 'Accept and save' }).click()
  await expect(page.getByRole('rowheader', { name: 'RUDY10' })).toBeVisible()
  await expectAccessible(page)
  await page.context().clearCookies()

  await page.goto(HAT)
  await page.getByRole('main').getByRole('button', { name: 'Add to Cart', exact: true }).click()
  await page.getByRole('button', { name: 'Cart, 1 item' }).click()
  const drawer = page.getByRole('dialog', { name: 'Shopping Cart (1 items)' })
  await drawer.getByText('Have a discount code or gift card?').click()
  const code = drawer.getByRole('textbox', { name: 'Code' })
  await code.fill('RUDY99')
  await drawer.getByRole('button', { name: 'Apply' }).click()
  await expect(drawer.getByText('This code doesn’t exist, or can’t be used now.').first()).toBeVisible()
  await code.fill('rudy10')
  await drawer.getByRole('button', { name: 'Apply' }).click()
  await expect(drawer.getByRole('form', { name: 'Code RUDY10' })).toContainText('$3.30 off')
  await expect(drawer.getByRole('status').filter({ hasText: '$29.65' })).toBeVisible()
  await expectAccessible(page)
  await drawer.getByRole('button', { name: 'Proceed to Checkout' }).click()

  await page.getByLabel('Email').fill(newEmail())
  await page.getByLabel('Full name').fill(BUYER)
  const address = page.getByRole('group', { name: 'Shipping address' })
  await address.getByLabel('Country').selectOption(COUNTRY)
  for (const [label, value] of ADDRESS) await address.getByLabel(label, { exact: true }).fill(value)
  await page.getByRole('button', { name: /order summary/ }).click()
  await expect(page.getByText('RUDY10: $3.30 off')).toBeVisible()

  // Somebody else opens a link with the code, before anything is in the cart.
  await page.context().clearCookies()
  await page.evaluate(() => localStorage.clear())
  await page.goto(`${HAT}?code=rudy10`)
  await expect(page.getByText('The code is in your cart.').first()).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`${HAT}$`))
  await page.getByRole('button', { name: /^Cart/ }).click()
  const empty = page.getByRole('dialog', { name: 'Shopping Cart (0 items)' })
  await expect(empty.getByText('RUDY10 takes effect with what you add to your cart.')).toBeVisible()
  await expectAccessible(page)
})
