import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DropInput } from '#contract/admin-drops.ts'
import { readOrderNumber } from '#shared/ids.ts'
import { HOUR_MS, MINUTE_MS } from '#shared/time.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { certificateLink } from '#server/drops/certificates.ts'
import { refundOrder } from '#server/payments/refunds.ts'
import { cards } from '#sandbox/world.ts'
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
  const asOffered = await buyer.shopper.send('GET', `/api/drops/offer?token=${encodeURIComponent(second)}`)
  expect(asOffered.body).toMatchObject({ title: 'Drop of the visor', state: 'open' })
  expect((await buyer.shopper.send('POST', '/api/drops/offer', { token: second })).status).toBe(200)
  const paid = await buyer.shopper.startsPayment(buyer.home)
  expect(paid.status, JSON.stringify(paid.body)).toBe(200)
  await buyer.shopper.confirms(paid.body)
  await buyer.paysByCard(paid)
  await world.settled()
  expect((await readDrop(owner, id)).counts).toMatchObject({ sold: 1, offered: 0, reserved: 0, numbers: 1 })
  expect(await violationsOf(world, id)).toEqual([])

  // The buyer's certificate, and whom it is given to.
  const link = certificateLink(world.shop, { dropId: id, number: 1, holder: 1 })
  const mine = new URL(link, 'http://shop.example').searchParams.get('token') ?? ''
  const seen = async (token: string) => buyer.shopper.send('GET', `/api/edition?token=${encodeURIComponent(token)}`)
  expect((await seen(mine)).body).toMatchObject({ number: 1, state: 'issued', steps: [{ kind: 'sold' }] })
  const give = { token: mine, email: 'friend@mail.example' }
  expect((await buyer.shopper.send('POST', '/api/edition/give', give)).status).toBe(200)
  await world.settled()
  const asked = tokenIn('friend@mail.example', 'edition/accept')
  const accepted = await world.shopper().send<{ token: string }>('POST', '/api/edition/accept', { token: asked })
  expect(accepted.status).toBe(200)
  expect((await seen(mine)).status).toBe(404)
  expect((await seen(accepted.body.token)).body).toMatchObject({
    number: 1,
    steps: [{ kind: 'sold' }, { kind: 'given' }],
  })
})

test('a piece that becomes another size in the cart is still one piece of its drop, and counts for the limit', async () => {
  const { world, owner } = home
  const id = await scheduleDrop(owner, await inputFor('polo', { pieces: 2, limitPerPerson: 1 }))
  const { shopper, home: door } = somebody(world)
  const { body: line } = await shopper.adds('polo')
  expect((await shopper.startsPayment(door)).status).toBe(200)
  const other = { productId: (await shopper.find('polo')).id, variantId: line.variantId + 1 }
  expect((await shopper.send('PUT', `/api/cart/${line.id}`, { variantId: other.variantId })).status).toBe(200)
  expect((await shopper.startsPayment(door)).status).toBe(200)
  expect((await readDrop(owner, id)).counts).toMatchObject({ free: 1, reserved: 1 })
  await shopper.send('POST', '/api/cart', { ...other, variantId: line.variantId })
  expect((await shopper.startsPayment(door)).body).toMatchObject({ code: 'drop_limit' })
})

test('a link to a drop shows a picture that says so, and another one once the drop says something else', async () => {
  const { world, owner } = home
  const input = await inputFor('carry trade', { pieces: 40 })
  const id = await scheduleDrop(owner, input)
  const shown = async () => {
    await world.settled()
    const { body } = await owner.send<{ drops: { id: number; share: string | null }[] }>('GET', '/api/drops')
    const share = body.drops.find((drop) => drop.id === id)?.share
    const answer = await fetch(`${world.address}/pictures/${share}.1200.webp`)
    return { share, size: await sharp(Buffer.from(await answer.arrayBuffer())).metadata() }
  }
  const first = await shown()
  expect(first.size).toMatchObject({ width: 1200, height: 630, format: 'webp' })
  expect((await owner.send('PUT', `/api/admin/drops/${id}`, { ...input, limitPerPerson: 2 })).status).toBe(200)
  expect((await shown()).share).toBe(first.share)
  expect((await owner.send('PUT', `/api/admin/drops/${id}`, { ...input, pieces: 60 })).status).toBe(200)
  // The cached answer goes a moment after the database has told of the change.
  await expect.poll(async () => (await shown()).share, { timeout: 10_000 }).not.toBe(first.share)
  expect((await shown()).size).toMatchObject({ width: 1200, height: 630 })
}, 120_000)

