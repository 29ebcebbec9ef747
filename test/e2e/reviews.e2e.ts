import { readFileSync } from 'node:fs'
import { DAY_MS } from '#shared/time.ts'
import { shares } from '#site/collections/shares.ts'
import { findOrderByNumber, lockOrder, moveFulfillment } from '#server/orders/orders.ts'
import { hasOpenClaim } from '#server/claims/waiting.ts'
import { requestReviews } from '#server/reviews/requests.ts'
import type { OrderNumber } from '#shared/ids.ts'
import { expect, expectAccessible, expectNoSidewaysScroll } from './browser.ts'
import { test } from './own-world.ts'

// The form is sent empty once.
test.use({ viewport: { width: 390, height: 844 }, expected: [/status of 422/] })

/** Somebody's photo. */
const photo = readFileSync(new URL(`../../pictures/finished/${shares.products.file}.1200.webp`, import.meta.url))

test('a week after delivery a buyer reviews a shirt from the emailed link; the owner publishes and answers it, and shoppers read it', async ({
  page,
  browser,
  world,
}) => {
  const shopper = world.shopper()
  const payment = await shopper.paysByCard({ buying: 'nightcap' })
  const number = ((await payment.returnsToShop()).body.orderId ?? '') as OrderNumber
  await world.settled()
  const order = await findOrderByNumber(world.shop.db, number)
  await world.shop.db.transaction(async (tx) =>
    moveFulfillment(tx, await lockOrder(tx, order?.id ?? (0 as never)), 'delivered', world.shop.clock.now()),
  )
  await world.advance(7 * DAY_MS + 1000)
  await requestReviews(world.shop, hasOpenClaim)
  const mail = await world.mailbox.arrival(
    ({ to, subject }) => to.includes(shopper.customer.email) && subject.startsWith('How do you like'),
  )
  const link = /(\/order-confirmation\?token=[\w-]+#reviews)/.exec(mail.text)?.[1] ?? ''

  await test.step('the buyer writes', async () => {
    await page.goto(link)
    await page.getByRole('button', { name: /^Write a review/ }).click()
    const form = page.getByRole('form', { name: /^Review of Rudy/ })
    await form.getByRole('button', { name: 'Send review' }).click()
    await expect(form.getByText('Please choose one to five stars')).toBeVisible()
    await expect(form.getByText('Please write a few words')).toBeVisible()
    // By keyboard, from no stars to four.
    await form.getByRole('radio', { name: /^1 star/ }).focus()
    await page.keyboard.press('Space')
    for (let stars = 1; stars < 4; stars += 1) await page.keyboard.press('ArrowRight')
    await expect(form.getByRole('radio', { name: /^4 stars/ })).toBeChecked()
    await form.getByText('True to size').click()
    await form.getByLabel('Your review').fill('I fell asleep in it at once.\n<b>Twice</b>.')
    await form.getByLabel('Photos').setInputFiles({ name: 'me.webp', mimeType: 'image/webp', buffer: photo })
    await expect(form.getByRole('button', { name: 'Remove photo 1' })).toBeVisible({ timeout: 30_000 })
    await form.getByLabel('Name to show').fill('Ada')
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await form.getByRole('button', { name: 'Send review' }).click()
    await expect(page.getByText('We read every review before it appears')).toBeVisible()
  })

  await test.step('the owner publishes and answers', async () => {
    const desk = await browser.newContext({ baseURL: world.address })
    const owner = await desk.newPage()
    await owner.request.post('/api/login', { data: { username: 'owner', password: 'owner-demo' } })
    await owner.goto('/admin')
    await owner
      .getByRole('region', { name: 'To do' })
      .getByRole('link', { name: /review/ })
      .click()
    await expect(owner.getByRole('heading', { name: 'Reviews', level: 1 })).toBeVisible()
    const card = owner.getByRole('article', { name: /Nightcap/ })
    await card.getByRole('button', { name: /^Publish/ }).click()
    await expect(card.getByText('Published')).toBeVisible()
    await card.getByRole('button', { name: /^Answer/ }).click()
    await card.getByLabel('Your answer').fill('Sleep well, Ada.')
    await card.getByRole('button', { name: 'Save answer' }).click()
    await expect(card.getByText('Your public answer')).toBeVisible()
    await expectAccessible(owner)
    await desk.close()
  })

  await test.step('shoppers read it, also without scripts', async () => {
    const product = await shopper.find('nightcap')
    const plain = await browser.newContext({ baseURL: world.address, javaScriptEnabled: false })
    const reader = await plain.newPage()
    await reader.goto(`/product/${product.id}`)
    const section = reader.getByRole('region', { name: 'Reviews' })
    await expect(section.getByText('<b>Twice</b>.')).toBeVisible()
    await expect(section.getByText('Verified purchase')).toBeVisible()
    await expect(section.getByText('Sleep well, Ada.')).toBeVisible()
    await expect(section.getByRole('img')).toHaveCount(1)
    expect(await reader.locator('script[type="application/ld+json"]').textContent()).toContain('"aggregateRating"')
    await plain.close()
    await page.goto(`/product/${product.id}`)
    await page.getByRole('link', { name: /Rated 4 out of 5, 1 review/ }).click()
    await expect(page.getByRole('region', { name: 'Reviews' })).toBeInViewport()
    await page.getByRole('link', { name: /^5 stars/ }).click()
    await expect(page.getByText('No review has 5 stars.')).toBeVisible()
    await page.getByRole('link', { name: 'Show all reviews' }).click()
    await expect(page.getByText('Sleep well, Ada.')).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
  })
})
