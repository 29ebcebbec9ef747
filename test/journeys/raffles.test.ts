import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RaffleEntryView, RaffleView } from '#contract/raffles.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { runDoctor } from '#server/admin/doctor.ts'
import { runRaffles } from '#server/raffles/running.ts'
import { DAY_MS, HOUR_MS } from '#shared/time.ts'

// From an entry to the parcel: entries by form, a frozen list, a draw that anybody can check, a claim, and deleted data.

const run = promisify(execFile)
const CHECK = join(import.meta.dirname, '../../src/server/raffles/draw-check.mjs')

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/** Signed in again: days pass between two calls. */
async function asOwner(method: string, path: string, body?: object) {
  const owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  return owner.send(method, path, body)
}

const nowIso = (ms = 0) => new Date(world.shop.clock.now().getTime() + ms).toISOString()

/** Announced, open from now for two days in the United States and Canada, drawn a week after. */
async function raffle(slug: string): Promise<string> {
  const { body } = await asOwner('GET', '/api/admin/raffles')
  const [prize] = (body as { prizes: { id: number; name: string }[] }).prizes.filter(({ name }) =>
    /blanket/i.test(name),
  )
  const made = await asOwner('POST', '/api/admin/raffles', {
    ...{ slug, title: 'Rudy’s blanket', words: 'One blanket.', productId: prize?.id },
    ...{ startsAt: nowIso(), endsAt: nowIso(2 * DAY_MS), drawAfterDays: 7, countries: ['US', 'CA'] },
  })
  expect(made.status).toBe(200)
  const { raffles } = (await asOwner('GET', '/api/admin/raffles')).body as {
    raffles: { id: number; slug: string }[]
  }
  const id = raffles.find((one) => one.slug === slug)?.id
  expect((await world.shopper().send('GET', `/api/raffles/${slug}`)).status).toBe(404)
  expect((await asOwner('POST', `/api/admin/raffles/${id}/announce`)).status).toBe(200)
  return slug
}

const enter = (slug: string, email: string, more: object = {}) =>
  world.shopper().send('POST', `/api/raffles/${slug}/entries`, {
    ...{ email, country: 'US', bornOn: '1990-05-01', agrees: 'yes', ...more },
  })

async function tokenFor(email: string, subject: RegExp): Promise<string> {
  await world.settled()
  const mail = world.mailbox.list().findLast(({ to, subject: of }) => to.includes(email) && subject.test(of))
  return /raffle-entry\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
}

async function enters(slug: string, email: string): Promise<string> {
  expect((await enter(slug, email)).status).toBe(200)
  const token = await tokenFor(email, /^Please confirm/)
  expect((await world.shopper().send('POST', '/api/raffle-entry/confirm', { token })).status).toBe(200)
  return token
}

const shown = async (slug: string) => (await world.shopper().send('GET', `/api/raffles/${slug}`)).body as RaffleView
const entryOf = async (token: string) =>
  (await world.shopper().send('GET', `/api/raffle-entry?token=${token}`)).body as RaffleEntryView

async function passes(ms: number): Promise<void> {
  await world.advance(ms)
  await runRaffles(world.shop)
  await world.settled()
}

const address = { line1: '1 Elm Street', city: 'Austin', state: 'TX', postal_code: '78701', country: 'US' }
const claim = (token: string, variantId: number | undefined, shippingAddress: object = address) =>
  world.shopper().send('POST', '/api/raffle-entry/claim', { token, variantId, name: 'Ada Lovelace', shippingAddress })

