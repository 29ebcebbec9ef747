import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownerVerbs } from '../../src/owner-verbs.ts'
import { DAY_MS, MINUTE_MS } from '#shared/time.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { totpCodeAt } from '#server/accounts/totp.ts'

// People who work here: invited, with a second factor, with limits, and gone at once. Each starts with an owner who is not the demo's.

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

type Somebody = ReturnType<World['shopper']>

const PASSWORD = 'naps on warm ledgers'
let count = 0
const unique = (word: string) => `${word}-${(count += 1)}`

async function signsIn(username: string, password: string): Promise<Somebody> {
  const somebody = world.shopper()
  expect((await somebody.send('POST', '/api/login', { username, password })).status).toBe(200)
  return somebody
}

type Listed = {
  people: { id: number; username: string; role: string; hasSecondFactor: boolean }[]
  invitations: { id: number; email: string }[]
}
const listed = async (owner: Somebody) => (await owner.send<Listed>('GET', '/api/admin/people')).body
const idOf = async (owner: Somebody, username: string) =>
  (await listed(owner)).people.find((person) => person.username === username)?.id ?? 0

/** Made by command, as the first one is. */
async function anOwner(): Promise<Somebody & { username: string; id: number }> {
  const username = unique('owner')
  const { shop } = world
  const made = await ownerVerbs(shop.database, async () => shop)(['create', username])
  const { password } = made as { password: string }
  const owner = await signsIn(username, password)
  return { ...owner, username, id: await idOf(owner, username) }
}

