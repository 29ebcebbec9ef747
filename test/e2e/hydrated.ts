import type { Page } from '@playwright/test'
import { HYDRATED_EVENT } from '#web/app/before-hydration.ts'

const isAwake = () => !document.querySelector('script[data-app]') || 'isAwake' in document

/** For pages that are reached by a click. */
export const untilHydrated = (page: Page) => page.waitForFunction(isAwake)

/** The app starts after the first paint: earlier key presses and clicks of a test would be lost. */
export async function waitUntilHydrated(page: Page): Promise<void> {
  await page.addInitScript((event) => {
    document.addEventListener(event, () => Object.assign(document, { isAwake: true }))
  }, HYDRATED_EVENT)
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)]
  page.goto = async (...options) => {
    const answer = await goto(...options)
    // With `commit` a test wants the page before the app starts.
    if (options[1]?.waitUntil !== 'commit') await untilHydrated(page)
    return answer
  }
  page.reload = async (...options) => {
    const answer = await reload(...options)
    await untilHydrated(page)
    return answer
  }
}
