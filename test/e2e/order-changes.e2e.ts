import { openWorld, type World } from '#sandbox/world.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test as base } from './browser.ts'
import { cards, fillCard, payButton } from './shopper.ts'

// A shop in which a paid order can still be changed and canceled.
const test = base.extend<object, { world: World }>({
  world: [
    // oxlint-disable-next-line eslint/no-empty-pattern -- Playwright reads what a fixture needs from its first parameter
    async ({}, use) => {
      await using world = await openWorld({ pages: true, env: { CHANGE_WINDOW_S: '1800' } })
      await use(world)
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: async ({ world }, use) => use(world.address),
})

test('from the emailed link a customer sees the time run, corrects the address, and cancels with a refund', async ({
  page,
  world,
}) => {
  const shopper = world.shopper()
  await (await shopper.paysByCard({ buying: 'nightcap' })).returnsToShop()
  await world.settled()
  const mail = world.mailbox.list().find(({ to }) => JSON.stringify(to).includes(shopper.customer.email))
  const link = /\/order-confirmation\?token=[\w-]+/.exec(mail?.text ?? '')?.[0] ?? ''
  expect(mail?.text).toMatch(/Until .+ E[DS]T you can change or cancel it/)

  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(link)
  const changes = page.getByRole('region', { name: 'You can still change it' })
  const clock = changes.getByText(/^\d+:\d\d left$/)
  const before = await clock.textContent()
  await expect(clock).not.toHaveText(before ?? '')
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)

  await test.step('changes the address', async () => {
    await changes.getByRole('link', { name: 'Change order' }).click()
    await expect(page.getByRole('heading', { name: 'Change order' })).toBeVisible()
    await page.locator('summary', { hasText: 'Correct the address' }).click()
    const form = page.getByRole('form', { name: 'Correct the address' })
    await form.getByLabel('Full name').fill('Ada Fan')
    await form.getByLabel('Address', { exact: true }).fill('11 Wall Street')
    await form.getByLabel('City').fill('New York')
    await form.getByLabel('State').fill('NY')
    await form.getByLabel('ZIP code').fill('10005')
    await form.getByRole('button', { name: 'Correct the address' }).click()
    await expect(page.getByText('We’ll ship your order to this address')).toBeVisible()
  })

  await test.step('takes another size that costs more, and pays the difference', async () => {
    await page.getByText('Change size, color or quantity').click()
    const items = page.getByRole('form', { name: 'Change size, color or quantity' })
    const size = items.getByLabel('Color and size')
    await expect(size.locator('option', { hasText: '2XL' }).first()).toBeAttached()
    const options = await size.locator('option').allInnerTexts()
    await size.selectOption({ label: options.find((option) => /2XL(?!.*sold out)/.test(option)) ?? 'no 2XL' })
    await items.getByRole('button', { name: 'Show the difference' }).click()
    await page.getByRole('dialog', { name: 'Check the change' }).getByRole('button', { name: 'Go on to pay' }).click()
    await page.getByRole('link', { name: /^Pay \$.* by card$/ }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pay for your change')
    await page.getByRole('button', { name: /^Pay \$.* by card$/ }).click()
    await fillCard(page, cards.good)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await payButton(page).last().click()
    await expect(page.getByText('Your order is changed, and you get an email.')).toBeVisible()
    await expect(page.getByText('There is nothing to pay here now.')).toHaveCount(0)
    await page.getByRole('link', { name: 'Back to the order' }).click()
    await expect(page.getByRole('main').getByText(/2XL/).first()).toBeVisible()
  })

  await changes.getByRole('button', { name: 'Cancel order' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel this order?' })
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel order and refund' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your order is canceled.')
  await expect(page.getByText('is on its way back to you')).toBeVisible()
  await world.settled()
  await page.reload()
  await expect(page.getByText('Refunded', { exact: true })).toBeVisible()
  await expect(changes).toHaveCount(0)
  await expectAccessible(page)
})
