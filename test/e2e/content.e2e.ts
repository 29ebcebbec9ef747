import type { Page } from '@playwright/test'
import { label } from '#site/label.ts'
import {
  DELIVERY_BUSINESS_DAYS,
  PROCESSING_BUSINESS_DAYS,
  RAFFLE,
  REFUND_BUSINESS_DAYS,
  RETURN_WINDOW_DAYS,
} from '#site/policies.ts'
import { formatRange } from '#site/text-format.ts'
import { expect, expectAccessible, tabTo, test } from './browser.ts'
import { mailTo } from './shopper.ts'

/** The toast area; the same sentence may also be beside the form. */
const toastOf = (page: Page) => page.getByRole('region', { name: /Notifications/ })

test.describe('the contact page', () => {
  const send = (page: Page) => page.getByRole('button', { name: 'Send Message' })
  const message = (page: Page) => page.getByRole('textbox', { name: 'Message' })

  async function write(page: Page): Promise<void> {
    await page.getByLabel('Name').fill('Ada Fan')
    await page.getByLabel('Email').fill('ada@mail.example')
    await page.getByLabel('Subject').fill('A hat for a small head')
    await message(page).fill('Is there a hat for children?')
  }

  test('shows email, support hours and shipping times', async ({ page }) => {
    await page.goto('/contact')
    const main = page.getByRole('main')
    await expect(main.getByRole('heading', { name: 'Contact Us', level: 1 })).toBeVisible()
    await expect(main.getByRole('link', { name: label.supportEmail })).toBeVisible()
    await expect(main.getByText('Also for business inquiries')).toBeVisible()
    for (const words of ['9AM-5PM EST', '10AM-2PM EST', '3-5 business days', '7-14 business days'])
      await expect(main.getByText(words)).toBeVisible()
    // First the days of the shopper's country; those figures are of the way alone.
    const shipping = main.locator('section', { has: page.getByRole('heading', { name: 'Shipping info' }) })
    await expect(shipping).toContainText(
      /^Shipping infoOrder today, get it .+In the United StatesOn the way, once it is made:Domestic/,
    )
    for (const name of ['Name', 'Email', 'Subject', 'Message'])
      await expect(main.getByRole('textbox', { name })).toHaveAttribute('required')
    await expect(message(page)).toHaveAttribute('rows', '5')
  })

  test('keeps what was typed before the script has loaded', async ({ page }) => {
    let release = () => {}
    const held = new Promise<void>((resume) => {
      release = resume
    })
    // Only the script the page waits for loads; the app does not yet.
    await page.route(/assets\/(?!entry-before-hydration).*\.js/, async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/contact', { waitUntil: 'commit' })
    await write(page)
    await expect(send(page)).toBeDisabled()
    release()
    await expect(send(page)).toBeEnabled()
    await expect(page.getByLabel('Name')).toHaveValue('Ada Fan')
    await expect(message(page)).toHaveValue('Is there a hat for children?')
    await send(page).click()
    await expect(toastOf(page).getByText('Message sent!')).toBeVisible()
  })

  test('shows each error beside its field', async ({ page }) => {
    await page.goto('/contact')
    await page.getByLabel('Name').fill('A')
    await page.getByLabel('Subject').fill('Hi')
    // Only fields the user has left are validated.
    await message(page).focus()
    await expect(page.getByLabel('Name')).toHaveAccessibleDescription('Name must be at least 2 characters')
    await expect(page.getByText('Message must be at least 10 characters')).toBeHidden()
    await send(page).click()
    await expect(page.getByLabel('Name')).toBeFocused()
    for (const sentence of [
      'Name must be at least 2 characters',
      'Please enter a valid email address',
      'Subject must be at least 3 characters',
      'Message must be at least 10 characters',
    ])
      await expect(page.getByText(sentence)).toBeVisible()
    await expectAccessible(page)
    await page.getByLabel('Name').fill('Ada')
    await expect(page.getByText('Name must be at least 2 characters')).toBeHidden()
  })

  test('sends a message to customer care and clears the form', async ({ page }) => {
    await page.route('**/api/contact', async (route) => {
      await new Promise((later) => setTimeout(later, 400))
      await route.continue()
    })
    await page.goto('/contact')
    await write(page)
    await send(page).click()
    await expect(page.getByRole('button', { name: 'Sending...' })).toBeVisible()
    await expect(toastOf(page).getByText('Message sent!')).toBeVisible()
    await expect(toastOf(page).getByText("Thank you for your message. We'll get back to you shortly.")).toBeVisible()
    for (const name of ['Name', 'Email', 'Subject', 'Message'])
      await expect(page.getByRole('main').getByRole('textbox', { name })).toHaveValue('')
    await expectAccessible(page)
    const mail = await mailTo(page, label.supportEmail)
    expect(mail).toMatchObject({ subject: 'Contact form: A hat for a small head' })
    expect(mail.text).toContain('ada@mail.example')
  })

  test.describe('when the shop refuses', () => {
    test.use({ expected: [/Failed to load resource.*429/] })

    test('shows the reason, also beside the form, and keeps what was typed', async ({ page }) => {
      const sentence = 'Too many requests. Please wait a moment and try again.'
      await page.route('**/api/contact', (route) =>
        route.fulfill({ status: 429, json: { code: 'too_many', message: sentence } }),
      )
      await page.goto('/contact')
      await write(page)
      await send(page).click()
      await expect(toastOf(page).getByText('Failed to send message')).toBeVisible()
      await expect(toastOf(page).getByText(sentence)).toBeVisible()
      await expect(page.getByRole('main').getByRole('alert')).toContainText(sentence)
      await expect(message(page)).toHaveValue('Is there a hat for children?')
      await expectAccessible(page)
    })
  })

  test.describe('when the shop does not answer', () => {
    test.use({ expected: [/Failed to load resource/] })

    test('shows an error and can be sent again', async ({ page }) => {
      await page.route('**/api/contact', (route) => route.abort())
      await page.goto('/contact')
      await write(page)
      await send(page).click()
      await expect(page.getByRole('main').getByRole('alert')).toContainText('could not be reached')
      await expect(send(page)).toBeEnabled()
    })
  })
})

test.describe('signing in', () => {
  test.use({ expected: [/Failed to load resource.*40[19]/] })

  const panel = (page: Page) => page.getByRole('tabpanel')
  const slowly = (page: Page, path: string) =>
    page.route(`**${path}`, async (route) => {
      await new Promise((later) => setTimeout(later, 400))
      await route.continue()
    })

  async function signIn(page: Page, password = 'partner-demo'): Promise<void> {
    await panel(page).getByLabel('Username').fill('partner')
    await panel(page).getByLabel('Password').fill(password)
    await panel(page).getByRole('button', { name: 'Login' }).click()
  }

  test('the portal requires it, opens after it, and has a logout', async ({ page }) => {
    await slowly(page, '/api/login')
    await slowly(page, '/api/logout')
    await page.goto('/partnership')
    await expect(page).toHaveURL('/auth?returnTo=%2Fpartnership')
    await expect(page.getByRole('tab', { name: 'Login' })).toHaveAttribute('aria-selected', 'true')
    await signIn(page)
    await expect(page.getByRole('button', { name: 'Logging in...' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Welcome, partner' })).toBeVisible()
    await expect(page).toHaveURL('/partnership')
    await expect(toastOf(page).getByText('Login successful')).toBeVisible()
    await expect(toastOf(page).getByText('Welcome back!')).toBeVisible()
    await expectAccessible(page)

    await page.goto('/auth')
    await expect(page).toHaveURL('/partnership')
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page.getByRole('button', { name: 'Logging out...' })).toBeVisible()
    await expect(toastOf(page).getByText('Logged out', { exact: true })).toBeVisible()
    await expect(toastOf(page).getByText('You have been logged out successfully.')).toBeVisible()
    await expect(page).toHaveURL(/\/auth/)
  })

  test('the owner lands in the admin, has a link to it on every page, and is offered no partnership', async ({
    page,
  }) => {
    await page.goto('/auth')
    await panel(page).getByLabel('Username').fill('owner')
    await panel(page).getByLabel('Password').fill('owner-demo')
    await panel(page).getByRole('button', { name: 'Login' }).click()
    await expect(page).toHaveURL('/admin')
    await page.goto('/about')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Admin' }).click()
    await expect(page).toHaveURL('/admin')
    await page.goto('/partnership')
    await expect(page.getByRole('link', { name: 'Go to payouts' })).toBeVisible()
    await expect(page.getByRole('heading', { name: /proposal/ })).toHaveCount(0)
    await expectAccessible(page)

    await page.goto('/account')
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Admin' })).toHaveCount(0)
    // With a return address, login leads there.
    await page.goto('/auth?returnTo=%2Fabout')
    await panel(page).getByLabel('Username').fill('owner')
    await panel(page).getByLabel('Password').fill('owner-demo')
    await panel(page).getByRole('button', { name: 'Login' }).click()
    await expect(page).toHaveURL('/about')
  })

  test('a wrong password shows an error that does not reveal whether the username exists', async ({ page }) => {
    await page.goto('/auth')
    await signIn(page, 'not-the-password')
    await expect(toastOf(page).getByText('Login failed')).toBeVisible()
    await expect(panel(page).getByRole('alert')).toContainText('Wrong username or password.')
    await expect(panel(page).getByLabel('Username')).toHaveValue('partner')
    await expectAccessible(page)
  })

  test('never redirects to another site (S67)', async ({ page }) => {
    await page.goto('/auth?returnTo=%2F%2Fevil.example')
    await signIn(page)
    await expect(page).toHaveURL('/partnership')
  })

  test('a new account is created in the second tab', async ({ page }) => {
    const username = `fan-${Date.now().toString(36)}`
    await slowly(page, '/api/register')
    await page.goto('/auth')
    await tabTo(page, page.getByRole('tab', { name: 'Login' }))
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('tab', { name: 'Register' })).toBeFocused()
    const register = panel(page).getByRole('button', { name: 'Register' })

    await panel(page).getByLabel('Username').fill('ab')
    await panel(page).getByLabel('Password', { exact: true }).fill('sleep')
    await panel(page).getByLabel('Confirm password').fill('sleep')
    await register.click()
    await expect(panel(page).getByText('Username must be at least 3 characters')).toBeVisible()
    await expect(panel(page).getByText('Password must be at least 6 characters')).toHaveCount(2)

    await panel(page).getByLabel('Username').fill(username)
    await panel(page).getByLabel('Password', { exact: true }).fill('ingot-for-a-nap')
    await panel(page).getByLabel('Confirm password').fill('ingot-for-a-map')
    await register.click()
    await expect(panel(page).getByLabel('Confirm password')).toHaveAccessibleDescription("Passwords don't match")
    await expectAccessible(page)

    const sent = page.waitForRequest('**/api/register')
    await panel(page).getByLabel('Confirm password').fill('ingot-for-a-nap')
    await register.click()
    await expect(page.getByRole('button', { name: 'Creating account...' })).toBeVisible()
    expect((await sent).postDataJSON()).toEqual({ username, password: 'ingot-for-a-nap' })
    await expect(toastOf(page).getByText('Registration successful')).toBeVisible()
    await expect(toastOf(page).getByText('Your account has been created.')).toBeVisible()
    await expect(page.getByRole('heading', { name: `Welcome, ${username}` })).toBeVisible()
  })

  test('a taken username shows an error beside the field', async ({ page }) => {
    await page.goto('/auth')
    await page.getByRole('tab', { name: 'Register' }).click()
    await panel(page).getByLabel('Username').fill('Partner')
    await panel(page).getByLabel('Password', { exact: true }).fill('ingot-for-a-nap')
    await panel(page).getByLabel('Confirm password').fill('ingot-for-a-nap')
    await panel(page).getByRole('button', { name: 'Register' }).click()
    await expect(toastOf(page).getByText('Registration failed')).toBeVisible()
    await expect(panel(page).getByLabel('Username')).toHaveAccessibleDescription('This username is already taken')
    await expect(panel(page).getByLabel('Username')).toBeFocused()
  })

  test('the partnership program is shown on large screens only', async ({ page }) => {
    await page.goto('/auth')
    const program = page.getByRole('complementary', { name: 'The partnership program' })
    for (const words of ['Wholesale pricing', 'Custom collaboration', 'Exclusive access', 'Marketing support'])
      await expect(program.getByText(words)).toBeVisible()
    await page.setViewportSize({ width: 768, height: 900 })
    await expect(program).toBeHidden()
  })
})

test.describe('the policies', () => {
  test('Shipping & Returns shows every figure and links home', async ({ page }) => {
    await page.goto('/shipping-returns')
    const main = page.getByRole('main')
    const { standard, international } = DELIVERY_BUSINESS_DAYS.policyPage
    for (const days of [PROCESSING_BUSINESS_DAYS, standard, international])
      await expect(main.getByRole('cell', { name: `${formatRange(days)} business days` })).toBeVisible()
    await expect(main).toContainText(`within ${RETURN_WINDOW_DAYS} days of delivery`)
    await expect(main).toContainText(`within ${formatRange(REFUND_BUSINESS_DAYS)} business days`)
    await expect(main).toContainText('within 24 hours, Monday-Friday 9-6 EST')
    for (const words of ['$34.99', 'Brazil, Japan, Australia and New Zealand']) await expect(main).toContainText(words)
    await main.getByRole('link', { name: 'Back to Home' }).click()
    await expect(page).toHaveURL('/')
  })

  test('the raffle rules have their own address', async ({ page }) => {
    await page.goto('/terms-of-service#promotional-raffle-rules')
    const rules = page.locator('#promotional-raffle-rules')
    await expect(rules.getByRole('heading', { name: /Promotional raffle rules/ })).toBeInViewport()
    await expect(rules).toContainText(`${formatRange(RAFFLE.winnerPickedAfterDays)} days after the raffle has ended`)
    await expect(rules).toContainText(`within ${RAFFLE.claimWithinDays} days`)
    await expect(rules).toContainText(`${RAFFLE.entrantAgeMin}+`)
    await expect(page.getByRole('main')).toContainText('Visa, Mastercard, Amex')
  })

  test('the table of contents links to each section', async ({ page }) => {
    await page.goto('/privacy-policy')
    await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Your rights' }).click()
    await expect(page).toHaveURL('/privacy-policy#your-rights')
    await expect(page.getByRole('heading', { name: /Your rights/ })).toBeInViewport()
  })

  test('every footer link leads to a page that exists', async ({ page }) => {
    await page.goto('/about')
    const footer = page.getByRole('contentinfo')
    for (const title of ['Company', 'Support', 'Follow'])
      await expect(footer.getByRole('heading', { name: title })).toBeVisible()
    for (const name of ['Contact & Partnership', '*Shipping & Returns', 'Privacy Policy', 'Terms of Service'])
      await expect(footer.getByRole('link', { name, exact: true })).toBeVisible()
    const own = await footer
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? '').filter((to) => to.startsWith('/')))
    for (const address of own) expect((await page.request.get(address)).status(), address).toBe(200)
  })
})

