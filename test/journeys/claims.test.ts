import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AdminClaim, ClaimFigures } from '#contract/admin-claims.ts'
import type { PaymentStart } from '#contract/checkout.ts'
import type { OrderClaims } from '#contract/claims.ts'
import { DAY_MS, HOUR_MS } from '#shared/time.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { readBlanks } from '#server/blanks/jobs.ts'
import { followOrdersWithoutNews, followPrinterOrder } from '#server/fulfillment/fulfillment.ts'
import { erasePerson, exportOf } from '#server/privacy/privacy.ts'
import { eraseExpired } from '#server/privacy/retention.ts'
import { passAMinute } from './a-minute-later.ts'
import { catchesUp, madeByPrinter, printerAwayForADay } from './printer-away.ts'

// What shoppers report and take back without an account, and what the owner does about it.

let world: World
let owner: ReturnType<World['shopper']>
beforeAll(async () => {
  world = await openWorld({ env: { SWEEP_INTERVAL_S: '300' } })
})
const signsIn = async () => {
  owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
}
// Some tests move the time beyond a session's life.
beforeEach(signsIn)
afterAll(() => world[Symbol.asyncDispose]())

type Answered = { code?: string; message?: string; done?: string }

/** A paid order, with the link of its latest email. @param until how far it goes */
async function ordered(
  until: 'paid' | 'shipped' | 'delivered',
  { to = addresses.newYork, quantity = 1, buying = 'mug' }: { to?: object; quantity?: number; buying?: string } = {},
) {
  const shopper = world.shopper()
  const payment = await shopper.paysByCard({ buying, quantity, to })
  const { body } = await payment.returnsToShop()
  await world.settled()
  const number = String(body.orderId)
  const change = (what: string) => world.simulators.printful.change({ change: what, external_id: number })
  if (until !== 'paid') await change('ship')
  await world.settled()
  if (until === 'delivered') {
    await change('deliver')
    // The printer sends no event for it.
    await world.advance(4 * HOUR_MS)
    await followOrdersWithoutNews(world.shop)
    await world.settled()
  }
  const guest = world.shopper()
  const mails = () => world.mailbox.list().filter(({ to: all }) => JSON.stringify(all).includes(shopper.customer.email))
  const token = /order-confirmation(?:\/problem)?\?token=([\w-]+)/.exec(mails()[0]?.text ?? '')?.[1] ?? ''
  return {
    ...{ number, shopper, guest, token, mails, email: shopper.customer.email, change },
    show: async () => (await guest.send<OrderClaims>('GET', `/api/order/claims?token=${token}`)).body,
    claims: (more: object = {}) =>
      guest.send<Answered>('POST', '/api/order/claims', {
        ...{ token, submission: randomUUID(), reason: 'damaged', pieces: [{ position: 0, quantity: 1 }] },
        ...{ words: 'The handle is broken off.', photos: [], fit: null, ...more },
      }),
    withdraws: (more: object = {}) =>
      guest.send<Answered>('POST', '/api/order/withdrawals', {
        ...{
          token,
          submission: randomUUID(),
          name: 'Ada Fan',
          pieces: [{ position: 0, quantity }],
          fit: null,
          ...more,
        },
      }),
    uploads: (bytes: Uint8Array) =>
      guest.send<{ id: string } & Answered>('POST', `/api/order/claim-photos?token=${token}`, bytes),
  }
}

