import { DAY_MS, HOUR_MS } from '#shared/time.ts'
import { tellOfParcels } from '#server/claims/parcel-watch.ts'
import { followPrinterOrder } from '#server/fulfillment/fulfillment.ts'
import { addresses } from '#sandbox/world.ts'
import { expect, expectAccessible, expectNoSidewaysScroll } from './browser.ts'
import { test } from './own-world.ts'

test.use({ viewport: { width: 390, height: 844 } })

test('a late parcel: from the email’s link, without signing in, it is waited for and then made again', async ({
  page,
  world,
}) => {
  const shopper = world.shopper()
  const payment = await shopper.paysByCard({ buying: 'mug', to: addresses.newYork })
  const number = String((await payment.returnsToShop()).body.orderId)
  await world.settled()
  for (const change of ['ship', 'strand']) await world.simulators.printful.change({ change, external_id: number })
  await world.settled()
  await world.advance(16 * DAY_MS + HOUR_MS)
  await followPrinterOrder(world.shop, number)
  await tellOfParcels(world.shop)
  await world.settled()
  const mail = world.mailbox.list().find(({ subject }) => subject.includes('running late'))
  const [link = ''] = /\/order-confirmation\?token=[\w-]+#parcel-choice/.exec(mail?.text ?? '') ?? []

  await page.goto(link)
  const choice = page.getByRole('region', { name: 'What should happen with your parcel' })
  await expect(choice.getByRole('heading')).toHaveText('This is taking longer than we said')
  await expect(page.getByRole('list', { name: 'Where it has been' })).toContainText('Charlotte, NC')
  // On its way, only emails can still be sent elsewhere.
  await expect(page.locator('summary', { hasText: 'Correct the email' })).toBeVisible()
  await expect(page.locator('summary', { hasText: 'Correct the address' })).toHaveCount(0)
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  await choice.getByRole('button', { name: 'I’ll wait' }).click()
  await expect(choice).toContainText('You chose to wait')
  await choice.getByRole('button', { name: 'Make it again' }).click()
  await expect(choice).toContainText('You chose to have it made again')
  await expect(choice.getByRole('button')).toHaveCount(0)
})
