import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CartLine } from '#contract/cart.ts'
import type { NewsletterIssueRow, SubscriberRow } from '#contract/messages.ts'
import { label } from '#site/label.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { remindCarts } from '#server/checkout/saved-carts.ts'
import { replyAddress } from '#server/mail/reply-address.ts'
import { bounceReference, COMPLAINTS } from '#server/messages/bounces.ts'
import { continueIssues, sendIssue } from '#server/messages/issues.ts'
import { watchMessages } from '#server/messages/watch-messages.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/time.ts'

// A newsletter to those it is for, at its time, as fast as the mail server likes; and a cart that is asked after once.

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

async function asOwner<Body = Record<string, unknown>>(method: string, path: string, body?: object) {
  const owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  return owner.send<Body>(method, path, body)
}

/** Subscribed and confirmed, in a statement: the double opt-in has tests of its own. */
async function subscribes(...emails: string[]): Promise<void> {
  for (const email of emails)
    await world.shop.database.pool.query(
      `insert into subscriber (email, asked_at, confirmed_at) values ($1, now(), now() - interval '1 hour')`,
      [email],
    )
}

const subscriberOf = async (email: string) => {
  const { body } = await asOwner<{ subscribers: SubscriberRow[] }>('GET', '/api/admin/subscribers')
  return body.subscribers.find((subscriber) => subscriber.email === email)
}

const letter = { subject: 'The nightcap is back', body: 'It is back, and it is warm.' }
async function writes(more: object = {}): Promise<number> {
  const { status, body } = await asOwner<{ id: number }>('POST', '/api/admin/issues', { ...letter, ...more })
  expect(status).toBe(200)
  return body.id
}

const issueOf = async (id: number) => {
  const { body } = await asOwner<{ issues: NewsletterIssueRow[] }>('GET', '/api/admin/issues')
  return body.issues.find((issue) => issue.id === id)
}

const recipientsOf = (subject: string) =>
  world.mailbox
    .list()
    .filter((mail) => mail.subject === subject)
    .map(({ to }) => to)
    .toSorted()

async function buys(email: string, buying: string, code?: string): Promise<void> {
  const shopper = world.shopper()
  shopper.customer.email = email
  if (code) {
    await shopper.adds(buying)
    await shopper.send('POST', '/api/cart/code', { code })
  }
  const { returnsToShop } = await shopper.paysByCard(code ? {} : { buying })
  await returnsToShop()
}

test('an issue goes to its segment alone: what somebody bought, where it went, whether with a code', async () => {
  await subscribes('mug@mail.example', 'pip@mail.example', 'coded@mail.example', 'nobody@mail.example')
  const made = await asOwner('POST', '/api/admin/codes', {
    ...{ code: 'NEWS10', benefit: { kind: 'percent', basisPoints: 1000 }, combines: false },
  })
  expect(made.status).toBe(200)
  await buys('Mug@mail.example', 'mug')
  await buys('coded@mail.example', 'mug', 'NEWS10')
  const { rows } = await world.shop.database.pool.query<{ collection: string }>(
    `select collection from order_line where product_name ilike '%mug%'`,
  )
  const collection = rows[0]?.collection
  const audience = async (segment: object) => (await asOwner('POST', '/api/admin/issues/audience', segment)).body
  expect(await audience({})).toEqual({ subscribed: 4 })
  expect(await audience({ collection })).toEqual({ subscribed: 2 })
  expect(await audience({ collection, withCode: true })).toEqual({ subscribed: 1 })
  expect(await audience({ country: 'JP' })).toEqual({ subscribed: 0 })
  const id = await writes({ subject: 'For users of codes', segment: { collection, withCode: true, country: 'US' } })
  expect((await asOwner('POST', `/api/admin/issues/${id}/send`)).status).toBe(200)
  await world.settled()
  expect(recipientsOf('For users of codes')).toEqual(['coded@mail.example'])
  expect(await issueOf(id)).toMatchObject({ state: 'sent', sentTo: 1 })
})

test('a preview has both forms, and stores and sends nothing', async () => {
  const before = world.mailbox.list().length
  const { body } = await asOwner('POST', '/api/admin/issues/show', { ...letter, button: 'See it', path: '/products' })
  expect(body).toMatchObject({ subject: letter.subject })
  for (const part of [body['html'], body['text']]) {
    expect(part).toContain('It is back, and it is warm.')
    expect(part).toContain('/newsletter')
  }
  expect(body['html']).toContain('<html')
  expect(body['text']).not.toContain('<')
  await world.settled()
  expect(world.mailbox.list()).toHaveLength(before)
})

