import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AuditLogEntry } from '#contract/admin.ts'
import { houseTexts, mailNames, type MailName, type MailTexts } from '#domain/messages/mail-texts.ts'
import { openWorld, type World } from '#sandbox/world.ts'

let world: World
let owner: ReturnType<World['shopper']>

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(async () => {
  owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
})

type Answer = { changed: { [Name in MailName]?: MailTexts }; changes: AuditLogEntry[] }
const read = async (): Promise<Answer> => (await owner.send<Answer>('GET', '/api/admin/mails')).body

type Saved = { code?: string; message: string; fields?: Record<string, string> }
const change = async (name: MailName, more: Partial<MailTexts>) => {
  const was = (await read()).changed[name] ?? houseTexts(name)
  return owner.send<Saved>('PUT', `/api/admin/mails/${name}`, { was, value: { ...was, ...more } })
}
const restore = async (name: MailName) =>
  owner.send('PUT', `/api/admin/mails/${name}`, { was: (await read()).changed[name], value: null })

type Preview = { subject: string; html: string; text: string }
const preview = (name: MailName, texts: MailTexts) =>
  owner.send<Preview & Saved>('POST', `/api/admin/mails/${name}/preview`, { texts })

test('a changed text is in both parts of the next email, with its placeholders filled in and nothing interpreted', async () => {
  const saved = await change('newsletter_confirm', {
    subject: 'Is it you, friend of {shop}?',
    opening: 'Write to {support-email}, or <b>sleep</b> & dream.',
    closing: 'First.\n\nSecond.',
  })
  expect(saved.status).toBe(200)
  await owner.send('POST', '/api/newsletter', { email: 'ada@example.com' })
  await world.settled()
  const [mail] = world.mailbox.list()
  expect(mail?.subject).toBe('Is it you, friend of Pawtelier?')
  expect(mail?.text).toContain('Write to care@pawtelier.example, or <b>sleep</b> & dream.\n\nFirst.\n\nSecond.')
  expect(mail?.html).toContain('or &lt;b&gt;sleep&lt;/b&gt; &amp; dream.')
  await restore('newsletter_confirm')
  expect((await read()).changed).toEqual({})
})

test('an unknown placeholder is refused beside its field, with the names there are, and nothing changes', async () => {
  const { status, body } = await change('order_link', { closing: 'Track {parcel}' })
  expect(status).toBe(422)
  expect(body.fields?.['value.closing']).toContain(
    'There is no {parcel} in this email. You can use {first-name}, {order}',
  )
  expect((await change('order_link', { subject: ' ' })).status).toBe(422)
  // It would be replaced by the secret of the link.
  expect((await change('order_link', { opening: '{link-token}' })).status).toBe(422)
  expect(
    (await owner.send('POST', '/api/admin/mails/unknown/preview', { texts: houseTexts('order_link') })).status,
  ).toBe(404)
  expect((await read()).changed).toEqual({})
})

test('every email has a preview with all of its placeholders filled in', async () => {
  for (const name of mailNames) {
    const { status, body } = await preview(name, houseTexts(name))
    expect([name, status]).toEqual([name, 200])
    for (const part of [body.subject, body.html, body.text]) expect(part).not.toMatch(/\{[a-z-]+\}/)
    for (const part of [body.html, body.text]) expect(part.length).toBeGreaterThan(100)
  }
})

test('the preview of an email about an order shows the picture of a best seller', async () => {
  const best = (await owner.send<{ name: string; picture: { src: string } }[]>('GET', '/api/best-sellers')).body
  for (const name of ['confirmation', 'shipped', 'delivered'] as const) {
    const { html } = (await preview(name, houseTexts(name))).body
    const [, shown] = /class="picture"\s+src="[^"]*(\/pictures\/[^"]+)"/.exec(html) ?? []
    expect(shown).toBe(best[0]?.picture.src)
  }
})

test('a test email goes to the owner once a minute, marked as a test', async () => {
  const texts = { ...houseTexts('shipped'), opening: 'Off it goes.' }
  const send = () => owner.send<{ done: string }>('POST', '/api/admin/mails/shipped/test', { texts })
  expect((await send()).body.done).toBe('A test is on its way to care@pawtelier.example.')
  await send()
  await world.settled()
  const tests = world.mailbox.list().filter(({ subject }) => subject.startsWith('[Test]'))
  expect(tests).toHaveLength(1)
  expect(tests[0]).toMatchObject({ to: 'care@pawtelier.example', text: expect.stringContaining('Off it goes.') })
})

test('two owners change the same email: the second sees who was first; each change can be undone', async () => {
  const was = houseTexts('delivered')
  await change('delivered', { greeting: 'Hello,' })
  const second = await owner.send<Saved>('PUT', '/api/admin/mails/delivered', {
    was,
    value: { ...was, greeting: 'Yo,' },
  })
  expect(second).toMatchObject({ status: 409, body: { code: 'setting_changed' } })
  expect(second.body.message).toContain('owner changed ‘Delivered’')
  const [last] = (await read()).changes
  expect(last).toMatchObject({ who: 'owner', what: 'changed', about: { kind: 'mail text', id: 'delivered' } })
  expect((await owner.send('POST', `/api/admin/settings/undo/${last?.id}`)).status).toBe(200)
  expect((await read()).changed).toEqual({})
})
