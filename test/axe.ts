import type { Page } from '@playwright/test'
import axe from 'axe-core'

/** In the page itself, once per page load, and only violations: a third of the work. */
export async function findViolations(page: Page): Promise<{ id: string; where: string[] }[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: typeof axe }).axe.run({
      resultTypes: ['violations'],
      // Frames are emails, which run no script, or pages that are looked at by themselves.
      iframes: false,
      // Of WCAG 2.2, and the only one that is off by itself.
      rules: { 'target-size': { enabled: true } },
    }),
  )
  return violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ html }) => html) }))
}
