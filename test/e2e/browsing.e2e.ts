import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, expectNoSidewaysScroll, tabTo, test } from './browser.ts'
import { HAT, SHIRT } from './shopper.ts'

const worn = (page: Page) => page.evaluate(() => document.documentElement.dataset['collection'])
const cardOf = (page: Page, title: string) => page.getByRole('article').filter({ hasText: title })
const addButton = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('button', { name: /^Add to Cart(, \w+)?$/ })
    .first()

/** In pixels from the top of the page, at its top. */
const bottomOf = async (element: Locator) => {
  const box = await element.boundingBox()
  return (box?.y ?? 0) + (box?.height ?? 0)
}

/** Arrives by a link from a page without products, so the browser itself requests the page's data. */
async function goFromContact(page: Page, link: string): Promise<void> {
  await page.goto('/contact')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: link }).click()
}

test('a whole visit works with the keyboard: find, choose, add, change, remove, search, with the collection’s colors', async ({
  page,
}) => {
  const press = (key: string) => page.keyboard.press(key)
  await page.goto('/')
  await tabTo(page, page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Overview' }))
  await press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Everything with a paw in it' })).toBeVisible()

  // On the card: other pictures, another color, the page.
  const card = cardOf(page, 'Market Closed')
  const strip = card.getByRole('group', { name: /^Pictures of Rudy Vented Hat/ })
  await tabTo(page, strip)
  await press('ArrowRight')
  await expect.poll(() => strip.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0)
  await tabTo(page, card.getByRole('radio', { checked: true }))
  await press('ArrowRight')
  await expect(card.getByRole('radio', { name: 'Navy with Ivory' })).toBeChecked()
  await press('Shift+Tab')
  await expect(card.getByRole('heading').getByRole('link')).toBeFocused()
  await press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: /Market Closed/ })).toBeVisible()

  // Zoom in, and back to the same place.
  const closer = page.getByRole('button', { name: /^Look closer/ })
  await tabTo(page, closer)
  await press('Enter')
  const viewer = page.getByRole('dialog', { name: /^Pictures of/ })
  const position = async () => Number(/^\d+/.exec(await viewer.getByRole('status').innerText())?.[0])
  const first = await position()
  await press('ArrowRight')
  await expect.poll(position).toBe(first + 1)
  await press('Escape')
  await expect(closer).toBeFocused()

  await tabTo(page, page.getByRole('radio', { checked: true }))
  // The next color is sold out.
  await press('ArrowLeft')
  await expect(page).toHaveURL(/\?variant=\d+/)
  await tabTo(page, addButton(page))
  await press('Enter')
  await expect(page.getByRole('button', { name: 'Cart, 1 item' })).toBeVisible()

  // The confirmation leads to the cart.
  await expect(page.getByRole('button', { name: 'View cart' })).toBeVisible()
  await press('F8')
  await tabTo(page, page.getByRole('button', { name: 'View cart' }))
  await press('Enter')
  const drawer = page.getByRole('dialog', { name: /^Shopping Cart/ })
  await tabTo(page, drawer.getByRole('button', { name: /^One more/ }))
  await press('Enter')
  await expect(page.getByRole('dialog', { name: 'Shopping Cart (2 items)' })).toBeVisible()
  // The buttons wait while the shop is told, and keep the keyboard's place.
  await expect(drawer.getByRole('button', { name: /^One more/ })).toBeFocused()
  await expect(drawer.getByRole('button', { name: /^One fewer/ })).toBeEnabled()
  await tabTo(page, drawer.getByRole('button', { name: /^One fewer/ }))
  // While the shop is told, the line's buttons wait.
  const told = page.waitForResponse((response) => response.request().method() === 'PUT')
  await press('Enter')
  await expect(page.getByRole('dialog', { name: 'Shopping Cart (1 items)' })).toBeVisible()
  await told
  await tabTo(page, drawer.getByRole('button', { name: /^Remove/ }))
  await expect(drawer.getByRole('button', { name: /^Remove/ })).toBeEnabled()
  await press('Enter')
  await expect(drawer.getByText('Your cart is empty')).toBeVisible()
  await expect(drawer.getByRole('button', { name: 'Continue Shopping' })).toBeFocused()
  await press('Enter')
  await expect(drawer).toBeHidden()

  await page.reload()
  await tabTo(page, page.getByRole('banner').getByRole('button', { name: 'Search' }))
  await press('Enter')
  await expect(page.getByRole('combobox', { name: 'Search all products' })).toBeFocused()
  await page.keyboard.type('sherlock mug')
  await press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Search Results' })).toBeVisible()
  await tabTo(
    page,
    page
      .getByRole('main')
      .getByRole('link', { name: /Bubble Problem/ })
      .last(),
  )
  await press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: /Bubble Problem/ })).toBeVisible()
  await expect.poll(() => worn(page)).toBe('sherlock')
  await tabTo(page, page.getByRole('link', { name: 'Back to The Sherlock Collection' }))
  await press('Enter')
  await expect(page).toHaveURL(/\/collections\/sherlock$/)
})

