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

test.use({ viewport: { width: 390, height: 844 } })

test('an address that the printer refuses can be corrected on a phone, by the customer and by the owner', async ({
  page,
  browser,
}) => {
  const buys = async () => {
    const email = newEmail()
    await bringHatToCheckout(page)
    await fillCustomer(page, email)
    await page.getByLabel('Address', { exact: true }).first().fill('FAIL PRINTER')
    await continueToPayment(page)
    await pay(page, cards.good)
    return { email, number: await readOrderNumber(page) }
  }
  const { email } = await buys()

  await test.step('from the emailed link, with the fields and messages of the checkout', async () => {
    const mail = await mailTo(page, email, /needs your address/)
    const link = /href="[^"]*(\/order-confirmation\?token=[\w-]+#correct-address)"/.exec(mail.html)?.[1] ?? ''
    const phone = await browser.newContext({ viewport: { width: 390, height: 844 } })
    const guest = await phone.newPage()
    await guest.goto(link)
    await expect(guest.getByRole('heading', { level: 1 })).toHaveText('We need your help with the address.')
    const form = guest.getByRole('form', { name: 'Correct the address' })
    const send = form.getByRole('button', { name: 'Correct the address' })
    await expectAccessible(guest)
    await expectNoSidewaysScroll(guest)
    await send.click()
    await expect(form.getByText('Required').first()).toBeVisible()
    await form.getByLabel('Full name').fill('Ada Fan')
    await form.getByLabel('Address', { exact: true }).fill('12 Ingot Street')
    await form.getByLabel('City').fill('Hoboken')
    await form.getByLabel('State').fill('NJ')
    await form.getByLabel('ZIP code').fill('07030')
    await send.click()
    await expect(form.getByRole('alert')).toContainText('calculated for a different state')
    await expect(form.getByLabel('City')).toHaveValue('Hoboken')
    await form.getByLabel('City').fill('San Francisco')
    await form.getByLabel('State').fill('CA')
    await form.getByLabel('ZIP code').fill('94105')
    await send.click()
    await expect(guest.getByText('We’ll ship your order to this address')).toBeVisible()
    await expect(async () => {
      await guest.reload()
      await expect(guest.getByRole('heading', { level: 1 })).toHaveText('Your order is with our printer.', {
        timeout: 1000,
      })
    }).toPass({ timeout: 20_000 })
    await expect(guest.getByText('Message us before it ships')).toBeVisible()
    await expect(form).toHaveCount(0)
    await phone.close()
  })

  const { number } = await buys()
  await test.step('in the admin, with the printer’s message', async () => {
    const desk = await browser.newContext({ viewport: { width: 390, height: 844 } })
    const owner = await desk.newPage()
    await owner.request.post('/api/login', { data: { username: 'owner', password: 'owner-demo' } })
    await owner.goto(`/admin/orders/${number}`)
    await owner.getByRole('button', { name: 'Send to the printer again...' }).click()
    await owner.getByRole('dialog').getByRole('button', { name: 'Send to the printer again' }).click()
    await expect(owner.getByRole('dialog').getByRole('alert')).toContainText('could not verify this address')
    await owner.keyboard.press('Escape')
    await owner.getByRole('button', { name: 'Correct address...' }).click()
    const form = owner.getByRole('form', { name: 'Correct the address' })
    await expect(form.getByLabel('Address', { exact: true })).toHaveValue('FAIL PRINTER')
    await expectNoSidewaysScroll(owner)
    await form.getByLabel('Address', { exact: true }).fill('12 Ingot Street')
    await form.getByRole('button', { name: 'Correct the address' }).click()
    await expect(owner.getByText('Address corrected. The printer accepted the order.').first()).toBeVisible()
    await expect(owner.getByText('Corrected by the shop')).toBeVisible()
    // The printer has it, and has not begun.
    await expect(owner.getByRole('button', { name: 'Correct address...' })).toBeVisible()
    await desk.close()
  })
})
