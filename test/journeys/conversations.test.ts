import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { createTransport } from 'nodemailer'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SavedReply, Thread } from '#contract/admin-conversations.ts'
import type { OrderConversation } from '#contract/conversations.ts'
import { label } from '#site/label.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { DAY_MS } from '#shared/time.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { moveFormerMessages } from '#server/messages/former-messages.ts'
import { mailChat } from '#server/messages/chat.ts'
import { watchMessages } from '#server/messages/watch-messages.ts'
import { erasePerson, exportOf } from '#server/privacy/privacy.ts'
import { passAMinute } from './a-minute-later.ts'

// What a shopper writes about an order, wherever they write it, is one conversation; the owner answers it at one place.

let world: World
let owner: ReturnType<World['shopper']>
beforeAll(async () => {
  world = await openWorld()
})
beforeEach(async () => {
  owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
})
afterAll(() => world[Symbol.asyncDispose]())

type Answered = { code?: string; message?: string; done?: string; fields?: Record<string, string> }

/** A paid order, and a guest who has the link of its email. */
async function ordered() {
  const shopper = world.shopper()
  const payment = await shopper.paysByCard({ buying: 'mug' })
  const { body } = await payment.returnsToShop()
  await world.settled()
  const number = String(body.orderId)
  const { email } = shopper.customer
  const guest = world.shopper()
  const mails = () => world.mailbox.list().filter(({ to }) => to === email)
  const token = /order-confirmation\?token=([\w-]+)/.exec(mails()[0]?.text ?? '')?.[1] ?? ''
  const threadId = async () =>
    (await owner.send<{ id: number }>('GET', `/api/admin/orders/${number}/conversation`)).body.id
  return {
    ...{ number, email, shopper, guest, mails, token, threadId },
    show: async () => (await guest.send<OrderConversation>('GET', `/api/order/conversation?token=${token}`)).body,
    writes: (words: string, more: object = {}) =>
      guest.send<Answered>('POST', '/api/order/conversation', {
        ...{ token, submission: randomUUID(), words, photos: [], ...more },
      }),
    thread: async () => threadNow(await threadId()),
    answers: async (words: string, version?: number) => {
      const id = await threadId()
      const shown = version ?? (await threadNow(id)).version
      return owner.send<Answered>('POST', `/api/admin/conversations/${id}/answer`, { words, version: shown })
    },
  }
}

const threadNow = async (id: number) => (await owner.send<Thread>('GET', `/api/admin/conversations/${id}`)).body
const wordsOf = ({ messages }: { messages: readonly { words: string }[] }) => messages.map(({ words }) => words)

/** Sends an email as its program would. */
const sends = (mail: Parameters<ReturnType<typeof createTransport>['sendMail']>[0]) =>
  createTransport(world.mailbox.url).sendMail(mail)
const reads = async () => {
  await watchMessages(world.shop)
  await world.settled()
}
const latest = (mails: ReturnType<World['mailbox']['list']>, words: string) => {
  const found = mails.find(({ text }) => text.includes(words))
  expect(found, words).toBeDefined()
  return found
}
const replyTo = (raw: string | undefined) =>
  /^Reply-To: <?([^\s>]+)/im.exec(raw?.replaceAll(/\r?\n\s+/g, ' ') ?? '')?.[1] ?? ''

test('a guest writes on the order’s page, the owner answers, and the guest’s reply by email is in the same conversation', async () => {
  const order = await ordered()
  expect(await order.show()).toMatchObject({ messages: [], isAnswered: true })
  expect(await order.writes('Can you print it in red?')).toMatchObject({ status: 200 })
  await world.settled()
  const told = world.mailbox
    .list()
    .find(({ to, text }) => to === label.supportEmail && text.includes('print it in red'))
  expect(told?.subject).toBe(`Order ${formatOrderNumber(order.number)}: message from Ada Fan`)
  expect(told?.text).toContain(`/admin/inbox/${await order.threadId()}`)
  expect(await order.thread()).toMatchObject({ state: 'waiting', isUnread: true, orderNumber: order.number })

  expect(await order.answers('Sadly not. It comes in white.')).toMatchObject({ status: 200 })
  await world.settled()
  const mail = latest(order.mails(), 'It comes in white.')
  expect(mail?.subject).toContain(`Our answer about order ${formatOrderNumber(order.number)}`)
  expect(mail?.text).toMatch(/On \w+ \d+ you wrote:\nCan you print it in red\?/)
  expect(mail?.text).toMatch(/order-confirmation\/messages\?token=[\w-]+/)
  expect(await order.thread()).toMatchObject({
    state: 'answered',
    messages: [{ author: 'customer' }, { author: 'shop', mail: 'sent' }],
  })

  await world.mailbox.reply(mail?.id ?? '', 'White is fine, thanks!')
  await reads()
  await reads()
  expect(await order.thread()).toMatchObject({ state: 'waiting' })
  const { messages } = await order.show()
  expect(messages.map(({ author, words }) => [author, words])).toEqual([
    ['customer', 'Can you print it in red?'],
    ['shop', 'Sadly not. It comes in white.'],
    ['customer', 'White is fine, thanks!'],
  ])
  const thread = await order.thread()
  expect(thread.messages[2]).toMatchObject({ channel: 'email', sender: null })
})