test('who asked is told once that a sale begins', async () => {
  const { world, owner } = home
  const startsAt = new Date(world.shop.clock.now().getTime() + HOUR_MS).toISOString()
  const id = await scheduleDrop(owner, await inputFor('mug', { startsAt, pieces: 5 }))
  const asks = () => world.shopper().send('POST', `/api/drops/${id}/notice`, { email: 'early@mail.example' })
  expect([(await asks()).status, (await asks()).status]).toEqual([200, 200])
  await world.advance(HOUR_MS + MINUTE_MS)
  await followDrops(world.shop)
  await followDrops(world.shop)
  await world.settled()
  expect(world.mailbox.list().filter(({ to }) => to.includes('early@mail.example'))).toHaveLength(1)
  expect((await asks()).body).toMatchObject({ code: 'drop_begun' })
})

test.each([
  ['retire', 'tote', { free: 0, sold: 1, retired: 1, numbers: 2 }],
  ['resell', 'blanket', { free: 1, sold: 1, retired: 0, numbers: 2 }],
] as const)('a number that is refunded before it was made is handled by the rule: %s', async (rule, words, counts) => {
  const { world, owner } = home
  const id = await scheduleDrop(owner, await inputFor(words, { pieces: 2, numberRule: rule }))
  const first = await buys(words)
  await buys(words)
  const number = readOrderNumber(first.orderNumber)
  if (!number) throw new Error(`${first.orderNumber} is no order number`)
  await refundOrder(world.shop, number, { kind: 'rest' }, 'the shopper asked', COMMAND)
  await world.settled()
  await followDrops(world.shop)
  expect((await readDrop(owner, id)).counts).toMatchObject(counts)
  const link = certificateLink(world.shop, { dropId: id, number: 1, holder: 1 })
  const certificate = async (address: string) =>
    (
      await first.shopper.send(
        'GET',
        `/api${new URL(address, 'http://shop.example').pathname}${new URL(address, 'http://shop.example').search}`,
      )
    ).body
  expect(await certificate(link)).toMatchObject({
    state: rule === 'retire' ? 'retired' : 'returned',
    steps: [{ kind: 'sold' }, { kind: rule === 'retire' ? 'retired' : 'returned' }],
  })
  const late = somebody(world)
  await late.shopper.adds(words)
  const started = await late.shopper.startsPayment(late.home)
  if (rule === 'retire') expect(started.body).toMatchObject({ code: 'drop_taken' })
  else {
    await late.paysByCard(started)
    await world.settled()
    // The buyer before has no certificate any more; the new one sees what happened.
    expect(await certificate(link)).toMatchObject({ code: 'unknown_certificate' })
    const again = certificateLink(world.shop, { dropId: id, number: 1, holder: 2 })
    expect(await certificate(again)).toMatchObject({
      steps: [{ kind: 'sold' }, { kind: 'returned' }, { kind: 'sold' }],
    })
  }
  expect(await violationsOf(world, id)).toEqual([])
})

