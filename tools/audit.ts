import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { findChromium } from './chromium.ts'
import { freePort } from './free-port.ts'
import { startOwnWorld } from './own-world.ts'

// Measures the pages on a slow phone with Lighthouse, and the size of a first visit with Chromium. Fails when a figure misses
// its limit. HTML reports go to dist/audit.

const REPORTS = join(import.meta.dirname, '../dist/audit')
/** With what comes after the page has started, such as footer and chat; `storefront.test.ts` has each page's own first script. */
const SCRIPT_MAX_BYTES = 143 * 1024
const PAGE_MAX_BYTES = 350 * 1024
const BROWSER_WITHIN_MS = 15_000

/** Search is kept out of search engines on purpose, so its SEO score is not checked. */
const pages: readonly { path: string; isIndexed: boolean }[] = [
  ...['/', '/products', '/product/1', '/collections/rudy', '/about', '/contact'].map((path) => ({
    path,
    isIndexed: true,
  })),
  { path: '/search?q=hat', isIndexed: false },
]

const leastScore = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100 } as const
type Category = keyof typeof leastScore

/** Milliseconds; layout shift has no unit. */
const mostMetric = {
  'largest-contentful-paint': 1800,
  'total-blocking-time': 50,
  'cumulative-layout-shift': 0,
} as const
type Metric = keyof typeof mostMetric

type Report = {
  report: string
  lhr: {
    categories: Record<string, { score: number | null } | undefined>
    audits: Record<string, { numericValue?: number } | undefined>
  }
}
type Lighthouse = (url: string, flags: object) => Promise<Report | undefined>

/** Optional: large, and not needed by the shop or its tests. */
async function findLighthouse(): Promise<Lighthouse | undefined> {
  const name: string = 'lighthouse'
  try {
    return ((await import(name)) as { default: Lighthouse }).default
  } catch {
    return undefined
  }
}

const [lighthouse, browserFile] = [await findLighthouse(), findChromium()]
if (!lighthouse || !browserFile) {
  console.error(
    lighthouse
      ? 'The audit needs Chromium. Install it, or set CHROMIUM to its path.'
      : 'The audit needs Lighthouse, which is not installed: run "npm install --no-save lighthouse" and try again.',
  )
  process.exit(1)
}

mkdirSync(REPORTS, { recursive: true })
const misses: string[] = []
const world = await startOwnWorld()
try {
  for (const page of pages) await measure(lighthouse, page)
  await weigh(browserFile)
} finally {
  await world.close()
}
console.log(misses.length ? `Outside the limits:\n${misses.join('\n')}` : 'Every figure is within its limits.')
process.exit(misses.length ? 1 : 0)

async function measure(lighthouse: Lighthouse, { path, isIndexed }: (typeof pages)[number]): Promise<void> {
  const port = await freePort()
  const profile = mkdtempSync(join(tmpdir(), 'audit-'))
  // A new browser for each page, so that no cache or compiled code carries over.
  const browser = spawn(
    browserFile ?? '',
    [
      ...['--headless=new', '--no-sandbox', '--disable-dev-shm-usage', '--disable-extensions', '--no-first-run'],
      ...[`--remote-debugging-port=${port}`, `--user-data-dir=${profile}`, 'about:blank'],
    ],
    { stdio: 'ignore' },
  )
  const ended = new Promise<void>((resolve) => {
    browser.once('exit', () => resolve())
  })
  try {
    await untilItListens(port)
    const result = await lighthouse(world.shop + path, { port, output: 'html', logLevel: 'error' })
    if (!result) throw new Error(`Lighthouse returned no result for ${path}`)
    writeFileSync(
      join(REPORTS, `${path.replaceAll(/\W+/g, '-').replaceAll(/^-|-$/g, '') || 'home'}.html`),
      result.report,
    )
    report(path, isIndexed, result.lhr)
  } finally {
    browser.kill()
    await ended
    rmSync(profile, { recursive: true, force: true, maxRetries: 3 })
  }
}

function report(path: string, isIndexed: boolean, { categories, audits }: Report['lhr']): void {
  const scores = (Object.keys(leastScore) as Category[])
    .filter((name) => isIndexed || name !== 'seo')
    .map((name) => ({ name, score: Math.round((categories[name]?.score ?? 0) * 100) }))
  const metrics = (Object.keys(mostMetric) as Metric[]).map((name) => ({
    name,
    value: Math.round((audits[name]?.numericValue ?? Number.NaN) * 1000) / 1000,
  }))
  for (const { name, score } of scores) if (score < leastScore[name]) misses.push(`${path}: ${name} ${score}`)
  for (const { name, value } of metrics)
    if (!(value <= mostMetric[name])) misses.push(`${path}: ${name} ${value}, at most ${mostMetric[name]}`)
  const shown = [
    ...scores.map(({ name, score }) => `${name} ${score}`),
    ...metrics.map(({ name, value }) => `${name} ${value}`),
  ]
  console.log(`${path}: ${shown.join(', ')}`)
}

async function untilItListens(port: number): Promise<void> {
  const giveUpAt = Date.now() + BROWSER_WITHIN_MS
  for (;;) {
    const listens = await fetch(`http://127.0.0.1:${port}/json/version`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (listens) return
    if (Date.now() > giveUpAt) throw new Error('Chromium did not open its debugging port.')
    await new Promise((later) => setTimeout(later, 100))
  }
}

/** What a first visit on a 360 px phone downloads, compressed. */
async function weigh(executablePath: string): Promise<void> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
  try {
    for (const { path } of pages) {
      const page = await browser.newPage({ viewport: { width: 360, height: 760 }, deviceScaleFactor: 2 })
      let [script, whole] = [0, 0]
      const devtools = await page.context().newCDPSession(page)
      await devtools.send('Network.enable')
      // A script counts as its compressed file; the page counts everything received, response headers included.
      devtools.on('Network.responseReceived', ({ type, response }) => {
        if (type === 'Script')
          script += Number(response.headers['content-length'] ?? response.headers['Content-Length'])
      })
      devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
        whole += encodedDataLength
      })
      await page.goto(world.shop + path, { waitUntil: 'networkidle' })
      await page.close()
      if (script > SCRIPT_MAX_BYTES) misses.push(`${path}: ${kilobytes(script)} of script`)
      if (whole > PAGE_MAX_BYTES) misses.push(`${path}: ${kilobytes(whole)} in total`)
      console.log(`${path}: ${kilobytes(script)} of script, ${kilobytes(whole)} in total`)
    }
  } finally {
    await browser.close()
  }
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`
}
