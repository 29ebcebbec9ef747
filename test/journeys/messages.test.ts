import { afterAll, beforeAll, expect, test } from 'vitest'
import { label } from '#site/label.ts'
import { HOUR_MS, MINUTE_MS } from '#shared/time.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { mailChat } from '#server/messages/chat.ts'
import { sendIssue } from '#server/messages/issues.ts'
import { mailSubscribers } from '#server/messages/newsletter.ts'
import { watchMessages } from '#server/messages/watch-messages.ts'

let world: World
let owner: ReturnType<World['shopper']>
beforeAll(async () => {
  world = await openWorld()
  owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
})
afterAll(() => world[Symbol.asyncDispose]())

const subscribe = (email: string, as = world.shopper()) => as.send('POST', '/api/newsletter', { email, name: 'Ada' })
const mailTo = (email: string, words: string) =>
  world.mailbox.arrival(({ to, subject }) => to === email && subject.includes(words))
const tokenIn = (text: string) => /newsletter\?token=([\w-]+)/.exec(text)?.[1] ?? ''
const press = (fields: Record<string, string>, origin = world.address) =>
  fetch(`${world.address}/newsletter`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields),
  })

type Subscriber = { id: number; email: string; state: string }
const subscriberOf = async (email: string) => {
  const { body } = await owner.send<{ subscribers: Subscriber[] }>('GET', '/api/admin/subscribers')
  return body.subscribers.find((subscriber) => subscriber.email === email)
}

test('nobody is subscribed to the newsletter without confirming', async () => {
  expect((await subscribe('Twice@mail.example')).body).toEqual({ success: true })
  expect(await subscriberOf('twice@mail.example')).toMatchObject({ state: 'asked' })
  const mail = await mailTo('twice@mail.example', 'Please confirm')
  const token = tokenIn(mail.text)
  // Mail scanners follow every link, so opening it confirms nothing.
  await fetch(`${world.address}/newsletter?token=${token}`)
  expect(await subscriberOf('twice@mail.example')).toMatchObject({ state: 'asked' })

  const confirmation = await press({ wish: 'confirm', token })
  expect([confirmation.status, confirmation.headers.get('location')]).toEqual([303, '/newsletter?said=confirmed'])
  expect(await subscriberOf('twice@mail.example')).toMatchObject({ state: 'subscribed' })
  await press({ wish: 'confirm', token })
  await mailTo('twice@mail.example', 'Welcome')
  await world.settled()
  expect(
    world.mailbox.list().filter(({ to, subject }) => to === 'twice@mail.example' && subject.startsWith('Welcome')),
  ).toHaveLength(1)

  await mailSubscribers(world.shop)
  await mailSubscribers(world.shop)
  const ownerMail = await mailTo(label.supportEmail, 'new subscriber')
  expect(ownerMail.text).toContain('Ada <twice@mail.example>')
})

test('an email program unsubscribes with one click, and subscribing again asks for confirmation again', async () => {
  await subscribe('leaver@mail.example')
  const first = await mailTo('leaver@mail.example', 'Please confirm')
  await press({ wish: 'confirm', token: tokenIn(first.text) })
  const { raw } = await mailTo('leaver@mail.example', 'Welcome')
  const unfoldedMail = raw.replace(/\r?\n\s+/g, ' ')
  expect(unfoldedMail).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m)
  const address = /^List-Unsubscribe:\s*<([^>]+)>/m.exec(unfoldedMail)?.[1] ?? ''
  expect(address).toContain('/newsletter/unsubscribe?token=')

  // Opening the page does nothing; only the POST unsubscribes, without cookie, origin or page (RFC 8058).
  await fetch(address.replace('/unsubscribe', ''))
  expect(await subscriberOf('leaver@mail.example')).toMatchObject({ state: 'subscribed' })
  const form = new FormData()
  form.set('List-Unsubscribe', 'One-Click')
  for (const body of [form, new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })])
    expect((await fetch(address, { method: 'POST', body, redirect: 'manual' })).status).toBe(200)
  expect(await subscriberOf('leaver@mail.example')).toMatchObject({ state: 'left' })

  await world.advance(HOUR_MS)
  await subscribe('leaver@mail.example')
  const again = await world.mailbox.arrival(
    ({ to, subject, messageId }) =>
      to === 'leaver@mail.example' && subject.includes('Please confirm') && messageId !== first.messageId,
  )
  await press({ wish: 'confirm', token: tokenIn(again.text) })
  expect(await subscriberOf('leaver@mail.example')).toMatchObject({ state: 'subscribed' })
  await press({ wish: 'leave', token: tokenIn(again.text) })
  expect(await subscriberOf('leaver@mail.example')).toMatchObject({ state: 'left' })
})