const photo = (width = 900) =>
  sharp({ create: { width, height: 700, channels: 3, background: '#a33' } })
    .withExif({ IFD0: { Copyright: 'quux' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
    .jpeg()
    .toBuffer()

const listed = async (query = '') =>
  (await owner.send<{ claims: AdminClaim[]; waiting: number }>('GET', `/api/admin/claims${query}`)).body
const claimOf = async (number: string) => (await listed()).claims.find(({ orderNumber }) => orderNumber === number)
const decides = (id: number | undefined, what: string, body: object = {}) =>
  owner.send<Answered>('POST', `/api/admin/claims/${id}/${what}`, body)

/** Refunds these pieces by the claim, as previewed. */
async function refunds({ id, orderNumber, items }: AdminClaim, more: object = {}) {
  // The password must be fresh.
  await signsIn()
  const wanted = { kind: 'pieces', pieces: items.map(({ position, quantity }) => ({ position, quantity })) }
  const { body } = await owner.send<{ amount: number; limit: number }>(
    'POST',
    `/api/admin/orders/${orderNumber}/refund/preview`,
    { wanted },
  )
  return { ...body, answer: await decides(id, 'refund', { wanted, amount: body.amount, limit: body.limit, ...more }) }
}

const claimRow = async (id: number | undefined) => (await world.audit('claims')).find((row) => row['id'] === id)

test('a damaged mug with a photo is refunded to the cent, with its tax, in one press', async () => {
  const { number, claims, uploads, guest, token, show, mails } = await ordered('delivered', { quantity: 2 })
  expect(mails().find(({ subject }) => subject.includes('has arrived'))?.text).toMatch(
    /Report a problem: \S+\/order-confirmation\/problem\?token=[\w-]+/,
  )
  const { body: uploaded } = await uploads(await photo())
  expect(await claims({ photos: [uploaded.id] })).toMatchObject({ status: 200 })
  await world.settled()
  expect(mails()[0]).toMatchObject({ subject: expect.stringContaining('We got your report') })
  expect(mails()[0]?.text).toContain('The handle is broken off.')

  const stored = await fetch(`${world.address}/api/order/claim-photos/${uploaded.id}?token=${token}`)
  expect(stored.headers.get('content-type')).toBe('image/webp')
  const { exif, width } = await sharp(Buffer.from(await stored.arrayBuffer())).metadata()
  expect([exif, width]).toEqual([undefined, 640])

  const claim = await claimOf(number)
  expect(claim).toMatchObject({
    ...{ kind: 'claim', reason: 'damaged', state: 'open', photos: [uploaded.id], claimsOfAddress: expect.any(Number) },
    items: [{ position: 0, quantity: 1 }],
    printer: { isPast: false, toldAt: null },
  })
  expect((await owner.send('GET', `/api/admin/claim-photos/${uploaded.id}`)).status).toBe(200)
  // What the printer gets opens without signing in; a changed address does not.
  const link = `${world.address}${/\/files\/claim\/\S+/.exec(claim?.printer?.text ?? '')?.[0]}`
  expect((await fetch(link)).headers.get('content-type')).toBe('image/webp')
  expect((await fetch(link.replace(/\.(\d{13})\./, '.9$1.'))).status).toBe(404)

  if (!claim) throw new Error('no claim was listed')
  const { amount, answer } = await refunds(claim)
  expect(answer).toMatchObject({ status: 200 })
  await world.settled()
  expect(await claimRow(claim.id)).toMatchObject({
    state: 'resolved',
    outcome: 'refunded',
    amount_cents: String(amount),
  })
  expect((await world.audit<{ amount_cents: string }>('refunds')).at(-1)).toMatchObject({
    amount_cents: String(amount),
  })
  expect(mails()[0]).toMatchObject({ subject: expect.stringContaining('partial refund') })
  expect((await show()).claims).toMatchObject([{ outcome: 'refunded', amount }])
  // Decided once: nothing more is refunded by it, refused or asked.
  expect(await decides(claim.id, 'refuse', { words: 'Too late.' })).toMatchObject({
    status: 409,
    body: { code: 'claim_closed' },
  })
  expect(await decides(claim.id, 'refund', { wanted: { kind: 'rest' }, amount: 1, limit: 1 })).toMatchObject({
    status: 409,
    body: { code: 'claim_closed' },
  })
  expect(
    await guest.send('POST', `/api/order/claims/${claim.id}/answer`, { token, words: 'Hello?', photos: [] }),
  ).toMatchObject({
    status: 409,
    body: { code: 'claim_closed' },
  })
})

test('sent twice, or from two tabs, a report is one claim, and no piece is claimed twice (F60)', async () => {
  const { number, claims, show } = await ordered('delivered')
  const submission = randomUUID()
  const answers = await Promise.all([claims({ submission }), claims({ submission }), claims(), claims()])
  const codes = answers.map(({ status, body }) => body.code ?? status)
  expect(codes.filter((code) => code === 'already_claimed').length).toBeGreaterThanOrEqual(2)
  expect(new Set(codes)).toEqual(new Set([200, 'already_claimed']))
  expect((await show()).claims).toHaveLength(1)
  expect((await show()).lines).toMatchObject([{ left: 0, objections: { damaged: { why: 'taken' } } }])
  expect((await listed()).claims.filter(({ orderNumber }) => orderNumber === number)).toHaveLength(1)
})

test('a faulty mug is made again in one press, and twice makes no second replacement (F60)', async () => {
  const { number, claims, show, mails } = await ordered('delivered')
  await claims({ reason: 'faulty' })
  await world.settled()
  const { id } = (await claimOf(number)) ?? {}
  const before = (await world.audit('orders')).length
  const answers = await Promise.all([decides(id, 'replace'), decides(id, 'replace')])
  expect(answers.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 409]))
  await world.settled()
  expect(await world.audit('orders')).toHaveLength(before + 1)
  expect(await claimRow(id)).toMatchObject({ state: 'resolved', outcome: 'replaced', amount_cents: null })
  expect((await show()).claims).toMatchObject([{ outcome: 'replaced' }])
  expect(mails()[0]?.subject).toMatch(/replacement/i)
})

test('a claim is settled in store credit: the payment keeps its money, and the email has a code that pays', async () => {
  const { number, claims, mails } = await ordered('delivered')
  await claims()
  await world.settled()
  const claim = await claimOf(number)
  if (!claim) throw new Error('no claim was listed')
  const before = world.simulators.stripe.ledger().refunds?.length ?? 0
  const { amount, answer } = await refunds(claim, { asCredit: true })
  expect(answer).toMatchObject({ status: 200 })
  await world.settled()
  expect(await claimRow(claim.id)).toMatchObject({ state: 'resolved', outcome: 'refunded' })
  expect(world.simulators.stripe.ledger().refunds).toHaveLength(before)
  const [code] = mails().flatMap(({ text }) => /[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}/.exec(text) ?? [])
  const next = world.shopper()
  await next.adds('hat')
  expect((await next.send('POST', '/api/cart/code', { code })).status).toBe(200)
  const { body: start } = await next.startsPayment()
  expect((start as unknown as PaymentStart).quote.giftCard?.amount).toBe(amount)
})

test('the owner asks, the shopper answers from the email with a photo, and the claim waits for the owner again', async () => {
  const { number, claims, uploads, guest, mails } = await ordered('delivered')
  await claims({ reason: 'wrong', fit: 'small' })
  await world.settled()
  const { id } = (await claimOf(number)) ?? {}
  expect(await decides(id, 'ask', { words: 'Which color did you get?' })).toMatchObject({ status: 200 })
  await world.settled()
  expect(mails()[0]?.text).toContain('Which color did you get?')
  expect(await claimOf(number)).toMatchObject({ state: 'asked' })

  const token = /problem\?token=([\w-]+)/.exec(mails()[0]?.text ?? '')?.[1]
  const { body } = await uploads(await photo())
  const answer = (more: object = {}) =>
    guest.send<Answered>('POST', `/api/order/claims/${id}/answer`, {
      token,
      words: 'A black one.',
      photos: [body.id],
      ...more,
    })
  expect(await answer({ photos: [randomUUID()] })).toMatchObject({ status: 409, body: { code: 'photo_missing' } })
  expect(await answer()).toMatchObject({ status: 200 })
  expect(await claimOf(number)).toMatchObject({
    state: 'open',
    photos: [body.id],
    messages: [{ author: 'shopper' }, { author: 'owner' }, { author: 'shopper', words: 'A black one.' }],
  })
  expect(await decides(id, 'refuse', { words: 'This is what you ordered.' })).toMatchObject({ status: 200 })
  await world.settled()
  expect(mails()[0]?.text).toContain('This is what you ordered.')
  expect(await claimRow(id)).toMatchObject({ state: 'resolved', outcome: 'refused', amount_cents: null })
})

test('a report is refused before the parcel ships and after the deadline, with the next way, and nothing is stored', async () => {
  const paid = await ordered('paid', { buying: 'nightcap' })
  expect((await paid.show()).lines, 'a shirt may fit or not').toMatchObject([{ isWorn: true }])
  expect(await paid.claims()).toMatchObject({
    status: 409,
    body: { code: 'claim_refused', message: expect.stringMatching(/hasn’t shipped yet.*write to us/) },
  })
  const shipped = await ordered('shipped')
  expect(await shipped.claims({ reason: 'lost' })).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/should arrive by .*report it here/) },
  })
  const delivered = await ordered('delivered')
  await world.advance(29 * DAY_MS)
  expect((await delivered.show()).lines).toMatchObject([{ isWorn: false, objections: { faulty: null, lost: null } }])
  expect(await shipped.claims({ reason: 'lost' })).toMatchObject({ status: 200 })
  await world.advance(2 * DAY_MS)
  expect(await delivered.claims()).toMatchObject({
    status: 409,
    body: { code: 'claim_refused', message: expect.stringMatching(/30 days.*write to us/) },
  })
  expect((await delivered.show()).claims).toEqual([])
})

