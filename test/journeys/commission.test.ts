import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Earnings, Explanation, Statement } from '#contract/earnings.ts'
import type { AmountDue, Payout } from '#contract/payouts.ts'
import { readOrderNumber } from '#shared/ids.ts'
import { DAY_MS } from '#shared/time.ts'
import { isoOfDay } from '#shared/calendar-day.ts'
import { dayIn } from '#shared/time-zone.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { refundOrder, type RefundRequest } from '#server/payments/refunds.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'

const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', 'sec-fetch-dest': 'document' }
const ONE_CALL = { earnings: '/api/partnership/earnings', orders: '/api/partnership/earnings/orders' }

let world: World
let partner: ReturnType<World['shopper']>
let owner: ReturnType<World['shopper']>
beforeAll(async () => {
  world = await openWorld()
  await signIn()
})
afterAll(() => world[Symbol.asyncDispose]())

async function signIn(): Promise<void> {
  partner = await signedIn('partner', 'partner-demo')
  owner = await signedIn('owner', 'owner-demo')
}

async function signedIn(username: string, password: string) {
  const somebody = world.shopper()
  expect((await somebody.send('POST', '/api/login', { username, password })).status).toBe(200)
  return somebody
}

/** A visitor follows a creator's link and pays for these products by card. */
async function buysByLink(code: string, goods: readonly (readonly [words: string, quantity: number])[]) {
  const shopper = world.shopper()
  await shopper.adds(goods[0]?.[0] ?? '', goods[0]?.[1])
  const followed = await fetch(`${world.address}/r/${code}`, { redirect: 'manual', headers: BROWSER })
  const click = followed.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
  shopper.usesCookie(`${shopper.cookie()}; ${click}`)
  for (const [words, quantity] of goods.slice(1)) await shopper.adds(words, quantity)
  const { body: started } = await shopper.startsPayment(addresses.newYork)
  await shopper.confirms(started)
  const { body } = await shopper.returnsToShop(started.payment_intent)
  await world.settled()
  return { shopper, orderNumber: String(body.orderId), intent: started.payment_intent }
}

async function refunds(orderNumber: string, wanted: RefundRequest) {
  const number = readOrderNumber(orderNumber)
  if (!number) throw new Error(`${orderNumber} is no order number`)
  await refundOrder(world.shop, number, wanted, 'the shopper asked', COMMAND)
  await world.settled()
}

const getBody = async <Body>(path: string) => (await partner.send<Body>('GET', path)).body
const earnings = () => getBody<Earnings>(ONE_CALL.earnings)
/** The day in the owner's time zone, which rates and months follow. */
const today = () => isoOfDay(dayIn(world.shop.config.reportTimeZone, world.shop.clock.now().getTime()))
const thisMonth = () => today().slice(0, 7)
const statement = (month = thisMonth()) => getBody<Statement>(`/api/partnership/statements/${month}`)

/** What the ledger owes creators, and what they cost the shop. */
async function owedByLedger(): Promise<{ owed: number; cost: number }> {
  const entries = await world.audit<{ account: string; amount_cents: string; partner_id: number | null }>('ledger')
  const sum = (account: string) =>
    entries.reduce((all, entry) => (entry.account === account ? all + Number(entry.amount_cents) : all), 0)
  expect(entries.filter((entry) => entry.account === 'liability:commission' && entry.partner_id === null)).toEqual([])
  return { owed: 0 - sum('liability:commission'), cost: sum('expense:commission') }
}

/** Page, statement and ledger agree: `earned` cents so far, of which `paid` were paid. */
async function expectEverywhere(earned: number, paid = 0): Promise<void> {
  const page = await earnings()
  const { pending, approved, paid: paidOut } = page.balance
  expect({ earned: pending + approved + paidOut, paid: paidOut }).toEqual({ earned, paid })
  const month = await statement()
  expect(month.opening + month.earned + month.takenBack - month.paidOut + month.paidBack).toBe(month.closing)
  expect(month.closing).toBe(earned - paid)
  expect(await owedByLedger()).toEqual({ owed: earned - paid, cost: earned })
}