test.describe('on a phone, without a script', () => {
  test.use({ viewport: { width: 390, height: 844 }, javaScriptEnabled: false })

  test('the footer is short, and the keyboard opens its links', async ({ page }) => {
    await page.goto('/about')
    const footer = page.getByRole('contentinfo')
    expect((await footer.boundingBox())?.height).toBeLessThan(560)
    const link = footer.getByRole('link', { name: 'Privacy Policy' })
    await expect(link).toBeHidden()
    await footer.getByRole('navigation', { name: 'Support' }).locator('summary').press('Enter')
    await expect(link).toBeVisible()
  })
})

test('the About page tells its story and invites partners', async ({ page }) => {
  await page.goto('/about')
  const main = page.getByRole('main')
  for (const name of ['What Makes Us Different?', 'Our Mission', 'More Collections Coming Soon'])
    await expect(main.getByRole('heading', { name })).toBeVisible()
  await expect(main.getByRole('region', { name: 'Our Mission' }).getByRole('listitem')).toHaveCount(4)
  const shown = main.getByRole('region', { name: 'What Makes Us Different?' }).getByRole('img')
  await expect(shown).toHaveCount(3)
  await expect(shown.first()).toHaveAttribute('src', /\/hero\.workshop\./)
  // Nothing is made in advance: a single shirt, worn.
  await expect(shown.last()).toHaveAttribute('src', /\/t-shirt\.worn\./)
  const closeUps = main.getByRole('region', { name: 'Look closely' }).getByRole('img')
  await expect(closeUps).toHaveCount(3)
  // Each drawing whole: the mug's detail cuts it.
  for (const [index, view] of ['hat.detail', 't-shirt.detail', 'mug.front'].entries())
    await expect(closeUps.nth(index)).toHaveAttribute('src', new RegExp(`/${view}.`))
  await main.getByRole('link', { name: 'Partner With Us' }).click()
  await expect(page.getByRole('heading', { name: 'Contact Us' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Contact' })).toHaveAttribute(
    'aria-current',
    'page',
  )
})
