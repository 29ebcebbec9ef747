import { expect, expectAccessible, expectNoSidewaysScroll, test } from './browser.ts'
import {
  bringHatToCheckout,
  cards,
  continueToPayment,
  fillCustomer,
  mailTo,
  newEmail,
  pay,
  readOrderNumber,
} from './shopper.ts'

test('an order opens after the payment, from its email without JavaScript, and by its number in another browser', async ({
  page,
  browser,
}) => {
  const email = newEmail()
  await bringHatToCheckout(page)
  await fillCustomer(page, email)
  await continueToPayment(page)
  const total = await pay(page, cards.good)
  const number = await readOrderNumber(page)

  await test.step('the shopper who paid sees it immediately, with the full email and address', async () => {
    await page.getByRole('link', { name: 'See your order' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page).toHaveTitle(new RegExp(`^Order ${number}`))
    await expect(page.getByText(email)).toBeVisible()
    await expect(page.getByText('12 Ingot Street')).toBeVisible()
    // The hat is shown once.
    await expect(page.getByRole('main').locator('img')).toHaveCount(1)
    await expect(page.getByRole('region', { name: 'Totals' }).getByText(total)).toBeVisible()
    // The number has one form.
    expect((await page.locator('body').innerText()).replaceAll(number, '')).not.toContain(number.slice(2))
    await expect(page.getByRole('list', { name: 'Progress' }).getByRole('listitem')).toHaveCount(5)
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Message us' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Write to us')
  })

  await test.step('the email’s link opens it on a phone without JavaScript; ordering again fills a cart', async () => {
    const mail = await mailTo(page, email)
    const link = /href="[^"]*(\/order-confirmation\?token=[\w-]+)"/.exec(mail.html)?.[1] ?? ''
    const phone = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 800 } })
    const plain = await phone.newPage()
    const answer = await plain.goto(link)
    expect(answer?.headers()['cache-control']).toBe('no-store')
    expect(answer?.headers()['referrer-policy']).toBe('same-origin')
    await expect(plain.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
    await expect(plain.getByText(total).first()).toBeVisible()
    await expect(plain.getByText(email)).toHaveCount(0)
    await expect(plain.getByText('12 Ingot Street')).toHaveCount(0)
    await expectNoSidewaysScroll(plain)

    const receipt = plain.waitForEvent('download')
    await plain.getByRole('link', { name: 'Receipt (PDF)' }).click()
    expect((await receipt).suggestedFilename()).toBe(`receipt-${number}.pdf`)

    await plain.getByRole('button', { name: 'Order again' }).click()
    await expect(plain.getByText('Everything from that order is in your cart')).toBeVisible()
    await expect(plain.getByRole('spinbutton', { name: /^Quantity of/ })).toHaveValue('1')
    await phone.close()
  })

  await test.step('number and email find it elsewhere; a wrong pair always has the same message', async () => {
    const elsewhere = await browser.newContext()
    const other = await elsewhere.newPage()
    await other.goto('/track')
    await other.getByLabel('Order number').fill(number.toLowerCase().replace('-', ' '))
    await other.getByLabel('Email').fill('somebody@example.com')
    await other.getByRole('button', { name: 'Find my order' }).click()
    await expect(other.getByRole('alert')).toHaveText('We could not find an order with this number and email.')
    await expectAccessible(other)
    await other.getByLabel('Email').fill(email)
    await other.getByRole('button', { name: 'Find my order' }).click()
    await expect(other).toHaveURL(new RegExp(`/order-confirmation\\?order=${number.slice(2)}$`))
    await expect(other.getByText(total).first()).toBeVisible()
    await expect(other.getByText(email)).toHaveCount(0)
    await elsewhere.close()
  })
})

test.describe('an address that opens no order', () => {
  test.use({ expected: [/404 \(Not Found\)/] })

  for (const path of ['/order-confirmation', '/order-confirmation?token=guess', '/order-confirmation?order=K7QM-4T2X'])
    test(`${path} shows how to find an order`, async ({ page }) => {
      await page.goto(path)
      await expect(page.getByRole('heading', { name: 'This order cannot be shown here' })).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('link', { name: 'Find an order by its number' }).click()
      await expect(page.getByRole('heading', { name: 'Track your order' })).toBeVisible()
    })
})
