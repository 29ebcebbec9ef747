import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DropInput } from '#contract/admin-drops.ts'
import { HOUR_MS, MINUTE_MS } from '#shared/time.ts'
import { followDrops } from '#server/payments/drops.ts'
import {
  dropOf,
  openDropWorld,
  raceForLastPiece,
  readDrop,
  scheduleDrop,
  somebody,
  violationsOf,
  type DropWorld,
} from '../properties/drops.ts'
import { expectBooksAgree, expectNoPaymentLost, ordersOf } from './invariants.ts'

// Only a PostgreSQL server has real races; the embedded database runs transactions one after another.
const RACES = process.env['TEST_DATABASE'] === 'postgresql' ? 24 : 6

let home: DropWorld
beforeAll(async () => {
  home = await openDropWorld()
})
afterAll(() => home[Symbol.asyncDispose]())

test(`two want the last piece, ${RACES} times: one gets it, the other is told before paying or refunded and told why`, async () => {
  await using own = await openDropWorld()
  const { told, refunded, wrong } = await raceForLastPiece(own, RACES)
  expect(wrong).toEqual([])
  expect(told + refunded).toBe(RACES)
  expect(await ordersOf(own.world)).toHaveLength(RACES)
  await expectNoPaymentLost(own.world)
  await expectBooksAgree(own.world)
}, 240_000)

test('a reservation ends: the payment is canceled, and the piece goes to who waited longest, then to the next', async () => {
  const { world, owner } = home
  const id = await scheduleDrop(owner, await inputFor('visor', { pieces: 1 }))
  const [holder, buyer] = [somebody(world), somebody(world)]
  await holder.shopper.adds('visor')
  const started = await holder.shopper.startsPayment(holder.home)
  expect(started.status).toBe(200)
  for (const email of ['first@mail.example', 'second@mail.example'])
    expect(await world.shopper().send('POST', `/api/drops/${id}/waiting-list`, { email })).toMatchObject({
      status: 200,
    })

  await world.advance(11 * MINUTE_MS)
  await followDrops(world.shop)
  expect((await readDrop(owner, id)).counts).toMatchObject({ free: 0, offered: 1, reserved: 0, waiting: 1 })
  // Nobody pays for a piece that somebody else gets.
  expect((await holder.shopper.confirms(started.body)).error).toBeDefined()
  await buyer.shopper.adds('visor')
  expect((await buyer.shopper.startsPayment(buyer.home)).body).toMatchObject({ code: 'drop_taken' })

  const first = await offerFor('first@mail.example')
  await world.advance(3 * HOUR_MS)
  await followDrops(world.shop)
  expect((await buyer.shopper.send('POST', '/api/drops/offer', { token: first })).body).toMatchObject({
    code: 'offer_over',
  })
  const second = await offerFor('second@mail.example')
  expect((await buyer.shopper.send('POST', '/api/drops/offer', { token: second })).status).toBe(200)
  const paid = await buyer.shopper.startsPayment(buyer.home)
  expect(paid.status, JSON.stringify(paid.body)).toBe(200)
  await buyer.shopper.confirms(paid.body)
  await buyer.paysByCard(paid)
  await world.settled()
  expect((await readDrop(owner, id)).counts).toMatchObject({ sold: 1, offered: 0, reserved: 0, numbers: 1 })
  expect(await violationsOf(world, id)).toEqual([])
})

async function inputFor(words: string, more: Partial<DropInput>): Promise<DropInput> {
  const { id } = await home.world.shopper().find(words)
  return dropOf({ title: `Drop of the ${words}`, productId: id as DropInput['productId'], ...more })
}

/** The token of the newest offer to an address. */
async function offerFor(email: string): Promise<string> {
  await home.world.settled()
  const mails = home.world.mailbox
    .list()
    .filter(({ to, subject }) => to.includes(email) && subject.includes('set aside'))
  const text = home.world.mailbox.find(mails.at(-1)?.id ?? '')?.text ?? ''
  return decodeURIComponent(/drop\/offer\?token=([^\s]+)/.exec(text)?.[1] ?? '')
}
