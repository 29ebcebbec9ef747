import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, expectNoSidewaysScroll, tabTo, test } from './browser.ts'
import { HAT, SHIRT } from './shopper.ts'

const MUG = '/product/rudy-mug-11-oz-opening-bell'

const addFrom = async (page: Page, address: string) => {
  await page.goto(address)
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Add to Cart/ })
    .first()
    .click()
}
const drawerOf = (page: Page, items: number) => page.getByRole('dialog', { name: `Shopping Cart (${items} items)` })
const openCart = (page: Page, items: number) =>
  page.getByRole('button', { name: items === 1 ? 'Cart, 1 item' : `Cart, ${items} items` }).click()

async function addHat(page: Page): Promise<void> {
  await page.goto(HAT)
  await page.getByRole('main').getByRole('button', { name: 'Add to Cart', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Cart, 1 item' })).toBeVisible()
}

test('with two lines the drawer is filled on a phone: pictures, what goes with them, arrival', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await addHat(page)
  await page.goto(SHIRT)
  await page.getByRole('main').getByRole('button', { name: 'Add to Cart, S' }).click()
  await openCart(page, 2)
  const drawer = drawerOf(page, 2)
  await expect(drawer.getByText('Arrives')).toBeVisible()
  const offers = drawer.getByRole('region', { name: 'Pairs well with' })
  // The second one looks out at the side.
  await expect(offers.getByRole('listitem')).toHaveCount(2)
  const picture = drawer.locator('[data-line] img').first()
  await expect.poll(async () => (await picture.boundingBox())?.width).toBeCloseTo(96)
  expect(await emptyBandIn(drawer)).toBeLessThanOrEqual(200)
  expect((await drawer.locator('footer').boundingBox())?.height).toBeLessThan(250)
  await expect(offers.getByRole('listitem').first()).toBeInViewport({ ratio: 1 })
  await expectAccessible(page)

  // What is said of a change covers no line, no total, and not the button that closes the drawer.
  await drawer
    .getByRole('button', { name: /^Remove/ })
    .first()
    .click()
  const left = drawerOf(page, 1)
  await expect(left.locator('[data-line]')).toHaveCount(1)
  const said = page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')
  await expect(said).toContainText('removed')
  await expect(said).toHaveCSS('opacity', '1')
  for (const seen of [left.locator('[data-line] h3'), left.locator('footer'), left.getByLabel('Close')])
    expect(await overlap(said, seen)).toBe(false)
})

/** One after the other without a pause, as a slow phone handles taps that came while it was busy: none may be lost. */
const clickMore = (page: Page, times: number) =>
  page
    .getByRole('dialog')
    .getByRole('button', { name: /^One more/ })
    .evaluate(async (button: HTMLElement, times) => {
      for (let click = 0; click < times; click += 1) {
        button.click()
        await new Promise((next) => {
          const { port1, port2 } = new MessageChannel()
          port1.addEventListener('message', next)
          port1.start()
          port2.postMessage(undefined)
        })
      }
    }, times)

async function overlap(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await one.boundingBox(), await other.boundingBox()]
  if (!a || !b) throw new Error('One of them is not shown')
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

/** Pixels between the drawer's last offer and what is seen below the offers: the line for a code, or the footer. */
const emptyBandIn = (drawer: Locator) =>
  drawer.evaluate((dialog) => {
    const offers = [...dialog.querySelectorAll('.offers > li')].filter((offer) => offer.checkVisibility())
    const end = offers.at(-1)?.getBoundingClientRect().bottom ?? 0
    const below = [...dialog.querySelectorAll('.offers-room + div, footer')].map(
      (element) => element.getBoundingClientRect().top,
    )
    return Math.min(...below) - end
  })

for (const [width, height] of [
  [820, 1180],
  [1440, 900],
] as const)
  test(`the goods that go with a cart fill the drawer at ${width} pixels, whatever the lines leave`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height })
    for (const [address, count] of [
      ['/product/rudy-vented-hat-market-closed', 1],
      [SHIRT, 2],
      [MUG, 3],
    ] as const) {
      await addFrom(page, address)
      await openCart(page, count)
      const drawer = drawerOf(page, count)
      await expect(drawer.getByText('Arrives')).toBeVisible()
      await expect(drawer.locator('.offers > li').first()).toBeVisible()
      await expect.poll(() => emptyBandIn(drawer)).toBeLessThanOrEqual(80)
      // Without scrolling.
      expect(await emptyBandIn(drawer)).toBeGreaterThanOrEqual(0)
      await expectAccessible(page)
    }
  })