test('a page without a collection has the colors of the last visit, and a collection page has its own', async ({
  page,
}) => {
  await page.goto('/about')
  await expect.poll(() => worn(page)).toBe('rudy')
  await page.goto('/collections/sherlock')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'About Us' }).click()
  await expect(page).toHaveURL(/\/about$/)
  await expect.poll(() => worn(page)).toBe('sherlock')

  await page.reload()
  await expect.poll(() => worn(page)).toBe('sherlock')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'The Rudy Collection' }).click()
  await expect.poll(() => worn(page)).toBe('rudy')
})

test('the colors of the last visit are applied before the app starts', async ({ page }) => {
  await page.goto('/collections/sherlock')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('currentCollection') ?? '')).toContain('sherlock')
  const other = await page.context().newPage()
  await other.route('**/assets/entry-client*.js', (route) => route.abort())
  await other.goto('/about')
  expect(await worn(other)).toBe('sherlock')
  await other.goto('/collections/example')
  expect(await worn(other)).toBe('example')
})

/** @returns lets the app's script come, which waits until then */
async function holdApp(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/assets/entry-client*.js', async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

test('clicks made before the app has started are carried out when it starts', async ({ context }) => {
  const page = await context.newPage()
  const letCome = await holdApp(page)
  await page.goto(HAT, { waitUntil: 'commit' })
  // Elements that are still being laid out move away from the pointer.
  await page.evaluate(() => document.fonts.ready.then(() => {}))
  await addButton(page).evaluate((button: HTMLElement) => button.click())
  await page.getByRole('button', { name: 'Cart', exact: true }).click()
  letCome()
  const drawer = page.getByRole('dialog', { name: 'Shopping Cart (1 items)' })
  await expect(drawer).toBeVisible()
})

test('a checkout sent before the app has started waits for it, and nothing typed gets into the address', async ({
  context,
}) => {
  const page = await context.newPage()
  await page.goto(HAT)
  await addButton(page).click()
  await expect(page.getByRole('button', { name: 'Cart, 1 item' })).toBeVisible()
  const letCome = await holdApp(page)
  await page.goto('/checkout', { waitUntil: 'commit' })
  const email = page.getByLabel('Email', { exact: true })
  await email.fill('ada@example.com')
  await email.press('Enter')
  await page.evaluate(() => document.fonts.ready.then(() => {}))
  letCome()
  await expect(page.getByText('Required').first()).toBeVisible()
  await expect(email).toHaveValue('ada@example.com')
  expect(new URL(page.url()).search).toBe('')
})

test('what the server sent stays on the page while its scripts start', async ({ page }) => {
  await page.addInitScript(() => {
    const gone: string[] = []
    Object.assign(window, { gone })
    document.addEventListener('DOMContentLoaded', () => {
      new MutationObserver((changes) => {
        for (const node of changes.flatMap(({ removedNodes }) => [...removedNodes]))
          if (node instanceof HTMLElement && node.matches('section, footer, article, :has(a)'))
            gone.push(node.innerText)
      }).observe(document.body, { childList: true, subtree: true })
    })
  })
  // The cart is known before the last scripts are.
  await page.route(/\/assets\/(?:CollectionEnd|Footer)-/, async (route) => {
    await new Promise((later) => setTimeout(later, 600))
    await route.continue()
  })
  for (const path of ['/', '/products', '/collections/rudy', '/about', '/search?q=hat']) {
    await page.goto(path, { waitUntil: 'networkidle' })
    expect(await page.evaluate(() => (window as unknown as { gone: string[] }).gone)).toEqual([])
  }
})

test('a product card shows five pictures and its color count, and loads details only on hover or focus', async ({
  page,
}) => {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/printful/products/')) asked.push(request.url())
  })
  await page.goto('/products')
  const card = cardOf(page, 'Market Closed')
  await expect(card.getByText('5 colors')).toBeVisible()
  await expect(card.getByRole('img')).toHaveCount(1)
  expect(asked).toEqual([])

  await card.hover()
  const inUse = card.locator('.card-use')
  await expect(inUse).toHaveAttribute('src', /\.lifestyle\./)
  await expect(inUse).toHaveCSS('opacity', '1')
  await expect(card.getByRole('radio')).toHaveCount(5)
  await expect(card.getByRole('img')).toHaveCount(5)
  expect(asked).toHaveLength(1)
  await expectAccessible(page)
  await card.getByRole('radio', { name: 'Navy with Ivory' }).check()
  await expect(card.getByRole('img').first()).toHaveAttribute('alt', /in Navy with Ivory, front$/)

  // A product with a single variant has nothing to choose.
  const single = cardOf(page, 'Cold Trail')
  await single.hover()
  await expect(single.getByRole('img')).not.toHaveCount(1)
  await expect(single.getByRole('radio')).toHaveCount(0)
})