test('the answer never reveals whether an address is known, and an address gets one email an hour', async () => {
  const answers = [await subscribe('again@mail.example'), await subscribe('AGAIN@mail.example')]
  const { text } = await mailTo('again@mail.example', 'Please confirm')
  await press({ wish: 'confirm', token: tokenIn(text) })
  await world.advance(HOUR_MS)
  answers.push(await subscribe('again@mail.example'), await subscribe('never-seen@mail.example'))
  expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1)
  await mailTo('never-seen@mail.example', 'Please confirm')
  await world.settled()
  const confirmations = world.mailbox
    .list()
    .filter(({ to, subject }) => to === 'again@mail.example' && subject.includes('confirm'))
  expect(confirmations).toHaveLength(1)
})

test.each([
  ['an invalid address', { email: 'nobody' }, 'email'],
  ['two addresses', { email: 'a@mail.example,b@mail.example' }, 'email'],
  ['no address', {}, 'email'],
  ['a header in the name', { email: 'a@mail.example', name: 'A\r\nBcc: b@mail.example' }, 'name'],
])('%s is no valid subscription', async (_, body, field) => {
  expect(await world.shopper().send('POST', '/api/newsletter', body)).toMatchObject({
    status: 422,
    body: { fields: { [field]: expect.any(String) } },
  })
})

test('a link that was never sent, and a form of another site, unsubscribe nobody', async () => {
  const unknown = await press({ wish: 'leave', token: 'invented' })
  expect(unknown.headers.get('location')).toBe('/newsletter?said=unknown_subscriber')
  expect((await fetch(`${world.address}/newsletter/unsubscribe?token=invented`, { method: 'POST' })).status).toBe(404)
  expect((await fetch(`${world.address}/newsletter/unsubscribe`, { method: 'POST' })).status).toBe(404)
  expect((await press({ email: 'x@mail.example' }, 'https://evil.example')).status).toBe(403)
  expect((await press({ email: 'not an address' })).headers.get('location')).toBe('/newsletter?said=invalid')
  expect((await press({ email: 'plain-form@mail.example' })).headers.get('location')).toBe('/newsletter?said=asked')
})

test('the owner ends a subscription for somebody, and the log contains no address', async () => {
  await subscribe('by-phone@mail.example')
  const id = (await subscriberOf('by-phone@mail.example'))?.id
  expect((await owner.send('POST', `/api/admin/subscribers/${id}/leave`)).status).toBe(200)
  expect(await subscriberOf('by-phone@mail.example')).toMatchObject({ state: 'left' })
  expect((await owner.send('POST', '/api/admin/subscribers/999999/leave')).status).toBe(404)
  const { body } = await owner.send('GET', '/api/admin/log')
  expect(JSON.stringify(body)).toContain('ended a subscription')
  expect(JSON.stringify(body)).not.toContain('by-phone@mail.example')
})

type Line = { id: number; author: string; message: string }
type Row = { id: number; state: string; subject: string; preview: string }
type Thread = {
  version: number
  state: string
  email: string | null
  reaches: { email: boolean; chat: boolean }
  messages: { author: string; words: string }[]
}
const saidBy = async (person: ReturnType<World['shopper']>, after?: number) =>
  (await person.send<{ messages: Line[]; hasEmail: boolean }>('GET', `/api/chat${after ? `?after=${after}` : ''}`)).body
