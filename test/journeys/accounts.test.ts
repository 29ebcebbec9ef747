import { eq, isNull } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Account, SignIn } from '#contract/accounts.ts'
import { after, DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/time.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { totpCodeAt } from '#server/accounts/totp.ts'
import { accountRequest } from '#server/accounts/schema.ts'
import { qrSvg } from '#server/files/qr.ts'
import { ownerVerbs } from '../../src/owner-verbs.ts'

// From a name and a password to an account that its user can recover, and nobody else can.

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

type Somebody = ReturnType<World['shopper']>

const PASSWORD = 'sleeps on ingots'
let people = 0

async function aUser(username = `devotee-${(people += 1)}`): Promise<Somebody & { username: string }> {
  const somebody = world.shopper()
  const { status } = await somebody.send('POST', '/api/register', { username, password: PASSWORD })
  expect(status).toBe(200)
  return { ...somebody, username }
}

async function signsIn(username: string, password = PASSWORD, more: object = {}) {
  const somebody = world.shopper()
  const answer = await somebody.send('POST', '/api/login', { username, password, ...more })
  return { ...somebody, answer }
}

const account = async (somebody: Somebody) => (await somebody.send<Account>('GET', '/api/account')).body

/** The secret in the latest link emailed to an address. */
async function linkTo(email: string): Promise<string> {
  await world.settled()
  // The newest email comes first.
  const [latest] = mailsTo(email).flatMap(({ text }) => /\/(?:account|new-password)#([\w-]+)/.exec(text)?.[1] ?? [])
  return latest ?? 'no link'
}

const mailsTo = (email: string) => world.mailbox.list().filter(({ to }) => to.includes(email))

/** Adds an email address and confirms it. */
async function proves(somebody: Somebody, email: string): Promise<void> {
  await somebody.send('POST', '/api/account/email', { email, password: PASSWORD })
  const { status } = await somebody.send('POST', '/api/account/email/proof', { token: await linkTo(email) })
  expect(status).toBe(200)
}

describe('a new email address', () => {
  test('is the account’s once its link is opened there, and brings along orders made as a guest', async () => {
    const guest = world.shopper()
    const payment = await guest.paysByCard()
    const { orderId: number } = (await payment.returnsToShop()).body
    const user = await aUser()
    expect(await account(user)).toMatchObject({ email: null, unprovenEmail: null, secondFactor: 'none' })
    expect((await user.send('GET', '/api/account/orders')).body).toEqual({ orders: [], hasMore: false })
    expect((await user.send('GET', `/api/order?order=${number}`)).status).toBe(404)

    const typed = guest.customer.email.toUpperCase()
    expect((await user.send('POST', '/api/account/email', { email: typed, password: PASSWORD })).status).toBe(204)
    expect(await account(user)).toMatchObject({ email: null, unprovenEmail: guest.customer.email })
    expect((await user.send('GET', '/api/account/orders')).body).toMatchObject({ orders: [] })

    const token = await linkTo(guest.customer.email)
    const proof = await user.send('POST', '/api/account/email/proof', { token })
    expect(proof).toMatchObject({ status: 200, body: { email: guest.customer.email } })
    expect(await account(user)).toMatchObject({ email: guest.customer.email, unprovenEmail: null })
    expect((await user.send('GET', '/api/account/orders')).body).toMatchObject({
      orders: [{ orderNumber: number, total: payment.total_amount, pieces: 1 }],
      hasMore: false,
    })
    // The same view as through the order's link: the email is masked.
    const orderView = await user.send<{ email: string; isPayer: boolean }>('GET', `/api/order?order=${number}`)
    expect(orderView).toMatchObject({ status: 200, body: { isPayer: false } })
    expect(orderView.body.email).not.toBe(guest.customer.email)
    expect((await user.send('POST', '/api/account/email/proof', { token })).body).toMatchObject({
      code: 'link_expired',
    })
  })

  test('needs the password to request, and only the account that requested it can confirm it', async () => {
    const [user, stranger] = [await aUser(), await aUser()]
    const email = 'shared@mail.example'
    expect((await user.send('POST', '/api/account/email', { email, password: 'a guess' })).body).toMatchObject({
      code: 'wrong_password',
      fields: { password: 'This is not your current password' },
    })
    await user.send('POST', '/api/account/email', { email, password: PASSWORD })
    const token = await linkTo(email)
    expect((await world.shopper().send('POST', '/api/account/email/proof', { token })).status).toBe(401)
    expect((await stranger.send('POST', '/api/account/email/proof', { token })).body).toMatchObject({
      code: 'link_of_another',
    })
    expect((await user.send('POST', '/api/account/email/proof', { token })).status).toBe(200)
    await stranger.send('POST', '/api/account/email', { email, password: PASSWORD })
    const second = await linkTo(email)
    expect(second).not.toBe(token)
    expect((await stranger.send('POST', '/api/account/email/proof', { token: second })).body).toMatchObject({
      code: 'email_taken',
    })
  })

  test('has a link that expires after a day, and the request is deleted', async () => {
    const user = await aUser()
    await user.send('POST', '/api/account/email', { email: 'late@mail.example', password: PASSWORD })
    const token = await linkTo('late@mail.example')
    await world.shop.db
      .update(accountRequest)
      .set({ expiresAt: after(world.shop.clock.now(), -1) })
      .where(eq(accountRequest.email, 'late@mail.example'))
    expect((await user.send('POST', '/api/account/email/proof', { token })).status).toBe(410)
    await world.sweep()
    expect(
      await world.shop.db.select().from(accountRequest).where(eq(accountRequest.email, 'late@mail.example')),
    ).toEqual([])
  })
})

describe('a forgotten password', () => {
  test('is replaced through an emailed link that works once and ends every session', async () => {
    const user = await aUser()
    const email = `${user.username}@mail.example`
    await proves(user, email)
    expect((await world.shopper().send('POST', '/api/password-reset', { account: email })).status).toBe(204)
    const token = await linkTo(email)
    const stored = await world.shop.database.pool.query('select text_part from mail where recipient = $1', [email])
    expect(JSON.stringify(stored.rows)).not.toContain(token)

    const somebody = world.shopper()
    const choose = (password: string) => somebody.send('POST', '/api/password-reset/new', { token, password })
    expect((await choose('password')).body).toMatchObject({ code: 'password_common' })
    const both = await Promise.all([choose('dreams of gold'), choose('dreams of silver')])
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([204, 410]))
    expect((await user.send('GET', '/api/user')).status).toBe(401)
    expect((await signsIn(user.username)).answer.status).toBe(401)
    const chosen = both[0]?.status === 204 ? 'dreams of gold' : 'dreams of silver'
    expect((await signsIn(user.username, chosen)).answer.status).toBe(200)
    await world.settled()
    expect(mailsTo(email).some(({ text }) => text.includes('the password was changed'))).toBe(true)
  })

  test('is requested with the same answer and the same work, whether or not the account exists', async () => {
    const [withEmail, without] = [await aUser(), await aUser()]
    const email = `${withEmail.username}@mail.example`
    await proves(withEmail, email)
    const before = world.mailbox.list().length
    const answers = []
    for (const named of [withEmail.username, email, without.username, 'nobody-at-all', 'nobody@mail.example']) {
      const { status, body, headers } = await world.shopper().send('POST', '/api/password-reset', { account: named })
      answers.push({ status, body, headers: [...headers.keys()].filter((name) => name !== 'date') })
    }
    for (const answer of answers) expect(answer).toEqual(answers[0])
    await world.settled()
    expect(world.mailbox.list().length - before).toBe(2)
    expect(mailsTo(email).filter(({ subject }) => subject.includes('new password'))).toHaveLength(2)
    // Requests that nobody can fulfill are not stored.
    const left = await world.shop.db.select().from(accountRequest).where(isNull(accountRequest.userId))
    expect(left).toEqual([])
  })

  test('causes at most three emails an hour to an inbox', async () => {
    const user = await aUser()
    const email = `${user.username}@mail.example`
    await proves(user, email)
    for (let times = 0; times < 6; times += 1)
      await world.shopper().send('POST', '/api/password-reset', { account: user.username })
    await world.settled()
    expect(mailsTo(email).filter(({ subject }) => subject.includes('new password'))).toHaveLength(3)
  })
})

describe('a password', () => {
  test('is changed only with the current one; other browsers are signed out, and this one gets a new session', async () => {
    const user = await aUser()
    const elsewhere = await signsIn(user.username)
    const change = (current: string, password: string) =>
      user.send('POST', '/api/account/password', { current, password })
    expect((await change('a guess', 'another one')).body).toMatchObject({
      code: 'wrong_password',
      fields: { current: 'This is not your current password' },
    })
    expect((await change(PASSWORD, user.username)).body).toMatchObject({ code: 'password_common' })
    const before = user.cookie()
    expect((await change(PASSWORD, 'dreams of gold')).status).toBe(204)
    expect(user.cookie()).not.toBe(before)
    expect((await user.send('GET', '/api/user')).status).toBe(200)
    expect((await elsewhere.send('GET', '/api/user')).status).toBe(401)
    expect((await signsIn(user.username, 'dreams of gold')).answer.status).toBe(200)
  })
})

describe('the list of signed-in browsers', () => {
  test('names each browser, and can end one from elsewhere together with its cart', async () => {
    const user = await aUser()
    const phone = world.shopper()
    const firefox = 'Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0'
    const credentials = { username: user.username, password: PASSWORD }
    await phone.send('POST', '/api/login', credentials, { 'user-agent': firefox })
    await phone.adds('hat')
    const { signIns } = await account(user)
    expect(signIns.map(({ device, isThis }) => ({ device, isThis }))).toContainEqual({
      device: 'Firefox on Android',
      isThis: false,
    })
    expect(signIns.filter(({ isThis }) => isThis)).toHaveLength(1)
    const onPhone = signIns.find(({ isThis }) => !isThis) as SignIn
    expect(JSON.stringify(signIns)).not.toContain(phone.cookie().split('=')[1])

    const stranger = await aUser()
    const path = `/api/account/sign-ins/${onPhone.handle}`
    expect((await stranger.send('DELETE', path)).body).toMatchObject({ code: 'unknown_sign_in' })
    expect((await phone.send('GET', '/api/user')).status).toBe(200)
    expect((await user.send('DELETE', path)).status).toBe(204)
    expect((await phone.send('GET', '/api/user')).status).toBe(401)
    expect(await phone.cart()).toEqual([])
  })

  test('can end all the others at the same time', async () => {
    const user = await aUser()
    const others = [await signsIn(user.username), await signsIn(user.username)]
    expect((await user.send('DELETE', '/api/account/sign-ins')).status).toBe(204)
    for (const other of others) expect((await other.send('GET', '/api/user')).status).toBe(401)
    expect((await account(user)).signIns).toHaveLength(1)
  })
})

describe('the owner’s second factor', () => {
  test('is required once it is switched on; each code and recovery code works once', async () => {
    const { username, password } = await command('create', 'Grace Owner')
    const owner = await signsIn(username, password)
    expect(owner.answer.body).toMatchObject({ isOwner: true })
    const setup = await owner.send<{ secret: string; address: string; picture: string }>(
      'POST',
      '/api/account/second-factor',
    )
    expect(setup.status).toBe(200)
    const [, encoded = ''] = setup.body.picture.split('base64,')
    expect(Buffer.from(encoded, 'base64').toString()).toBe(qrSvg(setup.body.address))
    const { secret } = setup.body
    const now = () => totpCodeAt(secret, world.shop.clock.now())
    // Setup has started, but the second factor is not on yet.
    expect((await signsIn(username, password)).answer.status).toBe(200)
    expect((await owner.send('POST', '/api/account/second-factor/on', { code: '000000' })).body).toMatchObject({
      code: 'wrong_code',
      fields: { code: 'This code is wrong or was already used' },
    })
    const first = now()
    const on = await owner.send<{ recoveryCodes: string[] }>('POST', '/api/account/second-factor/on', { code: first })
    expect(on.body.recoveryCodes).toHaveLength(10)
    expect((await owner.send('POST', '/api/account/second-factor')).body).toMatchObject({ code: 'second_factor_on' })
    expect(await account(owner)).toMatchObject({ secondFactor: 'on', recoveryCodesLeft: 10 })

    expect((await signsIn(username, password)).answer.body).toMatchObject({ code: 'code_needed' })
    // Without the password, nobody learns that there is a second factor.
    expect((await signsIn(username, 'a guess', { code: first })).answer.body).toMatchObject({
      code: 'wrong_credentials',
    })
    expect((await signsIn(username, password, { code: first })).answer.body).toMatchObject({ code: 'wrong_code' })
    await world.advance(MINUTE_MS)
    const code = now()
    const twice = await Promise.all([signsIn(username, password, { code }), signsIn(username, password, { code })])
    expect(new Set(twice.map(({ answer }) => answer.status))).toEqual(new Set([200, 401]))

    const [recovery = ''] = on.body.recoveryCodes
    expect((await signsIn(username, password, { code: recovery.toLowerCase() })).answer.status).toBe(200)
    expect((await signsIn(username, password, { code: recovery })).answer.body).toMatchObject({ code: 'wrong_code' })
    expect((await account(owner)).recoveryCodesLeft).toBe(9)
    const rows = await world.shop.database.pool.query('select code_hash from recovery_code')
    expect(JSON.stringify(rows.rows)).not.toContain(on.body.recoveryCodes[1])

    // After a quarter of an hour, serious changes need the password again, and the code.
    await world.advance(HOUR_MS)
    expect((await owner.send('POST', '/api/account/recovery-codes')).body).toMatchObject({ code: 'password_needed' })
    const confirm = (given: object) => owner.send('POST', '/api/account/confirm', given)
    expect((await confirm({ password: 'a guess' })).body).toMatchObject({ code: 'wrong_password' })
    expect((await confirm({ password })).body).toMatchObject({ code: 'code_needed' })
    expect((await confirm({ password, code: now() })).status).toBe(204)
    const renewed = await owner.send<{ recoveryCodes: string[] }>('POST', '/api/account/recovery-codes')
    expect(renewed.body.recoveryCodes).not.toContain(on.body.recoveryCodes[1])
    expect((await signsIn(username, password, { code: on.body.recoveryCodes[1] })).answer.status).toBe(401)

    // The user lost both the password and the app.
    const again = await command('password', username, '--without-second-factor')
    expect((await owner.send('GET', '/api/user')).status).toBe(401)
    const back = await signsIn(username, again.password)
    expect(back.answer.status).toBe(200)
    expect((await back.send('POST', '/api/account/recovery-codes')).body).toMatchObject({ code: 'second_factor_off' })
    expect((await back.send('POST', '/api/account/second-factor/off')).status).toBe(204)
  })

  test('locks after ten wrong codes in ten minutes, no matter where they come from', async () => {
    const { username, password } = await command('create', 'Cora Codes')
    const owner = await signsIn(username, password)
    const { secret } = (await owner.send<{ secret: string }>('POST', '/api/account/second-factor')).body
    const code = () => totpCodeAt(secret, world.shop.clock.now())
    await owner.send('POST', '/api/account/second-factor/on', { code: code() })
    for (let wrong = 0; wrong < 10; wrong += 1)
      expect((await signsIn(username, password, { code: '000000' })).answer.status).toBe(401)
    await world.advance(MINUTE_MS)
    expect((await signsIn(username, password, { code: code() })).answer.status).toBe(429)
    await world.advance(10 * MINUTE_MS)
    expect((await signsIn(username, password, { code: code() })).answer.status).toBe(200)
  })

  test('is off for the demo’s owner, and required of every other owner', async () => {
    const demo = await signsIn('owner', 'owner-demo')
    expect((await demo.send('POST', '/api/account/second-factor')).body).toMatchObject({ code: 'demo_account' })
    expect((await (await aUser()).send('POST', '/api/account/second-factor')).status).toBe(403)
  })
})

describe('the owner’s commands', () => {
  test('create an owner, set a new password, and log both', async () => {
    const made = await command('create', 'Ophelia')
    expect(made).toMatchObject({ created: 'Ophelia' })
    expect((await signsIn('ophelia', made.password)).answer.body).toMatchObject({ isOwner: true })
    await expect(command('create', 'OPHELIA')).rejects.toThrow('The user OPHELIA already exists.')
    await expect(command('create', 'оphelia')).rejects.toThrow('letters from one alphabet')
    await expect(command('create')).rejects.toThrow('Usage: npm run owner -- create NAME')
    await expect(command('create', 'Bea', '--role', 'boss')).rejects.toThrow('owner|books|fulfillment|support')
    const { password: ofBooks } = await command('create', 'Bea', '--role', 'books')
    expect((await signsIn('bea', ofBooks)).answer.body).toMatchObject({ isOwner: false, role: 'books' })
    await expect(command('password', 'nobody-here')).rejects.toThrow('There is no user nobody-here.')

    const user = await aUser()
    const { password } = await command('password', user.username)
    expect((await user.send('GET', '/api/user')).status).toBe(401)
    expect((await signsIn(user.username, password)).answer.status).toBe(200)
    const owner = await signsIn('owner', 'owner-demo')
    const log = await owner.send<{ actions: { who: string; what: string }[] }>('GET', '/api/admin/log')
    expect(log.body.actions.slice(0, 3)).toMatchObject([
      { who: 'command', what: 'set a new password' },
      { who: 'command', what: 'added a person' },
      { who: 'command', what: 'made an owner' },
    ])
    expect(JSON.stringify(log.body)).not.toContain(password)
  })

  test('refuse an owner’s password shorter than twelve characters', async () => {
    const { username, password } = await command('create', 'Short Owner')
    const owner = await signsIn(username, password)
    const change = (wanted: string) =>
      owner.send('POST', '/api/account/password', { current: password, password: wanted })
    expect(await change('elevenchars')).toMatchObject({
      status: 422,
      body: { fields: { password: 'Passwords of people who work here must be at least 12 characters' } },
    })
    expect((await change('twelve chars')).status).toBe(204)
  })
})

test('the owner’s session ends overnight, a shopper’s does not', async () => {
  const [user, owner] = [await aUser(), await signsIn('owner', 'owner-demo')]
  await world.advance(DAY_MS)
  expect((await owner.send('GET', '/api/user')).status).toBe(401)
  expect((await user.send('GET', '/api/user')).status).toBe(200)
})

/** Does the same as `npm run owner --`. */
async function command(...args: string[]): Promise<{ username: string; password: string; created?: string }> {
  const { shop } = world
  const answer = (await ownerVerbs(shop.database, async () => shop)(args)) as { created?: string; password: string }
  return { username: args[1] ?? '', ...answer }
}