test('the thumbnails are the views of a color: one locks the picture, another color unlocks it', async ({ page }) => {
  await page.goto(SHIRT)
  const large = page.getByRole('button', { name: /^Look closer/ })
  await page.getByRole('radio', { name: 'Navy' }).check()
  await expect(page.getByRole('button', { name: /^Show .* in (?!Navy)/ })).toHaveCount(0)
  await page.getByRole('button', { name: /^Show .* in Navy, detail$/ }).click()
  await page.getByRole('radio', { name: 'L', exact: true }).check()
  await expect(large).toHaveAccessibleName(/in Navy, detail$/)
  await page.getByRole('radio', { name: 'Ivory' }).check()
  await expect(large).toHaveAccessibleName(/in Ivory, front$/)
  // What is seen in the middle, over everything else that lies there.
  const seen = () =>
    large.evaluate((button) => {
      const { left, top, width, height } = button.getBoundingClientRect()
      const there = document.elementsFromPoint(left + width / 2, top + height / 2)
      return there.find((element) => element instanceof HTMLImageElement)?.getAttribute('alt')
    })
  await expect.poll(seen).toMatch(/in Ivory, front$/)
  await page.getByRole('button', { name: /^Show .* in Ivory, detail$/ }).click()
  await expect.poll(seen).toMatch(/in Ivory, detail$/)
})

test('pictures slide and fade and the count of the cart moves, unless people have asked for less motion', async ({
  page,
}) => {
  await page.goto(HAT)
  await addButton(page).click()
  const count = page.getByRole('button', { name: 'Cart, 1 item' }).locator('.cart-count')
  const strip = page.getByRole('region', { name: 'Pictures' }).locator('.scroll-smooth')
  await expect(strip).toHaveCSS('scroll-behavior', 'smooth')
  await expect(strip).toHaveCSS('transition-duration', '0.18s')
  await expect(count).toHaveCSS('animation-duration', '0.42s')
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expect(strip).toHaveCSS('scroll-behavior', 'auto')
  await expect(strip).toHaveCSS('transition-duration', '0.001s')
  await expect(count).toHaveCSS('animation-duration', '0.001s')
})

test('a sold-out variant can be viewed, and the button shows that it is sold out', async ({ page }) => {
  await page.goto('/products')
  await cardOf(page, 'Market Closed').getByRole('link', { name: 'Market Closed' }).last().click()
  // The card under the pointer has these radios, too.
  await page.waitForURL('**/product/**')
  await page.getByRole('radio', { name: 'Espresso with Ivory, sold out' }).check()
  const button = page.getByRole('main').getByRole('button', { name: 'Sold out', exact: true })
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  await expectAccessible(page)
})

test('a size that a color does not come in shows the colors that have it', async ({ page }) => {
  await page.route('**/api/printful/products/*', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { result: { sync_variants: { color: string; size: string }[] } }
    const made = body.result.sync_variants.filter(({ color, size }) => color !== 'Ivory' || size !== '3XL')
    await route.fulfill({ json: { result: { ...body.result, sync_variants: made } } })
  })
  await page.goto('/products')
  await cardOf(page, 'Asleep at the Vault').getByRole('link', { name: 'Asleep at the Vault' }).last().click()
  // The card under the pointer has these radios, too.
  await page.waitForURL('**/product/**')
  await page.getByRole('radio', { name: 'Ivory', exact: true }).check()
  await page.getByRole('radio', { name: /^3XL/ }).check()
  await expect(page.getByRole('button', { name: 'Unavailable in this color' })).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByText('3XL is not made in Ivory. It is made in:')).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Navy', exact: true }).click()
  await expect(page.getByRole('radio', { name: 'Navy' })).toBeChecked()
  await expect(page.getByRole('radio', { name: '3XL' })).toBeChecked()
  await expect(addButton(page)).toBeEnabled()
  // The other way round, the nearest size is selected, and the page shows it.
  await page.getByRole('radio', { name: 'Ivory' }).check()
  await expect(page.getByText('Ivory is not made in 3XL. We switched to size 2XL.')).toBeVisible()
})

