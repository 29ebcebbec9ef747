import { SANDBOX } from './addresses.ts'
import { expect, expectAccessible, test } from './browser.ts'
import { newEmail } from './shopper.ts'

// Expected: 401 while signed out.
test.use({ expected: [/status of 401 .*\/api\/user/] })

const PASSWORD = 'sleeps on ingots'

/** The link in the latest email to an address whose subject contains `subject`. */
async function linkMailedTo(email: string, subject: string): Promise<string> {
  type Listed = { id: string; to: string; subject: string }
  const read = async <T>(path: string) =>
    (await (await fetch(`${SANDBOX}${path}`, { headers: { accept: 'application/json' } })).json()) as T
  let link = ''
  await expect(async () => {
    const mails = await read<Listed[]>('/mail')
    const mail = mails.find((listed) => listed.to.includes(email) && listed.subject.includes(subject))
    expect(mail).toBeDefined()
    const { text } = await read<{ text: string }>(`/mail/${mail?.id}`)
    link = /http\S+(\/\S+#\S+)/.exec(text)?.[1] ?? ''
    expect(link).not.toBe('')
  }).toPass()
  return link
}

test('a user confirms an email and resets a forgotten password through it', async ({ page }) => {
  const email = newEmail()
  const username = email.split('@')[0] ?? ''
  await page.goto('/auth?returnTo=%2Faccount')
  await page.getByRole('tab', { name: 'Register' }).click()
  await page.getByLabel('Username').fill(username)
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(PASSWORD)
  await page.getByRole('textbox', { name: 'Confirm password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.getByRole('heading', { name: username, level: 1 })).toBeVisible()
  await expect(page.getByText('Chrome on Linux (this browser)')).toBeVisible()
  await expectAccessible(page)

  const form = page.getByRole('form', { name: 'Email' })
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Current password').fill(PASSWORD)
  await form.getByRole('button', { name: 'Send me a link' }).click()
  await expect(page.getByText(`We sent a link to ${email}`)).toBeVisible()
  await expect(form.getByLabel('Current password')).toHaveValue('')

  await page.goto(await linkMailedTo(email, 'Confirm your email'))
  await expect(page.getByText('Email confirmed', { exact: true })).toBeVisible()
  await expect(page).toHaveURL(/\/account$/)
  await expect(page.getByText('No orders yet.')).toBeVisible()

  await page.getByRole('button', { name: 'Logout' }).click()
  await page.goto('/auth')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByLabel('Username or email').fill(username)
  await page.getByRole('button', { name: 'Send me a link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()

  await page.goto(await linkMailedTo(email, 'Choose a new password'))
  await expect(page).toHaveURL(/\/new-password$/)
  await page.getByRole('textbox', { name: 'New password' }).fill('dreams of gold')
  await page.getByRole('textbox', { name: 'Confirm password' }).fill('dreams of silver')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText("Passwords don't match")).toBeVisible()
  await page.getByRole('textbox', { name: 'Confirm password' }).fill('dreams of gold')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByRole('heading', { name: 'Your password was changed' })).toBeVisible()

  await page.getByRole('link', { name: 'Login', exact: true }).click()
  await page.getByLabel('Username').fill(username)
  await page.getByRole('textbox', { name: 'Password' }).fill('dreams of gold')
  await page.getByRole('tabpanel').getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('heading', { name: `Welcome, ${username}` })).toBeVisible()
})
