import fc from 'fast-check'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { UserId } from '#shared/ids.ts'
import { createShopSessions } from '../../src/shop.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { appUser } from '#server/accounts/schema.ts'
import { anyRequestTo, type Description, type FuzzedRequest, type KnownValues } from '../properties/fuzzing.ts'

// Every call of the API description, in every role, with random input. FUZZ_REQUESTS and FUZZ_SEED lengthen and repeat a run.

const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 660)
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_121)
/** A session is replaced after this many requests, since some sign out or erase the account. */
const SESSION_LASTS = 40

const roles = ['anonymous', 'user', 'partner', 'owner'] as const
type Role = (typeof roles)[number]

/** Most calls are the owner's, and refuse everybody else before reading anything. */
const roleCycle: readonly Role[] = ['owner', 'anonymous', 'owner', 'partner', 'user', 'owner', 'partner']

let world: World
let users: Record<Exclude<Role, 'anonymous'>, UserId>
let known: KnownValues

beforeAll(async () => {
  world = await openWorld()
  const buyer = world.shopper()
  await buyer.send('POST', '/api/register', { username: 'a-fan', password: 'sleeps all day' })
  const payment = await buyer.paysByCard({ buying: 'hat', quantity: 2 })
  const { orderId } = (await payment.returnsToShop()).body
  const wallet = await world.shopper().approvesWallet({ buying: 'mug' })
  const hat = await buyer.find('hat')
  await world.settled()
  const idOf = async (username: string) => {
    const [user] = await world.shop.db.select().from(appUser).where(eq(appUser.username, username))
    return user?.id as UserId
  }
  users = { user: await idOf('a-fan'), partner: await idOf('partner'), owner: await idOf('owner') }
  known = {
    productId: [hat.id, (await buyer.find('mouse pad')).id],
    variantId: [await buyer.firstVariant(hat), null],
    quantity: [1, 2],
    id: [1, 2, payment.payment_intent, wallet, hat.providerProductId],
    number: [orderId],
    order: [orderId],
    orderNumber: [orderId],
    paymentIntentId: [payment.payment_intent],
    paypalOrderId: [wallet],
    email: [buyer.customer.email, 'somebody@mail.example'],
    account: ['a-fan'],
    username: ['a-fan', 'a-new-fan'],
    shippingAddress: [addresses.newYork, addresses.berlin],
    customerAddress: [addresses.newYork, addresses.sydney],
    termsAccepted: [true],
    currency: ['USD', 'usd'],
    intent: ['CAPTURE'],
    collection: ['rudy', 'sherlock'],
    month: ['2026-11'],
    start_date: ['2026-01-01'],
    end_date: ['2026-12-31'],
  }
})
afterAll(() => world[Symbol.asyncDispose]())

async function cookieOf(role: Role): Promise<string> {
  if (role === 'anonymous') return ''
  return `session=${(await createShopSessions(world.shop).replace(undefined, users[role])).token}`
}

/** Whether anything was written: much cheaper than comparing the rows. */
async function lastWrite(): Promise<string> {
  const { rows } = await world.shop.database.pool.query<{ at: string }>(
    'select pg_snapshot_xmax(pg_current_snapshot())::text as at',
  )
  return rows[0]?.at ?? ''
}

/** Excludes when a row was last checked: a refused request may have queried the printer, and its answer is stored. */
const whole = ['checkouts', 'exceptions', 'ledger', 'lines', 'orders', 'payments', 'refunds']
/** These rows change on their own: an email is sent a moment after it was queued. */
const counted = ['events', 'mails']

/** Everything the auditor sees, except the jobs. */
async function audited(): Promise<string> {
  const digests = [
    ...whole.map(
      (view) =>
        `md5(coalesce((select string_agg(v.row, '' order by v.row) from (select (to_jsonb(one) - 'updated_at')::text as row from audit_${view} one) v), ''))`,
    ),
    ...counted.map((view) => `(select count(*) from audit_${view})`),
  ]
  const { rows } = await world.shop.database.pool.query<{ all: string }>(
    `select concat_ws(' ', ${digests.join(', ')}) as all`,
  )
  return rows[0]?.all ?? ''
}

async function send({ method, url, headers, body }: FuzzedRequest, cookie: string) {
  const answer = await world.running.app.http.inject({
    method: method as 'POST',
    url,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
      host: '127.0.0.1',
      cookie,
    },
    ...(body !== undefined && { payload: body }),
  })
  return { status: answer.statusCode, text: answer.body, type: answer.headers['content-type'] ?? '' }
}

const INNER =
  /\.[jt]s:\d+|\bselect \w+ from\b|node_modules|zod|fastify|drizzle|pglite|postgres|\/(?:src|home|work|tmp)\/|<\w/i

test(
  `${REQUESTS} requests to every call: none is answered in the 500s, and none that is refused changes anything (FUZZ)`,
  {
    timeout: 60_000 + REQUESTS * 200,
  },
  async () => {
    const { body: description } = await world.shopper().send<Description>('GET', '/api/openapi.json')
    const calls = Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => anyRequestTo(method, path, operation, known)),
    )
    expect(calls.length).toBeGreaterThan(100)
    const each = Math.ceil(REQUESTS / calls.length)
    const requests = calls.flatMap((call, at) => fc.sample(call, { seed: SEED + at, numRuns: each }))
    const statuses = new Map<number, number>()
    const failed: string[] = []
    const refusedBy = new Set<string>()

    let cookies = new Map<Role, string>()
    let before = ''
    for (const [at, request] of requests.entries()) {
      if (at % SESSION_LASTS === 0) {
        await world.settled()
        cookies = new Map(await Promise.all(roles.map(async (role) => [role, await cookieOf(role)] as const)))
        before = await audited()
      }
      const role = roleCycle[(at + Math.floor(at / each)) % roleCycle.length] ?? 'anonymous'
      const label = `request ${at} of seed ${SEED} as ${role}: ${JSON.stringify(request).slice(0, 1500)}`
      const writtenBefore = await lastWrite()
      const { status, text, type } = await send(request, cookies.get(role) ?? '')
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status >= 500) {
        failed.push(`${label}\n${text.slice(0, 300)}`)
        continue
      }
      if (status < 400) {
        if ((await lastWrite()) !== writtenBefore) {
          await world.settled()
          before = await audited()
        }
        continue
      }
      const refusal = JSON.parse(text) as { code: string; message: string }
      expect(type, label).toMatch(/^application\/json/)
      expect(refusal.message, label).toMatch(/^[A-Z“].*[.!?]$/)
      expect(text.length, label).toBeLessThanOrEqual(2000)
      expect(text.replaceAll(/"[^"]*"(?=:)/g, ''), label).not.toMatch(INNER)
      refusedBy.add(refusal.code)
      if ((await lastWrite()) !== writtenBefore) expect(await audited(), label).toBe(before)
    }
    expect(failed.slice(0, 20)).toEqual([])
    const { ok } = (await world.running.app.http.inject({ url: '/healthz', headers: { host: '127.0.0.1' } })).json<{
      ok: boolean
    }>()
    expect(ok).toBe(true)
    // The requests reach their targets: some succeed, and refusals are of many kinds.
    expect(statuses.get(200) ?? 0).toBeGreaterThan(REQUESTS / 20)
    expect(refusedBy.size).toBeGreaterThan(10)
    if (process.env['FUZZ_REQUESTS'])
      console.log(
        [...statuses].toSorted(([a], [b]) => a - b),
        [...refusedBy].toSorted(),
      )
  },
)
