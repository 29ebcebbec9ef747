import { eq, sql } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { after, DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/time.ts'
import type { SessionId, UserId } from '#shared/ids.ts'
import { configWith } from '#sandbox/config.ts'
import { Secret } from '#server/config/secret.ts'
import { migrateSchema, openDatabase, type Database } from '#server/db/db.ts'
import { accountRequest, appUser, secondFactor, session } from '#server/accounts/schema.ts'
import { conversation } from '#server/messages/schema.ts'
import { createApp } from '#server/http/app.ts'
import type { JobQueue } from '#server/jobs/jobs.ts'
import { createShopSessions } from '../../shop.ts'
import { endIdleSessions, ensureUser } from './accounts.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { createLoginLimit } from '#server/limits/login-limit.ts'
import { accountRoutes } from './routes.ts'
import { objectionToUsername } from './usernames.ts'

const config = configWith({ RATE_LIMIT_SCALE: '1000' })
const log = pino({ level: 'silent' })
const start = new Date('2026-11-20T10:00:00Z')
let time = start
const clock = { now: () => time }

let database: Database
beforeAll(async () => {
  database = await openDatabase(undefined, 'memory://')
  await migrateSchema(database)
}, 60_000)
afterAll(() => database.close())
beforeEach(async () => {
  time = start
  await database.db.execute(sql`truncate app_user, session cascade`)
})

/** A shop with accounts only. @param scale of `RATE_LIMIT_SCALE` */
async function aShop({ scale = 1000 } = {}) {
  const shop = { database, db: database.db, clock, config: { ...config, rateLimitScale: scale }, log }
  // Tests the password limit, not the request limit.
  const app = await createApp({ ...shop, config }, createShopSessions(shop))
  const jobs = { enqueue: () => Promise.resolve() } as unknown as JobQueue
  accountRoutes(app, { ...shop, jobs })
  async function call(method: 'GET' | 'POST', path: string, body?: object, cookie = '') {
    const answer = await app.http.inject({
      method,
      url: path,
      headers: { cookie, host: '127.0.0.1' },
      ...(body && { payload: body }),
    })
    const [made] = answer.cookies
    return {
      status: answer.statusCode,
      body: answer.body ? (JSON.parse(answer.body) as Record<string, unknown>) : undefined,
      cookie: made ? `${made.name}=${made.value}` : undefined,
    }
  }
  return { shop, call, app }
}
const ada = { username: 'Ada', password: 'difference engine' }

describe('registering and signing in', () => {
  test('a new user is signed in right after registering', async () => {
    const { call } = await aShop()
    const registered = await call('POST', '/api/register', ada)
    expect(registered).toMatchObject({ status: 200, body: { username: 'Ada', isPartner: false, isOwner: false } })
    expect(await call('GET', '/api/user', undefined, registered.cookie)).toMatchObject({
      status: 200,
      body: registered.body,
    })
    expect(JSON.stringify(registered.body)).not.toContain('argon2')
  })

  test('a visitor who is not signed in gets 401', async () => {
    const { call } = await aShop()
    expect(await call('GET', '/api/user')).toMatchObject({ status: 401, body: { code: 'not_signed_in' } })
  })

  test('a username is the same in capitals and in wide letters (S47)', async () => {
    const { call } = await aShop()
    await call('POST', '/api/register', ada)
    expect(await call('POST', '/api/login', { ...ada, username: 'ＡＤＡ' })).toMatchObject({ status: 200 })
    expect(await call('POST', '/api/register', { ...ada, username: 'aDA' })).toMatchObject({
      status: 409,
      body: { code: 'username_taken' },
    })
  })

  test('a wrong password and an unknown username get the same answer (S40)', async () => {
    const { call } = await aShop()
    await call('POST', '/api/register', ada)
    const wrong = await call('POST', '/api/login', { ...ada, password: 'analytical engine' })
    const unknown = await call('POST', '/api/login', { ...ada, username: 'Grace' })
    expect(wrong).toEqual(unknown)
    expect(wrong).toMatchObject({ status: 401, body: { code: 'wrong_credentials' }, cookie: undefined })
  })

  test('when eight people register the same username at once, only one gets it (S48)', async () => {
    const { call } = await aShop()
    // With more, a slow machine would refuse the last for waiting too long.
    const answers = await Promise.all(Array.from({ length: 8 }, () => call('POST', '/api/register', ada)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body?.['code'] === 'username_taken')).toHaveLength(7)
  })

  test.each(['password1', 'PASSWORD1', 'ｑｗｅｒｔｙ', 'Ada Lovelace'])(
    'the password %s is refused as too easy to guess (S46)',
    async (password) => {
      const { call } = await aShop()
      expect(await call('POST', '/api/register', { username: 'Ada Lovelace', password })).toMatchObject({
        status: 422,
        body: { code: 'password_common', fields: { password: expect.any(String) as string } },
      })
    },
  )

  test('after twenty wrong passwords an address must wait ten minutes before it tries that account again (S39)', async () => {
    const { call } = await aShop({ scale: 1 })
    await call('POST', '/api/register', ada)
    const guess = () => call('POST', '/api/login', { ...ada, password: 'a guess' })
    // Seven at once, for the same reason.
    const atOnce = () => Promise.all(Array.from({ length: 7 }, guess))
    const answers = [...(await atOnce()), ...(await atOnce()), ...(await atOnce())]
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([...Array<number>(20).fill(401), 429])
    expect(await call('POST', '/api/login', ada)).toMatchObject({ status: 429 })
    expect(await call('POST', '/api/login', { ...ada, username: 'Grace' })).toMatchObject({ status: 401 })
    time = after(time, 10 * MINUTE_MS)
    expect(await call('POST', '/api/login', ada)).toMatchObject({ status: 200 })
  })
})

describe('password guessing', () => {
  test('guessing from many addresses is stopped too, while the user’s own browser still gets in (S39)', async () => {
    const limit = createLoginLimit({ database, clock }, 2)
    const from = (address: string) => limit.allows({ account: 'ada', address, sessionId: undefined })
    const addresses = Array.from({ length: 12 }, (_, index) => `10.0.0.${index}`)
    expect((await Promise.all(addresses.map(from))).filter(Boolean)).toHaveLength(10)
    expect(await limit.allows({ account: 'grace', address: '10.0.0.1', sessionId: undefined })).toBe(true)
    const known = 'a session' as SessionId
    expect(await limit.allows({ account: 'ada', address: '10.0.0.1', sessionId: known })).toBe(true)
  })

  test('guessing from ever more addresses does not reset the count of an account', async () => {
    const limit = createLoginLimit({ database, clock }, 2)
    const from = (account: string, address: number) =>
      limit.allows({ account, address: String(address), sessionId: undefined })
    for (let address = 0; address < 12; address += 1) await from('ada', address)
    for (let code = 0; code < 10; code += 1) await limit.allowsCode('ada')
    for (let address = 0; address < 10_001; address += 1) await from('grace', address)
    expect(await from('ada', 13)).toBe(false)
    expect(await limit.allowsCode('ada')).toBe(false)
  })

  test('all addresses of an IPv6 network share one limit', async () => {
    const { app } = await aShop({ scale: 0.05 })
    const login = async (remoteAddress: string) => {
      const payload = { ...ada, password: 'a guess' }
      const headers = { host: '127.0.0.1' }
      return (await app.http.inject({ method: 'POST', url: '/api/login', remoteAddress, headers, payload })).statusCode
    }
    expect(await login('2001:db8:0:1::1')).toBe(401)
    expect(await login('2001:db8:0:1:ffff::1')).toBe(429)
    expect(await login('2001:db8:0:2::1')).toBe(401)
  })

  test('strangers’ guesses never lock a user out of a browser where they signed in before (S39)', async () => {
    const { call } = await aShop({ scale: 0.05 })
    const { cookie } = await call('POST', '/api/register', ada)
    const { cookie: after } = await call('POST', '/api/logout', undefined, cookie)
    await call('POST', '/api/login', { ...ada, password: 'a guess' })
    expect(await call('POST', '/api/login', ada)).toMatchObject({ status: 429 })
    expect(await call('POST', '/api/login', ada, after)).toMatchObject({ status: 200 })
  })
})

describe('sessions', () => {
  test('signing in or out gives the session a new id, and the old id stops working', async () => {
    const { call } = await aShop()
    const { cookie: first } = await call('POST', '/api/register', ada)
    const { cookie: second } = await call('POST', '/api/login', ada, first)
    const { cookie: third, status } = await call('POST', '/api/logout', undefined, second)
    expect(new Set([first, second, third]).size).toBe(3)
    expect(status).toBe(204)
    for (const cookie of [first, second, third])
      expect(await call('GET', '/api/user', undefined, cookie)).toMatchObject({ status: 401 })
  })

  test('the cart and the open checkout stay when a shopper signs in or out', async () => {
    const { shop } = await aShop()
    const sessions = createShopSessions(shop)
    const before = await sessions.create()
    await database.db.execute(sql`insert into product (id, slug, name, description, collection, type, metadata, colors)
      values (1, 'hat', 'Hat', 'A hat', 'rudy', 'hat', '{}', '[]') on conflict do nothing`)
    await database.db
      .execute(sql`insert into variant (id, product_id, catalog_variant_id, position, name, unit_price_cents, availability)
      values (4900000001, 1, 1, 0, 'Hat', 2995, 'active') on conflict do nothing`)
    await database.db.execute(
      sql`insert into cart_line (session_id, variant_id, quantity) values (${before.id}, 4900000001, 2)`,
    )
    await database.db
      .execute(sql`insert into checkout (id, session_id, state, order_number, quote_hash, country, subtotal_cents,
      shipping_cents, surcharge_cents, tax_cents, vat_protection_cents, total_cents, created_at, updated_at)
      values (gen_random_uuid(), ${before.id}, 'open', 'K7QM-4T2X', 'h', 'US', 5990, 0, 0, 0, 0, 5990, now(), now())`)
    await ensureUser(shop, { ...ada, password: new Secret(ada.password), role: null, isPartner: false })
    const [user] = await database.db.select().from(appUser)
    const signedIn = await sessions.replace(before.id, user?.id ?? null)
    const signedOut = await sessions.replace(signedIn.id, null)
    const rows = await database.db.execute(
      sql`select session_id from cart_line union all select session_id from checkout`,
    )
    expect(rows.rows).toEqual([{ session_id: signedOut.id }, { session_id: signedOut.id }])
    expect(await sessions.find(before.token)).toBeUndefined()
    await database.db.execute(sql`truncate product, checkout cascade`)
  })

  test('past purchases and chats are hidden from the next user of the same browser', async () => {
    const { shop } = await aShop()
    const sessions = createShopSessions(shop)
    const [a, b] = await database.db
      .insert(appUser)
      .values(['ann', 'bob'].map((username) => ({ username, shownName: username, passwordHash: '', createdAt: start })))
      .returning()
    const guest = await sessions.create()
    await database.db
      .insert(conversation)
      .values({ sessionId: guest.id, reference: 'chat', subject: 'Chat', startedAt: start, waitingSince: start })
    await database.db
      .execute(sql`insert into checkout (id, session_id, state, order_number, quote_hash, country, subtotal_cents,
      shipping_cents, surcharge_cents, tax_cents, vat_protection_cents, total_cents, created_at, updated_at)
      values (gen_random_uuid(), ${guest.id}, 'paid', 'K7QM-4T2X', 'h', 'US', 5990, 0, 0, 0, 0, 5990, now(), now())`)
    const holders = async () =>
      (await database.db.execute(sql`select session_id from checkout union all select session_id from conversation`))
        .rows
    const first = await sessions.replace(guest.id, a?.id ?? null)
    const again = await sessions.replace(first.id, a?.id ?? null)
    expect(await holders()).toEqual([{ session_id: again.id }, { session_id: again.id }])

    // The sign-in expires; the browser's session lives on.
    time = after(start, 31 * DAY_MS)
    expect(await sessions.find(again.token)).toMatchObject({ id: again.id, user: null })
    const [lapsed, ...chats] = await holders()
    expect(lapsed).not.toEqual({ session_id: again.id })
    expect(chats).toEqual([{ session_id: null }])

    const next = await sessions.replace(again.id, a?.id ?? null)
    await database.db.execute(sql`update checkout set session_id = ${next.id}`)
    await database.db.update(conversation).set({ sessionId: next.id })
    const other = await sessions.replace(next.id, b?.id ?? null)
    for (const holder of await holders()) expect(holder).not.toEqual({ session_id: other.id })
    await database.db.execute(sql`truncate checkout, conversation cascade`)
  })

  test('changing the password does not count as a fresh sign-in', async () => {
    const { shop, call } = await aShop()
    const { cookie } = await call('POST', '/api/register', ada)
    const find = (present = '') => createShopSessions(shop).find(present.split('=')[1] ?? '')
    time = after(start, HOUR_MS)
    expect(await find(cookie)).toMatchObject({ isFresh: false })
    const change = { current: ada.password, password: 'analytical engine' }
    const changed = await call('POST', '/api/account/password', change, cookie)
    expect(changed.status).toBe(204)
    expect(await find(cookie)).toBeUndefined()
    expect(await find(changed.cookie)).toMatchObject({ user: { username: 'Ada' }, isFresh: false })
  })

  test('the database stores only a hash of a session’s token', async () => {
    const { shop } = await aShop()
    const { token, id } = await createShopSessions(shop).create()
    const rows = await database.db.select().from(session)
    expect(rows.map((row) => row.id)).toEqual([id])
    expect(id).toMatch(/^[0-9a-f]{64}$/)
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  test('a session ends after 90 days without a visit (S77)', async () => {
    const { shop } = await aShop()
    const sessions = createShopSessions(shop)
    const [idle, seen] = [await sessions.create(), await sessions.create()]
    time = after(start, 60 * DAY_MS)
    await sessions.find(seen.token)
    time = after(start, 91 * DAY_MS)
    expect(await sessions.find(idle.token)).toBeUndefined()
    expect(await sessions.find(seen.token)).toMatchObject({ id: seen.id, user: null })
  })

  test('a session ends after a year, however often the shopper came back (S77)', async () => {
    const { shop } = await aShop()
    const sessions = createShopSessions(shop)
    const { token } = await sessions.create()
    for (let days = 80; days < 365; days += 80) {
      time = after(start, days * DAY_MS)
      expect(await sessions.find(token)).toBeDefined()
    }
    time = after(start, 365 * DAY_MS)
    expect(await sessions.find(token)).toBeUndefined()
    expect(await endIdleSessions(shop)).toBe(1)
  })

  test('a user whose sign-in expired keeps their cart', async () => {
    const { shop, call } = await aShop()
    const { cookie } = await call('POST', '/api/register', ada)
    const [{ id } = { id: '' }] = await database.db.select().from(session)
    time = after(start, 31 * DAY_MS)
    for (const _ of ['once', 'and again'])
      expect(await call('GET', '/api/user', undefined, cookie)).toMatchObject({ status: 401 })
    expect(await createShopSessions(shop).find(cookie?.split('=')[1] ?? '')).toMatchObject({ id, user: null })
  })

  test('a session is extended at most once an hour', async () => {
    const { shop } = await aShop()
    const sessions = createShopSessions(shop)
    const { token, id } = await sessions.create()
    const seenAt = async () => (await database.db.select().from(session).where(eq(session.id, id)))[0]?.seenAt.getTime()
    time = after(start, HOUR_MS / 2)
    await sessions.find(token)
    expect(await seenAt()).toBe(start.getTime())
    time = after(start, 2 * HOUR_MS)
    await sessions.find(token)
    expect(await seenAt()).toBe(time.getTime())
  })
})

describe('the configured owner', () => {
  const owner = {
    username: 'owner',
    password: new Secret('owner-demo'),
    role: 'owner',
    isPartner: false,
    isDemo: true,
  } as const
  const credentials = { username: 'owner', password: 'owner-demo' }

  test('the configured owner is created once, and can sign in', async () => {
    const { shop, call } = await aShop()
    await ensureUser(shop, owner)
    const [made] = await database.db.select().from(appUser)
    await ensureUser(shop, owner)
    expect(await database.db.select().from(appUser)).toEqual([made])
    expect(await call('POST', '/api/login', credentials)).toMatchObject({ status: 200, body: { isOwner: true } })
  })

  test('an owner keeps the password they chose; the demo owner’s is reset at every start', async () => {
    const { shop, call } = await aShop()
    const configured = { ...owner, username: 'Grace', password: new Secret('the configured one'), isDemo: false }
    await ensureUser(shop, configured)
    await ensureUser(shop, { ...configured, password: new Secret('another in the environment') })
    expect(await call('POST', '/api/login', { username: 'grace', password: 'the configured one' })).toMatchObject({
      status: 200,
    })
    await ensureUser(shop, owner)
    await database.db
      .update(appUser)
      .set({ passwordHash: await hashPassword('changed by a visitor') })
      .where(eq(appUser.username, 'owner'))
    await ensureUser(shop, owner)
    expect(await call('POST', '/api/login', credentials)).toMatchObject({ status: 200 })
  })

  test('an owner who still has the demo password gets the configured one', async () => {
    const { shop, call } = await aShop()
    await ensureUser(shop, owner)
    await ensureUser(shop, { ...owner, password: new Secret('a real password'), isDemo: false })
    expect(await call('POST', '/api/login', { ...credentials, password: 'a real password' })).toMatchObject({
      status: 200,
    })
  })

  test('a stranger who had registered the owner’s username loses it and is signed out', async () => {
    const { shop, call } = await aShop()
    const { cookie } = await call('POST', '/api/register', { username: 'owner', password: 'a stranger was here' })
    await ensureUser(shop, owner)
    expect(await call('GET', '/api/user', undefined, cookie)).toMatchObject({ status: 401 })
    expect(await call('POST', '/api/login', { ...credentials, password: 'a stranger was here' })).toMatchObject({
      status: 401,
    })
    expect(await call('POST', '/api/login', credentials)).toMatchObject({ status: 200, body: { isOwner: true } })
  })

  test.each(['a stranger was here', 'owner-demo'])(
    'a stranger who had the owner’s username and the password %s has no way back in',
    async (password) => {
      const { shop, call } = await aShop()
      await ensureUser(shop, { ...owner, password: new Secret(password), role: null, isDemo: false })
      const { cookie } = await call('POST', '/api/login', { username: 'owner', password })
      await database.db.update(appUser).set({ email: 'stranger@mail.example' })
      const [{ id: userId } = { id: 0 as UserId }] = await database.db.select().from(appUser)
      const asked = { userId, createdAt: start, expiresAt: after(start, DAY_MS) }
      await database.db.insert(accountRequest).values([
        { ...asked, kind: 'password' },
        { ...asked, kind: 'email', email: 'another@mail.example' },
      ])
      await database.db.insert(secondFactor).values({ userId, secret: 's', startedAt: start, switchedOnAt: start })
      await ensureUser(shop, owner)
      expect(await database.db.select().from(appUser)).toMatchObject([{ isOwner: true, email: null }])
      expect(await database.db.select().from(accountRequest)).toEqual([])
      expect(await database.db.select().from(secondFactor)).toEqual([])
      expect(await call('GET', '/api/user', undefined, cookie)).toMatchObject({ status: 401 })
      expect(await call('POST', '/api/login', credentials)).toMatchObject({ status: 200, body: { isOwner: true } })
    },
  )
})

describe('names and passwords', () => {
  test.each(['ada', 'Ada Lovelace', 'José', 'Zoë.K-99', 'Алиса', 'さくら子', '김철수', 'user_1'])(
    '%s is accepted as a username',
    (name) => expect(objectionToUsername(name)).toBeUndefined(),
  )
  test.each([
    ...[
      ' ada',
      'ada ',
      'a  da',
      '\u00a0ada',
      'ad\u0000a',
      'a\u200bda',
      'ada\u202e',
      'pаypal',
      'ａd',
      '\u3164\u3164\u3164',
    ],
    ...['\ufdfa\ufdfa\ufdfa\ufdfa', '\u0301da', 'a\u0301\u0301\u0301\u0301da'],
  ])('%j is refused as a username (S47)', (name) => expect(objectionToUsername(name)).toBeTypeOf('string'))

  test('a refused username shows its error at its field', async () => {
    const { call } = await aShop()
    expect(await call('POST', '/api/register', { ...ada, username: 'ada\u202e' })).toMatchObject({
      status: 422,
      body: { code: 'invalid', fields: { username: 'Please use visible letters only' } },
    })
  })

  test('a password matches however the keyboard composes its letters (S45)', async () => {
    const hash = await hashPassword('caf\u00e9 noir')
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(await verifyPassword('cafe\u0301 noir', hash)).toBe(true)
    expect(await verifyPassword('cafe noir', hash)).toBe(false)
    expect(await verifyPassword('anything', undefined)).toBe(false)
  })
})