test('files that are no photos, too many photos and photos of another order are refused', async () => {
  const { uploads, claims } = await ordered('delivered')
  const other = await ordered('delivered')
  expect(await uploads(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toMatchObject({
    status: 415,
    body: { code: 'picture_type' },
  })
  expect(await uploads((await photo()).subarray(0, 900))).toMatchObject({
    status: 422,
    body: { code: 'picture_damaged' },
  })
  expect(await uploads(await photo(100))).toMatchObject({ status: 422, body: { code: 'picture_too_small' } })
  expect(await uploads(Buffer.alloc(20 * 1024 * 1024 + 1))).toMatchObject({
    status: 413,
    body: { code: 'photo_too_large' },
  })
  const { body } = await other.uploads(await photo())
  expect(await claims({ photos: [body.id] })).toMatchObject({ status: 409, body: { code: 'photo_missing' } })
  const { guest, token } = await ordered('delivered')
  expect((await guest.send('GET', `/api/order/claim-photos/${body.id}?token=${token}`)).status).toBe(404)
  for (let sent = 1; sent < 12; sent += 1) expect((await other.uploads(await photo(400))).status).toBe(200)
  expect(await other.uploads(await photo(400))).toMatchObject({ status: 409, body: { code: 'too_many_photos' } })
  await world.advance(2 * DAY_MS)
  await eraseExpired(world.shop)
  expect((await other.uploads(await photo(400))).status).toBe(200)
})

test('knowing only number and email opens neither claims nor withdrawal, and a link shows no street and no full email', async () => {
  const { number, email, guest, token } = await ordered('delivered', { to: addresses.berlin })
  const tracker = world.shopper()
  await tracker.send('POST', '/api/track', { orderNumber: number, email })
  expect((await tracker.send('GET', `/api/order/claims?order=${number}`)).status).toBe(404)
  const { body } = await guest.send('GET', `/api/order/claims?token=${token}`)
  expect(JSON.stringify(body)).not.toContain(email)
  expect(JSON.stringify(body)).not.toContain('Unter den Linden')
})

test('a shopper in Germany withdraws within 14 days of receipt and gets the receipt by email; nobody in the United States is offered it', async () => {
  const german = await ordered('delivered', { to: addresses.berlin, quantity: 2 })
  expect((await german.guest.send('GET', `/api/order?token=${german.token}`)).body['can']).toMatchObject({
    withdraw: true,
  })
  expect((await german.show()).withdrawal).toMatchObject({ objection: null, cancels: false, until: expect.any(String) })
  const submission = randomUUID()
  const pieces = [{ position: 0, quantity: 1 }]
  expect(await german.withdraws({ submission, pieces })).toMatchObject({ status: 200 })
  expect(await german.withdraws({ submission, pieces })).toMatchObject({ status: 200 })
  await world.settled()
  const receipt = german.mails()[0]
  expect(receipt?.subject).toContain('Receipt of your withdrawal')
  for (const part of ['Ada Fan', 'UTC', 'Directive 2011/83/EU', 'I withdraw from my contract', '1 x Pip Mug'])
    expect(receipt?.text).toContain(part)
  const claim = await claimOf(german.number)
  expect(claim).toMatchObject({
    kind: 'withdrawal',
    reason: null,
    state: 'open',
    printer: null,
    refundBy: expect.any(String),
  })
  if (!claim) throw new Error('no withdrawal was listed')
  expect((await refunds(claim)).answer.status).toBe(200)

  await world.advance(18 * DAY_MS)
  expect(await german.withdraws({ pieces })).toMatchObject({
    status: 409,
    body: { code: 'withdrawal_refused', message: expect.stringContaining('14 days to withdraw are over') },
  })
  const american = await ordered('delivered')
  expect((await american.guest.send('GET', `/api/order?token=${american.token}`)).body['can']).toMatchObject({
    withdraw: false,
  })
  expect(await american.withdraws()).toMatchObject({ status: 409, body: { code: 'withdrawal_refused' } })
})

test('a withdrawal before production cancels the order and refunds all of it at once', async () => {
  const { number, withdraws, show, mails } = await ordered('paid', { to: addresses.berlin })
  expect((await show()).withdrawal).toMatchObject({ objection: null, cancels: true, until: null })
  const submission = randomUUID()
  const [press, secondPress, otherTab] = (
    await Promise.all([withdraws({ submission }), withdraws({ submission }), withdraws()])
  ).map(({ status }) => status)
  // A second press is answered as the first; another tab comes before or after both.
  expect([press, otherTab]).toContain(200)
  expect(secondPress).toBe(press)
  await world.settled()
  const order = (await world.audit('orders')).find((row) => row['order_number'] === number)
  expect(order).toMatchObject({ payment_status: 'refunded', fulfilment_status: 'cancelled' })
  const rows = (await world.audit('claims')).filter((row) => row['order_id'] === order?.['id'])
  expect(rows).toMatchObject([
    { kind: 'withdrawal', state: 'resolved', outcome: 'canceled', amount_cents: order?.['total_cents'] },
  ])
  expect(
    mails()
      .map(({ subject }) => subject)
      .join(),
  ).toContain('Receipt of your withdrawal')
})

test('the owner decides where withdrawal is offered, beside its legal basis; a stale save changes nothing', async () => {
  type Rights = { choices: Record<string, string>; laws: { group: string; source: string }[] }
  const { body } = await owner.send<Rights>('GET', '/api/admin/withdrawal-rights')
  expect(body.laws.map(({ group }) => group)).toEqual(Object.keys(body.choices))
  const without = { ...body.choices, eea: 'exception' }
  const save = (was: object, choices: object) =>
    owner.send<Answered>('PUT', '/api/admin/withdrawal-rights', { was, choices })
  expect((await save(body.choices, without)).status).toBe(200)
  expect(await save(body.choices, { ...body.choices, uk: 'exception' })).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('owner changed where withdrawal is offered') },
  })
  const { withdraws, guest, token } = await ordered('delivered', { to: addresses.berlin })
  expect((await guest.send('GET', `/api/order?token=${token}`)).body['can']).toMatchObject({ withdraw: false })
  expect(await withdraws()).toMatchObject({ status: 409, body: { message: expect.stringContaining('Article 16(c)') } })
  expect((await save(without, body.choices)).status).toBe(200)
})