test('every email about an order is answered into its conversation', async () => {
  const order = await ordered()
  const confirmation = order.mails().at(-1)
  await world.mailbox.reply(confirmation?.id ?? '', 'Is there a card with it?')
  await reads()
  expect(wordsOf(await order.show())).toEqual(['Is there a card with it?'])
})

test('the same message sent twice is stored once, and card numbers are masked (F63)', async () => {
  const order = await ordered()
  const submission = randomUUID()
  for (const _ of [1, 2])
    expect((await order.writes('I paid with 4242 4242 4242 4242', { submission })).status).toBe(200)
  expect(wordsOf(await order.show())).toEqual(['I paid with •••• 4242'])
})

test('photos are sent with a message, seen by both sides, and by nobody else', async () => {
  const [order, other] = [await ordered(), await ordered()]
  const bytes = await sharp({ create: { width: 900, height: 700, channels: 3, background: '#a33' } })
    .jpeg()
    .toBuffer()
  const { body } = await order.guest.send<{ id: string }>('POST', `/api/order/claim-photos?token=${order.token}`, bytes)
  expect((await other.writes('Not mine', { photos: [body.id] })).body.code).toBe('photo_missing')
  expect((await order.writes('Here it is', { photos: [body.id] })).status).toBe(200)
  const path = `/api/order/conversation-photos/${body.id}`
  expect((await order.guest.send('GET', `${path}?token=${order.token}`)).headers.get('content-type')).toBe('image/webp')
  expect((await other.guest.send('GET', `${path}?token=${other.token}`)).status).toBe(404)
  expect((await owner.send('GET', `/api/admin/conversation-photos/${body.id}`)).status).toBe(200)
  expect((await order.show()).messages[0]?.photos).toEqual([body.id])
})

test('knowing an order’s number and email is not enough to read or write its messages', async () => {
  const order = await ordered()
  await order.writes('A secret')
  const nosy = world.shopper()
  await nosy.send('POST', '/api/track', { orderNumber: order.number, email: order.email })
  expect((await nosy.send('GET', `/api/order/conversation?order=${order.number}`)).status).toBe(404)
  const body = { order: order.number, submission: randomUUID(), words: 'Hello', photos: [] }
  expect((await nosy.send('POST', '/api/order/conversation', body)).status).toBe(404)
})

test('the page works without JavaScript', async () => {
  const order = await ordered()
  const post = (fields: Record<string, string>, origin = world.address) =>
    fetch(`${world.address}/order-confirmation/messages`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields),
    })
  const sent = await post({ token: order.token, words: 'Without a script' })
  expect([sent.status, sent.headers.get('location')]).toEqual([
    303,
    `/order-confirmation/messages?token=${order.token}&said=sent`,
  ])
  expect((await post({ token: order.token, words: ' ' })).headers.get('location')).toContain('said=invalid')
  expect((await post({ token: 'invented', words: 'Hello' })).status).toBe(404)
  expect((await post({ token: order.token, words: 'Hello' }, 'https://evil.example')).status).toBe(403)
  expect(wordsOf(await order.show())).toEqual(['Without a script'])
})

