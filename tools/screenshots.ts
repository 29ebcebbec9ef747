import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from '@playwright/test'
import sharp from 'sharp'
import { waitUntilHydrated } from '../test/e2e/hydrated.ts'
import { bringHatToCheckout, cards, continueToPayment, fillCustomer, HAT, pay } from '../test/e2e/shopper.ts'
import { findChromium } from './chromium.ts'
import { startOwnWorld } from './own-world.ts'

// Takes every page and state on three screen sizes. All screenshots go to dist/screenshots; contact sheets of twelve of them and of
// the material and use of each type of product go to docs/pictures, with the composed picture for the README.

const ROOT = join(import.meta.dirname, '..')
const ALL = join(ROOT, 'dist/screenshots')
const DOCS = join(ROOT, 'docs/pictures')
const FINISHED = join(ROOT, 'pictures/finished')
const SHEET_MAX_BYTES = 260_000
const README_MAX_BYTES = 150_000
/** Long enough for lazy pictures and sliding panels. */
const SETTLE_MS = 500
/** The format's limit; the product list on a phone is longer. */
const WEBP_MAX_PIXELS = 16_383
const widths = [360, 768, 1280] as const
/** How the first screens of each width stand on its sheet, in pixels. */
const sheetsOfScreens = {
  360: { columns: 6, width: 240, height: 507 },
  768: { columns: 4, width: 384, height: 400 },
  1280: { columns: 3, width: 512, height: 320 },
} as const

type Shot = { name: string; reach: (page: Page) => Promise<unknown>; isOnSheet?: boolean }

const at = (name: string, path: string, isOnSheet = false): Shot => ({
  name,
  isOnSheet,
  reach: (page) => page.goto(path),
})

const addHat = async (page: Page) => {
  await page.goto(HAT)
  await page.getByRole('main').getByRole('button', { name: 'Add to Cart' }).first().click()
  await page.getByRole('button', { name: 'Cart, 1 item' }).waitFor()
}

const shots: readonly Shot[] = [
  at('home', '/', true),
  {
    name: 'products',
    isOnSheet: true,
    reach: async (page) => {
      await page.goto('/products')
      // Shows the products; the full-page picture has the title.
      await page.evaluate(() => {
        const card = document.querySelector('article')
        if (card) scrollTo(0, card.getBoundingClientRect().top - 88)
      })
    },
  },
  at('product', HAT, true),
  at('rudy', '/collections/rudy', true),
  at('sherlock', '/collections/sherlock'),
  at('example', '/collections/example'),
  at('collection-without-match', '/collections/rudy?search=nothing-at-all'),
  at('search', '/search?q=hat', true),
  at('search-without-query', '/search'),
  at('search-without-match', '/search?q=nothing-at-all'),
  at('about', '/about', true),
  at('contact', '/contact'),
  {
    name: 'contact-wrong',
    reach: async (page) => {
      await page.goto('/contact')
      await page.getByLabel('Email').fill('fan@')
      await page.getByRole('textbox', { name: 'Message' }).focus()
    },
  },
  at('auth', '/auth'),
  at('privacy-policy', '/privacy-policy'),
  at('terms-of-service', '/terms-of-service'),
  at('shipping-returns', '/shipping-returns'),
  at('cart-page-empty', '/cart'),
  at('not-found', '/no-such-page', true),
  at('product-not-found', '/product/999999'),
  at('payment-unverified', '/success?payment_intent=pi_unknown'),
  {
    name: 'search-open',
    reach: async (page) => {
      await page.goto('/products')
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      await page.getByPlaceholder('Search all products...').filter({ visible: true }).pressSequentially('mug')
    },
  },
  {
    name: 'menu-open',
    reach: async (page) => {
      await page.goto('/products')
      const menu = page.getByRole('button', { name: 'Menu' })
      if (await menu.isVisible()) await menu.click()
    },
  },
  {
    name: 'card-open',
    reach: async (page) => {
      await page.goto('/products')
      await page.getByRole('article').nth(1).hover()
    },
  },
  {
    name: 'drawer-empty',
    reach: async (page) => {
      await page.goto('/products')
      await page.getByRole('button', { name: 'Cart', exact: true }).click()
    },
  },
  { name: 'added', reach: addHat },
  {
    name: 'drawer',
    isOnSheet: true,
    reach: async (page) => {
      await addHat(page)
      await page.getByRole('button', { name: 'Cart, 1 item' }).click()
    },
  },
  {
    name: 'cart-page',
    isOnSheet: true,
    reach: async (page) => {
      await addHat(page)
      await page.goto('/cart')
    },
  },
  {
    name: 'checkout',
    isOnSheet: true,
    reach: async (page) => {
      await bringHatToCheckout(page)
      await fillCustomer(page, 'ada@example.com')
      await page.getByText('Calculating shipping and tax').first().waitFor({ state: 'hidden' })
      await page.evaluate(() => scrollTo(0, 0))
    },
  },
  {
    name: 'payment',
    isOnSheet: true,
    reach: async (page) => {
      await bringHatToCheckout(page)
      await fillCustomer(page, 'ada@example.com')
      await continueToPayment(page)
    },
  },
  {
    name: 'success',
    isOnSheet: true,
    reach: async (page) => {
      await bringHatToCheckout(page)
      await fillCustomer(page, 'ada@example.com')
      await continueToPayment(page)
      await pay(page, cards.good)
      await page.getByRole('heading', { name: 'Payment Successful!' }).waitFor({ timeout: 30_000 })
    },
  },
]