test('the size guide beside the sizes has inches and centimeters, and shows how to measure', async ({ page }) => {
  await page.goto(SHIRT)
  await page.getByRole('button', { name: 'Find your size' }).click()
  const guide = page.getByRole('dialog', { name: 'Size guide' })
  await expect(guide.getByRole('rowheader')).toHaveText(['S', 'M', 'L', 'XL', '2XL', '3XL'])
  await expect(guide.getByRole('row').nth(1)).toContainText('18 in / 46 cm')
  await expect(guide.getByText('Measure its chest from armpit to armpit')).toBeVisible()
  await expectAccessible(page)
})

test('a country chosen on the product page counts in the drawer and at the checkout, with the same total', async ({
  page,
}) => {
  await page.goto(HAT)
  const card = page.getByRole('region', { name: 'Shipping and quality' })
  await expect(card).toContainText('Made in 2-5 business days')
  await expect(card.getByLabel('Ship to')).toHaveValue('US')
  await card.getByLabel('Ship to').selectOption('Germany')
  await expect(card).toContainText(/Arrives[A-Z][a-z]{2} \d+–([A-Z][a-z]{2} )?\d+/)
  await expect(card).toContainText('German VAT 19%, estimated')
  const total = /door(\$[\d.]+)/.exec((await card.textContent()) ?? '')?.[1] ?? ''
  await expectAccessible(page)
  await addButton(page).click()
  await page.getByRole('button', { name: 'View cart' }).click()
  const drawer = page.getByRole('dialog', { name: /Shopping Cart/ })
  await expect(drawer).toContainText(`Estimated total to your door${total}`)
  await expectAccessible(page)
  await drawer.getByRole('button', { name: 'Proceed to Checkout' }).click()
  await expect(page.getByLabel('Country')).toHaveValue('DE')
})

test.describe('a failure is shown beside the button', () => {
  test.use({ expected: [/Failed to load resource/] })

  test('a refusal has the shop’s sentence, a lost connection the specification’s', async ({ page }) => {
    await page.goto(HAT)
    const alert = page.getByRole('main').getByRole('alert')
    const refusal = { code: 'sold_out', message: 'This hat is sold out in this color.' }
    await page.route('**/api/cart', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 409, json: refusal }) : route.fallback(),
    )
    await addButton(page).click()
    await expect(alert.filter({ hasText: refusal.message })).toBeVisible()
    await expect(page.getByText('Failed to add item to cart. Please try again.', { exact: true })).toBeVisible()
    await expectAccessible(page)

    await page.route('**/api/cart', (route) => (route.request().method() === 'POST' ? route.abort() : route.fallback()))
    await addButton(page).click()
    await expect(alert.filter({ hasText: 'Failed to add item to cart. Please try again.' })).toBeVisible()
    await page.unrouteAll()
    await addButton(page).click()
    await expect(page.getByRole('button', { name: 'Cart, 1 item' })).toBeVisible()
    await expect(alert.filter({ hasText: /./ })).toHaveCount(0)
  })

  test('a collection that fails to load can be reloaded', async ({ page }) => {
    await page.route('**/api/listing*', (route) => route.fulfill({ status: 500, body: '' }))
    await goFromContact(page, 'The Rudy Collection')
    await expect(page.getByRole('heading', { name: 'Collection Temporarily Unavailable' })).toBeVisible()
    await expect(page.getByText("We're experiencing high traffic. Please try again in a moment.")).toBeVisible()
    await expectAccessible(page)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Refresh Collection' }).click()
    await expect(page.getByRole('article').first()).toBeVisible()
  })

  test('a listing that fails to load shows an error', async ({ page }) => {
    await page.route('**/api/listing*', (route) => route.fulfill({ status: 500, body: '' }))
    await goFromContact(page, 'Overview')
    await expect(page.getByText('Failed to load products. Please try again later.')).toBeVisible()
    await expectAccessible(page)
  })

  test('a cart line with a broken picture shows the default picture', async ({ page }) => {
    await page.goto(HAT)
    await addButton(page).click()
    await page.route('**/pictures/vented-hat*', (route) => route.abort())
    await page.getByRole('button', { name: 'Cart, 1 item' }).click()
    await expect(page.getByRole('dialog').locator('[data-line] img')).toHaveAttribute('src', '/pictures/default.webp')
  })

  test('a picture whose connection broke off once is asked for again', async ({ page }) => {
    await page.route('**/pictures/vented-hat*', (route) => route.abort(), { times: 1 })
    await page.goto(HAT)
    const picture = page.getByRole('region', { name: 'Pictures' }).locator('img').first()
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
    await expect(picture).toHaveAttribute('src', /vented-hat/)
  })

  test('a product with a broken picture shows the default one, and another color shows its picture', async ({
    page,
  }) => {
    await page.route('**/pictures/vented-hat*', (route) => route.abort())
    await page.goto(HAT)
    const picture = page.getByRole('region', { name: 'Pictures' }).locator('img').first()
    await expect(picture).toHaveAttribute('src', '/pictures/default.webp')
    await page.unrouteAll()
    await page.getByRole('main').getByRole('radio', { checked: false }).first().check({ force: true })
    await expect(picture).toHaveAttribute('src', /vented-hat/)
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  })
})