test('age, country, deadline and a second entry are refused by the server, and an unconfirmed entry does not count', async () => {
  const slug = await raffle('rules')
  const today = nowIso().slice(0, 10)
  const almost = `${Number(today.slice(0, 4)) - 18}${new Date(Date.parse(today) + DAY_MS).toISOString().slice(4, 10)}`
  expect((await enter(slug, 'kid@example.com', { bornOn: almost })).body).toMatchObject({ code: 'raffle_age' })
  expect((await enter(slug, 'far@example.com', { country: 'FR' })).body).toMatchObject({ code: 'raffle_country' })
  expect((await enter(slug, 'no@example.com', { agrees: undefined })).body).toMatchObject({ code: 'invalid' })
  const token = await enters(slug, 'ada@example.com')
  await enter(slug, 'ada+again@example.com')
  const again = await tokenFor('ada+again@example.com', /^Please confirm/)
  expect((await world.shopper().send('POST', '/api/raffle-entry/confirm', { token: again })).body).toMatchObject({
    code: 'raffle_entered',
  })
  await enter(slug, 'late@example.com')
  const late = await tokenFor('late@example.com', /^Please confirm/)
  const left = await enters(slug, 'left@example.com')
  expect((await world.shopper().send('POST', '/api/raffle-entry/withdraw', { token: left })).status).toBe(200)
  expect((await entryOf(left)) as object).toMatchObject({ code: 'unknown_raffle_entry' })
  await world.advance(2 * DAY_MS)
  for (const refused of [
    await enter(slug, 'after@example.com'),
    await world.shopper().send('POST', '/api/raffle-entry/confirm', { token: late }),
  ])
    expect(refused.body).toMatchObject({ code: 'raffle_not_open' })
  await passes(0)
  expect(await shown(slug)).toMatchObject({ state: 'frozen', entryCount: 1, winners: [] })
  expect((await entryOf(token)).commitment).toMatch(/^[0-9a-f]{64}$/)
})

test('a forged signature draws nobody; the genuine one draws whom the published program finds, and the prize becomes an order', async () => {
  const slug = await raffle('blanket')
  const people = ['ann', 'bob', 'cem', 'dee', 'eve'].map((name) => `${name}@example.com`)
  const tokens = new Map<string, string>()
  for (const email of people) tokens.set(email, await enters(slug, email))
  await passes(2 * DAY_MS)
  const frozen = await shown(slug)
  expect(frozen).toMatchObject({ state: 'frozen', entryCount: 5 })
  const entries = (await (await fetch(`${world.address}/api/raffles/${slug}/entries.txt`)).text()).trim().split('\n')
  expect(entries).toHaveLength(5)

  const round = { round: frozen.beacon?.round, signature: 'ab'.repeat(48) }
  const forge = (body: object) =>
    world.simulators.kit.rules.add({
      ...{
        provider: 'drand' as const,
        match: { path: '/*/public/*' },
        when: 'after' as const,
        do: { body },
        times: 1000,
      },
    })
  forge(round)
  await passes(7 * DAY_MS + HOUR_MS)
  expect(await shown(slug)).toMatchObject({ state: 'frozen', winners: [] })
  world.simulators.kit.rules.clear()
  // A genuine signature of another round.
  const { DRAND_API_BASE: base, DRAND_CHAIN_HASH: chain } = world.simulators.settings
  const other = (await (await fetch(`${base}/${chain}/public/1`)).json()) as { signature: string }
  forge({ ...round, signature: other.signature })
  await passes(0)
  expect(await shown(slug)).toMatchObject({ state: 'frozen', winners: [] })

  world.simulators.kit.rules.clear()
  await passes(0)
  const drawn = await shown(slug)
  expect(drawn).toMatchObject({ state: 'drawn', entriesHash: frozen.entriesHash })
  const [winner] = drawn.winners
  const file = await (await fetch(`${world.address}/api/raffles/${slug}/draw.json`)).text()
  expect(file).not.toMatch(/example\.com/)
  const folder = await mkdtemp(join(tmpdir(), 'draw-'))
  await writeFile(join(folder, 'draw.json'), file)
  const printed = await run(process.execPath, [CHECK, join(folder, 'draw.json')])
  expect(JSON.parse(printed.stdout)).toMatchObject({
    ...{ isSameEntries: true, isSigned: true, isSameRandomness: true, isSameWinner: true },
    winners: [winner?.commitment],
  })

  const won: string[] = []
  let variantId: number | undefined
  for (const [email, token] of tokens) {
    const { prize } = await entryOf(token)
    if (prize) won.push(email)
    variantId ??= prize?.variants[0]?.id
  }
  expect(won).toHaveLength(1)
  const lost = people.find((email) => email !== won[0]) ?? ''
  expect((await claim(tokens.get(lost) ?? '', variantId)).body).toMatchObject({ code: 'raffle_not_won' })
  const token = await tokenFor(won[0] ?? '', /^You’ve won/)
  const wrong = { token, variantId: 1, name: '', shippingAddress: {} }
  expect((await world.shopper().send('POST', '/api/raffle-entry/claim', wrong)).status).toBe(422)
  const berlin = { line1: 'Unter den Linden 77', city: 'Berlin', postal_code: '10117', country: 'DE' }
  expect((await claim(token, variantId, berlin)).body).toMatchObject({ code: 'raffle_country' })
  const first = await claim(token, variantId)
  const second = await claim(token, variantId)
  expect([first.status, second.body]).toEqual([200, first.body])
  await world.settled()
  const orders = await world.audit<{
    id: number
    payment_status: string
    fulfilment_status: string
    total_cents: string
  }>('orders')
  expect(orders).toMatchObject([{ payment_status: 'no_charge', fulfilment_status: 'submitted', total_cents: '0' }])
  expect(await shown(slug)).toMatchObject({ state: 'claimed', winners: [{ isClaimed: true }] })

  // Delivered: what entrants sent is deleted, and the published list stays.
  await world.shop.database.pool.query(`update shop_order set fulfilment_status = 'delivered'`)
  await passes(0)
  const stored = await world.shop.database.pool.query(
    `select 1 from raffle_entry e join raffle r on r.id = e.raffle_id where r.slug = $1`,
    [slug],
  )
  expect(stored.rowCount).toBe(0)
  expect((await (await fetch(`${world.address}/api/raffles/${slug}/entries.txt`)).text()).trim().split('\n')).toEqual(
    entries,
  )
})