/** The kinds of the open exceptions about a claim, within a minute. */
async function exceptionsOf(id: number | undefined): Promise<string[]> {
  await passAMinute(world)
  const all = await world.audit<{ kind: string; resolved_at: Date | null; order_id: number }>('exceptions')
  const claim = await claimRow(id)
  return all
    .filter(
      ({ kind, resolved_at: at, order_id: order }) =>
        ['claim_waiting', 'credit_missing'].includes(kind) && !at && order === claim?.['order_id'],
    )
    .map(({ kind }) => kind)
}

test('a claim that waits too long is an exception until it is decided, and the figures show what is claimed', async () => {
  const { number, claims } = await ordered('delivered')
  await claims({ reason: 'faulty', fit: 'small' })
  const { id } = (await claimOf(number)) ?? {}
  const open = () => exceptionsOf(id)
  expect((await owner.send<{ claims: number }>('GET', '/api/admin')).body.claims).toBeGreaterThan(0)
  expect(await open()).toEqual([])
  await world.advance(25 * HOUR_MS)
  await signsIn()
  expect(await open()).toEqual(['claim_waiting'])
  expect(await decides(id, 'printer-told')).toMatchObject({ status: 200 })
  expect((await claimOf(number))?.printer).toMatchObject({ toldAt: expect.any(String), credited: 0 })
  await decides(id, 'ask', { words: 'Could you send a photo?' })
  expect(await open()).toEqual([])
  const { body } = await owner.send<{ rows: ClaimFigures[] }>('GET', '/api/admin/claim-figures')
  expect(body.rows[0]).toMatchObject({ name: expect.stringMatching(/mug/i), faulty: expect.any(Number) })
  expect(body.rows.some(({ small }) => small > 0)).toBe(true)
  expect((await listed('?kind=withdrawal&state=resolved')).claims.every(({ kind }) => kind === 'withdrawal')).toBe(true)
  expect(await decides(99_999, 'ask', { words: 'Who is it?' })).toMatchObject({
    status: 404,
    body: { code: 'unknown_claim' },
  })
})