test('one tap adds a piece that goes with the cart, in the color that is shown', async ({ page }) => {
  await addHat(page)
  await openCart(page, 1)
  const offers = drawerOf(page, 1).getByRole('region', { name: 'Pairs well with' })
  // Its link names the color where that is not the product's first.
  const offer = offers
    .getByRole('listitem')
    .filter({ has: page.locator('a[href*="variant="]') })
    .first()
  const shown = new URL((await offer.getByRole('link').first().getAttribute('href')) ?? '', page.url())
  await offer.getByRole('button', { name: /^Add/ }).click()
  await expect(drawerOf(page, 2).locator('[data-line]')).toHaveCount(2)
  const lines = (await (await page.request.get('/api/cart')).json()) as { variantId: number }[]
  expect(lines.map(({ variantId }) => variantId)).toContain(Number(shown.searchParams.get('variant')))
})

test('on a phone the cart page’s total and the way to pay stay in sight, once', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const [address, count] of [
    [SHIRT, '1 item'],
    [MUG, '2 items'],
    [HAT, '3 items'],
  ] as const) {
    await addFrom(page, address)
    await expect(page.getByRole('button', { name: `Cart, ${count}` })).toBeVisible()
  }
  await page.goto('/cart')
  const bar = page.getByRole('region', { name: 'Checkout' })
  await expect(bar.getByRole('link', { name: 'Proceed to Checkout' })).toBeInViewport({ ratio: 1 })
  await expect(bar).toContainText(
    await page.getByRole('main').getByRole('region', { name: 'Total' }).getByRole('status').innerText(),
  )
  await expectAccessible(page)
  await page.getByRole('main').getByRole('link', { name: 'Proceed to Checkout' }).scrollIntoViewIfNeeded()
  await expect(bar).toHaveCount(0)
})

test('a line changes its size in the drawer by keyboard, and on the cart page becomes part of the line that has it', async ({
  page,
}) => {
  const press = (key: string) => page.keyboard.press(key)
  await page.goto(SHIRT)
  await page.getByRole('main').getByRole('button', { name: 'Add to Cart, S' }).click()
  await openCart(page, 1)
  const drawer = drawerOf(page, 1)
  const change = drawer.getByRole('button', { name: /^Change options of .*, Charcoal/ })
  await expect(drawer.getByText('Made to order: colors and sizes can’t be exchanged.')).toHaveCount(1)
  await tabTo(page, change)
  await press('Enter')
  const dialog = page.getByRole('dialog', { name: /^Change Rudy T-Shirt/ })
  await expect(dialog.getByRole('button', { name: 'Keep Charcoal / S' })).toBeEnabled()
  await expectAccessible(page)
  await press('Escape')
  await expect(dialog).toBeHidden()
  await expect(change).toBeFocused()

  await press('Enter')
  await tabTo(page, dialog.getByRole('radio', { name: 'S', exact: true }))
  await press('ArrowRight')
  await tabTo(page, dialog.getByRole('button', { name: 'Change to Charcoal / M' }))
  await press('Enter')
  await expect(drawer.getByText('Charcoal / M', { exact: true })).toBeVisible()
  await expect(page.getByText('Cart updated', { exact: true })).toBeVisible()
  await expect(change).toBeFocused()
  await expectAccessible(page)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('backup-cart'))).toContain(await variantIn(page, 0))

  // The same shirt again, in the size of before.
  await press('Escape')
  await page.getByRole('main').getByRole('button', { name: 'Add to Cart, S' }).click()
  await expect(page.getByRole('button', { name: 'Cart, 2 items' })).toBeVisible()
  await page.goto('/cart')
  await page.getByRole('button', { name: /^Change options of .*, Charcoal \/ S$/ }).click()
  await dialog.getByRole('radio', { name: 'M', exact: true }).check()
  await expect(dialog.getByRole('status')).toHaveText(
    'Charcoal / M is in your cart already. Both become one line of 2.',
  )
  await dialog.getByRole('button', { name: 'Change to Charcoal / M' }).click()
  await expect(page.getByRole('group', { name: /^Quantity of/ })).toHaveCount(1)
  await expect(page.getByRole('group', { name: /^Quantity of/ })).toHaveText('2')
  await expect(page.getByRole('button', { name: /^Change options of .*, Charcoal \/ M$/ })).toBeFocused()
})

