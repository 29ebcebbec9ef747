import { expect, expectAccessible, expectFitsEveryWidth, test } from './browser.ts'
import { HAT } from './shopper.ts'

const pages = [
  '/products',
  HAT,
  '/RudyCollection',
  '/collections/sherlock',
  '/search?q=hat',
  '/search?q=nothing-at-all',
  '/collections/example',
  '/product/18',
  '/product/11',
]

for (const path of pages)
  test(`${path} is accessible and not wider than the screen, at 360, 768 and 1280 pixels`, async ({ page }) => {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectFitsEveryWidth(page)
  })

test('the cart drawer is accessible, empty and filled, at 360, 768 and 1280 pixels', async ({ page }) => {
  await page.goto(HAT)
  await page.getByRole('button', { name: 'Cart', exact: true }).click()
  await expect(page.getByRole('dialog').getByText('Your cart is empty')).toBeVisible()
  await expectFitsEveryWidth(page)
  await page.keyboard.press('Escape')
  await page.getByRole('main').getByRole('button', { name: 'Add to Cart' }).click()
  await page.getByRole('button', { name: 'Cart, 1 item' }).click()
  await expect(page.getByRole('dialog', { name: 'Shopping Cart (1 items)' })).toBeVisible()
  await expectFitsEveryWidth(page)
})

test.describe('an unknown address', () => {
  test.use({ expected: [/Failed to load resource.*404/] })

  for (const path of ['/no-such-page', '/product/999999'])
    test(`${path} shows the not-found page, with status 404`, async ({ page }) => {
      const answer = await page.goto(path)
      expect(answer?.status()).toBe(404)
      await expect(page.getByRole('heading', { name: /404 Page Not Found|Product Not Found/ })).toBeVisible()
      await expectAccessible(page)
    })
})

test('without script the checkout explains that paying needs JavaScript', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${baseURL}/checkout`)
  await expect(page.getByText('Checkout needs JavaScript')).toBeVisible()
  await context.close()
})
