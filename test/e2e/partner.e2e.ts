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

// A user agent that looks automated would not count as a click.
test.use({
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
})

async function signInAs(browser: Browser, username: string, password: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: SHOP, viewport: { width: 360, height: 800 } })
  const page = await context.newPage()
  expect((await page.request.post('/api/login', { data: { username, password } })).ok()).toBe(true)
  return page
}

test('a partner earns on a sale through their link, less after a refund, and nothing while it is disputed', async ({
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

  const partner = await signInAs(browser, 'partner', 'partner-demo')
  const readExplanation = async () =>
    (await (await partner.request.get(`/api/partnership/earnings/why?order=${number}`)).json()) as Explanation
  const inDollars = (amount = 0) =>
    new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(Number(`${amount}e-2`))
  /** The page shows what the API reports. @returns cents earned */
  const expectEarned = async (): Promise<number> => {
    const { order } = await readExplanation()
    await partner.goto(`/partnership/orders?order=${number}`)
    const row = partner.getByRole('row').filter({ hasText: number })
    await expect(row.getByRole('cell').nth(3)).toHaveText(inDollars(order?.earned))
    await expect(partner.getByText(`Order ${number} is yours.`)).toBeVisible()
    return order?.earned ?? 0
  }

  let whole = 0
  await test.step('two items sold, each at its rate', async () => {
    const sold = await readExplanation()
    expect(sold).toMatchObject({ why: 'last_click', link: 'bullion-rudy' })
    expect(sold.order?.changes.map(({ kind }) => kind)).toEqual(['sale', 'sale'])
    whole = await expectEarned()
    expect(whole).toBeGreaterThan(0)
    await expectNoSidewaysScroll(partner)
    await expectAccessible(partner)
  })

  await test.step('a refunded item takes its commission back', async () => {
    const owner = await signInAs(browser, 'owner', 'owner-demo')
    const order = `/api/admin/orders/${number}/refund`
    const wanted = { kind: 'pieces', pieces: [{ position: 0, quantity: 1 }] }
    const seen = (await (await owner.request.post(`${order}/preview`, { data: { wanted } })).json()) as object
    const made = await owner.request.post(order, { data: { ...seen, wanted, reason: 'it did not fit' } })
    expect(made.ok(), await made.text()).toBe(true)
    await expect.poll(async () => (await readExplanation()).order?.changes.length).toBe(3)
    expect(await expectEarned()).toBeLessThan(whole)
    await owner.context().close()
  })

  await test.step('a disputed order earns nothing for now', async () => {
    const paid = (await readLedger(page)).payments.find(({ id, status }) => intents.has(id) && status === 'succeeded')
    const data = { provider: 'stripe', change: 'dispute', payment_intent: paid?.id }
    expect((await page.request.post(`${SANDBOX}/control/world`, { data })).ok()).toBe(true)
    await expect.poll(async () => (await readExplanation()).order?.earned).toBe(0)
    expect(await expectEarned()).toBe(0)
  })

  await test.step('the month’s statement can be downloaded', async () => {
    await partner.goto('/partnership/statements')
    const file = partner.waitForEvent('download')
    await partner.getByRole('link', { name: /^PDF/ }).first().click()
    expect((await file).suggestedFilename()).toMatch(/^commission-\d{4}-\d{2}\.pdf$/)
  })
  await partner.context().close()
})
