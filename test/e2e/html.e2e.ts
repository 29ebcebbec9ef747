import type { Page } from '@playwright/test'
import { SANDBOX } from './addresses.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './browser.ts'
import { HAT } from './shopper.ts'

const pages = [
  ...['/', '/products', HAT, '/collections/rudy', '/collections/sherlock', '/collections/example', '/search?q=hat'],
  ...['/search', '/search?q=nothing-at-all', '/about', '/contact', '/auth', '/cart', '/checkout', '/success'],
  ...['/privacy-policy', '/terms-of-service', '/shipping-returns', '/no-such-page', '/product/999999'],
]

/** The mistakes in a document, as the shop sends it and a strict parser reads it. */
async function faultsOf(page: Page, html: string): Promise<string[]> {
  return page.evaluate((text) => {
    const faults: string[] = []
    const parsed = new DOMParser().parseFromString(text, 'text/html')
    const all = (selector: string) => [...parsed.querySelectorAll<HTMLElement>(selector)]
    const told = (element: Element) => element.outerHTML.slice(0, 120)

    if (!text.startsWith('<!doctype html>')) faults.push('no doctype')
    if (!parsed.documentElement.lang) faults.push('no language')
    if (!parsed.title) faults.push('no title')
    if (all('h1').length !== 1) faults.push(`${all('h1').length} h1`)
    if (all('main').length !== 1) faults.push(`${all('main').length} main`)

    const ids = all('[id]').map(({ id }) => id)
    for (const id of new Set(ids.filter((id, index) => ids.indexOf(id) !== index))) faults.push(`id ${id} twice`)
    for (const name of ['for', 'aria-labelledby', 'aria-describedby'])
      for (const element of all(`[${name}]`))
        for (const id of (element.getAttribute(name) ?? '').split(' '))
          if (!parsed.getElementById(id)) faults.push(`${name}="${id}" leads nowhere`)
    for (const image of all('img')) {
      if (!image.hasAttribute('alt')) faults.push(`no alt: ${told(image)}`)
      if (!image.hasAttribute('width') || !image.hasAttribute('height')) faults.push(`no size: ${told(image)}`)
    }
    for (const control of all('input:not([type=hidden]), select, textarea')) {
      const named = control.closest('label') ?? parsed.querySelector(`label[for="${CSS.escape(control.id)}"]`)
      if (!named && !control.hasAttribute('aria-label') && !control.hasAttribute('aria-labelledby'))
        faults.push(`no label: ${told(control)}`)
    }
    for (const inner of all('a a, a button, button a, button button, label label, form form, p div, p ul, p p'))
      faults.push(`nested: ${told(inner)}`)
    for (const stray of all('ul > :not(li, script, template), ol > :not(li), dl > :not(dt, dd, div), table > tr'))
      faults.push(`stray: ${told(stray)}`)

    // A parser fixes wrong nesting by closing elements early: then there are fewer or more of them than in the source.
    const bare = text.replace(/<(script|style|noscript)\b.*?<\/\1>/gs, '')
    const clean = new DOMParser().parseFromString(bare, 'text/html')
    for (const name of ['a', 'p', 'form', 'button', 'ul', 'li', 'div', 'span', 'h2', 'label']) {
      const written = bare.match(new RegExp(`<${name}[ >]`, 'g'))?.length ?? 0
      const kept = clean.querySelectorAll(`html ${name}`).length
      if (written !== kept) faults.push(`${written} <${name}> were written, ${kept} were read`)
    }
    let last = 0
    for (const { tagName } of all('h1, h2, h3, h4')) {
      const level = Number(tagName[1])
      if (level > last + 1 && last > 0) faults.push(`h${level} after h${last}`)
      last = level
    }
    return faults
  }, html)
}

test('every page is well-formed before any script runs', async ({ page, request }) => {
  await page.goto('/about')
  for (const path of pages) {
    const answer = await request.get(path, { headers: { accept: 'text/html' } })
    expect.soft(await faultsOf(page, await answer.text()), path).toEqual([])
  }
})

test('the style guide shows every piece of the pages, accessibly, in each collection', async ({ page }) => {
  await page.goto(`${SANDBOX}/style-guide`)
  for (const name of ['The Rudy Collection', 'The Sherlock Collection', 'The Pip Collection']) {
    await page.getByText(name).click()
    await expectAccessible(page)
  }
  for (const opener of ['Open a dialog', 'Open a drawer']) {
    await page.getByRole('button', { name: opener }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
  }
  await page.getByRole('button', { name: 'Destructive toast' }).click()
  await expect(page.getByText('Failed to add item to cart. Please try again.', { exact: true })).toBeVisible()
  await page.setViewportSize({ width: 360, height: 800 })
  await expectNoSidewaysScroll(page)
})

test('a table is sorted by the buttons in its head and scrolls by itself', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 })
  await page.goto(`${SANDBOX}/style-guide`)
  const region = page.getByRole('region', { name: 'Sorted, with totals' })
  const names = () => region.getByRole('rowheader').allInnerTexts()
  await expect(region.getByRole('columnheader', { name: 'Revenue' })).toHaveAttribute('aria-sort', 'descending')
  expect(await names()).toEqual(['Hats', 'Mugs', 'Blankets', 'All'])

  await region.getByRole('button', { name: 'Kind' }).focus()
  await page.keyboard.press('Enter')
  await expect(region.getByRole('columnheader', { name: 'Kind' })).toHaveAttribute('aria-sort', 'ascending')
  await expect(region.getByRole('columnheader', { name: 'Revenue' })).not.toHaveAttribute('aria-sort')
  expect(await names()).toEqual(['Blankets', 'Hats', 'Mugs', 'All'])
  await page.keyboard.press('Enter')
  expect(await names()).toEqual(['Mugs', 'Hats', 'Blankets', 'All'])

  const narrow = page.getByRole('region', { name: 'Narrower than its columns' })
  await narrow.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => narrow.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0)
  await expectNoSidewaysScroll(page)
})

test('the shop itself serves no style guide', async ({ request }) => {
  expect((await request.get('/style-guide')).status()).toBe(404)
})