const browserFile = findChromium()
if (!browserFile) {
  console.error('Chromium is missing. Install it, or set CHROMIUM to its path.')
  process.exit(1)
}
const requestedNames = process.argv.slice(2)
mkdirSync(ALL, { recursive: true })
mkdirSync(DOCS, { recursive: true })
const world = await startOwnWorld()
const browser = await chromium.launch({
  executablePath: browserFile,
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
})
const missedShots: string[] = []
/** By `name-width`. */
const firstScreens = new Map<string, Buffer>()
try {
  for (const width of widths)
    for (const shot of shots)
      if (!requestedNames.length || requestedNames.includes(shot.name))
        await take(browser, shot, width).catch((error: unknown) => {
          missedShots.push(`${shot.name} at ${width}: ${error instanceof Error ? error.message.split('\n')[0] : ''}`)
        })
  if (!requestedNames.length) {
    for (const width of widths) await composeScreens(width)
    await composeForReadme(browser)
  }
} finally {
  await browser.close()
  await world.close()
}
if (!requestedNames.length || requestedNames.includes('pictures')) {
  await composePictures('material', ['detail'])
  await composePictures('in-use', ['worn', 'held'])
}
for (const shot of missedShots) console.error(`Not reached: ${shot}`)
console.log('Screenshots are in dist/screenshots, contact sheets in docs/pictures.')
process.exit(missedShots.length ? 1 : 0)

/** Takes the whole page; for a sheet, only its first screen. */
async function take(browser: Browser, { name, reach, isOnSheet }: Shot, width: number): Promise<void> {
  const context = await browser.newContext({
    baseURL: world.shop,
    viewport: { width, height: width === 360 ? 760 : 800 },
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await waitUntilHydrated(page)
  try {
    await reach(page)
    await page.waitForTimeout(SETTLE_MS)
    if (isOnSheet) firstScreens.set(`${name}-${width}`, await page.screenshot())
    // Otherwise sticky bars would cover the middle.
    await page.evaluate(() => scrollTo(0, 0))
    await loadAllPictures(page)
    const whole = sharp(await page.screenshot({ fullPage: true }))
    const { height } = await whole.metadata()
    await whole
      .extract({ left: 0, top: 0, width, height: Math.min(height, WEBP_MAX_PIXELS) })
      .webp({ quality: 70 })
      .toFile(join(ALL, `${name}-${width}.webp`))
  } finally {
    await context.close()
  }
}

/** Pictures load lazily. Those sized by their place do so only, and are near the top. */
async function loadAllPictures(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const image of document.querySelectorAll('img:not([sizes^=auto])')) image.setAttribute('loading', 'eager')
    await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)))
  })
}