/** As text. */
const variantIn = async (page: Page, line: number) =>
  String(((await (await page.request.get('/api/cart')).json()) as { variantId: number }[])[line]?.variantId)

test.describe('what cannot be changed', () => {
  test.use({ expected: [/Failed to load resource/] })

  test('says so in the picker: a color that is sold out, and a refusal', async ({ page }) => {
    await page.goto('/product/rudy-vented-hat-market-closed')
    await page.getByRole('main').getByRole('button', { name: 'Add to Cart', exact: true }).click()
    await openCart(page, 1)
    await drawerOf(page, 1)
      .getByRole('button', { name: /^Change/ })
      .click()
    const dialog = page.getByRole('dialog', { name: /^Change Rudy/ })
    await dialog.getByRole('radio', { name: /, sold out$/ }).check()
    await expect(dialog.getByRole('button', { name: 'Sold out' })).toHaveAttribute('aria-disabled', 'true')
    const refusal = { code: 'sold_out', message: 'This hat is sold out in this color.' }
    await page.route('**/api/cart/*', (route) => route.fulfill({ status: 409, json: refusal }))
    await dialog.getByRole('radio', { name: 'Navy with Ivory' }).check()
    await dialog.getByRole('button', { name: 'Change to Navy with Ivory' }).click()
    await expect(dialog.getByRole('alert')).toHaveText(refusal.message)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
  })
})

test('an earlier cart response does not hide an added item', async ({ page }) => {
  const added = page.waitForResponse((answer) => answer.request().method() === 'POST' && answer.url().endsWith('/cart'))
  let isFirst = true
  await page.route('**/api/cart', async (route) => {
    if (route.request().method() !== 'GET' || !isFirst) return route.continue()
    isFirst = false
    const response = await route.fetch()
    // Held until the item was added, or until the fetch would have timed out.
    await Promise.race([added, new Promise((later) => setTimeout(later, 1000))])
    return route.fulfill({ response })
  })
  await addHat(page)
})

test('the cart stays in reach: scrolled down, it is in the bar that stays', async ({ page }) => {
  await page.goto('/products')
  const cart = page.getByRole('button', { name: 'Cart', exact: true })
  await expect(cart).toHaveCount(1)
  await page.mouse.wheel(0, 900)
  await expect(cart).toBeInViewport()
  await expect(cart).toHaveCount(1)
})

test('two items that a new visitor adds at the same time are both kept', async ({ page }) => {
  await page.goto('/collections/rudy')
  await expect(page.getByRole('button', { name: 'Cart', exact: true })).toBeVisible()
  const buttons = page.getByRole('main').getByRole('button', { name: /^Add to Cart/ })
  await buttons.first().evaluate((button: HTMLElement) => {
    const all = [...document.querySelectorAll<HTMLElement>('main article button')]
    const next = all.find((other) => other !== button && other.textContent?.startsWith('Add to Cart'))
    button.click()
    next?.click()
  })
  await openCart(page, 2)
  await expect(drawerOf(page, 2).getByRole('button', { name: /^Remove/ })).toHaveCount(2)
})

/** Quantities that the page sent to the shop. */
function watchChanges(page: Page): unknown[] {
  const changes: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT') changes.push((request.postDataJSON() as { quantity: number }).quantity)
  })
  return changes
}

test('several quick clicks are one request with the last quantity', async ({ page }) => {
  await addHat(page)
  const changes = watchChanges(page)
  await openCart(page, 1)
  await clickMore(page, 4)
  await expect(drawerOf(page, 5)).toBeVisible()
  await expect.poll(() => changes).toEqual([5])
  await page.reload()
  await expect(page.getByRole('button', { name: 'Cart, 5 items' })).toBeVisible()
})

