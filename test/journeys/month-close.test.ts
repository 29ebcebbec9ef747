import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MonthBooks, MonthClosing } from '#contract/admin-months.ts'
import { spanOf } from '#domain/ledger/months.ts'
import { formatOrderNumber, type OrderNumber } from '#shared/ids.ts'
import { cents, ZERO } from '#shared/money.ts'
import { monthAfter, monthOfDay, type Month } from '#shared/month.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/time.ts'
import { dayIn } from '#shared/time-zone.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { closeByOwner } from '#server/admin/owner-close.ts'
import { closeMonth } from '#server/admin/months.ts'
import { listBalances, post } from '#server/ledger/ledger.ts'
import { verifyByOwner } from '#server/partners/owner-verify.ts'
import { refundOrder } from '#server/payments/refunds.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { buysByLink } from './buys-by-link.ts'

const FILES = ['books', 'payments', 'profit'] as const

let world: World
/** The month of the sale, and the one after it, in which it is refunded. */
let [march, april]: [Month, Month] = ['', '']
let saleOrder: OrderNumber
beforeAll(async () => {
  world = await openWorld()
  saleOrder = await buysByLink(world)
  march = monthNow()
  april = monthAfter(march)
})
afterAll(() => world[Symbol.asyncDispose]())

const zoneOf = () => world.shop.config.reportTimeZone
const monthNow = (): Month => monthOfDay(dayIn(zoneOf(), world.shop.clock.now().getTime()))

/** To a time after a month of the shop's zone has ended. */
async function passes(month: Month, ms: number): Promise<void> {
  const until = spanOf(zoneOf(), month, [])?.until.getTime() ?? 0
  await world.advance(until + ms - world.shop.clock.now().getTime())
}

const sessions = new Map<string, { shopper: ReturnType<World['shopper']>; at: number }>()

/** With a password given a few minutes ago at most. */
async function signedIn(username: string) {
  const now = world.shop.clock.now().getTime()
  const known = sessions.get(username)
  if (known && now - known.at < 5 * MINUTE_MS) return known.shopper
  const shopper = world.shopper()
  await shopper.send('POST', '/api/login', { username, password: `${username}-demo` })
  sessions.set(username, { shopper, at: now })
  return shopper
}

async function asOwner<Answer>(method: 'GET' | 'POST', path: string, body?: object) {
  return (await signedIn('owner')).send<Answer>(method, path, body)
}

type Listed = { closings: MonthClosing[]; next: Month | null }
type Refused = { code: string; message: string }

const sha256 = (bytes: ArrayBuffer) => createHash('sha256').update(Buffer.from(bytes)).digest('hex')

async function hashOf(path: string, username = 'owner'): Promise<string> {
  const answer = await fetch(`${world.address}${path}`, { headers: { cookie: (await signedIn(username)).cookie() } })
  expect(answer.status, path).toBe(200)
  return sha256(await answer.arrayBuffer())
}

/** What the files of a closing say when they are downloaded. */
async function hashesOf({ number, files }: MonthClosing): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {}
  for (const { name } of files) hashes[name] = await hashOf(`/api/admin/month-files/${number}/${name}`)
  return hashes
}

const statementHash = (kind: string) => hashOf(`/api/partnership/statement-file?month=${march}&kind=${kind}`, 'partner')

const closingOf = async (month: Month): Promise<MonthClosing> => {
  const { body } = await asOwner<Listed>('GET', '/api/admin/months')
  const found = body.closings.find((one) => one.month === month && one.isStanding)
  if (!found) throw new Error(`${month} is not closed`)
  return found
}

/** By account, as the owner reads them. */
const booksOf = async (month: Month) => (await asOwner<MonthBooks>('GET', `/api/admin/months/${month}`)).body

test('a month that is not over is not closed, nor one before the first sale, nor what is no month', async () => {
  const close = (month: string) => asOwner<Refused>('POST', `/api/admin/months/${month}/close`)
  expect((await asOwner<Listed>('GET', '/api/admin/months')).body).toMatchObject({ closings: [], next: march })
  expect((await close(march)).body).toMatchObject({ code: 'month_not_over' })
  expect((await close('2026-01')).body).toMatchObject({ code: 'nothing_to_close' })
  expect(await close('2026-13')).toMatchObject({ status: 404, body: { code: 'unknown_month' } })
  await passes(march, HOUR_MS / 2)
  expect((await close(march)).body).toMatchObject({ code: 'month_not_over' })
  expect((await close(april)).body).toMatchObject({ code: 'earlier_month_open' })
  expect(await closeByOwner(world.shop, [march, '--preview'])).toMatchObject({ month: march, isClosed: false })
})

