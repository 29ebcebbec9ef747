import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoSidewaysScroll, tabTo, test } from './browser.ts'

const field = (page: Page) => page.getByRole('combobox', { name: 'Search all products' })
const options = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')

async function openSearch(page: Page): Promise<void> {
  await tabTo(page, page.getByRole('button', { name: 'Search', exact: true }))
  await page.keyboard.press('Enter')
  await expect(field(page)).toBeFocused()
}

test.describe('the search field in the header', () => {
  test('suggests while the shopper types, and works with arrow keys', async ({ page }) => {
    await page.goto('/about')
    await openSearch(page)
    await expect(field(page)).toHaveAttribute('aria-expanded', 'false')
    await page.keyboard.type('sherl')
    await expect(options(page)).toHaveCount(7)
    await expect(options(page).first()).toContainText('The Sherlock Collection')
    await expect(options(page).nth(1)).toContainText(/The Sherlock Collection\$\d+\.\d\d/)
    await expect(options(page).last()).toHaveText('See all 8 products')
    await expect(page.getByRole('status').filter({ hasText: '6 suggestions' })).toBeAttached()
    await expectAccessible(page)

    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    const second = options(page).nth(1)
    await expect(second).toHaveAttribute('aria-selected', 'true')
    await expect(field(page)).toHaveAttribute('aria-activedescendant', (await second.getAttribute('id')) ?? '')
    await expect(field(page)).toBeFocused()

    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await expect(field(page)).not.toHaveAttribute('aria-activedescendant')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/collections\/sherlock$/)
  })

  test('opens a product on a click', async ({ page }) => {
    await page.goto('/about')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await field(page).fill('after hours')
    await options(page).filter({ hasText: 'After Hours' }).click()
    await expect(page.getByRole('heading', { level: 1, name: /After Hours/ })).toBeVisible()
  })

  test('Escape closes the suggestions first, then the field', async ({ page }) => {
    await page.goto('/about')
    await openSearch(page)
    await page.keyboard.type('mug')
    await expect(options(page).first()).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(options(page)).toHaveCount(0)
    await expect(field(page)).toHaveValue('mug')
    await page.keyboard.press('Escape')
    await expect(field(page)).toHaveCount(0)
  })

  test('trims the query, and does nothing for an empty one', async ({ page }) => {
    await page.goto('/about')
    await openSearch(page)
    await page.keyboard.type('   ')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/about$/)
    await page.keyboard.type('cap & "gown" ')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/search\?q=cap%20%26%20%22gown%22$/)
  })
})