test('the last clicks in the cart are saved before the checkout opens', async ({ page }) => {
  await addHat(page)
  await openCart(page, 1)
  const drawer = page.getByRole('dialog')
  await clickMore(page, 2)
  await drawer.getByRole('button', { name: 'Proceed to Checkout' }).click()
  await expect(page.getByRole('heading', { name: 'Checkout', level: 1 })).toBeVisible()
  await expect(drawer).toBeHidden()
  expect(await (await page.request.get('/api/cart')).json()).toMatchObject([{ quantity: 3 }])
})

test('minus at one removes the line, and undo restores it', async ({ page }) => {
  await addHat(page)
  const changes = watchChanges(page)
  await openCart(page, 1)
  await drawerOf(page, 1)
    .getByRole('button', { name: /^One fewer/ })
    .click()
  await expect(drawerOf(page, 0).getByText('Your cart is empty')).toBeVisible()
  await expect(drawerOf(page, 0).getByText('Add some items to get started')).toBeVisible()
  await expect(drawerOf(page, 0).getByRole('region', { name: 'Best sellers' }).getByRole('listitem')).toHaveCount(4)
  await expect.poll(() => changes).toEqual([0])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(drawerOf(page, 1)).toBeVisible()
})

test('the cart opens when its button is pressed while the page reaches its top', async ({ page }) => {
  await addHat(page)
  await page.goto('/products')
  await page.evaluate(() => scrollTo({ top: 600, behavior: 'instant' }))
  const inMainBar = page.locator('.main-bar').getByRole('button', { name: 'Cart, 1 item' })
  const pointAtIt = async () => {
    const { x, y, width, height } = (await inMainBar.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    await page.mouse.move(x + width / 2, y + height / 2)
  }
  await expect(inMainBar).toBeVisible()
  await pointAtIt()
  await page.mouse.down()
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  await expect.poll(async () => (await inMainBar.boundingBox())?.y).toBeGreaterThan(40)
  await pointAtIt()
  await page.mouse.up()
  await expect(drawerOf(page, 1)).toBeVisible()
})

test('the remove button deletes the line, and undo restores its quantity', async ({ page }) => {
  await addHat(page)
  await openCart(page, 1)
  await drawerOf(page, 1)
    .getByRole('button', { name: /^One more/ })
    .click()
  const lineSaved = async () =>
    ((await (await page.request.get('/api/cart')).json()) as { id: number; quantity: number }[])[0]
  await expect.poll(async () => (await lineSaved())?.quantity).toBe(2)
  const line = await lineSaved()
  const asked = page.waitForRequest((request) => request.method() === 'DELETE')
  await drawerOf(page, 2)
    .getByRole('button', { name: /^Remove/ })
    .click()
  expect(new URL((await asked).url()).pathname).toBe(`/api/cart/${line?.id}`)
  await expect(drawerOf(page, 0).getByText('Your cart is empty')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(drawerOf(page, 2)).toBeVisible()
})

test('clicks while a change is being saved count, too', async ({ page }) => {
  await addHat(page)
  await openCart(page, 1)
  const more = drawerOf(page, 1).getByRole('button', { name: /^One more/ })
  const saving = Promise.withResolvers<void>()
  const going = page.waitForRequest('**/api/cart/*')
  await page.route(
    '**/api/cart/*',
    async (route) => {
      await saving.promise
      await route.continue()
    },
    { times: 1 },
  )
  await more.click()
  await going
  for (let click = 0; click < 2; click += 1)
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^One more/ })
      .click()
  saving.resolve()
  await expect
    .poll(async () => (await page.request.get('/api/cart')).json())
    .toEqual([expect.objectContaining({ quantity: 4 })])
  await expect(drawerOf(page, 4)).toBeVisible()
})