test('a sale by link, a return and a dispute: page, statement and ledger show the same cents at each step', async () => {
  await expectEverywhere(0)
  expect((await earnings()).days.every(({ clicks, orders }) => clicks === 0 && orders === 0)).toBe(true)

  const { orderNumber, intent } = await buysByLink('bullion-rudy', [
    ['hat', 2],
    ['mug', 1],
  ])
  // Sorted as a refund allocates them.
  const { rows: lines } = await world.shop.database.pool.query<{ unit_price_cents: string; quantity: number }>(
    'select unit_price_cents, quantity from order_line order by order_id, position',
  )
  const goods = lines.map((line) => Number(line.unit_price_cents) * line.quantity)
  const share = (amount: number) => Math.floor((amount * 1200 + 5000) / 10_000)
  const whole = goods.reduce((all, item) => all + share(item), 0)
  await expectEverywhere(whole)
  const sold = await earnings()
  expect(sold.totals).toEqual({
    clicks: 1,
    carts: 1,
    orders: 1,
    sales: (goods[0] ?? 0) + (goods[1] ?? 0),
    returned: 0,
    earned: whole,
  })
  expect(sold.balance.pending).toBe(whole)
  expect(sold.balance.approvals.map(({ amount }) => amount)).toEqual([whole])
  expect(sold.links.find(({ code }) => code === 'bullion-rudy')).toMatchObject({
    clicks: 1,
    carts: 1,
    orders: 1,
    earned: whole,
  })
  expect(sold.products.map(({ earned }) => earned).toSorted((a, b) => a - b)).toEqual(
    goods.map(share).toSorted((a, b) => a - b),
  )

  const hat = Number(lines.find(({ quantity }) => quantity === 2)?.unit_price_cents)
  await refunds(orderNumber, {
    kind: 'pieces',
    pieces: [{ position: lines.findIndex((l) => l.quantity === 2), quantity: 1 }],
  })
  const left = whole - share(2 * hat) + share(hat)
  await expectEverywhere(left)

  const dispute = (await world.simulators.stripe.change({ change: 'dispute', payment_intent: intent })) as {
    id: string
  }
  await world.settled()
  await expectEverywhere(0)
  const why = await getBody<Explanation>(`/api/partnership/earnings/why?order=${orderNumber}`)
  expect(why).toMatchObject({ why: 'last_click', link: 'bullion-rudy', order: { earned: 0, state: 'pending' } })
  expect(why.order?.changes.map(({ kind }) => kind)).toEqual(['sale', 'sale', 'refund', 'dispute', 'dispute'])

  await world.simulators.stripe.change({ change: 'win_dispute', dispute: dispute.id })
  await world.settled()
  await expectEverywhere(left)
  expect((await statement()).lines.map(({ kind }) => kind)).toEqual([
    'sale',
    'sale',
    'refund',
    'dispute',
    'dispute',
    'dispute_won',
    'dispute_won',
  ])
})

