import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { followPrinterOrder } from '#server/fulfillment/fulfillment.ts'
import { addresses, type World } from '#sandbox/world.ts'
import { expect, expectAccessible, expectNoSidewaysScroll } from './browser.ts'
import { test } from './own-world.ts'

test.use({ viewport: { width: 390, height: 844 } })

async function arrives(world: World, number: string): Promise<void> {
  for (const change of ['ship', 'deliver']) {
    await world.simulators.printful.change({ change, external_id: number })
    await world.settled()
  }
  // The printer sends no event for a delivery.
  await followPrinterOrder(world.shop, number)
  await world.settled()
}

/** An order that has arrived, with the latest link of its emails to a page. */
async function arrived(world: World, to: object) {
  const shopper = world.shopper()
  const payment = await shopper.paysByCard({ buying: 'mug', to })
  const { body } = await payment.returnsToShop()
  await world.settled()
  await arrives(world, String(body.orderId))
  const mails = () => world.mailbox.list().filter((mail) => JSON.stringify(mail.to).includes(shopper.customer.email))
  return {
    mails,
    link: (path: string) =>
      mails()
        .map(({ text }) => new RegExp(`${path}\\?token=[\\w-]+`).exec(text)?.[0])
        .find(Boolean) ?? '',
  }
}

async function signsIn(page: Page, to: string) {
  await page.goto(to)
  await page.getByLabel('Username').fill('owner')
  await page.getByLabel('Password', { exact: true }).fill('owner-demo')
  await page.getByRole('tabpanel').getByRole('button', { name: 'Login' }).click()
}

const photo = async (background: string) => ({
  name: `${background}.jpg`,
  mimeType: 'image/jpeg',
  buffer: await sharp({ create: { width: 900, height: 700, channels: 3, background } })
    .jpeg()
    .toBuffer(),
})

test('a damaged mug is reported with two photos from the email’s link, and made again until it arrives; a purchase in Germany is taken back', async ({
  page,
  world,
  browser,
}) => {
  const damaged = await arrived(world, addresses.newYork)
  await test.step('without JavaScript the page leads to a form that works', async () => {
    const phone = await browser.newContext({ baseURL: world.address, javaScriptEnabled: false })
    const plain = await phone.newPage()
    await plain.goto(damaged.link('/order-confirmation/problem'))
    // Text in a noscript element is found by no `getByText`.
    await expect(plain.locator('p', { hasText: 'This form needs JavaScript' })).toBeVisible()
    await expect(plain.getByRole('button', { name: 'Send report' })).toBeHidden()
    await plain.getByRole('link', { name: 'write to us about this order' }).click()
    await plain.getByLabel('What can we do for you?').fill('The handle is broken off.')
    await plain.getByRole('button', { name: /^Send/ }).click()
    await expect(plain.getByText('Sent. We answer by email')).toBeVisible()
    await phone.close()
  })

  await test.step('the shopper reports it without an account, and a refusal keeps what was entered', async () => {
    await page.goto(damaged.link('/order-confirmation/problem'))
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Report a problem')
    const send = page.getByRole('button', { name: 'Send report' })
    await page.getByLabel('What happened?').fill('The handle is broken off.')
    await page.getByLabel(/^Photos/).setInputFiles([await photo('#a33'), await photo('#3a3')])
    // On a busy machine two photos take longer than a page.
    await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(2, { timeout: 30_000 })
    await send.click()
    await expect(page.getByText('Please choose what is wrong')).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await page.getByLabel('It was damaged on the way').check()
    await send.click()
    await expect(page.getByText('We’ve got your report')).toBeVisible()
    await expect(page.getByText('We’re looking into it')).toBeVisible()
  })

  await test.step('the owner has it made again in two presses, and it arrives', async () => {
    const office = await browser.newContext({ baseURL: world.address, viewport: { width: 1440, height: 900 } })
    const owner = await office.newPage()
    await signsIn(owner, '/admin/claims')
    await expect(owner.getByRole('heading', { level: 1 })).toHaveText('Claims')
    const claim = owner.getByRole('listitem').filter({ hasText: 'Damaged on the way' }).first()
    await expect(claim.getByRole('img', { name: /What the customer sent/ })).toHaveCount(2)
    await expectAccessible(owner)
    await expectNoSidewaysScroll(owner)
    await claim.getByRole('button', { name: 'Replace' }).click()
    await owner.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
    await expect(claim).toContainText('Replaced')
    await office.close()
    await page.reload()
    await expect(page.getByText('You get a replacement')).toBeVisible()

    await world.settled()
    const orders = await world.audit<{ order_number: string; payment_key: string | null }>('orders')
    await arrives(world, orders.find(({ payment_key: key }) => key === null)?.order_number ?? '')
    expect(damaged.mails()[0]?.subject).toMatch(/arrived/i)
    await page.goto(damaged.link('/order-confirmation'))
    await expect(page.getByRole('heading', { level: 1 })).toContainText(/arrived|delivered/i)
  })

  await test.step('a shopper in Germany declares the withdrawal, confirms it, and gets the receipt', async () => {
    const unwanted = await arrived(world, addresses.berlin)
    await page.goto(unwanted.link('/order-confirmation'))
    await page.getByRole('link', { name: 'Withdraw' }).click()
    await page.getByLabel('Your name').fill('Ada Fan')
    await page.getByRole('button', { name: 'Withdraw from the purchase' }).click()
    await expect(page.getByText('I, Ada Fan, withdraw from my contract of sale')).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await page.getByRole('button', { name: 'Confirm withdrawal' }).click()
    await expect(page.getByText('The receipt is on its way to your email')).toBeVisible()
    await world.settled()
    expect(unwanted.mails()[0]?.subject).toContain('Receipt of your withdrawal')
  })
})