type Page = { conversations: Row[]; next: string | null; waiting: number; unread: number }
const inbox = async (next: string | null = null) =>
  (await owner.send<Page>('GET', `/api/admin/conversations${next ? `?after=${next}` : ''}`)).body
const threadOf = async (id: number | undefined) =>
  (await owner.send<Thread>('GET', `/api/admin/conversations/${id}`)).body
const chatWith = async (words: string) => (await inbox()).conversations.find(({ preview }) => preview.includes(words))
const answers = async (id: number | undefined, words: string) => {
  const { version } = await threadOf(id)
  return owner.send('POST', `/api/admin/conversations/${id}/answer`, { words, version })
}

test('a visitor’s chat message reaches the owner in one email, and the reply appears in the same chat', async () => {
  const visitor = world.shopper()
  expect(await saidBy(visitor)).toEqual({ messages: [], hasEmail: false })
  expect(visitor.cookie()).toBe('')
  await visitor.send('POST', '/api/chat', { message: 'Is the nightcap warm?' })
  await visitor.send('POST', '/api/chat', { message: 'My card is 4242 4242 4242 4242' })
  const chat = await chatWith('My card')
  expect(chat).toMatchObject({ state: 'waiting' })
  expect(await threadOf(chat?.id)).toMatchObject({ email: null, reaches: { email: false, chat: true } })
  await mailChat(world.shop, chat?.id ?? 0)
  await mailChat(world.shop, chat?.id ?? 0)
  const mail = await world.mailbox.arrival(({ text }) => text.includes('Is the nightcap warm?'))
  expect(mail).toMatchObject({ to: label.supportEmail, subject: `Chat ${chat?.id}: 2 new messages` })
  expect(mail.text).toContain('My card is •••• 4242')
  await world.settled()
  expect(world.mailbox.list().filter(({ subject }) => subject.startsWith(`Chat ${chat?.id}:`))).toHaveLength(1)

  await answers(chat?.id, 'As warm as a dog.')
  const { messages } = await saidBy(visitor)
  expect(messages.map(({ author, message }) => [author, message])).toEqual([
    ['visitor', 'Is the nightcap warm?'],
    ['visitor', 'My card is •••• 4242'],
    ['shop', 'As warm as a dog.'],
  ])
  expect((await saidBy(visitor, messages[1]?.id)).messages).toMatchObject([{ author: 'shop' }])
  expect(await threadOf(chat?.id)).toMatchObject({ state: 'answered' })
  expect((await saidBy(world.shopper())).messages).toEqual([])
})

test('a reply is also emailed if the visitor left an address', async () => {
  const visitor = world.shopper()
  await visitor.send('POST', '/api/chat', { message: 'Do you ship to the moon?', email: 'moon@mail.example' })
  expect(await saidBy(visitor)).toMatchObject({ hasEmail: true })
  const chat = await chatWith('moon')
  await answers(chat?.id, 'Not yet.')
  await mailChat(world.shop, chat?.id ?? 0)
  const mail = await mailTo('moon@mail.example', 'Our reply')
  expect(mail.text).toContain('Not yet.')
})

test('a conversation continues when its visitor signs in, and stays behind when they sign out', async () => {
  const visitor = world.shopper()
  await visitor.send('POST', '/api/chat', { message: 'Before I sign in' })
  await visitor.send('POST', '/api/register', { username: 'chatty-person', password: 'a long enough secret' })
  expect((await saidBy(visitor)).messages).toHaveLength(1)
  await visitor.send('POST', '/api/logout')
  expect((await saidBy(visitor)).messages).toEqual([])
  const left = await chatWith('Before I sign in')
  expect(await threadOf(left?.id)).toMatchObject({ state: 'waiting', reaches: { email: false, chat: false } })
  expect(await answers(left?.id, 'Hello?')).toMatchObject({ status: 409, body: { code: 'nobody_to_answer' } })
})

