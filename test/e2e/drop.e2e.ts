import { MINUTE_MS } from '#shared/time.ts'
import { followDrops } from '#server/payments/drops.ts'
import { expect, expectAccessible, expectGoodOnPhone, expectNoSidewaysScroll } from './browser.ts'
import { test } from './own-world.ts'
import { cards, continueToPayment, fillCustomer, newEmail, pay, readOrderNumber } from './shopper.ts'

/** Not what other tests of this world buy: its sale ends paused. */
const VISOR = '/product/rudy-visor-low-visibility'

test.use({ viewport: { width: 390, height: 844 }, expected: [/Failed to load resource.*409/] })

test('a fan comes early, waits in line on the phone, buys number 1 and opens its certificate; the owner watches', async ({
  page,
  browser,
  world,
}) => {
  const passes = async (ms: number) => {
    await world.advance(ms)
    await followDrops(world.shop)
    await world.settled()
  }
  const owner = await browser.newContext({ baseURL: world.address })
  await owner.request.post('/api/login', { data: { username: 'owner', password: 'owner-demo' } })
  const products = (await (await page.request.get('/api/products')).json()) as { id: number; slug: string }[]
  const startsAt = new Date(world.shop.clock.now().getTime() + 20 * MINUTE_MS).toISOString()
  const made = await owner.request.post('/api/admin/drops', {
    data: {
      ...{ title: 'Rudy’s Midnight Visor', productId: products.find(({ slug }) => VISOR.endsWith(slug))?.id, startsAt },
      ...{ pieces: 50, limitPerPerson: 1, numberRule: 'retire', roomPerMinute: 60 },
    },
  })
  const { id } = (await made.json()) as { id: number }
  await owner.request.post(`/api/admin/drops/${id}/schedule`)

  await page.goto('/')
  const teaser = page.getByRole('region', { name: 'Rudy’s Midnight Visor' })
  await expect(teaser.getByText('minutes', { exact: true })).toBeVisible()
  await expectGoodOnPhone(page, 'drop-home')
  await teaser.getByRole('link', { name: 'See it' }).click()
  const panel = page.getByRole('region', { name: 'Rudy’s Midnight Visor' })
  await expect(panel.getByText('50 numbered pieces.')).toBeVisible()
  await expect(panel.getByText('minutes', { exact: true })).toBeVisible()
  const facts = (await (await page.request.get(VISOR)).text()).match(/ld\+json">(.*?)<\/script>/)?.[1] ?? ''
  expect(facts).toContain(`"@type":"SaleEvent","name":"Rudy’s Midnight Visor","startDate":"${startsAt}"`)
  expect(facts).toContain('https://schema.org/PreOrder')
  await world.settled()
  const head = await (await page.request.get(VISOR)).text()
  expect(head).toMatch(/og:image" content="[^"]+\/pictures\/composed\.[0-9a-f]{16}\.1200\.webp"/)
  expect(head).toContain('og:image:alt" content="Rudy’s Midnight Visor, a limited drop"')
  await expectGoodOnPhone(page, 'drop-panel')
  await panel.getByRole('button', { name: 'To the waiting room' }).click()
  await expect(page.getByRole('heading', { name: 'You’re in the waiting room' })).toBeVisible()
  await expectGoodOnPhone(page, 'drop-before')

  await passes(21 * MINUTE_MS)
  // The page asks by itself; a reload is the same place.
  await page.reload()
  await passes(1000)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'It’s your turn' })).toBeVisible()
  await expectGoodOnPhone(page, 'drop-turn')
  await page.getByRole('link', { name: 'Choose your piece' }).click()
  // One for each person: nothing to choose.
  await expect(page.getByRole('spinbutton', { name: 'Quantity' })).toHaveCount(0)
  await page.getByRole('main').getByRole('button', { name: 'Add to Cart' }).click()
  await page.goto('/checkout')
  await fillCustomer(page, newEmail())
  await continueToPayment(page)
  await expectGoodOnPhone(page, 'drop-payment')

  const board = await owner.newPage()
  await board.goto(`/admin/drops/${id}/live`)
  await expect(board.getByText('1 being paid for now')).toBeVisible()
  await board.setViewportSize({ width: 360, height: 800 })
  await expectNoSidewaysScroll(board)
  await expectAccessible(board)

  await pay(page, cards.good)
  const orderNumber = await readOrderNumber(page)
  await expect(board.getByText('1 in the last five minutes')).toBeVisible({ timeout: 20_000 })
  await board.getByRole('button', { name: /^Pause/ }).click()
  await expect(board.getByRole('button', { name: /^Go on selling/ })).toBeVisible()
  await owner.close()

  await page.goto(`/order-confirmation?order=${orderNumber}`)
  await page.getByRole('link', { name: 'certificate of No. 1 of 50' }).click()
  await expect(page.getByText('No. 1 of 50').first()).toBeVisible()
  await expectGoodOnPhone(page, 'drop-certificate')
})
