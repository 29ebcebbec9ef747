import { expect, expectAccessible } from './browser.ts'
import { test } from './own-world.ts'
import { cards, continueToPayment, fillCustomer, fillDelivery, HAT, newEmail, pay, readOrderNumber } from './shopper.ts'

// A link's code counts for people, and the headless browser's own name is a machine's.
const userAgent = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36'
test.use({ userAgent, viewport: { width: 390, height: 844 }, expected: [/status of (?:401|409|422)/] })

test('RUDY10, the owner’s, is typed on a phone; a partner’s own code comes by link, is paid with and earns', async ({
  page,
  world,
}) => {
  const signIn = async (username: string) => {
    const user = world.shopper()
    await user.send('POST', '/api/login', { username, password: `${username}-demo` })
    await page.context().clearCookies()
    await page.context().addCookies([{ name: 'session', value: user.cookie().split('=')[1] ?? '', url: world.address }])
    return user
  }
  const owner = await signIn('owner')
  const bounds = { partnerCodes: { was: { percent: 0, active: 3 }, value: { percent: 10, active: 3 } } }
  expect((await owner.send('PUT', '/api/admin/settings?accepted=1', bounds)).status).toBe(200)
  await page.goto('/admin/codes')
  await expect(page.getByText('There is no code yet.')).toBeVisible()
  const form = page.getByRole('form', { name: 'New code' })
  await form.getByLabel('Code', { exact: true }).fill('rudy10')
  await form.getByLabel('Percent').fill('110')
  await form.getByRole('button', { name: 'Make code' }).click()
  await expect(form.getByText('Please enter a percentage from 1 to 100')).toBeVisible()
  await form.getByLabel('Percent').fill('10')
  await form.getByRole('button', { name: 'Make code' }).click()
  // Asked about nothing: no product loses money with it.
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
  await expect(drawer.getByRole('form', { name: 'Code RUDY10' })).toContainText('$3.70 off')
  await expect(drawer.getByRole('status').filter({ hasText: '$33.25' })).toBeVisible()
  await expectAccessible(page)
  await drawer.getByRole('button', { name: 'Proceed to Checkout' }).click()

  await fillDelivery(page, newEmail())
  await page.getByRole('button', { name: /order summary/ }).click()
  await expect(page.getByText('RUDY10: $3.70 off')).toBeVisible()

  // A partner makes a code within the owner's bounds.
  await signIn('partner')
  await page.evaluate(() => localStorage.clear())
  await page.goto('/partnership/links')
  const codes = page.getByRole('region', { name: 'Your codes' })
  await codes.getByLabel('Code', { exact: true }).fill('nap10')
  await codes.getByLabel('Percent off').fill('11')
  await codes.getByRole('button', { name: 'Make code' }).click()
  await expect(codes.getByText('Please enter at most 10')).toBeVisible()
  await codes.getByLabel('Percent off').fill('10')
  await codes.getByRole('button', { name: 'Make code' }).click()
  const own = codes.getByRole('listitem').filter({ hasText: 'NAP10' })
  await expect(own).toContainText('10% off, active. 0 orders, $0.00 earned.')
  await expect(own).toContainText(`${world.address}/?code=NAP10`)
  await expectAccessible(page)

  // A fan opens a link with it, before anything is in the cart, and buys.
  await page.context().clearCookies()
  await page.goto(`${HAT}?code=nap10`)
  await expect(page.getByText('The code is in your cart.').first()).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`${HAT}$`))
  await page.getByRole('button', { name: /^Cart/ }).click()
  const empty = page.getByRole('dialog', { name: 'Shopping Cart (0 items)' })
  await expect(empty.getByText('NAP10 takes effect with what you add to your cart.')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('main').getByRole('button', { name: 'Add to Cart', exact: true }).click()
  await page.getByRole('button', { name: 'Cart, 1 item' }).click()
  await expect(drawer.getByRole('form', { name: 'Code NAP10' })).toContainText('$3.70 off')
  await drawer.getByRole('button', { name: 'Proceed to Checkout' }).click()
  await fillCustomer(page, newEmail())
  await continueToPayment(page)
  await pay(page, cards.good)
  await readOrderNumber(page)

  // 12% of $33.25. The page of the order would ask for it once more, as somebody else.
  await page.goto('about:blank')
  await signIn('partner')
  await page.goto('/partnership/links')
  await expect(own).toContainText('1 order, $3.99 earned.')
})