test('the search parameter filters a collection, also down to nothing', async ({ page }) => {
  await page.goto('/collections/rudy?search=mug')
  await expect(page.getByRole('article').first()).toContainText(/mug/i)
  await page.goto('/RudyCollection?search=submarine')
  await expect(page.getByText('No products found in this collection.')).toBeVisible()
  await expectAccessible(page)
})

test('the cart shows price and availability changes since an item was added', async ({ page }) => {
  await page.goto(HAT)
  await addButton(page).click()
  await expect(page.getByRole('button', { name: 'Cart, 1 item' })).toBeVisible()
  await page.route('**/api/cart', async (route) => {
    const answer = await route.fetch()
    const lines = (await answer.json()) as { price: number }[]
    const [line] = lines
    await route.fulfill({
      response: answer,
      json: [
        { ...line, previousPrice: 2995, price: 3295 },
        { ...line, id: 999_999, available: false },
      ],
    })
  })
  await page.reload()
  await page.getByRole('button', { name: 'Cart, 2 items' }).click()
  const drawer = page.getByRole('dialog', { name: 'Shopping Cart (2 items)' })
  await expect(drawer.getByText('The price has gone up since you added it: $29.95 $32.95')).toBeVisible()
  await expect(drawer.getByText(/^No longer available/)).toBeVisible()
  await expectAccessible(page)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true })

  test('a swipe changes the picture', async ({ page }) => {
    await page.goto(SHIRT)
    const large = page.getByRole('button', { name: /^Look closer/ })
    await expect(large).toHaveAccessibleName(/in Charcoal, front$/)
    const session = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: x === undefined ? [] : [{ x, y: 340 }] })
    await touch('touchStart', 280)
    for (const x of [220, 160, 100]) await touch('touchMove', x)
    await touch('touchEnd')
    await expect(large).toHaveAccessibleName(/in Charcoal, lifestyle$/)
    await expect(page.getByRole('button', { name: /^Show .* lifestyle$/ })).toHaveAttribute('aria-pressed', 'true')
    await page.getByRole('button', { name: /^Show .* front$/ }).click()
    await expect(large).toHaveAccessibleName(/in Charcoal, front$/)
  })

  test('a buy bar is there while the main button is out of sight, asks for the size once, and adds to the cart', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(SHIRT)
    const bar = page.getByRole('region', { name: 'Buy', exact: true })
    await expect(bar).toBeInViewport({ ratio: 1 })
    const barTop = async () => (await bar.boundingBox())?.y ?? 0
    await expect.poll(barTop).toBeLessThan(800)
    const name = page.getByRole('heading', { level: 1 })
    const price = page.getByRole('main').getByText('$32.95').first()
    const sizes = page.getByRole('group', { name: /^Size/ })
    for (const shown of [name, price, sizes]) expect(await bottomOf(shown)).toBeLessThanOrEqual(await barTop())
    const thumbnails = page.getByRole('button', { name: /^Show .* in Charcoal/ })
    await expect(thumbnails.nth(3)).toBeInViewport({ ratio: 1 })
    for (const one of await thumbnails.all()) expect((await one.boundingBox())?.width).toBeGreaterThanOrEqual(44)
    expect(await bottomOf(thumbnails.first())).toBeLessThan((await name.boundingBox())?.y ?? 0)
    const main = page.getByRole('main').getByRole('button', { name: /^Add to Cart, S$/ })
    expect(await bottomOf(main)).toBeLessThan(1000)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)

    await bar.getByRole('button', { name: 'Choose size' }).click()
    await expect(page.getByRole('radio', { name: 'S', exact: true })).toBeFocused()
    await expect(bar).toHaveCount(0)
    await page.getByRole('radio', { name: 'L', exact: true }).check()
    await page.getByRole('heading', { name: 'More Rudy' }).scrollIntoViewIfNeeded()
    await bar.getByRole('button', { name: 'Add to Cart, L' }).click()
    await expect(page.getByRole('button', { name: 'Cart, 1 item' })).toBeVisible()
    await bar.getByRole('button', { name: /change the options/ }).click()
    await expect(page.getByRole('radio', { name: 'Charcoal' })).toBeFocused()
  })

  test('several of a piece, stepped or typed: in the total to the door and the bar, and bought by each button', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(SHIRT)
    await page.getByRole('radio', { name: 'L', exact: true }).check()
    const quantity = page.getByRole('spinbutton', { name: 'Quantity' })
    await expect(page.getByRole('button', { name: 'One fewer' })).toHaveAttribute('aria-disabled', 'true')
    await page.getByRole('button', { name: 'One more' }).click()
    await quantity.press('ArrowUp')
    await expect(quantity).toHaveValue('3')
    await expect(page.getByRole('region', { name: 'Shipping and quality' })).toContainText('door$98.85')
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)

    await page.getByRole('heading', { name: 'More Rudy' }).scrollIntoViewIfNeeded()
    const bar = page.getByRole('region', { name: 'Buy', exact: true })
    await expect(bar).toContainText('3 × $32.95')
    await bar.getByRole('button', { name: 'Add to Cart, L' }).click()
    await expect(page.getByText(/^3 × Rudy T-Shirt/)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Cart, 3 items' })).toBeVisible()
    await expect(quantity).toHaveValue('1')

    await quantity.fill('500')
    await quantity.blur()
    await expect(quantity).toHaveValue('99')
    await quantity.fill('5')
    await expect(page.getByText('Pays for 2 of this and everything in your cart.')).toBeVisible()
    const added = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/api/cart'))
    await page.getByRole('button', { name: 'Check out with PayPal' }).click()
    expect((await added).postDataJSON()).toMatchObject({ quantity: 2 })
    await expect(page.getByRole('heading', { name: 'Sandbox wallet' })).toBeVisible()
  })

  test('a tablet shows name, price, size and button without scrolling; a wide page its views, and keeps its pictures in sight', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 820, height: 1180 })
    await page.goto(SHIRT)
    await expect(page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('main').getByText('$32.95').first()).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('group', { name: /^Size/ })).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('main').getByRole('button', { name: /^Add to Cart/ })).toBeInViewport({ ratio: 1 })
    await page.setViewportSize({ width: 1440, height: 900 })
    const closer = page.getByRole('button', { name: /^Look closer/ })
    const width = (await closer.boundingBox())?.width ?? 0
    expect(width).toBeGreaterThanOrEqual(610)
    const first = page.getByRole('button', { name: /^Show .* front$/ })
    const last = page.getByRole('button', { name: /^Show Measures/ })
    for (const tile of [first, last]) await expect(tile).toBeInViewport({ ratio: 1 })
    // The views fill the width under the picture.
    const [left, right] = [await first.boundingBox(), await last.boundingBox()]
    expect((right?.x ?? 0) + (right?.width ?? 0) - (left?.x ?? 0)).toBeCloseTo(width, 0)
    await page.evaluate(() => scrollTo(0, 400))
    await expect(closer).toBeInViewport({ ratio: 0.9 })
    await page.getByRole('link', { name: 'Back to The Rudy Collection' }).click()
    await expect(page.getByRole('heading', { level: 1, name: /He sleeps/ })).toBeVisible()
  })

  test('a full-screen picture is accessible, zoomed or not', async ({ page }) => {
    await page.goto(SHIRT)
    await page.getByRole('button', { name: /^Look closer/ }).click()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Zoom in' }).click()
    await expect(page.getByRole('group', { name: /^Enlarged picture/ })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await expect(page.getByRole('button', { name: /^Look closer/ })).toBeFocused()
  })
})

