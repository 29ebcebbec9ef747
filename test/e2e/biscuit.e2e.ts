import sharp from 'sharp'
import type { Page } from '@playwright/test'
import { openWorld, type World } from '#sandbox/world.ts'
import { expect, test as base } from './browser.ts'
import { cards, continueToPayment, fillCustomer, newEmail, pay, readOrderNumber } from './shopper.ts'

/** A shop with nothing in it, of its own: the other tests count on the demo's catalog. */
const test = base.extend<object, { empty: World }>({
  empty: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from it what a fixture needs.
    async ({}, use) => {
      await using world = await openWorld({
        ...{ database: 'embedded', fromScratch: true, pages: true },
        env: { CATALOGUE_FILE: '' },
      })
      await use(world)
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ empty }, use) => use(empty.address),
})

// Nobody is signed in at first.
test.use({ actionTimeout: 20_000, expected: [/Failed to load resource.*401/] })

/** Pictures are made at the lowest priority, so they take long while other tests run. */
const PICTURES = { timeout: 120_000 }

/** A red disk on transparent ground, which is easy to find again in a print file. */
const drawDisk = () =>
  sharp(
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="2000"><circle cx="1000" cy="1000" r="1000" fill="#c8102e"/></svg>',
    ),
  )
    .png()
    .toBuffer()

type NewProduct = {
  name: string
  blank: string
  /** The shop asks, because no type is made on this blank: what it suggests. */
  suggests?: string
  color: string
  sizes: string[]
}

const SHIRT: NewProduct = {
  ...{ name: 'Biscuit T-Shirt', blank: 'Unisex Staple T-Shirt | Bella + Canvas 3001' },
  ...{ color: 'White', sizes: ['M', 'L'] },
}
const MUG: NewProduct = {
  ...{ name: 'Biscuit Mug', blank: 'White Ceramic Mug with Color Inside' },
  ...{ color: 'Black inside', sizes: ['11 oz'] },
}
const TOTE: NewProduct = {
  ...{ name: 'Biscuit Tote', blank: 'Eco Tote Bag | Econscious EC8000' },
  ...{ color: 'Oatmeal', sizes: ['One size'] },
}
/** Of a type that the demo never had. */
const STICKER: NewProduct = {
  ...{ name: 'Biscuit Sticker', blank: 'Kiss-Cut Stickers', suggests: 'New type: Sticker' },
  ...{ color: 'White', sizes: ['4″×4″'] },
}

const goOn = (page: Page, step: string) => page.getByRole('button', { name: `Next: ${step}` }).click()

async function uploadDrawing(page: Page): Promise<void> {
  await page.getByLabel('File').setInputFiles({ name: 'biscuit.png', mimeType: 'image/png', buffer: await drawDisk() })
  await page.getByLabel('What it shows').fill('Biscuit asleep')
  await page.getByRole('button', { name: 'Upload' }).click()
}

/** From the blank to on sale. @param place called where the drawing lies on its print area */
async function makeProduct(
  page: Page,
  { name, blank, suggests, color, sizes }: NewProduct,
  place: (position: ReturnType<Page['getByRole']>) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  await page.goto('/admin/products/new')
  const main = page.getByRole('main')
  await main.getByRole('searchbox').fill(blank.split(' | ')[0] ?? '')
  await main.getByRole('button', { name: `Choose ${blank}` }).click()
  if (suggests !== undefined) {
    const kind = main.getByRole('form', { name: 'Product type' })
    await expect(kind.getByLabel('Product type').locator('option:checked')).toHaveText(suggests, PICTURES)
    await kind.getByRole('button', { name: /go on$/i }).click()
  }
  const position = main.getByRole('button', { name: 'Position of Biscuit asleep' })
  const drawings = main.getByRole('list', { name: 'Drawings uploaded before' })
  await expect(main.getByRole('group', { name: 'New drawing' })).toBeVisible()
  if (name === SHIRT.name) await uploadDrawing(page)
  else await drawings.getByRole('button', { name: 'Biscuit asleep' }).click()
  await expect(position).toBeVisible(PICTURES)
  await place(position)
  await goOn(page, 'Colors and sizes')
  await main.getByRole('checkbox', { name: new RegExp(`^${color}\\b`) }).check()
  for (const size of sizes) await main.getByRole('checkbox', { name: size, exact: true }).check()
  await goOn(page, 'Price')
  await main.getByRole('button', { name: 'Suggest prices' }).click()
  await goOn(page, 'Words')
  await main.getByLabel('Name', { exact: true }).fill(name)
  await main.getByLabel('Description').fill(`${name}, with Biscuit asleep on it.`)
  await main.getByLabel('Collection').selectOption('Biscuit')
  await goOn(page, 'Preview')
  await main.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(main.getByText(`${name} is on sale.`)).toBeVisible(PICTURES)
}

type PrinterOrder = {
  status: string
  items: {
    name: string
    size: string
    files: { type: string; url: string; status: string; width: number; height: number }[]
  }[]
}

/** The order as the printer has it. */
async function readPrinterOrder({ simulators: { settings } }: World, number: string): Promise<PrinterOrder> {
  const answer = await fetch(`${settings['PRINTFUL_API_BASE']}/orders/@${number}`, {
    headers: { authorization: `Bearer ${settings['PRINTFUL_TOKEN']}` },
  })
  return ((await answer.json()) as { result: PrinterOrder }).result
}