/** Picks the best quality that fits: the repository keeps every version of these files. */
async function writeWebp(png: Buffer, file: string, maxBytes: number): Promise<void> {
  for (const quality of [82, 74, 66, 58, 50, 40, 30]) {
    await sharp(png).webp({ quality, effort: 6 }).toFile(file)
    if (statSync(file).size <= maxBytes) return
  }
}

async function composeScreens(width: (typeof widths)[number]): Promise<void> {
  const { columns, ...size } = sheetsOfScreens[width]
  const screens = shots.flatMap(({ name }) => firstScreens.get(`${name}-${width}`) ?? [])
  const tiles = await Promise.all(
    screens.map((screen) =>
      sharp(screen)
        .resize({ ...size, position: 'top' })
        .toBuffer(),
    ),
  )
  await composeSheet(`screens-${width}`, tiles, columns, size)
}

/** One picture of each type that has such a view, without a caption. Black ones say least. */
async function composePictures(sheet: string, views: readonly string[]): Promise<void> {
  const pictures = JSON.parse(readFileSync(join(FINISHED, 'index.json'), 'utf8')) as {
    type: string
    view: string
    color: string
    file: string
    width: number
  }[]
  const shown = pictures.filter(({ view, color }) => views.includes(view) && !/black|charcoal/i.test(color))
  const size = { width: 360, height: 360 }
  const tiles = await Promise.all(
    [...new Map(shown.map((picture) => [picture.type, picture])).values()].map(({ file, width }) =>
      sharp(join(FINISHED, `${file}.${width}.webp`))
        .resize(size)
        .toBuffer(),
    ),
  )
  await composeSheet(sheet, tiles, 4, size)
}

async function composeSheet(
  name: string,
  tiles: readonly Buffer[],
  columns: number,
  { width, height }: { width: number; height: number },
): Promise<void> {
  const gap = 12
  const rows = Math.ceil(tiles.length / columns)
  const sheet = sharp({
    create: {
      width: columns * (width + gap) + gap,
      height: rows * (height + gap) + gap,
      channels: 3,
      background: '#8a8378',
    },
  }).composite(
    tiles.map((input, index) => ({
      input,
      left: gap + (index % columns) * (width + gap),
      top: gap + Math.floor(index / columns) * (height + gap),
    })),
  )
  await writeWebp(await sheet.png().toBuffer(), join(DOCS, `${name}.webp`), SHEET_MAX_BYTES)
}

/** A desktop screen and two phones side by side. */
async function composeForReadme(browser: Browser): Promise<void> {
  const picture = (name: string) => `data:image/png;base64,${firstScreens.get(name)?.toString('base64') ?? ''}`
  const page = await browser.newPage({ viewport: { width: 1600, height: 760 } })
  await page.setContent(`<!doctype html><style>
    body { margin: 0; height: 760px; overflow: hidden; position: relative; background: linear-gradient(150deg, #e9dfc9, #cdbb95); }
    img { position: absolute; display: block; border-radius: 10px;
      box-shadow: 0 2px 6px rgb(29 27 25 / 0.25), 0 28px 60px -12px rgb(29 27 25 / 0.5); }
    .phone { width: 244px; border-radius: 28px; border: 7px solid #1d1b19; }
  </style>
  <img src="${picture('home-1280')}" style="width: 960px; left: 56px; top: 80px">
  <img class="phone" src="${picture('product-360')}" style="left: 1044px; top: 176px">
  <img class="phone" src="${picture('success-360')}" style="left: 1312px; top: 64px">`)
  await page.waitForTimeout(SETTLE_MS)
  await writeWebp(await page.screenshot(), join(DOCS, 'shop.webp'), README_MAX_BYTES)
  await page.close()
}