test('a scheduled issue is sent at its time, a minute’s emails at a time, and to nobody twice when a minute is repeated', async () => {
  const { rows } = await world.shop.database.pool
    .query(`insert into setting (name, value) values ('content', '{"newsletterPerMinute": 3}')
    on conflict (name) do update set value = excluded.value returning 1`)
  expect(rows).toHaveLength(1)
  const id = await writes({ subject: 'At six' })
  const at = (ms: number) => new Date(world.shop.clock.now().getTime() + ms).toISOString()
  expect((await asOwner('POST', `/api/admin/issues/${id}/schedule`, { sendAt: at(-1) })).status).toBe(422)
  expect((await asOwner('POST', `/api/admin/issues/${id}/schedule`, { sendAt: at(HOUR_MS) })).status).toBe(200)
  expect((await asOwner('PUT', `/api/admin/issues/${id}`, letter)).body).toMatchObject({ code: 'issue_sent' })
  expect((await asOwner('POST', `/api/admin/issues/${id}/unschedule`)).status).toBe(200)
  expect(await issueOf(id)).toMatchObject({ state: 'draft', sendAt: null })
  expect((await asOwner('POST', `/api/admin/issues/${id}/schedule`, { sendAt: at(HOUR_MS) })).status).toBe(200)
  await continueIssues(world.shop)
  expect(await issueOf(id)).toMatchObject({ state: 'scheduled' })
  await world.advance(HOUR_MS)
  await continueIssues(world.shop)
  await world.settled()
  expect(await issueOf(id)).toMatchObject({ state: 'sending', sentTo: 3 })
  await sendIssue(world.shop, id)
  expect(await issueOf(id)).toMatchObject({ sentTo: 3 })
  await world.advance(MINUTE_MS)
  await continueIssues(world.shop)
  await world.settled()
  expect(await issueOf(id)).toMatchObject({ state: 'sent', sentTo: 4 })
  expect(recipientsOf('At six')).toEqual([
    ...['coded@mail.example', 'mug@mail.example', 'nobody@mail.example', 'pip@mail.example'],
  ])
})

/** An email program’s report to one of the shop's signed addresses. */
async function reports(reference: string, type: string, fields: string, original = ''): Promise<void> {
  const to = replyAddress(world.shop.config, label.supportEmail, reference)
  const kind = type === 'message/delivery-status' ? 'delivery-status' : 'feedback-report'
  const raw = [
    ...['From: MAILER-DAEMON@mx.example', `To: ${to}`, 'Subject: Report', `Message-ID: <${Math.random()}@mx.example>`],
    ...[
      'Auto-Submitted: auto-replied',
      'MIME-Version: 1.0',
      `Content-Type: multipart/report; report-type=${kind}; boundary="b"`,
    ],
    ...['', '--b', 'Content-Type: text/plain', '', 'See below.', '--b', `Content-Type: ${type}`, '', fields],
    ...['--b', 'Content-Type: message/rfc822', '', original, '', 'Hello', '--b--', ''],
  ].join('\r\n')
  await createTransport(world.simulators.settings['SMTP_URL']).sendMail({ envelope: { from: '', to: to ?? '' }, raw })
  await watchMessages(world.shop)
}

const dsn = (action: string, status: string) =>
  `Reporting-MTA: dns; mx.example\r\n\r\nFinal-Recipient: rfc822; x\r\nAction: ${action}\r\nStatus: ${status}\r\n`