/** Where a print file has the disk, as shares of the print area: left, top, width, height; and its color. */
async function findDisk(page: Page, url: string) {
  const { data, info } = await sharp(await (await page.request.get(url)).body())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const isInk = (x: number, y: number) => (data[(y * info.width + x) * 4 + 3] ?? 0) > 128
  const box = { left: info.width, top: info.height, right: 0, bottom: 0 }
  for (let y = 0; y < info.height; y += 1)
    for (let x = 0; x < info.width; x += 1)
      if (isInk(x, y)) {
        box.left = Math.min(box.left, x)
        box.right = Math.max(box.right, x + 1)
        box.top = Math.min(box.top, y)
        box.bottom = Math.max(box.bottom, y + 1)
      }
  const center = Math.round((box.top + box.bottom) / 2) * info.width + Math.round((box.left + box.right) / 2)
  return {
    ...{ left: box.left / info.width, top: box.top / info.height },
    ...{ width: (box.right - box.left) / info.width, height: (box.bottom - box.top) / info.height },
    color: [...data.subarray(center * 4, center * 4 + 4)],
  }
}

test('from an empty shop and one drawing to a collection of four products: on sale, bought, printed and in the reports', async ({
  page,
  empty,
}) => {
  test.setTimeout(480_000)
  await test.step('the owner signs in', async () => {
    await page.goto('/admin')
    await page.getByLabel('Username').fill('owner')
    await page.getByLabel('Password').fill('owner-demo')
    await page.getByRole('tabpanel').getByRole('button', { name: 'Login' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
  })

  await test.step('the collection', async () => {
    await page.getByRole('link', { name: 'New collection' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Biscuit')
    await page.getByLabel('Animal', { exact: true }).fill('corgi')
    await page.getByRole('button', { name: 'Create collection' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'The Biscuit Collection' })).toBeVisible()
  })

  let shirtAt: Partial<Record<'left' | 'top' | 'width' | 'height', number>> = {}
  await test.step('four products', async () => {
    await makeProduct(page, SHIRT, async (position) => {
      for (let times = 0; times < 8; times += 1) await position.press('-')
      for (let times = 0; times < 5; times += 1) await position.press('ArrowUp')
      shirtAt = await position.evaluate((element) => {
        const [own, area] = [element.getBoundingClientRect(), element.parentElement?.getBoundingClientRect()]
        if (!area) return {}
        return {
          ...{ left: (own.left - area.left) / area.width, top: (own.top - area.top) / area.height },
          ...{ width: own.width / area.width, height: own.height / area.height },
        }
      })
    })
    for (const product of [MUG, TOTE, STICKER]) await makeProduct(page, product)
  })

  let number = ''
  let total = ''
  await test.step('a shirt and a sticker are bought by card', async () => {
    for (const { name } of [SHIRT, STICKER]) {
      await page.goto('/BiscuitCollection')
      for (const product of [SHIRT, MUG, TOTE, STICKER])
        await expect(page.getByRole('main').getByRole('link', { name: product.name }).first()).toBeVisible()
      await page.getByRole('main').getByRole('link', { name }).first().click()
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
      await page.getByRole('main').getByRole('button', { name: 'Add to Cart' }).first().click()
      await expect(
        page.getByRole('button', { name: name === SHIRT.name ? 'Cart, 1 item' : 'Cart, 2 items' }),
      ).toBeVisible()
    }
    await page.getByRole('button', { name: 'Cart, 2 items' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Proceed to Checkout' }).click()
    await fillCustomer(page, newEmail())
    await continueToPayment(page)
    total = await pay(page, cards.good)
    number = await readOrderNumber(page)
  })

  await test.step('the printer has the order, each piece with its file and position', async () => {
    const order = () => readPrinterOrder(empty, number.slice(2))
    await expect.poll(async () => (await order())?.items?.length, { timeout: 30_000 }).toBe(2)
    const { items } = await order()
    const printed = [
      { name: SHIRT.name, at: shirtAt, area: { width: 1800, height: 2400 } },
      { name: STICKER.name, at: { left: 0.1, top: 0.1, width: 0.8, height: 0.8 }, area: { width: 600, height: 600 } },
    ]
    for (const { name, at, area } of printed) {
      const files = items.find((item) => item.name.startsWith(name))?.files.filter(({ type }) => type !== 'preview')
      expect(files).toEqual([expect.objectContaining({ status: 'ok', ...area })])
      const disk = await findDisk(page, files?.[0]?.url ?? '')
      expect(disk.color).toEqual([200, 16, 46, 255])
      for (const side of ['left', 'top', 'width', 'height'] as const) expect(disk[side]).toBeCloseTo(at[side] ?? -1, 2)
    }
  })

  await test.step('the reports have it', async () => {
    await page.goto('/reports')
    const main = page.getByRole('main')
    await expect(main.getByRole('definition').filter({ hasText: total }).first()).toBeVisible()
    await expect(main.getByRole('row', { name: /^Biscuit 1 \$/ })).toBeVisible()
  })
})
