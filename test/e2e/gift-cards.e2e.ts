import { DAY_MS } from '#shared/time.ts'
import { expect, expectAccessible, expectNoSidewaysScroll } from './browser.ts'
import { test } from './own-world.ts'
import {
  BUYER,
  bringToCheckout,
  cards,
  continueToPayment,
  fillCard,
  fillCustomer,
  newEmail,
  pay,
  payByWallet,
  payButton,
  readOrderNumber,
} from './shopper.ts'

test.use({ viewport: { width: 390, height: 844 }, expected: [/status of (?:401|422)/] })

test('a gift card is bought on a phone, pays parts of two orders, and the owner refunds what is left', async ({
  page,
  world,
}) => {
  const [buyer, friend] = [newEmail(), newEmail()]
  await test.step('bought', async () => {
    await page.goto('/about')
    const company = page.getByRole('contentinfo').getByRole('navigation', { name: 'Company' })
    await company.locator('summary').click()
    await company.getByRole('link', { name: 'Gift cards' }).click()
    const form = page.getByRole('form', { name: 'Gift card' })
    await form.getByLabel('US dollars').fill('5')
    await form.getByLabel('Your email').fill(buyer)
    await form.getByLabel('Recipient’s email').fill(friend)
    await form.getByLabel('From').fill(BUYER)
    await form.getByLabel('Message').fill('For the good boy.')
    await form.getByRole('button', { name: 'Continue to payment' }).click()
    await expect(form.getByText('Please enter an amount from $10 to $500').first()).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await form.getByRole('button', { name: '$100' }).click()
    await expect(form.getByLabel('US dollars')).toHaveValue('100')
    await form.getByRole('button', { name: 'Continue to payment' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pay for your gift card')
    await page.getByRole('button', { name: 'Pay $100.00 by card' }).click()
    await fillCard(page, cards.good)
    await expectAccessible(page)
    await payButton(page).last().click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank you. Your gift card is paid.')
    await expectNoSidewaysScroll(page)
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank you. Your gift card is paid.')
  })

  await test.step('another one by PayPal, for a later day', async () => {
    const [typo, right] = [newEmail(), newEmail()]
    await page.goto('/gift-card')
    const form = page.getByRole('form', { name: 'Gift card' })
    await form.getByLabel('Your email').fill(newEmail())
    await form.getByLabel('Recipient’s email').fill(typo)
    await form.getByLabel('Day of sending').fill(new Date(Date.now() + 5 * DAY_MS).toISOString().slice(0, 10))
    await form.getByRole('button', { name: 'Continue to payment' }).click()
    await expect(page.getByText(/, sent in the morning of /)).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await payByWallet(page, 'Pay now')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank you. Your gift card is paid.')
    await page.getByText('Correct the recipient’s email').click()
    await page.getByRole('form', { name: 'Recipient' }).getByLabel('Recipient’s email').fill(right)
    await page.getByRole('button', { name: 'Correct it' }).click()
    await expect(page.getByText(`It goes to ${right} now.`)).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
  })

  const mail = await world.mailbox.arrival(({ to, subject }) => to.includes(friend) && /for you/.test(subject))
  const code = /[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}/.exec(mail.text)?.[0] ?? ''
  expect(mail.text).toContain('For the good boy.')
  await world.mailbox.arrival(({ to, subject }) => to.includes(buyer) && /gift card/.test(subject))

  for (const order of ['first', 'second'])
    await test.step(`used in a ${order} order`, async () => {
      // The page of the order before would ask for it once more, as somebody else.
      await page.goto('about:blank')
      await page.context().clearCookies()
      await bringToCheckout(page, '/checkout')
      expect((await page.request.post('/api/cart/code', { data: { code } })).status()).toBe(200)
      await page.reload()
      await fillCustomer(page, newEmail())
      await continueToPayment(page)
      expect(await pay(page, cards.good)).toBe('$0.50')
      await readOrderNumber(page)
    })

  await test.step('the rest refunded', async () => {
    const owner = world.shopper()
    await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
    await page.goto('about:blank')
    await page.context().clearCookies()
    await page
      .context()
      .addCookies([{ name: 'session', value: owner.cookie().split('=')[1] ?? '', url: world.address }])
    await page.goto(`/admin/gift-cards?search=${friend}`)
    await expect(page.getByText(`Paid by ${buyer}`)).toBeVisible()
    await page.getByRole('button', { name: /^Refund/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('Asked for it back')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: /^Refund \$/ }).click()
    await expect(page.getByText(/^Refund of \$\d+\.\d\d started\.$/).first()).toBeVisible()
    await expect(page.getByRole('main').getByText('Void', { exact: false }).first()).toBeVisible()
    await expectNoSidewaysScroll(page)
  })
})