test('who bounces for good or calls it spam gets no more newsletters; a delay changes nothing', async () => {
  await subscribes('gone@mail.example', 'angry@mail.example', 'slow@mail.example', 'bounce-now@mail.example')
  const id = await writes({ subject: 'To all' })
  await asOwner('POST', `/api/admin/issues/${id}/send`)
  world.mailbox.failNext('bounce-now@mail.example', 550)
  for (let minute = 0; minute < 4; minute += 1) {
    await world.settled()
    await world.advance(MINUTE_MS)
    await continueIssues(world.shop)
  }
  await world.settled()
  const sent = world.mailbox.list().filter(({ subject }) => subject === 'To all')
  const idOf = async (email: string) => (await subscriberOf(email))?.id ?? 0
  const gone = bounceReference(await idOf('gone@mail.example'))
  expect(sent.find(({ to }) => to === 'gone@mail.example')?.from).toBe(
    replyAddress(world.shop.config, label.supportEmail, gone),
  )
  expect(await subscriberOf('bounce-now@mail.example')).toMatchObject({ state: 'bounced' })

  await reports(bounceReference(await idOf('slow@mail.example')), 'message/delivery-status', dsn('delayed', '4.4.7'))
  expect(await subscriberOf('slow@mail.example')).toMatchObject({ state: 'subscribed' })
  await reports(gone, 'message/delivery-status', dsn('failed', '5.1.1'))
  expect(await subscriberOf('gone@mail.example')).toMatchObject({ state: 'bounced' })
  const original = sent.find(({ to }) => to === 'angry@mail.example')?.raw.split(/\r?\n\r?\n/)[0] ?? ''
  await reports(COMPLAINTS, 'message/feedback-report', 'Feedback-Type: abuse\r\nVersion: 1\r\n', original)
  expect(await subscriberOf('angry@mail.example')).toMatchObject({ state: 'complained' })
})

const linesOf = async (shopper: ReturnType<World['shopper']>) =>
  (await shopper.send<CartLine[]>('GET', '/api/cart')).body.map(({ variantId, quantity }) => ({ variantId, quantity }))

test('a saved cart opens with its code on another device, and opening it again adds nothing', async () => {
  const desk = world.shopper()
  expect((await desk.send('POST', '/api/cart/saved')).body).toMatchObject({ code: 'cart_empty' })
  await desk.adds('mug', 2)
  await desk.send('POST', '/api/cart/code', { code: 'NEWS10' })
  const { token } = (await desk.send<{ token: string }>('POST', '/api/cart/saved')).body
  const svg = await fetch(`${world.address}/api/cart/saved.svg?token=${token}`)
  expect(await svg.text()).toContain('<svg')
  const phone = world.shopper()
  expect((await phone.send('GET', `/api/cart/saved?token=${token}`)).body).toEqual({ pieces: 2 })
  for (let time = 0; time < 2; time += 1)
    expect((await phone.send('POST', '/api/cart/saved/restore', { token })).body).toEqual({ isWhole: true })
  expect(await linesOf(phone)).toEqual(await linesOf(desk))
  expect((await phone.send('GET', '/api/cart/code')).body).toMatchObject({ codes: [{ code: 'NEWS10' }] })
  await world.advance(31 * DAY_MS)
  expect((await phone.send('POST', '/api/cart/saved/restore', { token })).body).toMatchObject({
    code: 'unknown_saved_cart',
  })
})

test('a cart is asked after once, a day later, only with the tick, and not when it was bought', async () => {
  const [left, bought, unticked] = [world.shopper(), world.shopper(), world.shopper()]
  const email = 'later@mail.example'
  for (const shopper of [left, bought, unticked]) await shopper.adds('mug', 1)
  expect((await unticked.send('POST', '/api/cart/reminder', { email: 'no@mail.example' })).status).toBe(422)
  expect((await left.send('POST', '/api/cart/reminder', { email, agrees: 'yes' })).status).toBe(200)
  await bought.send('POST', '/api/cart/reminder', { email: 'bought@mail.example', agrees: 'yes' })
  await (await bought.paysByCard()).returnsToShop()
  const passes = async (ms: number) => {
    await world.advance(ms)
    await remindCarts(world.shop)
    await world.settled()
    return recipientsOf(`Your cart at ${label.name}`)
  }
  expect(await passes(23 * HOUR_MS)).toEqual([])
  expect(await passes(HOUR_MS)).toEqual([email])
  await left.send('POST', '/api/cart/reminder', { email, agrees: 'yes' })
  expect(await passes(2 * DAY_MS)).toEqual([email])
  const mail = world.mailbox.list().find(({ to }) => to === email)
  const token = /\/cart\?saved=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
  const phone = world.shopper()
  expect((await phone.send('POST', '/api/cart/saved/restore', { token })).body).toEqual({ isWhole: true })
  expect(await linesOf(phone)).toHaveLength(1)
})
