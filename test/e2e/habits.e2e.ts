import type { Locator, Page } from '@playwright/test'
import { expect, test } from './browser.ts'
import { HAT } from './shopper.ts'

const addButton = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('button', { name: /^Add to Cart(, \w+)?$/ })
    .first()
const toasts = (page: Page) => page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')
const goTo = (page: Page, link: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: link }).click()

test.describe('a toast', () => {
  test('stays for 5000 ms, one at a time, at most 420 px wide', async ({ page }) => {
    await page.clock.install()
    await page.goto(HAT)
    await addButton(page).click()
    await expect(toasts(page)).toHaveCount(1)
    const now = () => page.evaluate(() => Date.now())
    const pressedAt = await now()
    await addButton(page).click()
    await expect(page.getByRole('button', { name: 'Cart, 2 items' })).toBeVisible()
    const shownBy = await now()
    await expect(toasts(page)).toHaveCount(1)
    expect(
      (
        await page
          .getByRole('region', { name: /^Notifications/ })
          .locator('ol')
          .boundingBox()
      )?.width,
    ).toBe(420)

    // The page's clock also goes on by itself, as long as the steps above take.
    await page.clock.runFor(Math.max(0, pressedAt + 4800 - (await now())))
    await expect(toasts(page)).toHaveCount(1)
    await page.clock.runFor(Math.max(0, shownBy + 5000 - (await now())))
    await expect(toasts(page)).toHaveCount(0)
  })

  test('never covers the control that was just pressed', async ({ page }) => {
    const distance = async (button: Locator) => {
      await button.click()
      await expect(page.getByRole('button', { name: /^Cart, / })).toBeVisible()
      const [pressed, said] = [await button.boundingBox(), await toasts(page).boundingBox()]
      if (!pressed || !said) return undefined
      return Math.max(pressed.y - (said.y + said.height), said.y - (pressed.y + pressed.height))
    }
    for (const [width, height] of [
      [360, 760],
      [768, 1024],
      [1280, 800],
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.goto(HAT)
      // The worst case: just above the edge of the screen.
      await addButton(page).evaluate((button) => button.scrollIntoView({ block: 'end' }))
      await expect.poll(() => distance(addButton(page)), { message: `at ${width} px` }).toBeGreaterThan(0)
    }
    await page.setViewportSize({ width: 360, height: 760 })
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight / 2))
    const bar = page.getByRole('region', { name: 'Buy' }).getByRole('button', { name: 'Add to Cart', exact: true })
    await expect.poll(() => distance(bar), { message: 'in the bar' }).toBeGreaterThan(0)
  })

  test('is dismissed by a swipe of 50 px, and returns after a shorter one', async ({ page }) => {
    await page.goto(HAT)
    await addButton(page).click()
    const drag = async (by: number) => {
      const box = await toasts(page).boundingBox()
      const [x, y] = [(box?.x ?? 0) + 30, (box?.y ?? 0) + 20]
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x + by / 2, y, { steps: 4 })
      await page.mouse.move(x + by, y, { steps: 4 })
      await page.mouse.up()
    }
    await drag(40)
    await expect(toasts(page)).toHaveCount(1)
    await drag(60)
    await expect(toasts(page)).toHaveCount(0)
  })
})

test('a new page scrolls to the top after 100 ms, never under a finger, and Back returns to the earlier position', async ({
  page,
}) => {
  await page.clock.install()
  await page.goto('/products')
  await page.getByRole('heading', { name: /Cold Storage/ }).scrollIntoViewIfNeeded()
  const left = await page.evaluate(() => scrollY)
  expect(left).toBeGreaterThan(1000)
  await page.clock.pauseAt(Date.now() + 60_000)
  await page
    .getByRole('link', { name: /Cold Storage/ })
    .last()
    .click()
  await expect(page.getByRole('heading', { level: 1, name: /Cold Storage/ })).toBeVisible()
  await page.mouse.move(2, 400)
  await page.mouse.down()
  await page.clock.runFor(100)
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0)
  await page.mouse.up()
  await page.clock.runFor(1)
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await page.clock.resume()
  await page.goBack()
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(left - 200)
})

