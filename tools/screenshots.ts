import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from '@playwright/test'
import sharp from 'sharp'
import { bringHatToCheckout, cards, continueToPayment, fillCustomer, HAT, pay } from '../test/e2e/shopper.ts'
import { findChromium } from './chromium.ts'
import { startOwnWorld } from './own-world.ts'

// Looks at every page and state on three screens. All of them go to dist/screenshots, to be looked at; a handful goes to
// docs/pictures, with the composed picture of the README.

const ROOT = join(import.meta.dirname, '..')
const ALL = join(ROOT, 'dist/screenshots')
const DOCS = join(ROOT, 'docs/pictures')
const SHOWN_MAX_BYTES = 60_000
const README_MAX_BYTES = 150_000
/** Long enough for pictures that come near and panels that slide. */
const SETTLE_MS = 500
const widths = [360, 768, 1280] as const

type Shot = { name: string; reach: (page: Page) => Promise<unknown>; isShown?: boolean }

const at = (name: string, path: string, isShown = false): Shot => ({ name, isShown, reach: (page) => page.goto(path) })

const addHat = async (page: Page) => {
  await page.goto(HAT)
  await page.getByRole('main').getByRole('button', { name: 'Add to Cart' }).first().click()
  await page.getByRole('button', { name: 'Cart, 1 item' }).waitFor()
}

const shots: readonly Shot[] = [
  at('home', '/', true),
  at('products', '/products', true),
  at('product', HAT, true),
  at('rudy', '/collections/rudy'),
  at('sherlock', '/collections/sherlock'),
  at('example', '/collections/example'),
  at('collection-without-match', '/collections/rudy?search=nothing-at-all'),
  at('search', '/search?q=hat'),
  at('search-without-query', '/search'),
  at('search-without-match', '/search?q=nothing-at-all'),
  at('about', '/about'),
  at('contact', '/contact'),
  {
    name: 'contact-wrong',
    reach: async (page) => {
      await page.goto('/contact')
      await page.getByLabel('Email').fill('fan@')
      await page.getByLabel('Message').focus()
    },
  },
  at('auth', '/auth'),
  at('privacy-policy', '/privacy-policy'),
  at('terms-of-service', '/terms-of-service'),
  at('shipping-returns', '/shipping-returns'),
  at('cart-page-empty', '/cart'),
  at('not-found', '/no-such-page'),
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
    reach: async (page) => {
      await addHat(page)
      await page.getByRole('button', { name: 'Cart, 1 item' }).click()
    },
  },
  {
    name: 'cart-page',
    reach: async (page) => {
      await addHat(page)
      await page.goto('/cart')
    },
  },
  {
    name: 'checkout',
    isShown: true,
    reach: async (page) => {
      await bringHatToCheckout(page)
      await fillCustomer(page, 'ada@example.com')
      await page.evaluate(() => scrollTo(0, 0))
    },
  },
  {
    name: 'payment',
    reach: async (page) => {
      await bringHatToCheckout(page)
      await fillCustomer(page, 'ada@example.com')
      await continueToPayment(page)
    },
  },
  {
    name: 'success',
    isShown: true,
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
  console.error('Chromium is missing. Install it, or say where it is with CHROMIUM.')
  process.exit(1)
}
const wanted = process.argv.slice(2)
mkdirSync(ALL, { recursive: true })
mkdirSync(DOCS, { recursive: true })
const world = await startOwnWorld()
const browser = await chromium.launch({
  executablePath: browserFile,
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
})
const missed: string[] = []
try {
  for (const width of widths)
    for (const shot of shots)
      if (!wanted.length || wanted.includes(shot.name))
        await take(browser, shot, width).catch((error: unknown) => {
          missed.push(`${shot.name} at ${width}: ${error instanceof Error ? error.message.split('\n')[0] : ''}`)
        })
  if (!wanted.length) await composeForReadme(browser)
} finally {
  await browser.close()
  await world.close()
}
for (const one of missed) console.error(`Not reached: ${one}`)
console.log(`Screenshots are in dist/screenshots, those of the documentation in docs/pictures.`)
process.exit(missed.length ? 1 : 0)

/** The whole page for looking at; for the documentation what is in sight when it opens. */
async function take(browser: Browser, { name, reach, isShown }: Shot, width: number): Promise<void> {
  const context = await browser.newContext({
    baseURL: world.shop,
    viewport: { width, height: width === 360 ? 760 : 800 },
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  try {
    await reach(page)
    await page.waitForTimeout(SETTLE_MS)
    if (isShown && width !== 768)
      await writeWebp(await page.screenshot(), join(DOCS, `${name}-${width}.webp`), SHOWN_MAX_BYTES)
    await loadAllPictures(page)
    const whole = sharp(await page.screenshot({ fullPage: true }))
    await whole.webp({ quality: 70 }).toFile(join(ALL, `${name}-${width}.webp`))
  } finally {
    await context.close()
  }
}

/** Pictures come when one scrolls near them. */
async function loadAllPictures(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const image of document.querySelectorAll('img')) image.loading = 'eager'
    await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)))
  })
}

/** As good as fits: the repository keeps every version of these files. */
async function writeWebp(png: Buffer, file: string, maxBytes: number): Promise<void> {
  for (const quality of [82, 74, 66, 58, 50, 40, 30]) {
    await sharp(png).webp({ quality, effort: 6 }).toFile(file)
    if (statSync(file).size <= maxBytes) return
  }
}

/** Three screens on one table: the home page, a product and a telephone. */
async function composeForReadme(browser: Browser): Promise<void> {
  const picture = (name: string) =>
    `data:image/webp;base64,${readFileSync(join(DOCS, `${name}.webp`)).toString('base64')}`
  const page = await browser.newPage({ viewport: { width: 1600, height: 900 } })
  await page.setContent(`<!doctype html><style>
    body { margin: 0; width: 1600px; height: 900px; overflow: hidden; position: relative;
      background: linear-gradient(160deg, #2a2622, #1d1b19 60%); }
    img { position: absolute; display: block; border-radius: 10px; box-shadow: 0 30px 70px rgb(0 0 0 / 0.5); }
    .phone { border-radius: 26px; border: 8px solid #0d0c0b; }
  </style>
  <img src="${picture('home-1280')}" style="width: 900px; left: 70px; top: 70px">
  <img src="${picture('product-1280')}" style="width: 840px; left: 560px; top: 300px">
  <img class="phone" src="${picture('products-360')}" style="width: 280px; left: 1260px; top: 90px">
  <img class="phone" src="${picture('success-360')}" style="width: 240px; left: 190px; top: 365px">`)
  await page.waitForTimeout(SETTLE_MS)
  await writeWebp(await page.screenshot(), join(DOCS, 'shop.webp'), README_MAX_BYTES)
  await page.close()
}
