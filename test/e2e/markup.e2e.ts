import { expect, test } from './browser.ts'
import {
  bringToCheckout,
  continueToPayment,
  fillCustomer,
  mailTo,
  newEmail,
  pay,
  cards,
  readOrderNumber,
} from './shopper.ts'

/** Harmful wherever typed text is treated as markup, as script, as a template, or as a pattern of `replace`. */
const WORDS = `</script><img src=x onerror="document.title='owned'"><svg onload="document.title='owned'"> {{7*7}} $& $'`
/** The maximum length of a name. */
const NAME = `<img src=x onerror="document.title='owned'"> {{7*7}} $&`

test('markup that people type is shown as text on pages, in emails and in the admin (S59)', async ({ page }) => {
  test.slow()
  const reported: string[] = []
  await page.exposeFunction('policyWasBroken', (what: string) => reported.push(what))
  await page.addInitScript(() => {
    const tell = (globalThis as unknown as { policyWasBroken(what: string): void }).policyWasBroken
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      tell(`${violatedDirective} ${blockedURI}`),
    )
  })
  const isPlain = async () => {
    await expect(page.locator('img[src="x"], svg[onload]')).toHaveCount(0)
    await expect(page).not.toHaveTitle('owned')
  }

  const email = newEmail()
  await bringToCheckout(page, '/checkout')
  await fillCustomer(page, email)
  await page.getByLabel('Full name').fill(NAME)
  await page.getByRole('group', { name: 'Shipping address' }).getByLabel('Address', { exact: true }).fill(NAME)
  await continueToPayment(page)
  await pay(page, cards.good)
  const number = await readOrderNumber(page)
  await page.getByRole('link', { name: 'See your order' }).click()
  await expect(page.getByText('Ships to')).toBeVisible()
  await isPlain()

  const mail = await mailTo(page, email)
  expect(mail.text).toContain(NAME)
  expect(mail.html).not.toContain('<img src=x')
  expect(mail.html).toContain('&lt;img src=x')

  // Before the owner signs in: an order's page that is still open would ask for its invoices in the owner's session.
  await page.goto('/contact')
  const told = await page.request.post('/api/contact', {
    data: { name: NAME, email, subject: WORDS.slice(0, 80), message: WORDS },
  })
  expect(told.ok()).toBe(true)
  expect((await page.request.post('/api/login', { data: { username: 'owner', password: 'owner-demo' } })).ok()).toBe(
    true,
  )
  for (const [path, words] of [
    [`/admin/orders/${number}`, NAME],
    [`/admin/orders?words=${encodeURIComponent(email)}`, NAME],
    ['/admin/inbox', WORDS],
    ['/reports/lines?figure=revenue', number],
  ] as const) {
    await page.goto(path)
    await expect(page.getByText(words).filter({ visible: true }).first()).toBeVisible()
    await isPlain()
  }
  expect(reported).toEqual([])
})
