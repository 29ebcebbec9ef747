import type { Page } from '@playwright/test'
import { SANDBOX, SHOP } from './addresses.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './browser.ts'
import { bringToCheckout } from './shopper.ts'

// Whoever is not signed in is told so by the status, and whoever mistypes as well.
test.use({ expected: [/status of (?:401|422)/] })

const sends = (page: Page, path: string, data: object) =>
  page.request.post(path, { data, headers: { origin: SHOP } }).then((answer) => expect(answer.ok()).toBe(true))

const signsIn = (page: Page, username: string, password: string) => sends(page, '/api/login', { username, password })

test('a partner takes words and a link with its code and card from the portal', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signsIn(page, 'partner', 'partner-demo')
  await page.goto('/partnership')
  await expect(page.getByRole('heading', { name: 'Welcome, partner' })).toBeVisible()
  for (const tile of ['Wholesale Discount', 'Marketing Support', 'Exclusive Products', 'Revenue Share'])
    await expect(page.getByRole('heading', { name: tile })).toBeVisible()
  await expect(page.getByRole('article')).toContainText(/1[23]% revenue share.*negotiable up to 15%/)

  await page.getByRole('button', { name: 'View Content' }).click()
  await page.getByRole('button', { name: 'Copy Short post' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`${SHOP}/r/bullion`)

  await page.getByRole('button', { name: 'Generate Links' }).click()
  await page.getByRole('combobox', { name: 'Page' }).fill('https://elsewhere.example/')
  await page.getByRole('button', { name: 'Make link' }).click()
  await expect(page.getByRole('alert')).toHaveText('Please choose a page of this shop that everybody can open.')
  await page.getByRole('combobox', { name: 'Page' }).fill('/collections/sherlock')
  await page.getByLabel('Campaign').fill('Case of the month')
  await page.getByRole('button', { name: 'Make link' }).click()
  const link = page.getByRole('listitem').filter({ hasText: 'Case of the month' })
  await link.locator('summary').click()
  for (const picture of [link.getByRole('img', { name: /^Code to scan/ }), link.getByRole('img', { name: /Sherlock/ })])
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await expectAccessible(page)
  await page.setViewportSize({ width: 360, height: 800 })
  await expectNoSidewaysScroll(page)
})

test('a user asks for a call and to be a partner, and the owner answers both in the admin', async ({
  page,
  browser,
}) => {
  const username = `napper-${Date.now().toString(36)}`
  await sends(page, '/api/register', { username, password: 'a long enough secret' })
  await page.goto('/partnership')
  await page.getByRole('button', { name: 'Download Assets' }).click()
  await page.getByRole('link', { name: 'How to apply' }).click()
  const applying = page.getByRole('form', { name: 'Become a partner' })
  await applying.getByRole('button', { name: 'Send application' }).click()
  await expect(applying.getByLabel('Name')).toBeFocused()
  await applying.getByLabel('Name').fill('Nap Central')
  await applying.getByLabel('Channel').fill('https://video.example/@naps')
  await applying.getByLabel('Audience').fill('People who nap')
  await applying.getByLabel('Message').fill('We would show the pillow.')
  await applying.getByRole('button', { name: 'Send application' }).click()
  await expect(page.getByText('We have your application')).toBeVisible()

  await page.getByRole('button', { name: 'Schedule a Partnership Call' }).click()
  await page.getByLabel('What it is about').fill('The pillow')
  await page.getByLabel('First choice').selectOption({ index: 1 })
  await page.getByRole('button', { name: 'Ask for a call' }).click()
  await expect(page.getByRole('link', { name: 'Calendar file (.ics)' })).toBeVisible()
  await expectAccessible(page)

  const owner = await (await browser.newContext({ baseURL: SHOP })).newPage()
  await signsIn(owner, 'owner', 'owner-demo')
  await owner.goto('/admin/partners')
  await owner.getByRole('form', { name: 'Application of Nap Central' }).getByRole('button', { name: 'Accept' }).click()
  await expect(owner.getByText('Nap Central is now a partner', { exact: true })).toBeVisible()
  await expectAccessible(owner)
  await owner.goto('/admin/inbox?queue=calls')
  await owner.getByRole('form', { name: 'Reply to The pillow' }).getByRole('button', { name: 'Send reply' }).click()
  await expect(owner.getByText('Confirmed').first()).toBeVisible()
  await owner.context().close()

  await page.reload()
  await expect(page.getByText('Our call is agreed:')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'A proposal for Nap Central' })).toBeVisible()
  await page.getByRole('button', { name: 'Accept this proposal' }).click()
  await expect(page.getByRole('heading', { name: 'Our agreement with Nap Central' })).toBeVisible()
  await expect(page.getByText(/You said yes on/)).toBeVisible()
})

test('a visitor talks to the shop, reads the answer after a reload, and finds no chat at the checkout', async ({
  page,
  browser,
}) => {
  await page.goto('/about')
  await page.getByRole('button', { name: 'Chat with us' }).click()
  const chat = page.getByRole('dialog', { name: 'Chat with us' })
  await expect(chat.getByLabel('Message')).toBeFocused()
  await chat.getByLabel('Message').fill('Does Rudy ever wake up?')
  await chat.getByRole('button', { name: 'Send' }).click()
  await expect(chat.getByRole('log')).toContainText('Does Rudy ever wake up?')
  await expectAccessible(page)

  const owner = await (await browser.newContext({ baseURL: SHOP })).newPage()
  await signsIn(owner, 'owner', 'owner-demo')
  await owner.goto('/admin/inbox?queue=chats')
  const entry = owner.getByRole('listitem').filter({ hasText: 'Does Rudy ever wake up?' }).first()
  await entry.getByRole('textbox', { name: 'Reply' }).fill('For dinner.')
  await entry.getByRole('button', { name: 'Reply in the chat' }).click()
  await expect(entry).toContainText('For dinner.')
  await expectAccessible(owner)
  await owner.context().close()

  // It is asked for again while it is open, and is there after a reload.
  await expect(chat.getByRole('log')).toContainText('For dinner.')
  await page.reload()
  await page.getByRole('button', { name: 'Chat with us' }).click()
  await expect(chat.getByRole('log')).toContainText('For dinner.')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Chat with us' })).toBeFocused()
  // With something to pay for: an empty cart is led elsewhere, where the chat is.
  await bringToCheckout(page, '/checkout')
  await expect(page.getByRole('button', { name: 'Chat with us' })).toHaveCount(0)
})

test('the newsletter begins with the second yes', async ({ page }) => {
  const email = `reader-${Date.now()}@mail.example`
  await page.goto('/contact')
  await page.getByLabel('Newsletter').fill('nobody')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await expect(page.getByText('Please enter a valid email address')).toBeVisible()
  await page.getByLabel('Newsletter').fill(email)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await expect(page.getByText('Thank you. Please look into your mailbox and confirm.')).toBeVisible()

  const findMail = async () => {
    const mails = (await (await fetch(`${SANDBOX}/mail`, { headers: { accept: 'application/json' } })).json()) as {
      id: string
      to: string
    }[]
    return mails.find(({ to }) => to === email)?.id
  }
  await expect.poll(findMail).toBeDefined()
  const mail = (await (
    await fetch(`${SANDBOX}/mail/${await findMail()}`, { headers: { accept: 'application/json' } })
  ).json()) as { text: string }
  await page.goto(/\/newsletter\?token=[\w-]+/.exec(mail.text)?.[0] ?? '')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Confirm my subscription' }).click()
  await expect(page.getByRole('heading', { name: 'You are in' })).toBeVisible()
})