test('an approved payout is paid once, a later return is carried over, and a returned payout is owed again', async () => {
  await world.advance(31 * DAY_MS)
  // The sign-in has expired by then.
  await signIn()
  const due = async () => (await owner.send<{ due: AmountDue[]; payouts: Payout[] }>('GET', '/api/admin/payouts')).body
  const [own] = (await due()).due
  if (!own) throw new Error('no partner is listed')
  const { partnerId, payable } = own
  expect(own).toMatchObject({ displayName: 'The Bullion Hour', pending: 0, approved: payable })
  expect(payable).toBeGreaterThan(0)

  const paying = (amount: number) => owner.send<{ code: string }>('POST', '/api/admin/payouts', { partnerId, amount })
  expect((await paying(payable + 1)).body.code).toBe('payout_changed')
  const both = await Promise.all([paying(payable), paying(payable)])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422])
  expect((await paying(payable)).body.code).toBe('nothing_to_pay')
  await expectEverywhere(payable, payable)

  const [order] = (await getBody<{ orders: { orderNumber: string; state: string }[] }>(ONE_CALL.orders)).orders
  expect(order?.state).toBe('paid')
  await refunds(order?.orderNumber ?? '', { kind: 'rest' })
  expect((await due()).due[0]).toMatchObject({ approved: 0 - payable, payable: 0 })
  expect((await paying(0)).body.code).toBe('nothing_to_pay')
  await expectEverywhere(0, payable)

  const { payouts } = await due()
  const [made] = payouts
  expect(payouts).toHaveLength(1)
  const { body: csv } = await owner.send<string>('GET', '/api/admin/payouts/list')
  expect(csv).toContain(`${made?.reference},"The Bullion Hour",`)
  const { pool } = world.shop.database
  await pool.query('update partner set display_name = $1', ['＝1+1'])
  expect((await owner.send<string>('GET', '/api/admin/payouts/list')).body).toContain(`${made?.reference},"'＝1+1",`)
  await pool.query('update partner set display_name = $1', ['The Bullion Hour'])
  const back = `/api/admin/payouts/${made?.id}/return`
  expect((await owner.send('POST', back)).status).toBe(204)
  expect((await owner.send<{ code: string }>('POST', back)).body.code).toBe('payout_changed')
  expect((await owner.send<{ code: string }>('POST', '/api/admin/payouts/999/return')).body.code).toBe('unknown_payout')
  await expectEverywhere(0)
  expect((await statement()).payouts).toMatchObject([{ reference: made?.reference, amount: payable }])
})

test('a new rate applies to sales from its start date, and every change is in the log', async () => {
  const { body: rates } = await owner.send<{ partnerId: number; rate: number }[]>('GET', '/api/admin/partner-rates')
  expect(rates).toMatchObject([{ rate: 1200 }])
  const partnerId = rates[0]?.partnerId
  const mug = await owner.find('mug')
  const agrees = (more: object) =>
    owner.send<{ code?: string }>('POST', '/api/admin/partner-rates', {
      ...{ partnerId, productId: null, rate: 1500, startsOn: '2099-01-01' },
      ...more,
    })
  expect((await agrees({ productId: mug.id, rate: 500, startsOn: today() })).status).toBe(204)
  expect((await agrees({ rate: 1500 })).status).toBe(204)
  expect((await agrees({ rate: 1501 })).status).toBe(422)
  expect((await agrees({ startsOn: '2001-01-01' })).status).toBe(422)
  expect((await agrees({ startsOn: '2026-02-30' })).status).toBe(422)
  expect((await agrees({ partnerId: 999 })).body.code).toBe('unknown_partner')
  expect((await agrees({ productId: 999_999 })).body.code).toBe('unknown_product')

  const { orderNumber } = await buysByLink('bullion', [
    ['hat', 1],
    ['mug', 1],
  ])
  const { order } = await getBody<Explanation>(`/api/partnership/earnings/why?order=${orderNumber}`)
  expect(order?.changes.map(({ rate }) => rate).toSorted((a, b) => a - b)).toEqual([500, 1200])
  expect((await earnings()).productRates).toEqual([{ productName: mug.name, rate: 500 }])
  const { body: portal } = await partner.send<{ partner: { proposal: { shareBasisPoints: number } | null } }>(
    'GET',
    '/api/partnership',
  )
  expect(portal.partner.proposal?.shareBasisPoints).toBe(1500)
  const { body: log } = await owner.send<{ actions: { what: string }[] }>('GET', '/api/admin/log')
  expect(log.actions.map(({ what }) => what)).toEqual(
    expect.arrayContaining(['paid', 'recorded a returned payout to', 'changed the rate of']),
  )
})

