import type { Browser, Page } from '@playwright/test'
import type { Explanation } from '#contract/earnings.ts'
import { SANDBOX, SHOP } from './addresses.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './browser.ts'
import {
  bringToCheckout,
  cards,
  continueToPayment,
  fillCustomer,
  newEmail,
  pay,
  readLedger,
  readOrderNumber,
} from './shopper.ts'

// A browser that says to be driven by a program is no click.
test.use({
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
})

async function signedIn(browser: Browser, username: string, password: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: SHOP, viewport: { width: 360, height: 800 } })
  const page = await context.newPage()
  expect((await page.request.post('/api/login', { data: { username, password } })).ok()).toBe(true)
  return page
}

test('from a partner’s link to the partner’s cents: sold, a piece back, disputed, and why', async ({
  page,
  browser,
}) => {
  await page.goto('/r/bullion-rudy')
  await expect(page).toHaveURL(/\/RudyCollection$/)
  const products = (await (await page.request.get('/api/products')).json()) as { type: string; slug: string }[]
  const pillow = products.find(({ type }) => type === 'pillow')
  await bringToCheckout(page, '/checkout', `/product/${pillow?.slug}`)
  await bringToCheckout(page, '/checkout')
  await fillCustomer(page, newEmail())
  await continueToPayment(page)
  const unpaid = (await readLedger(page)).payments.filter(({ status }) => status !== 'succeeded')
  const intents = new Set(unpaid.map(({ id }) => id))
  await pay(page, cards.good)
  const number = await readOrderNumber(page)

  const partner = await signedIn(browser, 'partner', 'partner-demo')
  const explained = async () =>
    (await (await partner.request.get(`/api/partnership/earnings/why?order=${number}`)).json()) as Explanation
  const inDollars = (amount = 0) =>
    new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(Number(`${amount}e-2`))
  /** The page says of the order what the books say. */
  const expectShown = async (): Promise<number> => {
    const { order } = await explained()
    await partner.goto(`/partnership/earnings?order=${number}`)
    const row = partner.getByRole('row').filter({ hasText: number })
    await expect(row.getByRole('cell').nth(3)).toHaveText(inDollars(order?.earned))
    await expect(partner.getByText(`Order ${number} is yours.`)).toBeVisible()
    return order?.earned ?? 0
  }

  let whole = 0
  await test.step('sold: two lines, each at its rate', async () => {
    const sold = await explained()
    expect(sold).toMatchObject({ why: 'last_click', link: 'bullion-rudy' })
    expect(sold.order?.changes.map(({ kind }) => kind)).toEqual(['sale', 'sale'])
    whole = await expectShown()
    expect(whole).toBeGreaterThan(0)
    await expectNoSidewaysScroll(partner)
    await expectAccessible(partner)
  })

  await test.step('a piece goes back, and its share with it', async () => {
    const owner = await signedIn(browser, 'owner', 'owner-demo')
    const order = `/api/admin/orders/${number}/refund`
    const wanted = { kind: 'pieces', pieces: [{ position: 0, quantity: 1 }] }
    const seen = (await (await owner.request.post(`${order}/preview`, { data: { wanted } })).json()) as object
    const made = await owner.request.post(order, { data: { ...seen, wanted, reason: 'it did not fit' } })
    expect(made.ok(), await made.text()).toBe(true)
    await expect.poll(async () => (await explained()).order?.changes.length).toBe(3)
    expect(await expectShown()).toBeLessThan(whole)
    await owner.context().close()
  })

  await test.step('disputed: nothing of it is earned for now', async () => {
    const paid = (await readLedger(page)).payments.find(({ id, status }) => intents.has(id) && status === 'succeeded')
    const data = { provider: 'stripe', change: 'dispute', payment_intent: paid?.id }
    expect((await page.request.post(`${SANDBOX}/control/world`, { data })).ok()).toBe(true)
    await expect.poll(async () => (await explained()).order?.earned).toBe(0)
    expect(await expectShown()).toBe(0)
  })

  await test.step('the month’s statement can be kept', async () => {
    await partner.goto('/partnership/earnings')
    const file = partner.waitForEvent('download')
    await partner.getByRole('link', { name: /^PDF/ }).first().click()
    expect((await file).suggestedFilename()).toMatch(/^commission-\d{4}-\d{2}\.pdf$/)
  })
  await partner.context().close()
})