test.describe('while data does not arrive', () => {
  test.use({ expected: [/Failed to load resource/] })

  test('every product page shows that it is loading, and that loading failed', async ({ page }) => {
    const products = (await (await page.request.get('/api/products')).json()) as { id: number; variantCount: number }[]
    const data = { productId: products.find(({ variantCount }) => variantCount === 1)?.id }
    expect((await page.request.post('/api/cart', { data })).ok()).toBe(true)
    await page.goto('/contact')
    let letGo = () => {}
    const held = new Promise<void>((tell) => {
      letGo = tell
    })
    await page.route(/\/api\/(?:listing|products\/)/, async (route) => {
      await held
      await route.fulfill({ status: 500, body: '' })
    })
    const status = page.getByRole('main').getByRole('status')
    await goTo(page, 'Overview')
    await expect(status).toHaveText('Loading products...')
    await goTo(page, 'The Rudy Collection')
    await expect(status).toHaveText('Loading collection...')
    await page.getByRole('button', { name: 'Cart, 1 item' }).click()
    await page.getByRole('dialog').getByRole('link').first().click()
    await expect(status).toHaveText('Loading product details...')
    letGo()
    await expect(page.getByRole('main').getByRole('alert')).toContainText('Failed to load products.')
  })
})

test('a loading cart shows that it is loading, and an empty one shows what to do', async ({ page }) => {
  let letCome = () => {}
  await page.route('**/api/cart', async (route) => {
    await new Promise<void>((tell) => {
      letCome = tell
    })
    await route.continue()
  })
  await page.goto('/about')
  await page.getByRole('button', { name: 'Cart', exact: true }).click()
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByText('Loading cart...')).toBeVisible()
  letCome()
  await expect(drawer.getByText('Your cart is empty')).toBeVisible()
  await expect(drawer.getByText('Add some items to get started')).toBeVisible()
  await expect(drawer.getByRole('button', { name: 'Continue Shopping' })).toBeVisible()
})

test('without a chosen variant nothing is added, and the page shows what is missing', async ({ page }) => {
  await page.route('**/api/printful/products/*', (route) => route.fulfill({ status: 200, json: emptyDetail }))
  const added: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/cart')) added.push(request.url())
  })
  await page.goto('/contact')
  await goTo(page, 'Overview')
  await page.getByRole('link', { name: 'Rudy T-Shirt "Asleep at the Vault"' }).last().click()
  await expect(page.getByRole('heading', { level: 1, name: /Asleep at the Vault/ })).toBeVisible()
  await addButton(page).click()
  await expect(toasts(page).getByText('Please select options', { exact: true })).toBeVisible()
  await expect(toasts(page).getByText('Choose your preferred color and size before adding to cart.')).toBeVisible()
  await expect(page.getByRole('alert').getByText('Please select your options above')).toBeVisible()
  expect(added).toEqual([])
})

const emptyDetail = {
  result: { sync_product: { id: 1, name: '', thumbnail_url: null, files: [] }, sync_variants: [], custom_images: [] },
}

test('the first variant is selected automatically, and details are refetched after five minutes', async ({ page }) => {
  await page.clock.install()
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/printful/products/')) asked.push(request.url())
  })
  // Without reviews, whose part of a page starts last and would miss what the jump in time throws away.
  await page.goto(HAT)
  await expect(page.getByRole('radio', { name: 'Black' })).toBeChecked()
  const look = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await look()
  expect(asked).toEqual([])
  await page.clock.fastForward(5 * 60_000 + 1000)
  await look()
  await expect.poll(() => asked.length).toBe(1)
})

test('the scrollbar of a scroll area hides 600 ms after the pointer has left', async ({ page }) => {
  await page.goto('/products')
  await page.locator('summary', { hasText: 'Color' }).click()
  const list = page.getByRole('group', { name: 'Color' }).last()
  const bar = () => list.evaluate((element) => getComputedStyle(element).scrollbarColor)
  await list.hover()
  await expect.poll(bar).not.toMatch(/^rgba\(0, 0, 0, 0\)/)
  const delay = () => list.evaluate((element) => getComputedStyle(element).transitionDelay)
  expect(await delay()).toBe('0s')
  await page.mouse.move(5, 5)
  await expect.poll(delay).toBe('0.6s')
  await expect.poll(bar).toMatch(/^rgba\(0, 0, 0, 0\)/)
})
