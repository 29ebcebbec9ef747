import type { Page } from '@playwright/test'
import { AWAKE } from '#web/app/early.ts'

/** The app comes after the first paint: what a test does by keys or by pointing would come to nobody before. */
export async function waitUntilAwake(page: Page): Promise<void> {
  await page.addInitScript((event) => {
    document.addEventListener(event, () => Object.assign(document, { isAwake: true }))
  }, AWAKE)
  const isAwake = () => !document.querySelector('script[data-app]') || 'isAwake' in document
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)]
  page.goto = async (...asked) => {
    const answer = await goto(...asked)
    // Who asks for no more than an answer means the page as it is before the app.
    if (asked[1]?.waitUntil !== 'commit') await page.waitForFunction(isAwake)
    return answer
  }
  page.reload = async (...asked) => {
    const answer = await reload(...asked)
    await page.waitForFunction(isAwake)
    return answer
  }
}
