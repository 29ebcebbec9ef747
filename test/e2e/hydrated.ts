import type { Page } from '@playwright/test'
import { HYDRATED_EVENT } from '#web/app/before-hydration.ts'

const isAwake = () => !document.querySelector('script[data-app]') || 'isAwake' in document

/** For pages that are reached by pressing something. */
export const untilHydrated = (page: Page) => page.waitForFunction(isAwake)

/** The app comes after the first paint: what a test does by keys or by pointing would come to nobody before. */
export async function waitUntilHydrated(page: Page): Promise<void> {
  await page.addInitScript((event) => {
    document.addEventListener(event, () => Object.assign(document, { isAwake: true }))
  }, HYDRATED_EVENT)
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)]
  page.goto = async (...asked) => {
    const answer = await goto(...asked)
    // Who asks for no more than an answer means the page as it is before the app.
    if (asked[1]?.waitUntil !== 'commit') await untilHydrated(page)
    return answer
  }
  page.reload = async (...asked) => {
    const answer = await reload(...asked)
    await untilHydrated(page)
    return answer
  }
}