test('nothing a creator can open names a shopper, or an order from elsewhere', async () => {
  const { shopper } = await buysByLink('bullion-all', [['tote', 1]])
  const elsewhere = await world.shopper().paysByCard({ buying: 'pillow' })
  const { body: other } = await elsewhere.returnsToShop()
  await world.settled()
  const month = thisMonth()
  const reached = await Promise.all(
    [
      ONE_CALL.earnings,
      ONE_CALL.orders,
      `/api/partnership/earnings/why?order=${other.orderId}`,
      '/api/partnership/earnings/why?order=0000-0000',
      `/api/partnership/statements/${month}`,
      `/api/partnership/statement-file?month=${month}&kind=pdf`,
      `/api/partnership/statement-file?month=${month}&kind=xlsx`,
      `/api/partnership/statement-file?month=${month}&kind=html`,
      '/api/partnership',
    ].map(async (path) => {
      const answer = await fetch(world.address + path, { headers: { cookie: partner.cookie() } })
      return { path, status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
    }),
  )
  const texts = await Promise.all(reached.map(async ({ path, bytes }) => ({ path, text: await textOf(path, bytes) })))
  const personal = [
    shopper.customer.email,
    shopper.customer.name,
    '350 5th',
    '10118',
    'New York,',
    'stripe:',
    'session',
  ]
  for (const { path, text } of texts)
    for (const word of personal) expect(text.includes(word), `${word} in ${path}`).toBe(false)
  const foreign = texts.find(({ path }) => path.endsWith(String(other.orderId)))
  const none = texts.find(({ path }) => path.endsWith('0000-0000'))
  expect(foreign?.text.replace(String(other.orderId), '')).toBe(none?.text.replace('0000-0000', ''))
  expect(reached.slice(0, 8).map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
})

test('lists continue after an order or a cursor of the creator’s own, and reveal no counts of the shop', async () => {
  const elsewhere = (await (await world.shopper().paysByCard({ buying: 'mug' })).returnsToShop()).body.orderId
  const { orders } = await getBody<{ orders: { orderNumber: string }[] }>(ONE_CALL.orders)
  const numbersAfter = async (older: string) =>
    (await getBody<typeof all>(`${ONE_CALL.orders}?older=${older}`)).orders.map(({ orderNumber }) => orderNumber)
  const all = { orders }
  const numbers = orders.map(({ orderNumber }) => orderNumber)
  expect(numbers.length).toBeGreaterThan(1)
  expect(await numbersAfter(numbers[0] ?? '')).toEqual(numbers.slice(1))
  for (const foreign of [String(elsewhere), '0000-0000', 'x']) expect(await numbersAfter(foreign)).toEqual([])

  const { lines } = await statement()
  const marks = lines.map(({ mark }) => mark)
  expect(new Set(marks).size).toBe(marks.length)
  const marksAfter = async (after: string) =>
    (
      await getBody<{ lines: { mark: string }[] }>(`/api/partnership/statements/${thisMonth()}?after=${after}`)
    ).lines.map(({ mark }) => mark)
  expect(await marksAfter(marks[0] ?? '')).toEqual(marks.slice(1))
  for (const foreign of [`${elsewhere}.1`, `${numbers[0]}.99`, `${numbers[0]}.0`, '17'])
    expect(await marksAfter(foreign), foreign).toEqual([])
  for (const answer of [all, { lines }]) expect(JSON.stringify(answer)).not.toMatch(/"(?:id|orderId|payoutId)"/)
})

/** The text of a response; a workbook is unpacked first. */
async function textOf(path: string, bytes: Buffer): Promise<string> {
  if (!path.includes('kind=xlsx')) return bytes.toString('latin1')
  const { sheets } = await readXlsx(bytes)
  expect(sheets.find(({ name }) => name === 'Lines')?.rows.length).toBeGreaterThan(2)
  return JSON.stringify(sheets)
}

test.each([
  ['/api/partnership/statements/2026-13', 404, 'unknown_statement'],
  ['/api/partnership/statements/2099-01', 404, 'unknown_statement'],
  ['/api/partnership/statement-file?month=latest&kind=pdf', 404, 'unknown_statement'],
  ['/api/partnership/statement-file?month=2026-01&kind=exe', 422, 'invalid'],
  ['/api/partnership/earnings?from=2026-02-30', 422, 'not_a_range'],
  ['/api/partnership/earnings?from=2026-03-02&to=2026-03-01', 422, 'not_a_range'],
  ['/api/partnership/earnings?from=2016-03-02&to=2026-03-01', 422, 'not_a_range'],
  ['/api/partnership/earnings?from=yesterday', 422, 'invalid'],
  ['/api/partnership/earnings/why', 422, 'invalid'],
])('%s is refused', async (path, status, code) => {
  const answer = await partner.send<{ code: string }>('GET', path)
  expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code })
})
