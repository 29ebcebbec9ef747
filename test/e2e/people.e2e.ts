import { ownerVerbs } from '../../src/owner-verbs.ts'
import { totpCodeAt } from '#server/accounts/totp.ts'
import { expect, expectAccessible, expectNoSidewaysScroll } from './browser.ts'
import { test } from './own-world.ts'

test.use({ viewport: { width: 390, height: 844 }, expected: [/Failed to load resource.*40[13]/] })

test('an invited person accepts, sets up the second factor, and sees the pages of the role', async ({
  page,
  browser,
  world,
  baseURL,
}) => {
  test.slow()
  const { shop } = world
  // A world outlives the first try.
  const [olga, sam] = [`olga-${test.info().retry}`, `sam-${test.info().retry}`]
  const made = await ownerVerbs(shop.database, async () => shop)(['create', olga])
  await page.goto('/admin/people')
  await page.getByLabel('Username').fill(olga)
  await page.getByLabel('Password').fill((made as { password: string }).password)
  await page.getByRole('tabpanel').getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'People' })).toBeVisible()
  await expectNoSidewaysScroll(page)

  await page.getByRole('button', { name: 'Invite somebody' }).click()
  await page.getByLabel('Email').fill(`${sam}@example.com`)
  await page.getByLabel('Role', { exact: true }).selectOption('Support')
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: `${sam}@example.com` })).toContainText('Support')
  await world.settled()
  const mail = world.mailbox.list().find(({ to }) => to.includes(`${sam}@example.com`))
  const link = /(\/invitation#[\w-]+)/.exec(mail?.text ?? '')?.[1] ?? 'no link'

  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, baseURL: baseURL ?? '' })
  const guest = await phone.newPage()
  await guest.goto(link)
  await expect(guest.getByText(`${olga} invites ${sam}@example.com to work here. Your role is Support.`)).toBeVisible()
  await expectAccessible(guest)
  await expectNoSidewaysScroll(guest)
  await guest.getByLabel('Username').fill(sam)
  await guest.getByLabel('Password', { exact: true }).fill('naps on warm ledgers')
  await guest.getByLabel('Confirm password').fill('naps on warm ledgers')
  await guest.getByRole('button', { name: 'Accept the invitation' }).click()

  await expect(guest.getByRole('heading', { level: 1, name: 'One step before you start' })).toBeVisible()
  await expect(guest.getByRole('navigation', { name: 'Admin' })).toHaveCount(0)
  await guest.getByRole('button', { name: 'Set it up' }).click()
  const secret = (await guest.locator('li code').first().innerText()).replaceAll(' ', '')
  await guest.getByLabel('Code').fill(totpCodeAt(secret, shop.clock.now()))
  await guest.getByRole('button', { name: 'Turn on' }).click()
  await expect(guest.getByRole('heading', { name: 'Save these recovery codes' })).toBeVisible()
  await expectAccessible(guest)
  await guest.getByRole('button', { name: 'Open the admin' }).click()

  await guest.getByRole('button', { name: 'Admin menu' }).click()
  const links = guest.getByRole('navigation', { name: 'Admin' }).getByRole('listitem')
  await expect(links).toHaveText([/^Home/, /^Orders/, /^Claims/, /^Inbox/, /^Reviews/])
  await guest.goto('/reports')
  await expect(guest.getByRole('heading', { level: 1, name: 'You can’t open this page' })).toBeVisible()
  await expect(guest.getByText('This is for Owner and Books. Your role is Support.')).toBeVisible()
  await expectAccessible(guest)
  await phone.close()

  await page.reload()
  await page.getByRole('button', { name: `Remove... ${sam}` }).click()
  await page.getByRole('button', { name: `Remove ${sam}` }).click()
  await expect(page.getByText(`${sam} no longer works here`, { exact: true })).toBeVisible()
})