const PHONE = { width: 390, height: 844 }
const TABLET = { width: 820, height: 1180 }
const DESKTOP = { width: 1440, height: 900 }

test('large cards are as wide as two columns, in the order of the list, and leave no holes', async ({ page }) => {
  const boxes = () =>
    page.locator('.cards > li').evaluateAll((items) =>
      items.map((item) => {
        const { left, right, top, width } = item.getBoundingClientRect()
        return { left: Math.round(left), right: Math.round(right), top: Math.round(top), width: Math.round(width) }
      }),
    )
  for (const [address, viewport, expected] of [
    ['/collections/rudy', PHONE, [6, 11, 16, 21]],
    ['/collections/rudy', TABLET, []],
    ['/collections/rudy', DESKTOP, [6, 11, 16, 21]],
    ['/products', PHONE, [4, 17]],
    ['/products', TABLET, []],
    ['/products', DESKTOP, [4, 17, 29]],
  ] as const) {
    await page.setViewportSize(viewport)
    await page.goto(address)
    const shown = await boxes()
    const narrow = Math.min(...shown.map(({ width }) => width))
    const large = shown.flatMap(({ width }, index) => (width > narrow * 2 ? [index] : []))
    expect(large, `${address} at ${viewport.width} pixels`).toEqual(expected)
    // Each begins beside the one before or further down.
    for (const [index, { left, top }] of shown.slice(1).entries()) {
      const before = shown[index]
      expect(top > (before?.top ?? 0) || left > (before?.left ?? 0), `card ${index + 2}`).toBe(true)
    }
    const rows = [...Map.groupBy(shown, ({ top }) => top).values()].map((row) =>
      Math.max(...row.map((box) => box.right)),
    )
    expect(new Set(rows).size, `at ${viewport.width} pixels`).toBe(1)
  }
  const card = page.getByRole('article').nth(4)
  const picture = card.getByRole('img').first()
  await expect(picture).toHaveAttribute('alt', /lifestyle$/)
  await card.hover()
  await expect(card.getByRole('img')).toHaveCount(5)
  await expect(picture).toHaveAttribute('alt', /lifestyle$/)
})