test('a message of the contact form that names an order, from its email, is in the order’s conversation', async () => {
  const order = await ordered()
  const letter = { name: 'Ada', subject: 'My mug', message: `Where is ${formatOrderNumber(order.number)} now?` }
  const writes = (email: string) => world.shopper().send('POST', '/api/contact', { ...letter, email })
  expect((await writes('somebody@else.example')).body).toEqual({ success: true })
  expect((await order.show()).messages).toEqual([])
  expect((await writes(order.email.toUpperCase())).body).toEqual({ success: true })
  expect(wordsOf(await order.show())).toEqual([`My mug\n\n${letter.message}`])
})

test('a chat goes on in the order’s conversation once its visitor names the order and its email', async () => {
  const order = await ordered()
  const visitor = world.shopper()
  const says = (message: string, email?: string) =>
    visitor.send('POST', '/api/chat', { message, ...(email && { email }) })
  await says('Hello?')
  await says(`It is about ${formatOrderNumber(order.number)}`, order.email)
  const thread = await order.thread()
  expect(wordsOf(thread)).toEqual(['Hello?', `It is about ${formatOrderNumber(order.number)}`])
  expect(thread.reaches).toEqual({ email: true, chat: true })
  await mailChat(world.shop, thread.id)
  await order.answers('It ships tomorrow.')
  const { body } = await visitor.send<{ messages: { message: string }[] }>('GET', '/api/chat')
  expect(body.messages.map(({ message }) => message).at(-1)).toBe('It ships tomorrow.')
  await world.settled()
  latest(order.mails(), 'It ships tomorrow.')

  // What is asked elsewhere is not answered there: number and email open a chat, not the order's messages.
  await order.writes('I moved to 12 Elm Street.')
  expect((await order.thread()).reaches).toEqual({ email: true, chat: false })
  await order.answers('Then it goes to 12 Elm Street.')
  const { body: after } = await visitor.send<{ messages: { message: string }[] }>('GET', '/api/chat')
  expect(after).toEqual(body)
  await says('And now?')
  expect((await order.thread()).reaches).toEqual({ email: true, chat: true })

  // Another browser that joins sees nothing of what was said before.
  const second = world.shopper()
  await second.send('POST', '/api/chat', { message: `Also ${formatOrderNumber(order.number)}`, email: order.email })
  const { body: seen } = await second.send<{ messages: { message: string }[] }>('GET', '/api/chat')
  expect(seen.messages.map(({ message }) => message)).toEqual([`Also ${formatOrderNumber(order.number)}`])
})

test('two owners: an answer to something older is refused with what changed, and nothing is sent (F63)', async () => {
  const order = await ordered()
  await order.writes('First')
  const { version } = await order.thread()
  await order.writes('Wait, there is more')
  expect(await order.answers('To the first', version)).toMatchObject({
    status: 409,
    body: { code: 'conversation_changed', message: expect.stringContaining('The customer has written') },
  })
  const shown = (await order.thread()).version
  const both = await Promise.all([order.answers('One answer', shown), order.answers('Another answer', shown)])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  expect((await order.thread()).messages.filter(({ author }) => author === 'shop')).toHaveLength(1)
})

test('the owner closes, reopens and notes; a note is never seen by the customer, and the log says who', async () => {
  const order = await ordered()
  await order.writes('Never mind')
  const id = await order.threadId()
  const does = async (step: string) =>
    owner.send<Answered>('POST', `/api/admin/conversations/${id}/${step}`, { version: (await order.thread()).version })
  expect((await does('read')).status).toBe(200)
  expect(await order.thread()).toMatchObject({ isUnread: false, state: 'waiting' })
  expect((await does('close')).status).toBe(200)
  expect((await does('close')).body.code).toBe('conversation_changed')
  expect((await does('reopen')).status).toBe(200)
  expect(await order.thread()).toMatchObject({ state: 'waiting' })
  await does('close')
  const note = { words: 'A nice person' }
  expect((await owner.send('POST', `/api/admin/conversations/${id}/note`, note)).status).toBe(200)
  expect(wordsOf(await order.show())).toEqual(['Never mind'])
  expect(wordsOf(await order.thread())).toEqual(['Never mind', 'A nice person'])
  await order.writes('One more thing')
  expect(await order.thread()).toMatchObject({ state: 'waiting', isUnread: true })
  const { body } = await owner.send<{ actions: { what: string; about: { kind: string; id: string } }[] }>(
    'GET',
    '/api/admin/log',
  )
  const about = body.actions.filter((action) => action.about.kind === 'conversation' && action.about.id === String(id))
  expect(about.map(({ what }) => what)).toEqual(['added a note to', 'closed', 'reopened', 'closed'])
})