test('a newsletter goes once to each subscriber, even if sending is interrupted, and everybody can unsubscribe with one click', async () => {
  const subscribed = async (email: string) => {
    await subscribe(email)
    await press({ wish: 'confirm', token: tokenIn((await mailTo(email, 'Please confirm')).text) })
  }
  for (const name of ['one', 'two']) await subscribed(`${name}@letters.example`)
  await subscribe('unsure@letters.example')
  const letter = { subject: 'Rudy sleeps elsewhere', body: 'He found a sofa.\n\nIt is on a mug now.' }
  expect((await owner.send('POST', '/api/admin/issues', { ...letter, button: 'See it' })).status).toBe(422)
  expect(
    (await owner.send('POST', '/api/admin/issues', { ...letter, button: 'x', path: '//evil.example' })).status,
  ).toBe(422)
  const { body } = await owner.send<{ id: number }>('POST', '/api/admin/issues', letter)
  const path = `/api/admin/issues/${body.id}`
  const whole = { ...letter, button: 'See the mug', path: '/products' }
  expect((await owner.send('PUT', path, whole)).status).toBe(200)
  expect((await owner.send('POST', `${path}/preview`)).status).toBe(200)
  expect((await mailTo(label.businessEmail, `Preview: ${letter.subject}`)).text).toContain('He found a sofa.')

  // The first subscriber's email is queued, and then the machine crashes.
  await world.shop.database.pool.query(
    `update newsletter_issue set state = 'sending', begun_at = now() + interval '1 minute' where id = $1`,
    [body.id],
  )
  await sendIssue(world.shop, body.id)
  await world.shop.database.pool.query(
    `update newsletter_issue set state = 'draft', reached_id = 0, sent_to = 0, paced_at = null where id = $1`,
    [body.id],
  )
  expect((await owner.send('POST', `${path}/send`)).status).toBe(200)
  expect((await owner.send('POST', `${path}/send`)).status).toBe(409)
  expect((await owner.send('PUT', path, whole)).status).toBe(409)
  await world.settled()
  await sendIssue(world.shop, body.id)
  await world.settled()
  const got = world.mailbox.list().filter(({ subject }) => subject === letter.subject)
  const to = got.map((mail) => mail.to).filter((address) => address.endsWith('@letters.example'))
  expect(to.toSorted()).toEqual(['one@letters.example', 'two@letters.example'])
  expect((await owner.send('GET', '/api/admin/issues')).body).toMatchObject({
    issues: [{ id: body.id, state: 'sent', sentTo: got.length }],
  })

  const mail = got.find((letter) => letter.to === 'two@letters.example')
  expect(mail?.text).toContain(`See the mug: ${world.address}/products`)
  expect(mail?.text).not.toContain('{link-token}')
  const unfoldedMail = mail?.raw.replace(/\r?\n\s+/g, ' ') ?? ''
  expect(unfoldedMail).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m)
  const leave = /^List-Unsubscribe:\s*<([^>]+)>/m.exec(unfoldedMail)?.[1] ?? ''
  await fetch(leave, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) })
  expect(await subscriberOf('two@letters.example')).toMatchObject({ state: 'left' })
})

test('a chat message whose job was lost is emailed all the same', async () => {
  await world.shopper().send('POST', '/api/chat', { message: 'Is anybody there at all?' })
  await world.shop.database.pool.query(`delete from pgboss.job where name = 'mail-conversation'`)
  await world.advance(11 * MINUTE_MS)
  await watchMessages(world.shop)
  const { rows } = await world.shop.database.pool.query(`select 1 from pgboss.job where name = 'mail-conversation'`)
  expect(rows.length).toBeGreaterThan(0)
})

test.each([
  ['nothing', { message: '   ' }, 'message'],
  ['too much', { message: 'x'.repeat(1001) }, 'message'],
  ['a control character', { message: 'a\u0000b' }, 'message'],
  ['a list of addresses', { message: 'Hello', email: 'a@mail.example; b@mail.example' }, 'email'],
])('%s is refused in the chat', async (_, body, field) => {
  const visitor = world.shopper()
  expect(await visitor.send('POST', '/api/chat', body)).toMatchObject({
    status: 422,
    body: { fields: { [field]: expect.any(String) } },
  })
  expect((await saidBy(visitor)).messages).toEqual([])
})