test('36 goods are at most 7,500 pixels on a phone and 8,500 on a wide screen', async ({ page }) => {
  for (const [viewport, most] of [
    [PHONE, 7500],
    [DESKTOP, 8500],
  ] as const) {
    await page.setViewportSize(viewport)
    await page.goto('/products')
    await expect(page.getByRole('article')).toHaveCount(36)
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(most)
  }
})

test('on a phone a card is added by a small plus with room for a thumb', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await page.goto('/products')
  const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator('.card-add').first().boundingBox()) ?? {}
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
  // The corner of what a thumb hits: around the disc, which is seen.
  expect(
    await page.evaluate(
      ([left = 0, top = 0]) => document.elementFromPoint(left, top)?.className,
      [x + width / 2, y + height - 2],
    ),
  ).toContain('card-add')
})

test('colors of a narrow card stay in one row, the one shown among them, and a link says how many more there are', async ({
  page,
}) => {
  await page.setViewportSize(TABLET)
  await page.goto('/')
  const card = cardOf(page, 'Asleep at the Vault')
  await card.hover()
  const more = card.getByRole('link', { name: /^\+\d 6 colors$/ })
  await expect(more).toBeVisible()
  const tops = await card.locator('.swatch').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
  expect(new Set(tops).size).toBe(1)
  expect(await more.innerText()).toContain(`+${6 - tops.length}`)
  await expect(card.getByRole('radio', { checked: true })).toHaveCount(1)
  await expectNoSidewaysScroll(page)
})

test('the animal and the first goods of each collection are in the first screen', async ({ page }) => {
  for (const viewport of [PHONE, TABLET, DESKTOP]) {
    await page.setViewportSize(viewport)
    for (const id of ['rudy', 'sherlock', 'example']) {
      await page.goto(`/collections/${id}`)
      const animal = page.locator('.collection-head img')
      await expect(animal).toBeInViewport({ ratio: 1 })
      expect((await animal.boundingBox())?.height, `${id} at ${viewport.width} pixels`).toBeGreaterThan(150)
      const { y = Infinity } = (await page.getByRole('article').first().boundingBox()) ?? {}
      // A line of text more or less, as fonts are drawn here and there, leaves a good part of the first goods.
      expect(viewport.height - y, `${id} at ${viewport.width} pixels`).toBeGreaterThan(60)
      if (viewport !== TABLET) await expect(page.locator('.card-price').first()).toBeInViewport({ ratio: 1 })
      await expectNoSidewaysScroll(page)
    }
  }
})

test('a collection fills its rows on a tablet, and has filters only for many goods', async ({ page }) => {
  await page.setViewportSize(TABLET)
  const filters = page.getByRole('region', { name: 'Filters' })
  for (const [id, goods, hasFilters] of [
    ['rudy', 24, true],
    ['sherlock', 8, false],
    ['example', 4, false],
  ] as const) {
    await page.goto(`/collections/${id}`)
    const cards = page.getByRole('main').getByRole('article')
    await expect(cards).toHaveCount(goods)
    await expect(filters).toHaveCount(hasFilters ? 1 : 0)
    const missing = await page.locator('.cards').evaluate((grid) => {
      const { right } = grid.getBoundingClientRect()
      const boxes = [...grid.children].map((card) => card.getBoundingClientRect())
      const rows = Map.groupBy(boxes, ({ top }) => Math.round(top))
      return [...rows.values()].map((row) => right - Math.max(...row.map((box) => box.right)))
    })
    expect(missing.length).toBeGreaterThan(1)
    expect(Math.max(...missing), `beside the cards of ${id}`).toBeLessThan(1)
  }
  await page.goto('/collections/sherlock?type=polo')
  await expect(filters).toHaveCount(1)
})