test('the owner writes first about an order', async () => {
  const order = await ordered()
  const { body } = await owner.send<{ id: number }>('POST', `/api/admin/orders/${order.number}/conversation`)
  expect(await threadNow(body.id)).toMatchObject({ state: 'closed', messages: [] })
  expect((await order.answers('Your street has no number. Which is it?')).status).toBe(200)
  await world.settled()
  latest(order.mails(), 'Which is it?')
  expect((await owner.send('POST', '/api/admin/orders/PFAAAA-AAAA/conversation')).status).toBe(404)
})

test('saved replies are added, changed and deleted, and only with placeholders that exist', async () => {
  const draft = { title: 'On its way', words: 'Hi {first-name}, {order} is on its way: {tracking}' }
  const wrong = await owner.send<Answered>('POST', '/api/admin/saved-replies', { ...draft, words: 'Hi {nickname}' })
  expect(wrong).toMatchObject({ status: 422, body: { fields: { words: expect.stringContaining('{nickname}') } } })
  const { body } = await owner.send<{ id: number }>('POST', '/api/admin/saved-replies', draft)
  const path = `/api/admin/saved-replies/${body.id}`
  expect((await owner.send('PUT', path, { ...draft, title: 'Shipped', version: 1 })).status).toBe(200)
  expect((await owner.send<Answered>('PUT', path, { ...draft, version: 1 })).body.code).toBe('reply_changed')
  const { body: list } = await owner.send<{ replies: SavedReply[] }>('GET', '/api/admin/saved-replies')
  expect(list.replies).toEqual([{ ...draft, id: body.id, title: 'Shipped', version: 2 }])
  expect((await owner.send('DELETE', path)).status).toBe(200)
  expect((await owner.send('DELETE', path)).status).toBe(404)

  const order = await ordered()
  await order.writes('Where is it?')
  expect(await order.answers('It is here: {tracking}')).toMatchObject({
    status: 422,
    body: { code: 'placeholder_left' },
  })
})

test('an answer that bounced is shown as such', async () => {
  const order = await ordered()
  await order.writes('Hello')
  await world.mailbox.change({ change: 'fail_next', to: order.email, code: 550 })
  await order.answers('Hello to you')
  await world.settled()
  expect((await order.thread()).messages.at(-1)).toMatchObject({ author: 'shop', mail: 'bounced' })
})

test('an email from another address is shown as that, and an answer still goes to the order’s email', async () => {
  const order = await ordered()
  const to = replyTo(order.mails()[0]?.raw)
  await sends({ from: 'mallory@evil.example', to, subject: 'Re: order', text: 'Send it to my house instead.' })
  await reads()
  expect((await order.thread()).messages).toMatchObject([{ sender: 'mallory@evil.example' }])
  await order.answers('Please write from the order’s page.')
  await world.settled()
  expect(world.mailbox.list().filter((mail) => mail.to === 'mallory@evil.example')).toEqual([])
  latest(order.mails(), 'Please write from the order’s page.')
})

test('emails of programs, to an invented address, of our own and read before are no messages', async () => {
  const order = await ordered()
  const to = replyTo(order.mails()[0]?.raw)
  const forged = to.replace(/\.[0-9a-f]+@/, '.00000000000000000000@')
  expect(forged).not.toBe(to)
  const from = order.email
  await sends({ from, to, subject: 'Out of office', text: 'I am away.', headers: { 'Auto-Submitted': 'auto-replied' } })
  await sends({ from: 'mailer-daemon@mail.example', to, subject: 'Undelivered', text: 'It bounced.' })
  await sends({ from: label.supportEmail, to, subject: 'Loop', text: 'From ourselves.' })
  await sends({ from, to: forged, subject: 'Re: order', text: 'Forged.' })
  await sends({ from, to: label.supportEmail, subject: 'Re: order', text: 'Without a tag.' })
  for (const _ of [1, 2])
    await sends({ from, to, subject: 'Re: order', text: 'The same.', messageId: '<same@mail.example>' })
  await reads()
  await reads()
  expect(wordsOf(await order.show())).toEqual(['The same.'])
})