test.describe('when a proxy answers instead of the shop', () => {
  test.use({ expected: [/Failed to load resource/] })

  test('its status and text are shown, not a connection error', async ({ page }) => {
    await addHat(page)
    await openCart(page, 1)
    const more = drawerOf(page, 1).getByRole('button', { name: /^One more/ })
    const alert = page.getByRole('dialog').getByRole('alert')
    await page.route('**/api/cart/*', (route) =>
      route.fulfill({ status: 500, body: 'text', contentType: 'text/plain' }),
    )
    await more.click()
    await expect(alert).toHaveText('500: text')
    await page.unroute('**/api/cart/*')
    await page.route('**/api/cart/*', (route) => route.fulfill({ status: 503, body: '' }))
    await more.click()
    await expect(alert).toHaveText('503: Service Unavailable')
  })
})

test.describe('when the shop does not answer', () => {
  test.use({ expected: [/Failed to load resource/] })

  test('a change is undone, with an error at its line', async ({ page }) => {
    await addHat(page)
    await openCart(page, 1)
    await page.route('**/api/cart/*', (route) => route.abort())
    await drawerOf(page, 1)
      .getByRole('button', { name: /^One more/ })
      .click()
    await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(/The shop could not be reached/)
    await expect(drawerOf(page, 1)).toBeVisible()
    await expectAccessible(page)
  })
})

test('clearing empties the cart, and checking out is then refused with a reason', async ({ page }) => {
  await addHat(page)
  await openCart(page, 1)
  await drawerOf(page, 1).getByRole('button', { name: 'Clear Cart' }).click()
  const drawer = drawerOf(page, 0)
  const proceed = drawer.getByRole('button', { name: 'Proceed to Checkout' })
  await expect(proceed).toHaveAttribute('aria-disabled', 'true')
  // It looks disabled, but gives the reason.
  await proceed.click({ force: true })
  await expect(page.getByText('Add some items to your cart before checking out.', { exact: true })).toBeVisible()
  await expectAccessible(page)
  expect(await page.evaluate(() => localStorage.getItem('backup-cart'))).toBeNull()
})

test('Esc closes the drawer and returns the focus to where it was opened', async ({ page }) => {
  await addHat(page)
  const opener = page.getByRole('button', { name: 'Cart, 1 item' })
  await opener.click()
  await expect(drawerOf(page, 1)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(opener).toBeFocused()
})

for (const [width, drawn] of [
  [480, 400],
  [1280, 540],
] as const)
  test(`at ${width} pixels the drawer is ${drawn} wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/about')
    await page.getByRole('button', { name: 'Cart', exact: true }).click()
    await expect.poll(async () => (await page.getByRole('dialog').boundingBox())?.width).toBe(drawn)
  })

test('two tabs of a shopper show the same cart', async ({ page, context }) => {
  await addHat(page)
  const other = await context.newPage()
  await other.goto('/about')
  await openCart(other, 1)
  await drawerOf(other, 1)
    .getByRole('button', { name: /^One more/ })
    .click()
  await expect(page.getByRole('button', { name: 'Cart, 2 items' })).toBeVisible()
})

test('a browser that lost its session gets its cart back', async ({ page, context }) => {
  await addHat(page)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('backup-cart'))).toContain('variantId')
  await context.clearCookies()
  await page.goto('/about')
  await expect(page.getByRole('button', { name: 'Cart, 1 item' })).toBeVisible()
})

test('a cart opens on another device by the link of its QR code, also without JavaScript', async ({
  page,
  browser,
  baseURL,
}) => {
  await addHat(page)
  await page.goto('/cart')
  await page.getByText('Take your cart along').click()
  await page.getByRole('button', { name: 'Send my cart to my phone' }).click()
  const code = page.getByRole('img', { name: 'QR code of your cart' })
  await expect(code).toBeVisible()
  await expect.poll(() => code.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await expectAccessible(page)
  const link = await page.getByRole('link', { name: 'copy this link' }).getAttribute('href')
  const phone = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
  const there = await phone.newPage()
  await there.goto(`${baseURL}${link}`)
  await there.getByRole('button', { name: 'Open this cart' }).click()
  await expect(there.getByText('Your cart is here.')).toBeVisible()
  await expect(there.getByText('1 item', { exact: true })).toBeVisible()
  await phone.close()
})
