import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoSidewaysScroll } from './browser.ts'
import { waitUntilHydrated } from './hydrated.ts'
import { test } from './own-world.ts'
import { cards, fillCard, payButton, payByWallet } from './shopper.ts'

// The form is sent with a state that does not fit once.
test.use({ viewport: { width: 390, height: 844 }, expected: [/status of 422/] })

async function fillOrder(owner: Page, email: string) {
  await owner.getByRole('radio', { name: /^By phone/ }).check()
  await owner.getByLabel('Find a product').fill('vented hat')
  await owner.getByRole('list', { name: 'Products found' }).getByRole('button').first().click()
  await owner.getByRole('button', { name: 'Add', exact: true }).click()
  const form = owner.getByRole('form', { name: 'New order' })
  await form.getByRole('textbox', { name: 'Email' }).fill(email)
  await form.getByLabel('Full name').fill('Grace Fan')
  await form.getByLabel('Address', { exact: true }).fill('350 5th Avenue')
  await form.getByLabel('City').fill('New York')
  await form.getByLabel('State').fill('NY')
  await form.getByLabel('ZIP code').fill('10118')
}

test('an order taken by phone is paid from the emailed link, by PayPal or by card, without an account', async ({
  page,
  browser,
  world,
}) => {
  const office = await browser.newContext({ baseURL: world.address, viewport: { width: 1440, height: 900 } })
  const owner = await office.newPage()
  await waitUntilHydrated(owner)
  await owner.request.post('/api/login', { data: { username: 'owner', password: 'owner-demo' } })
  const linkFor = async (email: string) =>
    /\/order-confirmation\/pay\?token=[\w.-]+/.exec(
      (await world.mailbox.arrival(({ to, subject }) => to.includes(email) && /ready to pay/.test(subject))).text,
    )?.[0] ?? ''
  const takes = async (email: string) => {
    await owner.goto('/admin/orders')
    await owner.getByRole('link', { name: 'New order' }).click()
    await fillOrder(owner, email)
    await owner.getByRole('button', { name: 'See the total' }).click()
    await expect(owner.getByText(/^\$\d+\.\d\d: .* for the products/)).toBeVisible()
    await expectAccessible(owner)
    await owner.getByRole('button', { name: 'Send the payment link' }).click()
    await expect(owner.getByRole('main').getByRole('listitem').filter({ hasText: email })).toContainText(
      'Awaiting payment',
    )
    await expectAccessible(owner)
  }

  await test.step('with PayPal', async () => {
    await takes('grace@mail.example')
    await page.goto(await linkFor('grace@mail.example'))
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check and pay your order')
    await expect(page.getByRole('button', { name: 'Pay with PayPal' })).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await payByWallet(page, 'Cancel')
    await payByWallet(page, 'Pay now')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank you. Your order is paid.')
    await world.mailbox.arrival(({ to, subject }) => to.includes('grace@mail.example') && /Confirmation/.test(subject))
    await owner.reload()
    await expect(owner.getByRole('main').getByRole('listitem').filter({ hasText: 'grace@mail.example' })).toHaveCount(0)
    await expect(owner.getByRole('row').filter({ hasText: 'grace@mail.example' })).toHaveCount(1)
  })

  await test.step('by card, after the owner sent the link again', async () => {
    await takes('ada@mail.example')
    const waiting = owner.getByRole('main').getByRole('listitem').filter({ hasText: 'ada@mail.example' })
    await waiting.getByRole('button', { name: 'Send the link again' }).click()
    await expect(owner.getByText('The link is on its way again.').first()).toBeVisible()
    await page.goto(await linkFor('ada@mail.example'))
    await page.getByRole('button', { name: /^Pay \$.* by card$/ }).click()
    await fillCard(page, cards.good)
    await expectAccessible(page)
    await payButton(page).last().click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank you. Your order is paid.')
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank you. Your order is paid.')
  })
  await office.close()
})