test('claims about two products on one blank count for the blank and its size', async () => {
  const first = await ordered('delivered')
  const second = await ordered('delivered', { buying: 'pillow' })
  await readBlanks(world.shop)
  // Both sold as the same blank.
  const { rows } = await world.shop.database.pool.query<{ title: string }>(
    `with one as (select id, title from blank order by id limit 1)
     update variant v set blank_id = one.id, size = 'M' from one
     where v.id in (select variant_id from order_line l join shop_order o on o.id = l.order_id where o.order_number = any ($1))
     returning one.title`,
    [[first.number, second.number]],
  )
  const title = rows[0]?.title
  await first.claims()
  await second.claims()
  const item = async (number: string) => (await claimOf(number))?.items[0]
  const [ofFirst, ofSecond] = [await item(first.number), await item(second.number)]
  expect(ofSecond).toMatchObject({ claims: 1, ofBlank: { blank: title, size: 'M' } })
  // Other tests of this file claim mugs.
  expect(ofSecond?.ofBlank?.claims).toBe((ofFirst?.claims ?? 0) + 1)
  expect(ofFirst?.ofBlank).toEqual(ofSecond?.ofBlank)
  const { body } = await owner.send<{ rows: ClaimFigures[] }>('GET', '/api/admin/claim-figures?by=blank')
  const figures = body.rows.find(({ name, size }) => name === title && size === 'M')
  expect(figures?.damaged).toBeGreaterThanOrEqual(2)
  expect(figures?.sold).toBeGreaterThanOrEqual(2)
})

