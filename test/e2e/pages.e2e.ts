import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, expectNoSidewaysScroll, tabTo, test } from './browser.ts'
import { HAT } from './shopper.ts'

/** Without reloading: only styles change the layout. */
async function expectFitsEveryWidth(page: Page): Promise<void> {
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await expectNoSidewaysScroll(page)
  }
  await expectAccessible(page)
}

test('the cart drawer is accessible, empty and filled, and not wider than the screen, at 360, 768 and 1280 pixels', async ({
  page,
}) => {
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

/** Above the top of the page, in pixels. */
const topOf = (locator: Locator) => locator.evaluate((element) => element.getBoundingClientRect().top + scrollY)
const bottomOf = (locator: Locator) => locator.evaluate((element) => element.getBoundingClientRect().bottom + scrollY)

test.describe('on the first screens of a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('goods begin early, in two columns, and every collection is two taps away', async ({ page }) => {
    await page.goto('/products')
    const cards = page.getByRole('article')
    expect(await topOf(cards.first())).toBeLessThanOrEqual(420)
    expect(await topOf(cards.nth(1))).toBe(await topOf(cards.first()))
    await page.setViewportSize({ width: 330, height: 844 })
    expect(await topOf(cards.nth(1))).toBeGreaterThan(await topOf(cards.first()))
    await page.setViewportSize({ width: 390, height: 844 })

    await page.goto('/')
    expect(await topOf(page.getByText('$36.95').first())).toBeLessThan(2 * 844)
    const main = page.getByRole('main')
    for (const path of ['/RudyCollection', '/collections/sherlock', '/collections/example'])
      await expect(main.locator(`a[href="${path}"]`)).toBeVisible()
    await expect(page.getByText(/^Order today, get it [A-Z][a-z]{2} \d+/)).toBeVisible()

    await page.goto('/contact')
    await page.getByRole('button', { name: 'Menu' }).click()
    const menu = page.getByRole('navigation', { name: 'Menu' })
    await expect(menu.getByRole('link', { name: 'The Pip Collection' })).toBeVisible()
    await expectAccessible(page)
    await menu.getByRole('link', { name: 'The Sherlock Collection' }).click()
    await expect(page).toHaveURL(/\/collections\/sherlock$/)
  })
})

test.describe('on the first screen of a desktop', () => {
  test.use({ viewport: { width: 1440, height: 900 } })

  test('a collection shows its animal and begins its goods, and the menu has all collections', async ({ page }) => {
    for (const [path, animal] of [
      ['/collections/rudy', 'Rudy asleep on gold bars'],
      ['/collections/sherlock', 'Sherlock in a deerstalker, lying on old case files and blowing bubbles with his pipe'],
      ['/collections/example', 'Pip in a meadow, with a daisy by her ear and a leaf that she has begun to eat'],
    ] as const) {
      await page.goto(path)
      expect(await bottomOf(page.getByRole('main').getByRole('img', { name: animal }))).toBeLessThan(900)
      expect(await topOf(page.getByRole('article').first())).toBeLessThan(900)
    }
    await page.getByRole('button', { name: 'All collections' }).hover()
    const panel = page.getByRole('navigation', { name: 'Collections' })
    await expect(panel.getByRole('link')).toHaveCount(3)
    await expectAccessible(page)
    await panel.getByRole('link', { name: 'The Sherlock Collection' }).click()
    await expect(page).toHaveURL(/\/collections\/sherlock$/)
    await expect(panel).toHaveCount(0)
    // By keyboard, too.
    await tabTo(page, page.getByRole('button', { name: 'All collections' }))
    await page.keyboard.press('Enter')
    await expect(panel).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(panel).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'All collections' })).toBeFocused()
  })
})

/** Longer than the button for the chat takes to look at what it covers. */
const AT_REST_MS = 300

/** @returns texts and controls of the page and its foot that lie under the button for the chat, once the page is at rest there */
const coveredByChat = (page: Page, top: number) =>
  page.locator('button[aria-label="Chat with us"]').evaluate(
    async (button, [top, wait]) => {
      scrollTo({ top, behavior: 'instant' })
      await new Promise((resolve) => setTimeout(resolve, wait))
      if (!button.checkVisibility({ visibilityProperty: true })) return []
      const over = button.getBoundingClientRect()
      const overlaps = ({ left, right, top, bottom }: DOMRect) =>
        Math.min(right, over.right) - Math.max(left, over.left) > 1 &&
        Math.min(bottom, over.bottom) - Math.max(top, over.top) > 1
      const hasText = ({ childNodes }: Element) =>
        [...childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim())
      return [...document.querySelectorAll('main *, footer *')]
        .filter((element) => element.matches('a, button, input, select, textarea') || hasText(element))
        .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
        .filter((element) => [...element.getClientRects()].some(overlaps))
        .map((element) => element.outerHTML.slice(0, 80))
    },
    [top, AT_REST_MS] as const,
  )

for (const width of [390, 1280])
  test(`the button for the chat covers nothing to read or to press, at ${width} pixels`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 })
    let seen = 0
    for (const path of [HAT, '/products', '/contact', '/track', '/cart']) {
      await page.goto(path)
      const height = await page.evaluate(() => document.documentElement.scrollHeight)
      for (let top = 0; top < height; top += 500) {
        await expect.poll(() => coveredByChat(page, top), `${path}, ${top} pixels down`).toEqual([])
        if (await page.getByRole('button', { name: 'Chat with us' }).isVisible()) seen += 1
      }
    }
    expect(seen).toBeGreaterThan(0)
  })

test.describe('an unknown address', () => {
  test.use({ expected: [/Failed to load resource.*404/] })

  for (const path of ['/no-such-page', '/product/999999'])
    test(`${path} shows the not-found page, with status 404`, async ({ page }) => {
      const answer = await page.goto(path)
      expect(answer?.status()).toBe(404)
      await expect(page.getByRole('heading', { name: /404 Page Not Found|Product Not Found/ })).toBeVisible()
      await expect(page.getByRole('heading', { name: 'Best sellers' })).toBeVisible()
    })
})

test('without script the checkout explains that paying needs JavaScript', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${baseURL}/checkout`)
  await expect(page.getByText('Checkout needs JavaScript')).toBeVisible()
  await context.close()
})