test('a month is closed, and a refund after it is a correction of the next; its files stay the same bytes', async () => {
  await passes(march, 2 * HOUR_MS)
  const { body: preview } = await asOwner<MonthBooks>('GET', `/api/admin/months/${march}`)
  expect(preview).toMatchObject({ isClosed: false, objection: null })
  expect(preview.openItems).toContain('Stripe’s list was not yet read to the end of the month.')
  const refused = await asOwner<Refused>('POST', `/api/admin/months/${march}/close`)
  expect(refused).toMatchObject({ status: 409, body: { code: 'month_has_open_items' } })
  const closed = await asOwner<{ number: number }>('POST', `/api/admin/months/${march}/close?accepted=1`)
  expect(closed).toMatchObject({ status: 200, body: { number: 1 } })
  expect((await asOwner<Refused>('POST', `/api/admin/months/${march}/close`)).body).toMatchObject({
    code: 'month_closed',
  })

  const before = await closingOf(march)
  expect(new Set(before.files.map(({ name }) => name))).toEqual(
    new Set([
      ...FILES.map((name) => `${name}-${march}.xlsx`),
      ...['html', 'pdf', 'xlsx'].map((kind) => `statement-${march}-bullion.${kind}`),
      ...['-us.csv', '.csv'].map((name) => `tax-${march}${name}`),
    ]),
  )
  const hashes = Object.fromEntries(before.files.map(({ name, hash }) => [name, hash]))
  expect(await hashesOf(before)).toEqual(hashes)

  await world.advance(9 * DAY_MS)
  const wish = { kind: 'pieces', pieces: [{ position: 0, quantity: 1 }] } as const
  await refundOrder(world.shop, saleOrder, wish, 'the shopper asked', COMMAND)
  await world.settled()
  await buysByLink(world)
  expect(await hashesOf(await closingOf(march))).toEqual(hashes)
  for (const kind of ['html', 'pdf', 'xlsx'])
    expect(await statementHash(kind)).toBe(hashes[`statement-${march}-bullion.${kind}`])

  const books = [await booksOf(march), await booksOf(april)]
  expect(books[0]?.figures).toEqual(preview.figures)
  expect(books[0]?.corrections.count).toBe(0)
  const corrections = books[1]?.corrections.lines ?? []
  expect(new Set(corrections.map(({ orderNumber }) => orderNumber))).toEqual(new Set([formatOrderNumber(saleOrder)]))
  expect(corrections.map(({ what }) => what)).toEqual(expect.arrayContaining(['refund', 'commission']))
  expect(corrections.find(({ what }) => what === 'refund')?.result).toBeLessThan(0)
  const total = new Map<string, number>()
  for (const { account, change } of books.flatMap(({ figures }) => figures))
    total.set(account, (total.get(account) ?? 0) + change)
  const all = await listBalances(world.shop.db)
  expect(Object.fromEntries([...total].filter(([, sum]) => sum !== 0))).toEqual(
    Object.fromEntries(all.filter((row) => row.cents !== 0).map((row) => [row.account, row.cents])),
  )
})

test('nothing can be booked into a closed month', async () => {
  const late = { kind: 'correction', key: 'late:1', orderId: null, paymentKey: null } as const
  const entries = [
    { account: 'bank', amount: cents(5) },
    { account: 'provider:stripe', amount: cents(-5) },
  ] as const
  const until = spanOf(zoneOf(), march, [])?.until ?? new Date(0)
  const book = (bookedAt: Date) =>
    world.shop.db.transaction((tx) => post(tx, { ...late, bookedAt, entries: [...entries] }))
  await expect(book(new Date(until.getTime() - 1))).rejects.toThrow()
  expect((await world.audit<{ key: string }>('ledger')).filter(({ key }) => key === late.key)).toEqual([])
})

/** A change that an intruder with every right makes to the database, and what `verify` says. */
const planted: readonly (readonly [plant: string, problem: RegExp])[] = [
  [
    `update closed_file set bytes = set_byte(bytes, 0, get_byte(bytes, 0) # 1) where part = 0 and name like 'books-%'`,
    /the file books-.* was changed/,
  ],
  [
    `update closed_file set bytes = set_byte(bytes, 99, get_byte(bytes, 99) # 1) where part = 0 and name like 'profit-%'`,
    /the file profit-/,
  ],
  [`update closed_file set bytes = bytes || '\\x00' where name like 'payments-%'`, /the file payments-/],
  [
    `update closed_file set bytes = set_byte(bytes, length(bytes) - 1, 1) where name like '%.pdf'`,
    /statement-.*pdf was/,
  ],
  [
    `update closed_file set bytes = set_byte(bytes, 500, get_byte(bytes, 500) # 1) where part = 0 and name like 'statement-%.xlsx'`,
    /statement-.*xlsx was/,
  ],
  [
    `update closed_file set bytes = set_byte(bytes, 700, get_byte(bytes, 700) # 1) where part = 0 and name like '%.html'`,
    /statement-.*html was/,
  ],
  [`update closed_file set hash = repeat('a', 64) where name like 'books-%'`, /the file books-/],
  [`update closed_file set name = 'x.pdf' where name like '%.pdf'`, /its figures or files are not those/],
  [`update closed_file set partner_id = null where name like '%.pdf'`, /its figures or files are not those/],
  [`delete from closed_file where part = 1`, /the file .* was changed/],
  [`update closed_file set part = 99 - part where name like '%.pdf' and part < 2`, /^Closing 1 /],
  [`delete from closed_file where name like '%.html'`, /its figures or files are not those/],
  [
    `delete from closed_file where name like '%.pdf' and part > 0; update closed_file set bytes = 'x', hash = encode(sha256('x'), 'hex') where name like '%.pdf'`,
    /its figures or files are not those/,
  ],
  [`update month_closing set root = repeat('a', 64)`, /its figures or files are not those/],
  [`update month_closing set hash = repeat('a', 64)`, /^Closing 1 .* was changed/],
  [`update month_closing set month = '2020-01'`, /its figures or files are not those/],
  [`update month_closing set from_at = from_at - interval '1 second'`, /its figures or files are not those/],
  [`update month_closing set until_at = until_at - interval '1 second'`, /its figures or files are not those/],
  [`update month_closing set closed_at = closed_at - interval '1 second'`, /^Closing 1 .* was changed/],
  [`update month_closing set seal = seal + 1`, /^Closing 1 .* was changed/],
  [`update month_closing set figures = jsonb_set(figures, '{0,change}', '1')`, /its figures or files are not those/],
  [
    `with late as (insert into ledger_posting (kind, key, booked_at)
        select 'correction', 'late:1', from_at from month_closing returning id)
      insert into ledger_entry select id, account, amount from late, (values ('bank', 5), ('print_partner', -5)) e(account, amount)`,
    /the ledger’s sum of .* is not the one that was closed/,
  ],
]