test('who does not claim in time loses the prize to the next in the published order, until nobody is left', async () => {
  const slug = await raffle('nobody')
  for (const email of ['x@example.com', 'y@example.com']) await enters(slug, email)
  await passes(2 * DAY_MS)
  await passes(7 * DAY_MS + HOUR_MS)
  const [first] = (await shown(slug)).winners
  await passes(30 * DAY_MS)
  const again = await shown(slug)
  expect(again.winners).toMatchObject([{ commitment: first?.commitment, isLapsed: true }, { isLapsed: false }])
  await passes(30 * DAY_MS)
  expect(await shown(slug)).toMatchObject({ state: 'closed', winners: [{ isLapsed: true }, { isLapsed: true }] })
  await passes(0)
  const admin = (await asOwner('GET', '/api/admin/raffles')).body as {
    raffles: { slug: string; erasedAt: string | null }[]
  }
  expect(admin.raffles.find((one) => one.slug === slug)?.erasedAt).not.toBeNull()
})

test('the doctor asks the beacon while a raffle waits for its draw', async () => {
  const slug = await raffle('doctor')
  const beacon = async () => (await runDoctor(world.shop)).find(({ name }) => name === 'raffle beacon')
  expect(await beacon()).toMatchObject({ state: 'passed' })
  world.simulators.kit.rules.add({
    ...{ provider: 'drand', match: { path: '/*/info' }, when: 'before', do: { status: 503 }, times: 1 },
  })
  expect(await beacon()).toMatchObject({ state: 'inconclusive' })
  const { raffles } = (await asOwner('GET', '/api/admin/raffles')).body as {
    raffles: { id: number; slug: string }[]
  }
  const id = raffles.find((one) => one.slug === slug)?.id
  expect((await asOwner('POST', `/api/admin/raffles/${id}/close`)).status).toBe(200)
  expect((await enter(slug, 'x@example.com')).body).toMatchObject({ code: 'raffle_not_open' })
})