test('the printer’s credit is asked for, missed after two weeks, and no longer once its books have it', async () => {
  const { number, claims, change, mails } = await ordered('delivered')
  await claims({ reason: 'faulty' })
  const { id } = (await claimOf(number)) ?? {}
  // Its email goes out first: of two that wait, either may be faster.
  await world.settled()
  expect(await decides(id, 'settle', { words: 'We sent you store credit.' })).toMatchObject({ status: 200 })
  await world.settled()
  expect(mails()[0]?.text).toContain('We sent you store credit.')
  expect(await claimRow(id)).toMatchObject({ state: 'resolved', outcome: 'settled' })
  await decides(id, 'printer-told')
  expect(await exceptionsOf(id)).toEqual([])
  await world.advance(15 * DAY_MS)
  await signsIn()
  expect(await exceptionsOf(id)).toEqual(['credit_missing'])
  await change('credit')
  await followPrinterOrder(world.shop, number)
  expect(await exceptionsOf(id)).toEqual([])
  expect((await claimOf(number))?.printer?.credited).toBeGreaterThan(0)

  const other = await ordered('delivered')
  await other.claims({ reason: 'wrong' })
  const second = await claimOf(other.number)
  expect((await refunds(second as AdminClaim)).answer.status).toBe(200)
  // We paid the customer, and the printer does not know yet.
  await world.advance(28 * DAY_MS)
  await signsIn()
  expect(await exceptionsOf(second?.id)).toEqual(['claim_waiting'])
  expect(await decides(second?.id, 'no-credit')).toMatchObject({ status: 200 })
  await world.advance(15 * DAY_MS)
  expect(await exceptionsOf(second?.id)).toEqual([])
})

