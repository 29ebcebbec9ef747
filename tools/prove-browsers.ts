import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Screen, Tab } from './browsers/browser.ts'
import { findFirefox, openFirefox } from './browsers/firefox.ts'
import { createVisitor } from './browsers/visitor.ts'
import { expectNoSidewaysScroll, steps } from './browsers/walk.ts'
import { findWebKit, openWebKit } from './browsers/webkit.ts'
import { startOwnWorld } from './own-world.ts'

// What shoppers, partners and the owner do, in the two browsers that the other tests do not use, on a phone and a desktop screen.
// Prints a row per step, screenshots of failures, and `N passed, N failed` at the end.

const USAGE = `npm run prove:browsers -- [--short] [--browser firefox|webkit] [--step 'part of a title']
--short runs what npm test runs: links within a page, a checkbox and one card purchase, on a phone.`

const STEP_WITHIN_MS = 240_000

const PHONE: Screen = { width: 390, height: 844 }
const DESKTOP: Screen = { width: 1440, height: 900 }

const browsers = [
  { key: 'firefox', name: 'Firefox', find: findFirefox, open: openFirefox },
  { key: 'webkit', name: 'WebKitGTK', find: findWebKit, open: openWebKit },
] as const

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    browser: { type: 'string' },
    step: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
})
const chosenBrowsers = browsers.filter(({ key }) => values.browser === undefined || values.browser === key)
const chosenSteps = steps.filter(({ title, isShort }) => (!values.short || isShort) && title.includes(values.step))
if (values.help || chosenBrowsers.length === 0 || chosenSteps.length === 0) {
  console.log(USAGE)
  process.exit(values.help ? 0 : 2)
}

const counts = { passed: 0, failed: 0 }
let pictures: string | undefined

function printResult(isGood: boolean, message: string): void {
  counts[isGood ? 'passed' : 'failed'] += 1
  console.log(`${isGood ? '✓' : '✗'} ${message}`)
}

/** @returns the path of the file */
function savePicture(picture: Uint8Array): string {
  pictures ??= mkdtempSync(join(tmpdir(), 'pawtelier-browsers-'))
  const file = join(pictures, `${counts.failed + 1}.png`)
  writeFileSync(file, picture)
  return file
}

/** @throws Error after `STEP_WITHIN_MS`; the work itself continues until the browser is closed */
function withTimeout<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`timed out after ${STEP_WITHIN_MS / 1000} s`)), STEP_WITHIN_MS)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

async function walkThrough(tab: Tab, where: string, shop: string): Promise<void> {
  const visitor = createVisitor(tab, shop)
  for (const { title, walk } of chosenSteps) {
    const startedAt = performance.now()
    const took = () => `(${((performance.now() - startedAt) / 1000).toFixed(1)} s)`
    try {
      await withTimeout(walk(visitor))
      await expectNoSidewaysScroll(visitor)
      printResult(true, `${where}: ${title} ${took()}`)
    } catch (problem) {
      const picture = await withTimeout(tab.picture()).then(savePicture, () => 'no picture')
      const address = await withTimeout(visitor.path()).catch(() => 'no page')
      printResult(false, `${where}: ${title} ${took()}\n    ${String(problem)}\n    at ${address}, ${picture}`)
    }
  }
}

// Interrupting the run also ends the browsers and the shop.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

const world = await startOwnWorld()
try {
  for (const { name, find, open } of chosenBrowsers) {
    if (!find()) {
      printResult(false, `${name} is missing and could not be installed; its steps did not run`)
      continue
    }
    for (const screen of values.short ? [PHONE] : [PHONE, DESKTOP]) {
      const where = `${name}, ${screen.width} px`
      try {
        const tab = await withTimeout(open(screen))
        try {
          const [width] = await tab.run(() => [innerWidth] as const)
          if (width === screen.width) await walkThrough(tab, where, world.shop)
          else printResult(false, `${where}: the page is ${width} px wide`)
        } finally {
          await tab.close()
        }
      } catch (problem) {
        printResult(false, `${where}: ${String(problem)}`)
      }
    }
  }
} finally {
  await world.close()
}
console.log(`${counts.passed} passed, ${counts.failed} failed`)
process.exit(counts.failed ? 1 : 0)
