import { formatOrderNumber } from '#shared/ids.ts'
import { watchMessages } from '#server/messages/watch-messages.ts'
import { expect, expectAccessible, expectNoSidewaysScroll } from './browser.ts'
import { test } from './own-world.ts'

test.use({ viewport: { width: 390, height: 844 } })

test('a guest writes from the order’s page, the owner answers with a saved reply, and the reply by email is in the conversation', async ({
  page,
  world,
  browser,
}) => {
  const shopper = world.shopper()
  const payment = await shopper.paysByCard({ buying: 'mug' })
  const { body } = await payment.returnsToShop()
  await world.settled()
  const number = formatOrderNumber(String(body.orderId))
  const mails = () => world.mailbox.list().filter(({ to }) => to === shopper.customer.email)
  const link = /order-confirmation\?token=[\w-]+/.exec(mails()[0]?.text ?? '')?.[0] ?? ''

  await test.step('the guest writes, without an account', async () => {
    await page.goto(`/${link}`)
    await page.getByRole('link', { name: 'Message us' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Write to us')
    await page.getByLabel('What can we do for you?').fill('Is my mug on its way?')
    await page.getByRole('button', { name: 'Send message' }).click()
    await expect(page.getByText('Sent. We answer by email, and here.')).toBeVisible()
    await expect(page.getByRole('list', { name: 'Messages' })).toContainText('Is my mug on its way?')
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
  })

  const office = await browser.newContext({ baseURL: world.address, viewport: { width: 1440, height: 900 } })
  const owner = await office.newPage()
  await test.step('the owner saves a reply and answers with it', async () => {
    await owner.goto('/admin/inbox/replies')
    await owner.getByLabel('Username').fill('owner')
    await owner.getByLabel('Password', { exact: true }).fill('owner-demo')
    await owner.getByRole('tabpanel').getByRole('button', { name: 'Login' }).click()
    await owner.getByLabel('Title').fill('Being made')
    await owner.getByLabel('Reply', { exact: true }).fill('{first-name}, your order {order} is being made.')
    await owner.getByRole('button', { name: 'Save reply' }).click()
    await expect(owner.getByRole('heading', { name: 'Being made' })).toBeVisible()
    await expectAccessible(owner)
    await owner.getByRole('link', { name: 'Inbox' }).last().click()
    await owner.getByRole('link', { name: new RegExp(number) }).click()
    await expect(owner.getByRole('heading', { name: 'The order' })).toBeVisible()
    await owner.getByLabel('Saved reply').selectOption('Being made')
    await expect(owner.getByLabel('Your answer')).toHaveValue(`Ada, your order ${number} is being made.`)
    await expectAccessible(owner)
    await expectNoSidewaysScroll(owner)
    await owner.getByRole('button', { name: 'Answer by email' }).click()
    await expect(owner.getByRole('list', { name: 'Messages' })).toContainText('is being made.')
  })

  await test.step('the guest replies to the email', async () => {
    await world.settled()
    const answer = mails().find(({ text }) => text.includes('is being made.'))
    await world.mailbox.reply(answer?.id ?? '', 'Wonderful, thank you!')
    await watchMessages(world.shop)
    await owner.reload()
    const last = owner.getByRole('list', { name: 'Messages' }).getByRole('listitem').last()
    await expect(last).toContainText('Wonderful, thank you!')
    await expect(last).not.toContainText('wrote:')
    await page.reload()
    await expect(page.getByRole('list', { name: 'Messages' })).toContainText('Wonderful, thank you!')
  })
  await office.close()
})