test.describe('the results', () => {
  test('are grouped by collection with counts, and are not indexed', async ({ page }) => {
    await page.goto('/search?q=mug')
    await expect(page.getByRole('heading', { level: 1, name: 'Search Results' })).toBeVisible()
    await expect(page.getByText('Showing results for “mug”')).toBeVisible()
    await expect(page.getByText(/^\d+ products found$/)).toBeVisible()
    const heading = page.getByRole('heading', { level: 2, name: /The Sherlock Collection/ })
    const items = Number(/(\d+) items?$/.exec(await heading.innerText())?.[1])
    const section = page.getByRole('region', { name: /The Sherlock Collection/ })
    await expect(section.getByRole('article')).toHaveCount(items)
    await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex')
    await expect(page.getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/')
  })

  test('fill every row, at each width', async ({ page }) => {
    for (const [width, columns] of [
      [390, 2],
      [820, 4],
      [1440, 4],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      for (const query of ['hat', 'mug', 'tote', 'blanket', 'polo', 'rudy']) {
        await page.goto(`/search?q=${query}`)
        const rows = await page.locator('.card-groups').evaluate((grid) => {
          const { right } = grid.getBoundingClientRect()
          const ends = new Map<number, number>()
          for (const item of grid.querySelectorAll('li > article, .card-rest > span')) {
            const box = item.getBoundingClientRect()
            if (box.width > 0)
              ends.set(Math.round(box.top), Math.max(ends.get(Math.round(box.top)) ?? 0, Math.round(box.right)))
          }
          return [...ends.values()].map((end) => Math.round(right) - end)
        })
        expect(rows.length).toBeGreaterThan(0)
        for (const [row, missing] of rows.entries())
          expect(missing, `row ${row + 1} of ${columns} for ${query} at ${width}`).toBeLessThanOrEqual(1)
      }
    }
    await page.goto('/search?q=hat')
    const rest = page.getByRole('link', { name: /^See the whole collection/ })
    const groundOfRest = () => rest.locator('> span').evaluate((tile) => getComputedStyle(tile).backgroundColor)
    const ground = await groundOfRest()
    await rest.click()
    await expect(page).toHaveURL(/\/collections\/sherlock$/)
    await expect(page.locator('.collection-head')).toHaveCSS('background-color', ground)
    // The tile keeps its collection's color in a page of another.
    await page.goto('/search?q=mug')
    expect(await groundOfRest()).not.toBe(ground)
  })

  test('that are all of one animal are followed by four products of the others', async ({ page }) => {
    await page.goto('/search?q=sherlock')
    const offers = page.getByRole('region', { name: 'Pairs well with' }).getByRole('article')
    await expect(offers).toHaveCount(4)
    await expect(offers.filter({ hasText: 'Sherlock' })).toHaveCount(0)
  })

  test('of an empty query ask for a search term', async ({ page }) => {
    await page.goto('/search?q=%20')
    await expect(page.getByRole('heading', { name: 'No search query provided' })).toBeVisible()
    await expect(page.getByText('Please enter a search term to find products.')).toBeVisible()
  })

  test('without a match suggest searches that find something', async ({ page }) => {
    await page.goto('/search?q=zzzz')
    await expect(page.getByRole('heading', { name: 'No products found' })).toBeVisible()
    await expect(page.getByText('0 products found')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Best sellers' })).toBeVisible()
    await page.getByRole('link', { name: '@thebullionhour' }).click()
    await expect(page.getByText('24 products found')).toBeVisible()
  })

  test('show when there is no exact match', async ({ page }) => {
    await page.goto('/search?q=blankit')
    await expect(page.getByText('These come close')).toBeVisible()
    await expect(page.getByRole('heading', { level: 3, name: /Blanket/ }).first()).toBeVisible()
  })

  test('show markup, emoji and right-to-left text as they were typed (S59)', async ({ page }) => {
    for (const typed of ['<img src=x onerror=alert(1)>', '🐶', 'قبعة', '100%_"']) {
      await page.goto(`/search?q=${encodeURIComponent(typed)}`)
      await expect(page.getByText(`“${typed}”`)).toBeVisible()
      await expectNoSidewaysScroll(page)
    }
    await page.goto(`/search?q=${'x'.repeat(10_000)}`)
    await expect(page.getByRole('heading', { name: 'No products found' })).toBeVisible()
    await expectNoSidewaysScroll(page)
  })
})

test('filters work with the keyboard, are in the address and can be removed', async ({ page }) => {
  await page.goto('/products')
  const filters = page.getByRole('region', { name: 'Filters' })
  await expect(filters.getByText('36 products')).toBeVisible()
  await tabTo(page, filters.getByText('Type', { exact: true }).and(page.locator('summary')))
  await page.keyboard.press('Enter')
  const mugs = filters.getByRole('checkbox', { name: /Mugs/ })
  await tabTo(page, mugs)
  await expectAccessible(page)
  await page.keyboard.press('Space')
  await expect(page).toHaveURL(/\/products\?type=mug$/)
  await expect(mugs).toBeFocused()
  await expect(mugs).toBeChecked()
  await page.keyboard.press('Escape')
  await expect(mugs).toBeHidden()
  await expect(filters.locator('summary').first()).toBeFocused()
  // The address changes before the list does.
  await expect(filters.getByText('36 products')).toBeHidden()
  const count = await page.getByRole('main').getByRole('article').count()
  await expect(filters.getByText(`${count} products`, { exact: true })).toBeVisible()

  await filters.locator('summary', { hasText: 'Color' }).click()
  await filters.getByRole('checkbox', { name: /Ivory/ }).check()
  await expect(page).toHaveURL(/type=mug&color=Ivory$/)
  await expectAccessible(page)
  await page.goBack()
  await expect(page).toHaveURL(/\?type=mug$/)
  await expect(filters.getByRole('checkbox', { name: /Ivory/ })).not.toBeChecked()

  await page.keyboard.press('Escape')
  await filters.getByRole('link', { name: 'Remove filter Mugs' }).click()
  await expect(page).toHaveURL(/\/products$/)
  await expect(filters.getByText('36 products')).toBeVisible()

  await filters.getByLabel('Sort by').selectOption('Price, high to low')
  await expect(page).toHaveURL(/\/products\?sort=price-down$/)
  await expect(page.getByRole('article').first()).toContainText('$84.00')
  await filters.getByLabel('Sort by').selectOption('Featured')
  await expect(page).toHaveURL(/\/products$/)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 800 } })

  test('filters are in a sheet, and the bar that opens it stays in sight', async ({ page }) => {
    await page.goto('/products')
    const open = page.getByRole('button', { name: /^Filter/ })
    await page.evaluate(() => scrollTo(0, 4000))
    await expect(open).toBeInViewport()
    await expect(page.getByText('36 products')).toBeInViewport()
    await open.click()
    const sheet = page.getByRole('dialog', { name: 'Filter' })
    await sheet.locator('summary', { hasText: 'Type' }).click()
    await sheet.getByRole('checkbox', { name: /Mugs/ }).check()
    await expect(page).toHaveURL(/\/products\?type=mug$/)
    await expectAccessible(page)
    await sheet.getByRole('button', { name: /^Show \d+ products$/ }).click()
    await expect(sheet).toBeHidden()
    await expect(page.getByRole('button', { name: 'Filter 1 chosen' })).toBeFocused()
    await page.getByRole('link', { name: 'Remove filter Mugs' }).click()
    await open.click()
    await expect(sheet.getByRole('checkbox', { name: /Mugs/, includeHidden: true })).not.toBeChecked()
    await page.keyboard.press('Escape')
    await expectNoSidewaysScroll(page)
  })
})

