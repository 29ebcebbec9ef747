import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { UserId } from '#shared/ids.ts'
import { createShopSessions } from '../../src/shop.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { appUser } from '#server/accounts/schema.ts'
import { requestsWithText, type Description } from '../properties/fuzzing.ts'

// Canary texts are planted wherever input is accepted. Then logs, the database, emails and other people's answers are searched
// for them.

const CARD = '4242 4242 4242 4242'
const SECRET = 'canary-in-a-coal-mine-7'
const PERSON = { email: 'canary.person@mail.example', name: 'Canaria Persona', line1: '77 Canary Wharf' }

const roles = ['anonymous', 'user', 'partner'] as const

let world: World
let logged = ''
let token: string
let clientSecret: string
let users: { user: UserId; partner: UserId }

/** Every table's rows as text. */
async function dump(): Promise<Map<string, string>> {
  const { pool } = world.shop.database
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss')`,
  )
  const texts = new Map<string, string>()
  for (const { name } of tables) {
    const { rows } = await pool.query<{ text: string | null }>(
      `select string_agg(t::text, e'\n') as text from ${name} t`,
    )
    texts.set(name, rows[0]?.text ?? '')
  }
  return texts
}

const found = (text: string, needles: readonly string[]): string[] =>
  needles.filter((needle) => text.includes(needle) || text.includes(needle.replaceAll(' ', '')))

/** Every secret in the configuration. */
const keys = () =>
  Object.entries(world.simulators.settings).flatMap(([name, value]) =>
    /SECRET|TOKEN/.test(name) && value ? [value] : [],
  )

beforeAll(async () => {
  vi.stubEnv('WORLD_LOG', 'debug')
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    logged += String(text)
    return true
  })
  world = await openWorld()
  const person = world.shopper()
  const to = { ...addresses.newYork, line1: PERSON.line1 }
  await person.send('POST', '/api/register', { username: 'canaria', password: SECRET })
  await person.adds('hat')
  const customerInfo = { email: PERSON.email, name: PERSON.name, shippingAddress: to, sameBillingAddress: true }
  const { body: payment } = await person.startsPayment(to, { customerInfo })
  await person.confirms(payment)
  await person.returnsToShop(payment.payment_intent)
  await person.send('POST', '/api/account/email', { email: PERSON.email, password: SECRET })
  await world.settled()
  token = person.cookie().split('=')[1] ?? ''
  clientSecret = payment.client_secret
  const idOf = async (username: string) => {
    const [user] = await world.shop.db.select().from(appUser).where(eq(appUser.username, username))
    return user?.id as UserId
  }
  users = { user: await idOf('canaria'), partner: await idOf('partner') }

  const { body: description } = await person.send<Description>('GET', '/api/openapi.json')
  const known = { email: [PERSON.email], productId: [1], username: ['somebody'], shippingAddress: [to] }
  const calls = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const textFor = (field: string) =>
    /password|current|code|token|secret/i.test(field) ? SECRET : `Paid by ${CARD} thanks`
  for (const [at, { path, method, operation }] of calls.entries())
    for (const request of requestsWithText(method, path, operation, known, { seed: 1 + at, textFor }))
      // The owner's own site text and notes are stored as written.
      for (const role of request.body === undefined ? (['anonymous'] as const) : roles) {
        const cookie =
          role === 'anonymous'
            ? `session=${SECRET}; other=${CARD}`
            : `session=${(await createShopSessions(world.shop).replace(undefined, users[role])).token}`
        await world.running.app.http.inject({
          method: request.method as 'POST',
          url: request.url,
          headers: {
            ...{ host: '127.0.0.1', cookie, authorization: `Bearer ${SECRET}`, 'user-agent': `${CARD} ${SECRET}` },
            ...{ 'x-api-key': SECRET, 'idempotency-key': SECRET },
            ...(request.body !== undefined && { 'content-type': 'application/json' }),
          },
          ...(request.body !== undefined && { payload: request.body }),
        })
        // The same body, malformed: what cannot be parsed must not be repeated either.
        if (request.body !== undefined && role === 'anonymous')
          await world.running.app.http.inject({
            method: request.method as 'POST',
            url: request.url,
            headers: { host: '127.0.0.1', 'content-type': 'application/json' },
            payload: `${request.body.slice(0, -1)},"password":"${SECRET}"`,
          })
      }
  await world.settled()
})
afterAll(async () => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  await world[Symbol.asyncDispose]()
})

test('no log contains a password, card, cookie, key or personal address (S72, CANARY)', () => {
  expect(logged.length).toBeGreaterThan(1000)
  expect(logged).toContain('refused')
  expect(
    found(logged, [CARD, SECRET, token, clientSecret, PERSON.email, PERSON.name, PERSON.line1, ...keys()]),
  ).toEqual([])
})

test('line breaks in hostile input stay within one log record (S73)', async () => {
  const before = logged.length
  for (const path of [
    '/api/nothing%0d%0a00:00:00 fatal forged',
    '/api/cart/%1b%5b2J%0aforged',
    '/api/printful/products/%22,%22level%22:60',
  ])
    await world.running.app.http.inject({
      method: 'DELETE',
      url: path,
      headers: { host: '127.0.0.1', 'user-agent': '\t\u001b[31mforged', origin: 'http://127.0.0.1' },
    })
  const lines = logged.slice(before).trimEnd().split('\n')
  for (const line of lines) expect(line).toMatch(/^\d\d:\d\d:\d\d\.\d{3} (?:debug|info|warn|error|fatal) /)
  expect(logged.slice(before)).not.toContain('\u001b')
})

test('no table contains a password, card, cookie or key (CANARY)', async () => {
  const texts = await dump()
  expect([...texts.values()].join('').includes(PERSON.line1)).toBe(true)
  // The secret a browser pays with is stored with its checkout, to be returned to that browser.
  texts.delete('public.checkout')
  const held = [...texts].flatMap(([table, text]) =>
    found(text, [CARD, SECRET, token, clientSecret, ...keys()]).map((needle) => `${table}: ${needle.slice(0, 12)}`),
  )
  expect(held).toEqual([])
})

test('personal data reaches only the person, the owner and the printer (CANARY)', async () => {
  const others = world.mailbox.list().filter(({ to }) => to !== PERSON.email && !/@pawtelier\.example/.test(to))
  expect(others.filter(({ raw }) => raw.includes(PERSON.email) || raw.includes(PERSON.name))).toEqual([])
  expect(world.mailbox.list().filter(({ raw }) => found(raw, [CARD, SECRET, ...keys()]).length > 0)).toEqual([])

  const { body: description } = await world.shopper().send<Description>('GET', '/api/openapi.json')
  const partner = world.shopper()
  await partner.send('POST', '/api/login', { username: 'partner', password: 'partner-demo' })
  const readable = Object.entries(description.paths).filter(([path, { get }]) => get && !path.includes('{'))
  for (const [path] of readable)
    for (const who of [world.shopper(), partner]) {
      const { body } = await who.send('GET', path)
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      expect(found(text, [PERSON.email, PERSON.name, PERSON.line1, SECRET, token, ...keys()]), path).toEqual([])
    }
})