test('the longest-waiting conversation tops the inbox, and a reply between two pages skips nobody', async () => {
  const { pool } = world.shop.database
  // They started at different times; two of them have waited equally long.
  await pool.query(`insert into conversation (reference, subject, started_at, waiting_since)
    select 'waits' || i, 'Chat', now(), timestamptz '2020-01-02' - greatest(i, 2) * interval '1 hour' from generate_series(1, 33) as i`)
  await pool.query(`insert into conversation (reference, subject, started_at, state)
    values ('a', 'Chat', now(), 'answered'), ('b', 'Chat', now(), 'closed')`)
  const { rows } = await pool.query<{ id: number; waits: boolean }>(`
    select id, waiting_since is not null as waits from conversation
    order by waiting_since is null, waiting_since, case when waiting_since is null then -id else id end`)
  const first = await inbox()
  expect(first.waiting).toBe(rows.filter(({ waits }) => waits).length)
  const ids = first.conversations.map(({ id }) => id)
  await owner.send('POST', `/api/admin/conversations/${ids.at(-1)}/close`, { version: 1 })
  for (let { next } = first; next;) {
    const page = await inbox(next)
    ids.push(...page.conversations.map(({ id }) => id))
    next = page.next
  }
  // One that was closed meanwhile is listed among the closed ones too.
  expect([...new Set(ids)]).toEqual(rows.map(({ id }) => id))
  const { body: closed } = await owner.send<Page>('GET', '/api/admin/conversations?state=closed')
  expect(closed.conversations.map(({ state }) => state)).toEqual(['closed', 'closed'])
})

test.each(['done:2147483648', 'waiting:1', 'waiting:99999999999999:1', '7'])(
  'no page of the inbox starts after %s',
  async (after) => expect((await owner.send('GET', `/api/admin/conversations?after=${after}`)).status).toBe(422),
)

test('a message from the contact form is answered by email from the inbox, or closed', async () => {
  const write = (subject: string) =>
    world.shopper().send('POST', '/api/contact', {
      name: 'Ada Fan',
      email: 'asker@mail.example',
      subject,
      message: `Is there a hat for children? (${subject})`,
    })
  await world.shop.database.pool.query('delete from conversation')
  await write('A small head')
  await write('Buy cheap watches')
  const before = await inbox()
  const [question, spam] = before.conversations
  expect([question?.subject, spam?.subject]).toEqual(['A small head', 'Buy cheap watches'])
  expect((await answers(question?.id, '')).status).toBe(422)
  expect((await answers(question?.id, 'Yes: <b>size S</b>.')).status).toBe(200)
  const { version } = await threadOf(spam?.id)
  await owner.send('POST', `/api/admin/conversations/${spam?.id}/close`, { version })
  const mail = await mailTo('asker@mail.example', 'Re: A small head')
  expect(mail.text).toContain('Yes: <b>size S</b>.')
  expect(mail.text).toMatch(/On \w+ \d+ you wrote:\nIs there a hat for children\?/)
  expect(mail.html).toContain('&lt;b&gt;size S&lt;/b&gt;')
  const now = await inbox()
  expect(now.waiting).toBe(before.waiting - 2)
  expect(await threadOf(question?.id)).toMatchObject({
    state: 'answered',
    messages: [{ author: 'customer' }, { author: 'shop', words: 'Yes: <b>size S</b>.' }],
  })
  expect((await owner.send('GET', '/api/admin/conversations/999999')).status).toBe(404)
  for (const [step, body] of [
    ['answer', { words: 'Hello', version: 1 }],
    ['note', { words: 'Hello' }],
    ['close', { version: 1 }],
    ['read', { version: 1 }],
  ] as const)
    expect((await owner.send('POST', `/api/admin/conversations/999999/${step}`, body)).status).toBe(404)
})
