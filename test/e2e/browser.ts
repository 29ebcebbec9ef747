import { test as base, expect, type Locator, type Page } from '@playwright/test'
import { findViolations } from '../axe.ts'
import { waitUntilHydrated } from './hydrated.ts'

/** A page that must stay silent: every console error and every exception fails its test. */
export const test = base.extend<{ page: Page; expected: RegExp[] }>({
  /** Errors that a test causes on purpose and the browser therefore logs. */
  expected: [[], { option: true }],
  page: async ({ page, expected, javaScriptEnabled }, use) => {
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(`${message.text()} (${message.location().url})`)
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    if (javaScriptEnabled) await waitUntilHydrated(page)
    await use(page)
    expect(complaints.filter((complaint) => !expected.some((known) => known.test(complaint)))).toEqual([])
  },
})

export { expect }

/** Fails on every accessibility error that axe finds, also of WCAG 2.2 AA. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await findInaccessible(page)).toEqual([])
}

/** @returns what axe finds, with the elements */
export async function findInaccessible(page: Page) {
  // A message that has just appeared is still fading in: a real error is still there on the second try.
  const found = await findAtRest(page)
  return found.length > 0 ? await findAtRest(page) : found
}

async function findAtRest(page: Page) {
  // While fading in, text lacks its contrast; animations inside folded parts never finish.
  await page.evaluate(() => {
    const passing = document
      .getAnimations()
      .filter(({ effect }) => effect instanceof KeyframeEffect && effect.target?.checkVisibility())
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
    return Promise.allSettled(passing.map((one) => one.finished)).then(() => {})
  })
  return findViolations(page)
}

/** The page is never wider than the screen. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [page_, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
  expect(page_).toBeLessThanOrEqual(screen ?? 0)
}

const PHONE = { width: 390, height: 844 }
/** Where screenshots go, when somebody wants to look. */
const SCREENSHOTS = process.env['E2E_SCREENSHOTS']

/** On a phone. With E2E_SCREENSHOTS it also leaves pictures of three widths there. */
export async function expectGoodOnPhone(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS)
    for (const width of [390, 820, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await page.screenshot({ path: `${SCREENSHOTS}/${name}-${width}.png`, fullPage: true })
    }
  await page.setViewportSize(PHONE)
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
}

const TABS_MAX = 120

/** Presses Tab until the control has the focus, as a keyboard user does. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  await expect(control).toBeVisible()
  for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${String(control)}`)
}
