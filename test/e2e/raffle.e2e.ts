import type { Page } from '@playwright/test'
import type { World } from '#sandbox/world.ts'
import { runRaffles } from '#server/raffles/running.ts'
import { DAY_MS, HOUR_MS } from '#shared/time.ts'
import { expect, expectGoodOnPhone, expectNoSidewaysScroll } from './browser.ts'
import { test } from './own-world.ts'

test.use({ viewport: { width: 390, height: 844 }, expected: [/Failed to load resource.*(?:401|422)/] })

/** A draft of a raffle of a blanket, which one fan takes part in, and how time passes for it. */
async function blanketRaffle({ page, world }: { page: Page; world: World }, fan: string) {
  const [slug, email] = [`blanket-for-${fan}`, `${fan}@mail.example`]
  const at = (ms: number) => new Date(world.shop.clock.now().getTime() + ms).toISOString()
  await page.request.post('/api/login', { data: { username: 'owner', password: 'owner-demo' } })
  const { prizes } = (await (await page.request.get('/api/admin/raffles')).json()) as {
    prizes: { id: number; name: string }[]
  }
  await page.request.post('/api/admin/raffles', {
    data: {
      ...{ slug, title: 'Rudy’s blanket', words: 'One blanket, for one of you.', countries: ['US', 'CA'] },
      ...{ startsAt: at(-HOUR_MS), endsAt: at(2 * DAY_MS), drawAfterDays: 7 },
      productId: prizes.find(({ name }) => /blanket/i.test(name))?.id,
    },
  })
  const { raffles } = (await (await page.request.get('/api/admin/raffles')).json()) as {
    raffles: { id: number; slug: string }[]
  }
  return {
    email,
    path: `/raffle/${slug}`,
    id: raffles.find((one) => one.slug === slug)?.id,
    async passes(ms: number) {
      await world.advance(ms)
      await runRaffles(world.shop)
      await world.settled()
    },
    async inMail(subject: RegExp) {
      await world.settled()
      const mail = world.mailbox.list().find(({ to, subject: of }) => to === email && subject.test(of))
      return /http\S+raffle-entry\S+/.exec(mail?.text ?? '')?.[0] ?? ''
    },
  }
}

test('a fan enters a raffle on the phone, is drawn, checks the draw in the browser, and claims the prize', async ({
  page,
  world,
}) => {
  const { path, email, passes, inMail } = await blanketRaffle({ page, world }, 'ada')
  await page.goto('/admin/raffles')
  await expectGoodOnPhone(page, 'raffle-admin')
  await page.getByRole('button', { name: 'Announce Rudy’s blanket' }).click()
  await expect(page.getByText('Announced', { exact: true })).toBeVisible()
  await page.request.post('/api/logout')

  await page.goto(path)
  await expectGoodOnPhone(page, 'raffle-open')
  const enter = page.getByRole('form', { name: 'Enter for free' })
  await enter.getByLabel('Email').fill(email)
  await enter.getByLabel('Country').selectOption('United States')
  await enter.getByLabel('Date of birth').fill('2015-05-01')
  await enter.getByRole('checkbox').check()
  await enter.getByRole('button', { name: 'Enter the raffle' }).click()
  await expect(enter.getByText('You need to be 18 or older to take part', { exact: true })).toBeVisible()
  await enter.getByLabel('Date of birth').fill('1990-05-01')
  await enter.getByRole('button', { name: 'Enter the raffle' }).click()
  await expect(page.getByText('Check your email')).toBeVisible()

  await page.goto(await inMail(/^Please confirm/))
  await expectGoodOnPhone(page, 'raffle-confirm')
  await page.getByRole('button', { name: 'Confirm my entry' }).click()
  await expect(page.getByRole('heading', { name: 'You’re in' })).toBeVisible()
  const code = (await page.getByText(/^[0-9a-f]{32}$/).textContent()) ?? ''

  await passes(2 * DAY_MS)
  await passes(7 * DAY_MS + HOUR_MS)
  await page.goto(path)
  await page.getByRole('button', { name: 'Check in this browser' }).click()
  await expect(page.getByText('The draw is right')).toBeVisible({ timeout: 20_000 })
  const own = page.getByRole('form', { name: 'Is your entry in it?' })
  await own.getByLabel('Your code').fill(code)
  await own.getByLabel('Your email').fill(email)
  await own.getByRole('button', { name: 'Look' }).click()
  await expect(page.getByText('Your entry is in the draw.')).toBeVisible()
  await expectGoodOnPhone(page, 'raffle-drawn')

  await page.goto(await inMail(/^You’ve won/))
  await expectGoodOnPhone(page, 'raffle-won')
  const claim = page.getByRole('form', { name: 'Claim my prize' })
  await claim.getByLabel('Full name').fill('Ada Lovelace')
  await claim.getByLabel('Address', { exact: true }).fill('1 Elm Street')
  await claim.getByLabel('City').fill('Austin')
  await claim.getByLabel('State').fill('TX')
  await claim.getByLabel(/ZIP/).fill('78701')
  await claim.getByRole('button', { name: 'Claim my prize' }).click()
  await expect(page.getByRole('heading', { name: 'Your prize is on its way' })).toBeVisible()
  await expectGoodOnPhone(page, 'raffle-claimed')
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('a fan enters, corrects a form that kept what she typed, and claims the prize', async ({ page, world }) => {
    const { path, email, id, passes, inMail } = await blanketRaffle({ page, world }, 'grace')
    await page.request.post(`/api/admin/raffles/${id}/announce`)
    await page.request.post('/api/logout')

    await page.goto(path)
    await page.getByLabel('Email').first().fill(email)
    await page.getByLabel('Country').selectOption('United States')
    await page.getByLabel('Date of birth').fill('2015-05-01')
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Enter the raffle' }).click()
    await expect(page.getByText('You need to be 18 or older to take part', { exact: true })).toBeVisible()
    await expect(page.getByLabel('Email')).toHaveValue(email)
    await expectNoSidewaysScroll(page)
    await page.getByLabel('Date of birth').fill('1990-05-01')
    await page.getByRole('button', { name: 'Enter the raffle' }).click()
    await expect(page.getByText('Check your email')).toBeVisible()
    await page.goto(await inMail(/^Please confirm/))
    await page.getByRole('button', { name: 'Confirm my entry' }).click()
    await expect(page.getByRole('heading', { name: 'You’re in' })).toBeVisible()

    await passes(2 * DAY_MS)
    await passes(7 * DAY_MS + HOUR_MS)
    await page.goto(await inMail(/^You’ve won/))
    await expectNoSidewaysScroll(page)
    await page.getByLabel('Full name').fill('Ada Lovelace')
    await page.getByLabel('Address', { exact: true }).fill('1 Elm Street')
    await page.getByLabel('Apartment').fill('Apt 4')
    await page.getByLabel('City').fill('Austin')
    await page.getByLabel(/ZIP/).fill('78701')
    await page.getByRole('button', { name: 'Claim my prize' }).click()
    await expect(page.getByText('Required', { exact: true })).toBeVisible()
    await expect(page.getByLabel('Apartment')).toHaveValue('Apt 4')
    await expectNoSidewaysScroll(page)
    await page.getByLabel('State').fill('TX')
    await page.getByRole('button', { name: 'Claim my prize' }).click()
    await expect(page.getByRole('heading', { name: 'Your prize is on its way' })).toBeVisible()
  })
})
