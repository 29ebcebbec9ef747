import { expect, expectAccessible, expectNoSidewaysScroll, test } from './browser.ts'
import { HAT } from './shopper.ts'

test.use({ javaScriptEnabled: false })

for (const width of [360, 1280])
  test.describe(`without script at ${width} pixels`, () => {
    test.use({ viewport: { width, height: 900 } })

    test('a shopper searches, adds to the cart, changes and removes by links and forms', async ({ page }) => {
      await page.goto('/')
      await page.getByRole('link', { name: 'Search' }).click()
      await page.getByRole('searchbox', { name: 'Search' }).fill('vented hat')
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      await expect(page.getByText(/products? found/)).toBeVisible()
      await page
        .getByRole('heading')
        .getByRole('link', { name: /Bid, Ask, Nap/ })
        .click()
      await expect(page.getByRole('heading', { level: 1 })).toContainText('Bid, Ask, Nap')

      const choice = page.getByLabel('Color and size')
      const [, second] = await choice.getByRole('option', { disabled: false }).allInnerTexts()
      await choice.selectOption(second ?? '')
      await page.getByRole('spinbutton', { name: 'Quantity' }).fill('2')
      await expectNoSidewaysScroll(page)
      await page.getByRole('button', { name: 'Add to Cart' }).click()

      await expect(page).toHaveURL(/\/cart\?said=added$/)
      await expect(page.getByText('Added to your cart.')).toBeVisible()
      await expect(page.getByText((second ?? '').split(', $')[0] ?? '').first()).toBeVisible()
      const quantity = page.getByRole('spinbutton', { name: /^Quantity of/ })
      await expect(quantity).toHaveValue('2')
      await expectNoSidewaysScroll(page)

      await quantity.fill('3')
      await page.getByRole('button', { name: /^Update/ }).click()
      await expect(page.getByText('Your cart has been updated.')).toBeVisible()
      await expect(quantity).toHaveValue('3')

      await page.getByRole('button', { name: /^Remove/ }).click()
      await expect(page.getByRole('heading', { name: 'Your cart is empty' })).toBeVisible()
      await page.getByRole('link', { name: 'Continue Shopping' }).click()
      await expect(page).toHaveURL(/\/products$/)
    })
  })

test('without script no control that needs it is shown, at 360, 768 and 1280 pixels', async ({ page }) => {
  const widths = [360, 768, 1280]
  for (const path of ['/products', '/collections/sherlock', HAT]) {
    await page.goto(path)
    const dead = page.getByRole('main').locator('button:not([type=submit]):not([disabled])')
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      await expect(dead.filter({ visible: true, hasText: /Add to Cart/ })).toHaveCount(0)
      await expectNoSidewaysScroll(page)
    }
  }
  // The page links appear once, unfolded where there is no room beside the logo.
  const contact = page.getByRole('banner').getByRole('link', { name: 'Contact', exact: true })
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    await expect(page.getByRole('link', { name: 'Cart', exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Cart', exact: true })).toBeHidden()
    await expect(contact.filter({ visible: true })).toHaveCount(1)
  }
})

test.describe('the cart page', () => {
  test.use({ javaScriptEnabled: true })

  test('changes quantities with script without loading a new page', async ({ page }) => {
    await page.goto(HAT)
    await page.getByRole('main').getByRole('button', { name: 'Add to Cart' }).click()
    await expect(page.getByRole('button', { name: 'Cart, 1 item' })).toBeVisible()
    await page.goto('/cart')
    await expect(page.getByRole('button', { name: /^Update/ })).toBeHidden()
    await expect(page.getByRole('region', { name: 'Pairs well with' }).getByRole('listitem')).toHaveCount(4)
    await expectAccessible(page)
    const more = page.getByRole('button', { name: /^One more/ })
    for (let click = 0; click < 3; click += 1) await more.click()
    await expect(page.getByRole('button', { name: 'Cart, 4 items' })).toBeVisible()
    // The last click is saved before the checkout opens.
    await more.click()
    await page.getByRole('link', { name: 'Proceed to Checkout' }).click()
    await expect(page.getByRole('heading', { name: 'Checkout', level: 1 })).toBeVisible()
    expect(await (await page.request.get('/api/cart')).json()).toMatchObject([{ quantity: 5 }])
    await page.goto('/cart')
    await expect(page.getByText('Arrives')).toBeVisible()
    await page.getByRole('button', { name: 'Clear Cart' }).click()
    await expect(page.getByRole('heading', { name: 'Your cart is empty' })).toBeVisible()
    await expectAccessible(page)
    expect(new URL(page.url()).search).toBe('')
  })
})
