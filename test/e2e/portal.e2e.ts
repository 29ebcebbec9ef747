import type { Page } from '@playwright/test'
import { SANDBOX, SHOP } from './addresses.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './browser.ts'
import { bringToCheckout } from './shopper.ts'

// Expected: 401 while signed out, 422 for the mistyped values.
test.use({ expected: [/status of (?:401|422)/] })

const send = (page: Page, path: string, data: object) =>
  page.request.post(path, { data, headers: { origin: SHOP } }).then((answer) => expect(answer.ok()).toBe(true))

const signIn = (page: Page, username: string, password: string) => send(page, '/api/login', { username, password })

test('a partner copies promotional text and creates a link with QR code and card in the portal', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, 'partner', 'partner-demo')
  await page.goto('/partnership')
  await expect(page.getByRole('heading', { name: 'Welcome, partner' })).toBeVisible()
  for (const tile of ['Wholesale Discount', 'Marketing Support', 'Exclusive Products', 'Revenue Share'])
    await expect(page.getByRole('heading', { name: tile })).toBeVisible()
  await expect(page.getByRole('article')).toContainText(/1[23]% revenue share.*negotiable up to 15%/)

  await page.getByRole('button', { name: 'View Content' }).click()
  await page.getByRole('button', { name: 'Copy Short post' }).click()
  // A browser writes to the clipboard in its own time.
  await expect(page.getByRole('button', { name: 'Copied Short post' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`${SHOP}/r/bullion`)

  await page.getByRole('button', { name: 'Generate Links' }).click()
  await page.getByRole('combobox', { name: 'Page' }).fill('https://elsewhere.example/')
  await page.getByRole('button', { name: 'Create link' }).click()
  await expect(page.getByRole('alert')).toHaveText('Please choose a public page of this shop.')
  await page.getByRole('combobox', { name: 'Page' }).fill('/collections/sherlock')
  await page.getByLabel('Campaign').fill('Case of the month')
  await page.getByRole('button', { name: 'Create link' }).click()
  const link = page.getByRole('listitem').filter({ hasText: 'Case of the month' })
  await link.locator('summary').click()
  for (const picture of [link.getByRole('img', { name: /^QR code/ }), link.getByRole('img', { name: /Sherlock/ })])
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await expectAccessible(page)
  await page.setViewportSize({ width: 360, height: 800 })
  await expectNoSidewaysScroll(page)
})

test('a user requests a call and applies to be a partner, and the owner answers both in the admin', async ({
  page,
  browser,
}) => {
  const username = `napper-${Date.now().toString(36)}`
  await send(page, '/api/register', { username, password: 'a long enough secret' })
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
  await page.getByLabel('Topic').fill('The pillow')
  await page.getByLabel('First choice').selectOption({ index: 1 })
  await page.getByRole('button', { name: 'Request a call' }).click()
  await expect(page.getByRole('link', { name: 'Calendar file (.ics)' })).toBeVisible()
  await expectAccessible(page)

  const owner = await (await browser.newContext({ baseURL: SHOP })).newPage()
  await signIn(owner, 'owner', 'owner-demo')
  await owner.goto('/admin/partners')
  await owner
    .getByRole('form', { name: 'Application from Nap Central' })
    .getByRole('button', { name: 'Accept' })
    .click()
  await expect(owner.getByText('Nap Central is now a partner', { exact: true })).toBeVisible()
  await expectAccessible(owner)
  await owner.goto('/admin/inbox?queue=calls')
  await owner.getByRole('form', { name: 'Reply to The pillow' }).getByRole('button', { name: 'Send reply' }).click()
  await expect(owner.getByText('Confirmed').first()).toBeVisible()
  await owner.context().close()

  await page.reload()
  await expect(page.getByText('Your call is confirmed:')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'A proposal for Nap Central' })).toBeVisible()
  await page.getByRole('button', { name: 'Accept this proposal' }).click()
  await expect(page.getByRole('heading', { name: 'Our agreement with Nap Central' })).toBeVisible()
  await expect(page.getByText(/You accepted this version on/)).toBeVisible()
})

test('a visitor chats with the shop, still sees the reply after a reload, and finds no chat at checkout', async ({
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
  await signIn(owner, 'owner', 'owner-demo')
  await owner.goto('/admin/inbox')
  await owner
    .getByRole('link', { name: /Does Rudy ever wake up/ })
    .first()
    .click()
  await owner.getByLabel('Your answer').fill('For dinner.')
  await owner.getByRole('button', { name: 'Answer in the chat' }).click()
  await expect(owner.getByRole('list', { name: 'Messages' })).toContainText('For dinner.')
  await expectAccessible(owner)
  await owner.context().close()

  // The open chat polls for new messages; they are there after a reload too.
  await expect(chat.getByRole('log')).toContainText('For dinner.')
  await page.reload()
  await page.getByRole('button', { name: 'Chat with us' }).click()
  await expect(chat.getByRole('log')).toContainText('For dinner.')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Chat with us' })).toBeFocused()
  // The cart needs an item: an empty one redirects to a page with the chat.
  await bringToCheckout(page, '/checkout')
  await expect(page.getByRole('button', { name: 'Chat with us' })).toHaveCount(0)
})

test('a newsletter subscription starts only after the emailed link is confirmed', async ({ page }) => {
  const email = `reader-${Date.now()}@mail.example`
  await page.goto('/contact')
  // Pressed before its script is there, the form is answered by a page, which has a second one.
  const footer = page.locator('#newsletter')
  await footer.getByLabel('Newsletter').fill('nobody')
  await footer.getByRole('button', { name: 'Sign up' }).click()
  await expect(page.getByText('Please enter a valid email address')).toBeVisible()
  await footer.getByLabel('Newsletter').fill(email)
  await footer.getByRole('button', { name: 'Sign up' }).click()
  await expect(page.getByText('Thank you. Please confirm through the email we just sent you.')).toBeVisible()

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
  await expect(page.getByRole('heading', { name: 'You’re in' })).toBeVisible()
})