test('a withdrawal whose money is due in three days stands out, even while the shopper is asked', async () => {
  const { number, withdraws } = await ordered('delivered', { to: addresses.berlin })
  await withdraws()
  const { id } = (await claimOf(number)) ?? {}
  await decides(id, 'ask', { words: 'Have you sent them?' })
  await world.advance(10 * DAY_MS)
  expect(await exceptionsOf(id)).toEqual([])
  await world.advance(2 * DAY_MS)
  expect(await exceptionsOf(id)).toEqual(['claim_waiting'])
  await signsIn()
  const claim = await claimOf(number)
  expect((await refunds(claim as AdminClaim)).answer.status).toBe(200)
  expect(await exceptionsOf(id)).toEqual([])
})

test('withdrawing the rest before production cancels the order, and the earlier withdrawal of a part waits for nobody', async () => {
  const { number, withdraws, show } = await ordered('paid', { to: addresses.berlin, quantity: 2 })
  const pieces = [{ position: 0, quantity: 1 }]
  expect((await withdraws({ pieces })).status).toBe(200)
  expect((await show()).claims).toMatchObject([{ state: 'open' }])
  expect((await withdraws({ pieces })).status).toBe(200)
  await world.settled()
  const order = (await world.audit('orders')).find((row) => row['order_number'] === number)
  expect(order).toMatchObject({ payment_status: 'refunded', fulfilment_status: 'cancelled' })
  const rows = (await world.audit('claims')).filter((row) => row['order_id'] === order?.['id'])
  expect(rows.map(({ outcome, amount_cents: amount }) => ({ outcome, amount }))).toEqual([
    { outcome: 'canceled', amount: null },
    { outcome: 'canceled', amount: order?.['total_cents'] },
  ])
})

test('a claim of a replacement whose browser repeats the name of an earlier report is still made again', async () => {
  const submission = randomUUID()
  const before = (await world.audit('orders')).length
  for (const { number, claims } of [await ordered('delivered'), await ordered('delivered')]) {
    await claims({ submission })
    expect(await decides((await claimOf(number))?.id, 'replace')).toMatchObject({ status: 200 })
  }
  await world.settled()
  expect((await world.audit('orders')).length).toBe(before + 4)
})