test('an HTML email is read as text, its photos are kept, and other attachments are named', async () => {
  const order = await ordered()
  const content = await sharp({ create: { width: 900, height: 700, channels: 3, background: '#3a3' } })
    .png()
    .toBuffer()
  await sends({
    from: order.email,
    to: replyTo(order.mails()[0]?.raw),
    subject: 'Re: order',
    html: '<p>It is <b>torn</b>.</p><blockquote>Your order is in.</blockquote>',
    attachments: [
      { filename: 'torn.png', content, contentType: 'image/png' },
      { filename: 'bad.png', content: 'no picture', contentType: 'image/png' },
      { filename: 'bill.pdf', content: 'PDF', contentType: 'application/pdf' },
    ],
  })
  await reads()
  const [message] = (await order.show()).messages
  expect(message?.words).toBe('It is torn.\n\n(2 attachments are only in the support mailbox.)')
  expect(message?.photos).toHaveLength(1)
})

test('a conversation that gets very many emails stops taking them, and a long one is cut', async () => {
  const order = await ordered()
  const to = replyTo(order.mails()[0]?.raw)
  for (let number = 1; number <= 22; number += 1)
    await sends({ from: order.email, to, subject: 'Re: order', text: `${number} ${'x'.repeat(6000)}` })
  await reads()
  const { messages } = await order.show()
  expect(messages).toHaveLength(20)
  expect(messages[0]?.words.length).toBeLessThan(5100)
})

test('a message that waits too long is an exception until it is answered', async () => {
  const order = await ordered()
  await order.writes('Is anybody there?')
  const open = async () =>
    (await world.audit<{ kind: string; resolved_at: string | null }>('exceptions')).filter(
      ({ kind, resolved_at: resolved }) => kind === 'message_waiting' && resolved === null,
    )
  await world.advance(2 * DAY_MS)
  await passAMinute(world)
  const waiting = (await open()).length
  expect(waiting).toBeGreaterThan(0)
  owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  await order.answers('Yes. Sorry!')
  await passAMinute(world)
  expect(await open()).toHaveLength(waiting - 1)
})

test('a person gets their conversations in the export, and erasing the person erases them', async () => {
  const order = await ordered()
  await order.writes('Remember me')
  const id = await order.threadId()
  expect(await text(await exportOf(world.shop, order.email))).toContain('Remember me')
  await world.shop.database.pool.query(
    `update shop_order set fulfilment_status = 'delivered' where order_number = $1`,
    [order.number],
  )
  await erasePerson(world.shop, order.email, null)
  expect((await owner.send('GET', `/api/admin/conversations/${id}`)).status).toBe(404)
  expect((await order.writes('Still here?')).status).toBe(404)
  await sends({ from: order.email, to: replyTo(order.mails()[0]?.raw), subject: 'Re: order', text: 'Still here?' })
  await reads()
  expect(await order.threadId()).toBeNull()
})

test('messages and chats of the release before become conversations, and nothing is lost or doubled', async () => {
  const { pool } = world.shop.database
  await pool.query(`
    with m as (insert into contact_message (name, email, subject, message, created_at, closed_at)
      values ('Ada', 'old@mail.example', 'An old question', 'How old?', '2026-01-01', '2026-01-02') returning id)
    insert into contact_answer (message_id, answer, answered_at) select id, 'Very.', '2026-01-02' from m`)
  await pool.query(`
    with c as (insert into chat (email, started_at, waiting_since) values ('chat@mail.example', '2026-01-01', '2026-01-01') returning id)
    insert into chat_message (chat_id, session_id, author, message, "timestamp", mailed_at)
      select id, 's', 'visitor', 'An old line', '2026-01-01', '2026-01-01' from c`)
  for (const _ of [1, 2]) await world.shop.db.transaction(moveFormerMessages)
  const { rows } = await pool.query<{ id: number; state: string }>(
    `select id, state from conversation where email in ('old@mail.example', 'chat@mail.example') order by id`,
  )
  expect(rows.map(({ state }) => state)).toEqual(['answered', 'waiting'])
  expect(wordsOf(await threadNow(rows[0]?.id ?? 0))).toEqual(['How old?', 'Very.'])
  expect(wordsOf(await threadNow(rows[1]?.id ?? 0))).toEqual(['An old line'])
  expect((await pool.query('select 1 from contact_message union all select 1 from chat')).rows).toEqual([])
})
