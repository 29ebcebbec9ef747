import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DropInput } from '#contract/admin-drops.ts'
import type { RoomView } from '#contract/drops.ts'
import { PLACES_PER_NETWORK } from '#domain/drops/room.ts'
import { after, HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/time.ts'
import { followDrops } from '#server/payments/drops.ts'
import { dropOf, openDropWorld, scheduleDrop, somebody, violationsOf, type DropWorld } from '../properties/drops.ts'

let home: DropWorld
beforeAll(async () => {
  // Everybody in a test has the same address.
  home = await openDropWorld({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
})
afterAll(() => home[Symbol.asyncDispose]())

type Person = ReturnType<typeof somebody> & { ip: string }

let networks = 0
const person = (): Person => {
  networks += 1
  return { ...somebody(home.world), ip: `198.51.${Math.floor(networks / 250)}.${(networks % 250) + 1}` }
}

const room = async ({ shopper, ip }: Person, id: number, method: 'GET' | 'POST' = 'GET') =>
  shopper.send<RoomView & { code?: string }>(method, `/api/drops/${id}/room`, undefined, { 'x-forwarded-for': ip })

const schedule = async (words: string, more: Partial<DropInput>) => {
  const { id } = await home.world.shopper().find(words)
  return scheduleDrop(
    home.owner,
    dropOf({ title: `Drop of the ${words}`, productId: id as DropInput['productId'], roomPerMinute: 2, ...more }),
  )
}

/** Lets time pass, and the line move. */
async function passes(ms: number, id: number): Promise<void> {
  await home.world.advance(ms)
  await room(person(), id)
}

test('who came before the start is drawn, who comes later follows; nobody buys out of turn, twice, or with a copied cookie', async () => {
  const { world, owner } = home
  const startsAt = after(world.shop.clock.now(), 30 * MINUTE_MS).toISOString()
  const id = await schedule('visor', { startsAt, pieces: 3 })
  const early = Array.from({ length: 12 }, person)
  for (const one of early) expect((await room(one, id, 'POST')).body.kind).toBe('before')
  for (const one of early) await room(one, id, 'POST')
  await passes(31 * MINUTE_MS, id)

  const late = person()
  expect((await room(late, id, 'POST')).body.kind).toBe('drawing')
  await passes(2 * SECOND_MS, id)
  const asked = await Promise.all(early.map((one) => room(one, id)))
  // Half a minute’s worth of two a minute: one.
  expect(asked.filter(({ body }) => body.kind === 'in')).toHaveLength(1)
  const ahead = asked.flatMap(({ body }) => (body.kind === 'waiting' ? (body.ahead ?? -1) : []))
  expect(ahead.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 11 }, (_, index) => index))
  expect(ahead, 'in the order in which they came').not.toEqual(ahead.toSorted((a, b) => a - b))
  expect((await room(late, id)).body).toMatchObject({ kind: 'waiting', ahead: 11 })

  const letIn = early.find((_, index) => asked[index]?.body.kind === 'in')
  const waiting = early.find((_, index) => asked[index]?.body.kind === 'waiting')
  if (!letIn || !waiting) throw new Error('nobody was let in')
  for (const one of [letIn, waiting]) await one.shopper.adds('visor')
  // Not out of turn: however often the place is asked for, by card or by wallet.
  await room(waiting, id, 'POST')
  expect((await waiting.shopper.startsPayment(waiting.home)).body).toMatchObject({ code: 'drop_room' })
  expect((await waiting.shopper.startsWallet(waiting.home)).body).toMatchObject({ code: 'drop_room' })
  const started = await letIn.shopper.startsPayment(letIn.home)
  expect(started.status).toBe(200)
  expect((await room(letIn, id)).body.kind).toBe('used')
  await letIn.paysByCard(started)
  await world.settled()
  // The cookie, copied, is the same session: its turn is used, and its owner has a piece.
  await letIn.shopper.adds('visor')
  expect((await letIn.shopper.startsPayment(letIn.home)).body).toMatchObject({ code: 'drop_room' })
  // What the owner sees at this moment.
  expect((await owner.send('GET', `/api/admin/drops/${id}/board`)).body).toMatchObject({
    drop: { counts: { sold: 1, free: 2, reserved: 0 } },
    ...{ state: 'open', room: { waiting: 12, visiting: 0 }, carts: 2, soldLately: 1, exceptions: [] },
  })
  expect(await violationsOf(world, id)).toEqual([])

  // Only as many are let in as find a piece; who does not show up makes room for the next.
  for (let times = 0; times < 4; times += 1) await passes(30 * SECOND_MS, id)
  const kinds = async () => (await Promise.all(early.map((one) => room(one, id)))).map(({ body }) => body.kind)
  expect((await kinds()).filter((kind) => kind === 'in')).toHaveLength(2)
  await passes(11 * MINUTE_MS, id)
  await passes(2 * SECOND_MS, id)
  expect(await kinds()).toEqual(expect.arrayContaining(['missed', 'in']))
  // A session with a new id keeps its place.
  const last = early.find((one) => one !== letIn)
  if (!last) throw new Error('nobody is left')
  const before = (await room(last, id)).body
  await last.shopper.send('POST', '/api/register', { username: 'waits_in_line', password: 'a long password 123' })
  expect((await room(last, id)).body.kind).toBe(before.kind)
})

test('without JavaScript: a page that loads itself again, a button that posts, and a link when it is one’s turn', async () => {
  const { world } = home
  const id = await schedule('pillow', { pieces: 5 })
  const at = `${world.address}/drop/${id}/room`
  const closed = await schedule('tote', {
    startsAt: after(world.shop.clock.now(), 5 * HOUR_MS).toISOString(),
  })
  expect(await (await fetch(`${world.address}/drop/${closed}/room`)).text()).toContain('is not open yet')
  const outside = await (await fetch(at)).text()
  expect(outside).toContain(`<form method="post" action="/drop/${id}/room">`)
  const entered = await fetch(at, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: world.address, 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(entered.status).toBe(303)
  const [cookie = ''] = (entered.headers.get('set-cookie') ?? '').split(';')
  expect(entered.headers.get('set-cookie')).toContain('HttpOnly')
  const page = async () => (await fetch(at, { headers: { cookie } })).text()
  expect(await page()).toMatch(/<noscript><meta http-equiv="refresh" content="3" \/><\/noscript>/)
  await world.advance(2 * SECOND_MS)
  expect(await page()).toContain('It’s your turn')
  // Also to be told of the start, and after a mistake.
  const asks = (path: string, email: string) =>
    fetch(`${world.address}/drop/${path}`, {
      ...{ method: 'POST', headers: { origin: world.address } },
      body: new URLSearchParams({ email }),
    })
  const told = await asks(`${closed}/notice`, 'plain@mail.example')
  expect([told.status, await told.text()]).toEqual([200, expect.stringContaining('We’ll email you once')])
  expect((await asks(`${closed}/notice`, 'plain')).status).toBe(422)
  expect((await asks(`${id}/waiting-list`, 'plain@mail.example')).status).toBe(409)
  expect((await fetch(`${world.address}/drop/999/room`)).status).toBe(404)
  expect((await fetch(at, { method: 'POST', headers: { origin: 'https://elsewhere.example' } })).status).toBe(403)
})

test('a crowd of browsers behind one connection gets few places, and a bought place is gone with its visit', async () => {
  const { world } = home
  const id = await schedule('mug', { pieces: 50, roomPerMinute: 600 })
  const ip = '203.0.113.7'
  const answers = []
  for (let number = 0; number < PLACES_PER_NETWORK + 2; number += 1)
    answers.push(await room({ ...somebody(world), ip }, id, 'POST'))
  expect(answers.slice(-2).map(({ body }) => body.code)).toEqual(['drop_room_full', 'drop_room_full'])
  expect(answers.slice(0, -2).every(({ status }) => status === 200)).toBe(true)

  // A day later nobody knows who waited.
  await world.advance(26 * HOUR_MS)
  await followDrops(world.shop)
  const { rows } = await world.shop.database.pool.query('select count(*)::int as guests from drop_guest')
  expect(rows).toEqual([{ guests: 0 }])
})
