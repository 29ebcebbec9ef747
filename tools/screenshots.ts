import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from '@playwright/test'
import sharp from 'sharp'
import { waitUntilHydrated } from '../test/e2e/hydrated.ts'
import { bringHatToCheckout, cards, continueToPayment, fillCustomer, HAT, pay } from '../test/e2e/shopper.ts'
import { findChromium } from './chromium.ts'
import { startOwnWorld } from './own-world.ts'

// Takes every page and state on three screen sizes. All screenshots go to dist/screenshots; a few go to docs/pictures, with the
// composed picture for the README.

const ROOT = join(import.meta.dirname, '..')
const ALL = join(ROOT, 'dist/screenshots')
const DOCS = join(ROOT, 'docs/pictures')
const DOCS_MAX_BYTES = 60_000
const README_MAX_BYTES = 150_000
/** Long enough for lazy pictures and sliding panels. */
const SETTLE_MS = 500
/** The format's limit; the product list on a phone is longer. */
const WEBP_MAX_PIXELS = 16_383
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
  {
    name: 'products',
    isShown: true,
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
      await page.getByRole('textbox', { name: 'Message' }).focus()
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
      await page.getByText('Calculating shipping and tax').first().waitFor({ state: 'hidden' })
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
try {
  for (const width of widths)
    for (const shot of shots)
      if (!requestedNames.length || requestedNames.includes(shot.name))
        await take(browser, shot, width).catch((error: unknown) => {
          missedShots.push(`${shot.name} at ${width}: ${error instanceof Error ? error.message.split('\n')[0] : ''}`)
        })
  if (!requestedNames.length || requestedNames.includes('shop')) await composeForReadme(browser)
} finally {
  await browser.close()
  await world.close()
}
for (const shot of missedShots) console.error(`Not reached: ${shot}`)
console.log(`Screenshots are in dist/screenshots, those for the documentation in docs/pictures.`)
process.exit(missedShots.length ? 1 : 0)

/** Takes the whole page; for the documentation, only the visible part. */
async function take(browser: Browser, { name, reach, isShown }: Shot, width: number): Promise<void> {
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
    if (isShown && width !== 768)
      await writeWebp(await page.screenshot(), join(DOCS, `${name}-${width}.webp`), DOCS_MAX_BYTES)
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

/** Pictures load lazily. */
async function loadAllPictures(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const image of document.querySelectorAll('img')) image.loading = 'eager'
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

/** A desktop screen and two phones side by side. */
async function composeForReadme(browser: Browser): Promise<void> {
  const picture = (name: string) =>
    `data:image/webp;base64,${readFileSync(join(DOCS, `${name}.webp`)).toString('base64')}`
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