async function linkTo(email: string): Promise<string> {
  await world.settled()
  const mails = world.mailbox.list().filter(({ to }) => to.includes(email))
  return mails.flatMap(({ text }) => /\/invitation#([\w-]+)/.exec(text)?.[1] ?? [])[0] ?? 'no link'
}

const accepts = (somebody: Somebody, token: string, username: string, password = PASSWORD) =>
  somebody.send<{ role: string; needsSecondFactor: boolean }>('POST', '/api/invitation', { token, username, password })

/** Invited and accepted, with the second factor on where the role requires it. */
async function hires(
  owner: Somebody,
  role: string,
): Promise<Somebody & { username: string; id: number; secret: string }> {
  const username = unique(role)
  const email = `${username}@example.com`
  expect((await owner.send('POST', '/api/admin/people/invitations', { email, role })).status).toBe(200)
  const person = world.shopper()
  const { status, body } = await accepts(person, await linkTo(email), username)
  expect(status).toBe(200)
  const secret = body.needsSecondFactor ? await setsUpSecondFactor(person) : ''
  return { ...person, username, secret, id: await idOf(owner, username) }
}

async function setsUpSecondFactor(person: Somebody): Promise<string> {
  const { secret } = (await person.send<{ secret: string }>('POST', '/api/account/second-factor')).body
  const code = totpCodeAt(secret, world.shop.clock.now())
  expect((await person.send('POST', '/api/account/second-factor/on', { code })).status).toBe(200)
  return secret
}

describe('an invitation', () => {
  test('makes one account, however often it is accepted; the admin opens after the second factor; the log names person and role', async () => {
    const owner = await anOwner()
    const email = `${unique('sam')}@example.com`
    const invite = () => owner.send('POST', '/api/admin/people/invitations', { email, role: 'support' })
    expect((await invite()).status).toBe(200)
    expect((await invite()).body).toMatchObject({ code: 'already_invited' })
    const token = await linkTo(email)
    const look = await world.shopper().send('POST', '/api/invitation/look', { token })
    expect(look.body).toEqual({ email, role: 'support', invitedBy: owner.username, username: null })
    const { rows } = await world.shop.database.pool.query('select * from account_link')
    expect(JSON.stringify(rows)).not.toContain(token)

    const short = await accepts(world.shopper(), token, unique('sam'), 'too short')
    expect(short).toMatchObject({
      status: 422,
      body: { fields: { password: expect.stringContaining('12') as string } },
    })
    const attempts = [1, 2, 3].map(() => ({ somebody: world.shopper(), username: unique('sam') }))
    const answers = await Promise.all(attempts.map(({ somebody, username }) => accepts(somebody, token, username)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410, 410])
    expect((await listed(owner)).people.filter(({ username }) => username.startsWith('sam-'))).toHaveLength(1)

    const won = attempts[answers.findIndex(({ status }) => status === 200)]
    const sam = won?.somebody ?? world.shopper()
    expect((await sam.send('GET', '/api/admin/conversations')).body).toMatchObject({ code: 'second_factor_needed' })
    await setsUpSecondFactor(sam)
    expect((await sam.send('GET', '/api/admin/conversations')).status).toBe(200)
    expect((await sam.send('GET', '/api/reports/summary')).body).toMatchObject({
      code: 'not_allowed',
      message: 'Your account doesn’t have access to this. This is for Owner and Books.',
    })
    await sam.send('POST', '/api/admin/saved-replies', { title: 'Hello', words: 'Hello, {first-name}.' })
    const log = await owner.send<{ actions: object[] }>('GET', '/api/admin/log')
    expect(log.body.actions[0]).toMatchObject({ who: won?.username, role: 'support' })
    expect(JSON.stringify(log.body.actions)).not.toContain(email)
  })

  test('stops working when it is sent again, withdrawn, a week old, or its owner is gone', async () => {
    const owner = await anOwner()
    const opens = async (token: string) =>
      (await world.shopper().send('POST', '/api/invitation/look', { token })).status
    const invites = async (from: Somebody) => {
      const email = `${unique('kim')}@example.com`
      await from.send('POST', '/api/admin/people/invitations', { email, role: 'books' })
      const found = (await listed(from)).invitations.find((invitation) => invitation.email === email)
      return { email, id: found?.id ?? 0, token: await linkTo(email) }
    }
    const again = await invites(owner)
    expect((await owner.send('POST', `/api/admin/people/invitations/${again.id}/resend`)).status).toBe(200)
    expect(await opens(again.token)).toBe(410)
    const fresh = await linkTo(again.email)
    expect(await opens(fresh)).toBe(200)

    const withdrawn = await invites(owner)
    expect((await owner.send('DELETE', `/api/admin/people/invitations/${withdrawn.id}`)).status).toBe(200)
    expect(await opens(withdrawn.token)).toBe(410)

    const other = await anOwner()
    const orphan = await invites(other)
    expect((await owner.send('DELETE', `/api/admin/people/${other.id}`)).status).toBe(200)
    expect(await opens(orphan.token)).toBe(410)

    await world.advance(7 * DAY_MS)
    expect(await opens(fresh)).toBe(410)
  })

  test('gives an account that has the email the role, and ends its other sign-ins', async () => {
    const owner = await anOwner()
    const person = await hires(owner, 'books')
    expect((await owner.send('DELETE', `/api/admin/people/${person.id}`)).status).toBe(200)
    const customer = await signsIn(person.username, PASSWORD)
    const email = `${person.username}@example.com`
    await owner.send('POST', '/api/admin/people/invitations', { email, role: 'fulfillment' })
    const token = await linkTo(email)
    expect((await world.shopper().send('POST', '/api/invitation/look', { token })).body).toMatchObject({
      username: person.username,
    })
    const back = world.shopper()
    expect((await accepts(back, token, 'ignored-name', 'naps on cold ledgers')).body).toMatchObject({
      username: person.username,
      role: 'fulfillment',
    })
    expect((await customer.send('GET', '/api/user')).status).toBe(401)
  })
})

test('somebody who is removed or gets another role is signed out at once, everywhere', async () => {
  const owner = await anOwner()
  for (const act of [
    (id: number) => owner.send('PUT', `/api/admin/people/${id}/role`, { role: 'books' }),
    (id: number) => owner.send('DELETE', `/api/admin/people/${id}`),
  ]) {
    const person = await hires(owner, 'support')
    expect((await person.send('GET', '/api/admin')).status).toBe(200)
    expect((await act(person.id)).status).toBe(200)
    expect((await person.send('GET', '/api/admin')).status).toBe(401)
  }
})

describe('owners', () => {
  test('who remove or demote each other at the same time always leave one', async () => {
    for (let round = 0; round < 3; round += 1) {
      const [first, second] = [await anOwner(), await anOwner()]
      // Alone: everybody else who owns this shop.
      await world.shop.database.pool.query(
        `update app_user set role = null where role = 'owner' and id not in (${first.id}, ${second.id})`,
      )
      const answers = await Promise.all([
        first.send('DELETE', `/api/admin/people/${second.id}`),
        second.send('PUT', `/api/admin/people/${first.id}/role`, { role: 'books' }),
      ])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      const { rows } = await world.shop.database.pool.query<{ id: number }>(
        `select id from app_user where role = 'owner'`,
      )
      expect(rows).toHaveLength(1)
      const [last] = [first, second].filter(({ id }) => id === rows[0]?.id)
      for (const answer of [
        await last?.send('DELETE', `/api/admin/people/${last.id}`),
        await last?.send('PUT', `/api/admin/people/${last.id}/role`, { role: 'support' }),
      ])
        expect(answer).toMatchObject({ status: 409, body: { code: 'last_owner' } })
    }
  })

  test('cannot require a second factor of owners that they don’t have themselves', async () => {
    const [owner, other] = [await anOwner(), await anOwner()]
    const require = () =>
      owner.send('PUT', '/api/admin/people/roles/owner', {
        ...{ requiresSecondFactor: true, refundOrderMax: null, refundDayMax: null },
      })
    expect((await require()).body).toMatchObject({ code: 'own_second_factor_first' })
    await setsUpSecondFactor(owner)
    expect((await require()).status).toBe(200)
    expect((await other.send('GET', '/api/admin/orders')).body).toMatchObject({ code: 'second_factor_needed' })
    await world.shop.database.pool.query(`update staff_role set requires_second_factor = false where role = 'owner'`)
  })
})

test('refunds of a role with limits stay within them, also when pressed at the same time', async () => {
  const owner = await anOwner()
  await owner.send('PUT', '/api/admin/people/roles/support', {
    ...{ requiresSecondFactor: true, refundOrderMax: 1500, refundDayMax: 2000 },
  })
  const support = await hires(owner, 'support')
  const orders: string[] = []
  for (let order = 0; order < 3; order += 1) {
    const guest = world.shopper()
    orders.push((await (await guest.paysByCard()).returnsToShop()).body.orderId ?? 'no order')
  }
  await world.settled()
  const refund = async (who: Somebody, order: string | undefined, amount: number) => {
    const url = `/api/admin/orders/${order}/refund`
    const wanted = { kind: 'amount', amount }
    const { limit } = (await who.send<{ limit: number }>('POST', `${url}/preview`, { wanted })).body
    return who.send<{ code?: string; message?: string }>('POST', url, { wanted, amount, limit, reason: 'late' })
  }
  expect((await refund(support, orders[0], 1600)).body).toMatchObject({
    code: 'over_refund_limit',
    message:
      'Your role can refund $15.00 of this order now: at most $15.00 an order, and $20.00 in 24 hours. Please ask an owner for more. Nothing was refunded.',
  })
  // Together they would be over the day's limit: different orders, one person.
  const pressed = await Promise.all([refund(support, orders[0], 1200), refund(support, orders[1], 1200)])
  expect(pressed.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403])
  expect((await refund(owner, orders[2], 1600)).status).toBe(200)
  expect((await refund(support, orders[2], 800)).status).toBe(200)
  await world.advance(DAY_MS + MINUTE_MS)
  const later = world.shopper()
  const code = totpCodeAt(support.secret, world.shop.clock.now())
  await later.send('POST', '/api/login', { username: support.username, password: PASSWORD, code })
  expect((await refund(later, orders[2], 800)).body).toMatchObject({ code: 'over_refund_limit' })
  expect((await refund(later, orders[2], 700)).status).toBe(200)
})