test('a person’s export has their claims with photos, and erasing leaves neither words nor photos', async () => {
  const { email, number, claims, uploads, shopper } = await ordered('delivered')
  const { body } = await uploads(await photo())
  await claims({ words: 'Zelda’s mug came in pieces. I paid with 4242 4242 4242 4242.', photos: [body.id] })
  const claimed = await claimOf(number)
  const written = await text(await exportOf(world.shop, email))
  expect(written).toContain('Zelda’s mug came in pieces.')
  expect(written).not.toContain('4242 4242')
  expect(written).toContain('UklGR')
  await erasePerson(world.shop, email, COMMAND)
  const { rows } = await world.shop.database.pool.query(
    `select 1 from claim_photo where id = $1 union all select 1 from claim_message where words like 'Zelda%'`,
    [body.id],
  )
  expect(rows).toEqual([])
  // The browser that paid still opens the order, and can write nothing new about it.
  const { body: bought } = await shopper.send<{ orders?: unknown }>('GET', `/api/order?order=${number}`)
  expect(JSON.stringify(bought)).not.toContain(email)
  const key = { order: number, words: 'It is Zelda again.', photos: [] }
  expect(await shopper.send('POST', `/api/order/claims/${claimed?.id}/answer`, key)).toMatchObject({ status: 404 })
})

test('a link that leaked is used only so often, and so are guesses', async () => {
  await using limited = await openWorld({ env: { RATE_LIMIT_SCALE: '1' } })
  const answers: number[] = []
  for (let sent = 0; sent < 21; sent += 1) {
    const stranger = limited.shopper()
    const body = { token: 'guess', submission: randomUUID(), reason: 'damaged', pieces: [{ position: 0, quantity: 1 }] }
    answers.push(
      (await stranger.send('POST', '/api/order/claims', { ...body, words: 'Broken.', photos: [], fit: null })).status,
    )
  }
  expect(answers).toEqual([...Array.from({ length: 20 }, () => 404), 429])
})

test('the printer is down for a day: a replacement waits and is made once, and what is withdrawn is refunded at once', async () => {
  const broken = await ordered('delivered')
  const unmade = await ordered('paid', { to: addresses.berlin })
  await broken.claims({ reason: 'faulty' })
  await world.settled()
  const claimed = await claimOf(broken.number)
  const made = madeByPrinter(world)
  expect(made).toContain(unmade.number)
  await printerAwayForADay(world, async () => {
    expect(await decides(claimed?.id, 'replace')).toMatchObject({ status: 200 })
    expect(await unmade.withdraws()).toMatchObject({ status: 200 })
  })
  expect(madeByPrinter(world)).toEqual(made)
  const ordersNow = () => world.audit('orders')
  const unmadeNow = async () => (await ordersNow()).find((row) => row['order_number'] === unmade.number)
  expect(await unmadeNow()).toMatchObject({ payment_status: 'refunded', fulfilment_status: 'submitted' })
  const { external_id: replacement, fulfilment_status: waits } = (await ordersNow()).at(-1) ?? {}
  expect(waits).toBe('waiting')

  const works = async () => {
    await catchesUp(world)
    return madeByPrinter(world)
  }
  // The printer, which nobody could reach, began to make what was withdrawn.
  const right = new Set([...made, replacement])
  await expect.poll(works, { timeout: 60_000 }).toHaveLength(right.size)
  expect(new Set(await works())).toEqual(right)
  expect(await works()).toHaveLength(right.size)
  const refunds = await world.audit('refunds')
  const { payment_key: paid, total_cents: total } = (await unmadeNow()) ?? {}
  expect(refunds.filter((row) => row['payment_key'] === paid)).toMatchObject([
    { amount_cents: total, status: 'succeeded' },
  ])
  const told = (mails: { subject: string }[], words: string) =>
    mails.filter(({ subject }) => subject.includes(words)).length
  expect(told(unmade.mails(), 'Receipt of your withdrawal')).toBe(1)
  expect(told(broken.mails(), 'replacement')).toBe(1)
})