test('before the start those with a code or the newsletter buy, and nobody else', async () => {
  const { world, owner } = home
  const startsAt = new Date(world.shop.clock.now().getTime() + HOUR_MS).toISOString()
  await owner.send('POST', '/api/admin/codes', { code: 'EARLYBIRD', benefit: { kind: 'percent', basisPoints: 500 } })
  const early = { earlyMinutes: 30, earlyCodes: ['EARLYBIRD'], isEarlyForReaders: true }
  await scheduleDrop(owner, await inputFor('pillow', { startsAt, pieces: 5, ...early }))
  const [fan, coder, reader] = [somebody(world), somebody(world), somebody(world)]
  for (const { shopper } of [fan, coder, reader]) await shopper.adds('pillow')
  expect((await coder.shopper.send('POST', '/api/cart/code', { code: 'earlybird' })).status).toBe(200)
  await reader.shopper.send('POST', '/api/newsletter', { email: reader.shopper.customer.email })
  await world.settled()
  const token = tokenIn(reader.shopper.customer.email, 'newsletter')
  await fetch(`${world.address}/newsletter`, {
    ...{ method: 'POST', redirect: 'manual', headers: { origin: world.address } },
    body: new URLSearchParams({ wish: 'confirm', token }),
  })

  const start = ({ shopper, home: door }: typeof fan) => shopper.startsPayment(door)
  expect((await start(coder)).body).toMatchObject({ code: 'drop_closed' })
  await world.advance(31 * MINUTE_MS)
  expect((await start(fan)).body).toMatchObject({ code: 'drop_closed' })
  expect((await start(coder)).status).toBe(200)
  expect((await start(reader)).status).toBe(200)
})

test('a card buys as many as a person may: who pays past it is told, on the page too, and gets the money back', async () => {
  const { world, owner } = home
  const id = await scheduleDrop(owner, await inputFor('mouse pad', { pieces: 5 }))
  const [one, other] = [somebody(world), somebody(world)]
  const results = []
  for (const { shopper, home: door } of [one, other]) {
    await shopper.adds('mouse pad')
    const { body } = await shopper.startsPayment(door)
    expect(JSON.stringify(body)).toContain('Your limited pieces are reserved for you until')
    await shopper.confirms(body)
    await shopper.returnsToShop(body.payment_intent)
    results.push((await shopper.send('GET', `/api/payment-success/${body.payment_intent}`)).body)
  }
  await world.settled()
  expect(results).toMatchObject([
    { success: true },
    { missed: 'drop_limit', page: expect.stringMatching(/^\/product\/\d+$/) },
  ])
  expect(results[0]).not.toHaveProperty('missed')
  expect((await readDrop(owner, id)).counts).toMatchObject({ sold: 1, reserved: 0, free: 4 })
  expect(await violationsOf(world, id)).toEqual([])
  const mails = world.mailbox.list().filter(({ to }) => to.includes(other.shopper.customer.email))
  expect(mails.map(({ text }) => text).join('')).toContain('as many as one person can have')
})

/** Somebody new buys a piece. */
async function buys(words: string) {
  const { world } = home
  const buyer = somebody(world)
  await buyer.shopper.adds(words)
  const started = await buyer.shopper.startsPayment(buyer.home)
  await buyer.shopper.confirms(started.body, cards.pays, { month: '1', year: String(2040 + (boughtSoFar += 1)) })
  const { body } = await buyer.shopper.returnsToShop(started.body.payment_intent)
  await world.settled()
  return { ...buyer, orderNumber: String(body.orderId) }
}

let boughtSoFar = 0

async function inputFor(words: string, more: Partial<DropInput>): Promise<DropInput> {
  const { id } = await home.world.shopper().find(words)
  return dropOf({ title: `Drop of the ${words}`, productId: id as DropInput['productId'], ...more })
}

/** The token of the newest offer to an address. */
async function offerFor(email: string): Promise<string> {
  await home.world.settled()
  return tokenIn(email, 'drop/offer')
}

/** The token of a link in the newest email to an address that has one. @param path of the link */
function tokenIn(email: string, path: string): string {
  const link = new RegExp(`/${path}\\?token=([^\\s"<]+)`)
  const texts = home.world.mailbox
    .list()
    .filter(({ to }) => to.includes(email))
    .map(({ text }) => link.exec(text)?.[1])
  return decodeURIComponent(texts.findLast((token) => token !== undefined) ?? '')
}