test('a link can open a filtered list, collection or search', async ({ page }) => {
  await page.goto('/collections/sherlock?type=polo&size=3XL')
  await expect(page.getByRole('main').getByRole('article')).toHaveCount(1)
  await page.goto('/search?q=sherlock&price=20-30&type=mug')
  await expect(page.getByText('1 product found')).toBeVisible()
  await page.getByRole('link', { name: 'Clear all' }).click()
  await expect(page).toHaveURL(/\/search\?q=sherlock$/)
  await expect(page.getByText('8 products found')).toBeVisible()
})

test('filters without a match show a message and can be cleared', async ({ page }) => {
  await page.goto('/products?type=mug&size=3XL')
  await expect(page.getByText('No products match these filters.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Clear all filters' }).click()
  await expect(page.getByRole('region', { name: 'Filters' }).getByText('36 products')).toBeVisible()
})

test('a filtered page is rendered for everyone and never cached', async ({ request }) => {
  const answer = await request.get('/products?type=mug&color=Ivory')
  expect(answer.headers()['cache-control']).toBe('no-store')
  expect(await answer.text()).toContain('Remove filter ')
  expect((await request.get('/products')).headers()['cache-control']).toContain('s-maxage')
})

test('without JavaScript filters are a plain form', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${baseURL}/search?q=rudy`)
  const filters = page.getByRole('region', { name: 'Filters' })
  await filters.locator('summary', { hasText: 'Type' }).click()
  await filters.getByRole('checkbox', { name: /Totes/ }).check()
  await filters.locator('summary', { hasText: 'Type' }).click()
  await filters.getByRole('button', { name: 'Apply' }).click()
  await expect(page).toHaveURL(/\/search\?q=rudy&type=tote/)
  await expect(page.getByRole('heading', { level: 3, name: /Tote/ }).first()).toBeVisible()
  await filters.getByRole('link', { name: 'Clear all' }).click()
  await expect(page).toHaveURL(/\/search\?q=rudy$/)
  await context.close()
})
