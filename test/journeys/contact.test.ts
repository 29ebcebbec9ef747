import { afterAll, beforeAll, expect, test } from 'vitest'
import { label } from '#site/label.ts'
import { openWorld, type World } from '#sandbox/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const letter = (about: object = {}) => ({
  name: 'Ada Fan',
  email: 'ada@mail.example',
  subject: 'A hat for a small head',
  message: 'Is there a hat for children?\nMine is seven.',
  ...about,
})

const stored = async (email: string) => {
  const { rows } = await world.shop.database.pool.query<{ name: string; subject: string; message: string }>(
    'select c.name, c.subject, m.words as message from conversation c join conversation_message m on m.conversation_id = c.id where c.email = $1',
    [email],
  )
  return rows
}

test('a message is stored and emailed to customer care', async () => {
  const answer = await world.shopper().send('POST', '/api/contact', letter({ email: 'first@mail.example' }))
  expect(answer).toMatchObject({ status: 200, body: { success: true } })
  expect(await stored('first@mail.example')).toEqual([
    {
      name: 'Ada Fan',
      subject: 'A hat for a small head',
      message: 'Is there a hat for children?\nMine is seven.',
    },
  ])
  const mail = await world.mailbox.arrival(({ text }) => text.includes('first@mail.example'))
  expect(mail).toMatchObject({ to: label.supportEmail, subject: 'Contact form: A hat for a small head' })
  expect(mail.text).toContain('Is there a hat for children?\nMine is seven.')
})

test('HTML in a message arrives as text in the email (S59)', async () => {
  const message = '<script>alert(1)</script> & <b>bold</b> words'
  await world.shopper().send('POST', '/api/contact', letter({ email: 'markup@mail.example', message }))
  const mail = await world.mailbox.arrival(({ text }) => text.includes('markup@mail.example'))
  expect(mail.text).toContain(message)
  expect(mail.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &lt;b&gt;bold&lt;/b&gt; words')
})

test('a link placeholder in an email without a link stays text', async () => {
  const message = 'hello {link-token}, are you there?'
  await world.shopper().send('POST', '/api/contact', letter({ email: 'link@mail.example', message }))
  const mail = await world.mailbox.arrival(({ text }) => text.includes('link@mail.example'))
  expect(mail.text).toContain(message)
})

test('a card number is masked before the message is stored or emailed (S83)', async () => {
  const about = {
    email: 'card@mail.example',
    subject: 'Card 4242424242424242',
    message: 'I paid with 4242 4242 4242 4242 and 3782-822463-10005 and order 1234567890123.',
  }
  await world.shopper().send('POST', '/api/contact', letter(about))
  expect(await stored('card@mail.example')).toMatchObject([
    { subject: 'Card •••• 4242', message: 'I paid with •••• 4242 and •••• 0005 and order 1234567890123.' },
  ])
  const mail = await world.mailbox.arrival(({ text }) => text.includes('card@mail.example'))
  expect(mail.raw.replace(/\s/g, '')).not.toContain('4242424242424242')
})

test.each([
  ['name', 'A', 'Name must be at least 2 characters'],
  ['name', ' A ', 'Name must be at least 2 characters'],
  ['email', 'ada', 'Please enter a valid email address'],
  ['subject', 'Hi', 'Subject must be at least 3 characters'],
  ['message', 'Too short', 'Message must be at least 10 characters'],
  ['name', undefined, 'Required'],
  ['message', undefined, 'Required'],
  ['name', 'x'.repeat(121), 'Please use at most 120 characters'],
  ['subject', 'x'.repeat(201), 'Please use at most 200 characters'],
  ['message', 'x'.repeat(5001), 'Please use at most 5000 characters'],
])('a %s of %j is refused with the sentence for its field (S91)', async (field, value, sentence) => {
  const answer = await world.shopper().send('POST', '/api/contact', letter({ [field]: value }))
  expect(answer).toMatchObject({ status: 422, body: { code: 'invalid', fields: { [field]: sentence } } })
})

test.each([
  ['a header in the name', { name: 'Ada\r\nBcc: all@mail.example' }],
  ['a header in the subject', { subject: 'Hello\nBcc: all@mail.example' }],
  ['a header in the address', { email: 'ada@mail.example\r\nBcc: all@mail.example' }],
  ['several addresses', { email: 'ada@mail.example, all@mail.example' }],
  ['several addresses by semicolon', { email: 'ada@mail.example;all@mail.example' }],
  ['an address with a name', { email: 'Ada <ada@mail.example>' }],
  ['a list of addresses', { email: ['ada@mail.example'] }],
  ['a line separator in the subject', { subject: 'Hello\u2028there' }],
  ['a null character in the message', { message: 'Hello there, \u0000 you' }],
  ['an escape sequence in the message', { message: 'Hello there, \u001b[2J you' }],
  ['a bell in the name', { name: 'Ada\u0007' }],
])('%s is refused, and nothing is stored (S65)', async (_, about) => {
  const before = await world.shop.database.pool.query('select count(*)::int as n from conversation_message')
  const answer = await world.shopper().send('POST', '/api/contact', letter(about))
  expect(answer).toMatchObject({ status: 422, body: { code: 'invalid' } })
  expect(await world.shop.database.pool.query('select count(*)::int as n from conversation_message')).toMatchObject({
    rows: before.rows,
  })
})

test('all scripts and line breaks are accepted', async () => {
  const about = {
    email: 'script@mail.example',
    name: '愛 達',
    subject: 'שלום 🐾',
    message: 'Grüße,\r\n\tþakka þér — 🐕‍🦺',
  }
  expect((await world.shopper().send('POST', '/api/contact', letter(about))).status).toBe(200)
  expect(await stored('script@mail.example')).toEqual([
    { name: '愛 達', subject: 'שלום 🐾', message: 'Grüße,\r\n\tþakka þér — 🐕‍🦺' },
  ])
})

test('a session may send five messages an hour, an address twenty (S38)', async () => {
  await using strict = await openWorld({ env: { RATE_LIMIT_SCALE: '1' } })
  const write = async (shopper: ReturnType<World['shopper']>) =>
    (await shopper.send('POST', '/api/contact', letter())).status
  const times = async (shopper: ReturnType<World['shopper']>, count: number) => {
    const statuses: number[] = []
    for (let time = 0; time < count; time += 1) statuses.push(await write(shopper))
    return statuses
  }
  const eager = strict.shopper()
  // The first message creates the session that the others count against.
  expect(await times(eager, 7)).toEqual([200, 200, 200, 200, 200, 200, 429])
  const [second, third] = [strict.shopper(), strict.shopper()]
  expect(await times(second, 6)).toEqual([200, 200, 200, 200, 200, 200])
  expect(await times(third, 6)).toEqual([200, 200, 200, 200, 200, 200])
  expect(await times(strict.shopper(), 2)).toEqual([200, 429])
  const refused = await strict.shopper().send('POST', '/api/contact', letter())
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many' } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
})