class Undone extends Error {}

/** What `verify` says with a change that is undone afterward. */
async function problemAfter(plant: string): Promise<string> {
  let problem = ''
  await world.shop.db
    .transaction(async (tx) => {
      for (const table of ['closed_file', 'month_closing', 'ledger_posting', 'ledger_entry'])
        await tx.execute(sql.raw(`alter table ${table} disable trigger all`))
      await tx.execute(sql.raw(plant))
      await verifyByOwner(tx as never, []).catch((error: unknown) => (problem = (error as Error).message))
      throw new Undone()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error
    })
  return problem
}

test.each(planted)('the owner’s check finds: %s', async (plant, problem) => {
  expect(await problemAfter(plant)).toMatch(problem)
})

test('only the last closed month is reopened, with a reason; what was frozen stays beside what is closed again', async () => {
  const first = await closingOf(march)
  const hashes = await hashesOf(first)
  const reopen = (month: Month, reason: string) =>
    asOwner<Refused & { number: number }>('POST', `/api/admin/months/${month}/reopen`, { reason })
  expect((await reopen(april, 'A wrong setting')).body).toMatchObject({ code: 'month_not_last' })
  expect((await reopen(march, ' ')).status).toBe(422)
  expect((await reopen(march, 'A wrong setting')).body).toMatchObject({ number: 2 })
  expect((await asOwner<Listed>('GET', '/api/admin/months')).body.next).toBe(march)
  expect(await closeByOwner(world.shop, [march, '--accept-open'])).toMatchObject({ month: march, closed: 3 })
  expect(await hashesOf(first)).toEqual(hashes)
  expect(await world.audit('periods')).toMatchObject([
    { number: 1, period: march, kind: 'closed' },
    { number: 2, period: march, kind: 'reopened', reason: 'A wrong setting' },
    { number: 3, period: march, kind: 'closed' },
  ])
  const { body: log } = await asOwner<{ actions: object[] }>('GET', '/api/admin/log')
  expect(JSON.stringify(log)).toContain('reopened')
  expect(await verifyByOwner(world.shop.db, ['--json'])).toMatchObject({ intact: true, closings: 3 })
  expect(await problemAfter(`update month_closing set reason = 'Another' where number = 2`)).toMatch(/^Closing 2 /)
  expect(await problemAfter(`update month_closing set number = 9 where number = 3`)).not.toBe('')
})

test('of several closings at once one is made; a shop in another zone begins the month where the last one ended', async () => {
  await passes(april, 2 * DAY_MS)
  const shop = { ...world.shop, config: { ...world.shop.config, reportTimeZone: 'Asia/Tokyo' } }
  const closings = await Promise.allSettled([1, 2].map(() => closeMonth(shop, april, true, COMMAND)))
  expect(closings.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const spans = (await world.audit<{ kind: string; from_at: Date; until_at: Date }>('periods')).slice(-2)
  expect(spans[1]?.from_at).toEqual(spans[0]?.until_at)
  expect(await verifyByOwner(world.shop.db, [])).toMatchObject({ closings: 4 })
  const all = await listBalances(world.shop.db)
  const { figures } = await booksOf(april)
  for (const { account, cents: balance } of all) {
    const figure = figures.find((one) => one.account === account)
    expect((figure?.opening ?? ZERO) + (figure?.change ?? ZERO), account).toBe(balance)
  }
})

test.each([
  [[]],
  [['x', 'y']],
  [['2026-01', '--all']],
  [['2026-01', '--preview', '--reopen', 'x']],
  [['2026-01', '--reopen', ' ']],
])('the command tells how it is used: %j', (args) => expect(closeByOwner(world.shop, args)).rejects.toThrow(/^Usage: /))
test('the command says what it refuses', () =>
  expect(closeByOwner(world.shop, ['2026-13'])).rejects.toThrow('This is not a month'))