test('a product without a choice shows its arrival and its total to the door', async ({ page }) => {
  await page.goto('/product/sherlock-blanket-50x60-fog-on-the-moor')
  const promises = page.getByRole('region', { name: 'Shipping and quality' })
  await expect(promises).toContainText('Arrives')
  await expect(promises).toContainText('Estimated total to your door$66.00')
})

test('below its goods a collection leads to the others', async ({ page }) => {
  await page.goto('/RudyCollection')
  const others = page.getByRole('region', { name: 'Other collections' })
  await expect(others.getByRole('link')).toHaveText([
    'See all products',
    'The Sherlock Collection',
    'The Pip Collection',
  ])
  await others.getByRole('link', { name: 'The Pip Collection' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'No corners. No regrets.' })).toBeVisible()
  await expect(others.getByRole('link')).toHaveText([
    'See all products',
    'The Rudy Collection',
    'The Sherlock Collection',
  ])
  await expectAccessible(page)
})

test('the badge of a card stands on one line in the upper corner of its picture on a phone, however long it is', async ({
  page,
}) => {
  for (const width of [360, 390]) {
    await page.setViewportSize({ width, height: 844 })
    for (const path of ['/products', '/fr/products']) {
      await page.goto(path)
      const badges = await page.locator('.card-plate .badge').evaluateAll((all) =>
        all.map((badge) => ({
          size: Number.parseFloat(getComputedStyle(badge).fontSize),
          height: badge.getBoundingClientRect().height,
          toTop: badge.getBoundingClientRect().top - (badge.parentElement?.getBoundingClientRect().top ?? 0),
          toSide: (badge.parentElement?.getBoundingClientRect().right ?? 0) - badge.getBoundingClientRect().right,
        })),
      )
      expect(badges.length).toBeGreaterThan(5)
      expect(Math.min(...badges.map(({ size }) => size))).toBeGreaterThanOrEqual(11)
      expect(Math.max(...badges.map(({ height }) => height))).toBeLessThan(20)
      for (const { toTop, toSide } of badges) {
        expect(toTop).toBe(8)
        expect(toSide).toBeGreaterThanOrEqual(8)
      }
    }
  }
})

for (const width of [360, 1280])
  test.describe(`at ${width} pixels`, () => {
    test.use({ viewport: { width, height: 800 } })

    test('a product page stays where it is when the cart arrives before the script of its parts', async ({ page }) => {
      await page.goto(SHIRT)
      await addButton(page).click()
      await expect(page.getByRole('button', { name: 'Cart, 1 item' })).toBeVisible()
      await page.addInitScript(() => {
        Object.assign(window, { shifts: [] })
        new PerformanceObserver((list) => {
          const { shifts } = window as unknown as { shifts: number[] }
          for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value)
        }).observe({ type: 'layout-shift', buffered: true })
      })
      const cartIsKnown = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/cart')
      await page.route('**/BuyExpress-*.js', async (route) => {
        await cartIsKnown
        await expect(page.getByRole('button', { name: 'Cart, 1 item' })).toBeVisible()
        await route.continue()
      })
      await page.goto(HAT)
      await expect(page.getByText('Pays for this and everything in your cart.')).toBeVisible()
      await expect(page.getByText(/^Arrives/).first()).toBeVisible()
      const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)
      expect(shifts.reduce((sum, value) => sum + value, 0)).toBeLessThan(0.005)
    })

    test('home, menu and search are accessible, and the buttons lead to the right pages', async ({ page }) => {
      await page.goto('/')
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      for (const button of await page.getByRole('button', { name: 'Stay Tuned' }).all())
        await expect(button).toBeDisabled()
      await expect(page.getByRole('link', { name: 'Our Story' })).toHaveAttribute('href', '/about')
      await expect(page.getByRole('link', { name: /Shop Now/ })).toHaveAttribute('href', '/RudyCollection')
      await page.getByRole('banner').getByRole('button', { name: 'Search' }).click()
      await expect(page.getByPlaceholder('Search all products...').filter({ visible: true })).toBeFocused()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Close search' }).click()
      if (width < 768) {
        await page.getByRole('button', { name: 'Menu' }).click()
        await expectAccessible(page)
        await page.getByRole('button', { name: 'Menu' }).click()
      }
      await page.getByRole('link', { name: 'Explore Collections' }).click()
      await expect(page.getByRole('heading', { name: 'One collection per animal' })).toBeInViewport()
    })
  })
