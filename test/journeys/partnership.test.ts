import { decodeQR } from 'qr/decode.js'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { label } from '#site/label.ts'
import { DAY_MS } from '#shared/time.ts'
import { openWorld, type World } from '#sandbox/world.ts'

let world: World
let owner: ReturnType<World['shopper']>
let partner: ReturnType<World['shopper']>
beforeAll(async () => {
  world = await openWorld()
  owner = await signedIn('owner', 'owner-demo')
  partner = await signedIn('partner', 'partner-demo')
})
afterAll(() => world[Symbol.asyncDispose]())

async function signedIn(username: string, password: string) {
  const person = world.shopper()
  const { status } = await person.send('POST', '/api/login', { username, password })
  if (status !== 200) throw new Error(`${username} could not sign in: ${status}`)
  return person
}

let people = 0
async function newcomer() {
  people += 1
  const person = world.shopper()
  await person.send('POST', '/api/register', { username: `newcomer-${people}`, password: 'a long enough secret' })
  return person
}

const application = (about: object = {}) => ({
  name: 'Nap Central',
  channel: 'https://video.example/@napcentral',
  audience: '40,000 people who nap',
  message: 'We show animals that sleep.\nRudy would fit.',
  email: 'nap@mail.example',
  ...about,
})

const quarterAhead = (days: number) => {
  const step = 15 * 60_000
  return new Date(Math.ceil((world.shop.clock.now().getTime() + days * DAY_MS) / step) * step).toISOString()
}
const wish = (about: object = {}) => ({
  topic: 'A hat for the anniversary',
  times: [quarterAhead(2), quarterAhead(3)],
  timeZone: 'Europe/Berlin',
  email: null,
  ...about,
})

const bytesAt = async (path: string, as: ReturnType<World['shopper']>) => {
  const answer = await fetch(world.address + path, { headers: { cookie: as.cookie() } })
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
}

type Offered = { version: number; acceptedAt: string; paragraphs: string[] }
type Portal = {
  name: string
  partnershipDetails: Record<string, string>
  partner: { code: string; link: string; shareBasisPoints: number; proposal: Offered; agreement: Offered | null }
  application: { state: string } | null
  call: { id: number; state: string; calendar: string; times: string[]; agreedTime: string }
}
const portalOf = async (person: ReturnType<World['shopper']>) =>
  (await person.send<Portal>('GET', '/api/partnership')).body

test('everybody signed in can read about the program; only a creator sees figures (S29)', async () => {
  expect((await world.shopper().send('GET', '/api/partnership')).status).toBe(401)
  const plain = await portalOf(await newcomer())
  expect(Object.keys(plain.partnershipDetails).sort()).toEqual(
    ['description', 'exclusiveProducts', 'marketingSupport', 'revenueShare', 'title', 'wholesaleDiscount'].sort(),
  )
  expect(plain.partnershipDetails['revenueShare']).toMatch(/12%.*15%/)
  expect(plain).toMatchObject({ partner: null, application: null, call: null })
  expect(await portalOf(partner)).toMatchObject({
    name: label.channel.name,
    partner: { code: 'bullion', shareBasisPoints: 1200, link: `${world.address}/r/bullion` },
  })
})

test('an accepted applicant is a creator with a rate, a code and a proposal to accept', async () => {
  const person = await newcomer()
  expect((await person.send('POST', '/api/partnership/application', application())).body).toMatchObject({
    application: { state: 'waiting' },
  })
  expect((await person.send('POST', '/api/partnership/application', application())).body).toMatchObject({
    code: 'application_waiting',
  })
  const mail = await world.mailbox.arrival(({ subject }) => subject === 'Partner application: Nap Central')
  expect(mail).toMatchObject({ to: label.supportEmail, text: expect.stringContaining('Rudy would fit.') })

  const received = await owner.send<{ applications: { id: number; name: string; state: string }[] }>(
    'GET',
    '/api/admin/applications',
  )
  const [first] = received.body.applications
  expect(first).toMatchObject({ name: 'Nap Central', state: 'waiting' })
  const yes = { shareBasisPoints: 1350, reply: 'Welcome!' }
  const path = `/api/admin/applications/${first?.id}/accept`
  const answers = await Promise.all([owner.send('POST', path, yes), owner.send('POST', path, yes)])
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))

  const welcomeMail = await world.mailbox.arrival(({ to }) => to === 'nap@mail.example')
  expect(welcomeMail.subject).toContain('Welcome to the partner program')
  expect(welcomeMail.text).toContain('13.5%')
  expect(welcomeMail.text).toContain('Welcome!')

  const portal = await portalOf(person)
  expect(portal).toMatchObject({
    name: 'Nap Central',
    partner: { code: 'nap-central', shareBasisPoints: 1350, proposal: { version: 1, acceptedAt: null } },
  })
  expect((await person.send('POST', '/api/partnership/proposal', { version: 2 })).body).toMatchObject({
    code: 'proposal_changed',
  })
  await person.send('POST', '/api/partnership/proposal', { version: 1 })
  const acceptedAt = (await portalOf(person)).partner.proposal.acceptedAt
  expect(new Date(acceptedAt).getTime()).toBeGreaterThan(0)
  await world.advance(1000)
  await person.send('POST', '/api/partnership/proposal', { version: 1 })
  expect((await portalOf(person)).partner.proposal.acceptedAt).toBe(acceptedAt)
  expect((await person.send('POST', '/api/partnership/application', application())).body).toMatchObject({
    code: 'already_partner',
  })
  const log = await owner.send<{ actions: { what: string; after: object }[] }>('GET', '/api/admin/log')
  expect(log.body.actions.filter(({ what }) => what === 'accepted an application')).toMatchObject([
    { after: { state: 'accepted', share: '13.5%' } },
  ])
})

test('a new rate is a new version of the proposal, announced by email if there is an address', async () => {
  const before = await portalOf(partner)
  await world.shop.database.pool.query(`update app_user set email = 'bullion@mail.example' where username = 'partner'`)
  const { body: rates } = await owner.send<{ partnerId: number; displayName: string }[]>(
    'GET',
    '/api/admin/partner-rates',
  )
  const partnerId = rates.find(({ displayName }) => displayName === label.channel.name)?.partnerId
  const startsOn = new Date(world.shop.clock.now().getTime() + 40 * DAY_MS).toISOString().slice(0, 10)
  const agreed = await owner.send('POST', '/api/admin/partner-rates', {
    partnerId,
    productId: null,
    rate: 1500,
    startsOn,
  })
  expect(agreed.status).toBe(204)
  const now = await portalOf(partner)
  expect(now.partner).toMatchObject({
    shareBasisPoints: before.partner.shareBasisPoints,
    proposal: { version: (before.partner.proposal?.version ?? 0) + 1, shareBasisPoints: 1500, acceptedAt: null },
  })
  const mail = await world.mailbox.arrival(({ to }) => to === 'bullion@mail.example')
  expect(mail.subject).toContain('Your revenue share is changing')
  expect(mail.text).toContain('15%')
})

test('an agreement keeps its text and rate as accepted, even while a new version is open', async () => {
  const person = await newcomer()
  await person.send('POST', '/api/partnership/application', application({ name: 'Pillow Talk' }))
  const { body } = await owner.send<{ applications: { id: number; name: string }[] }>('GET', '/api/admin/applications')
  const id = body.applications.find(({ name }) => name === 'Pillow Talk')?.id
  await owner.send('POST', `/api/admin/applications/${id}/accept`, { shareBasisPoints: 1300, reply: null })
  const offered = (await portalOf(person)).partner.proposal
  expect(offered.paragraphs.join(' ')).toContain('We propose a 13% revenue share')
  expect(offered.paragraphs.join(' ')).not.toContain('12%')
  await person.send('POST', '/api/partnership/proposal', { version: 1 })

  const { pool } = world.shop.database
  const { rows } = await pool.query<{ id: number }>(`select id from partner where display_name = 'Pillow Talk'`)
  // Data in today's proposal differs from what was accepted.
  await pool.query(`update partner set display_name = 'Pillow Fight' where id = $1`, [rows[0]?.id])
  expect((await portalOf(person)).partner.proposal.paragraphs).toEqual(offered.paragraphs)

  const startsOn = new Date(world.shop.clock.now().getTime() + 40 * DAY_MS).toISOString().slice(0, 10)
  const rate = { partnerId: rows[0]?.id, productId: null, rate: 1500, startsOn }
  expect((await owner.send('POST', '/api/admin/partner-rates', rate)).status).toBe(204)
  const { proposal, agreement } = (await portalOf(person)).partner
  expect(proposal).toMatchObject({ version: 2, acceptedAt: null })
  expect(proposal.paragraphs.join(' ')).toMatch(
    /We propose a 15% revenue share on all sales that come through your video channel\./,
  )
  expect(agreement).toMatchObject({ version: 1, paragraphs: offered.paragraphs })
  expect(new Date(agreement?.acceptedAt ?? '').getTime()).toBeGreaterThan(0)
})

test('a declined application says so, and can be made again', async () => {
  const person = await newcomer()
  await person.send('POST', '/api/partnership/application', application({ name: 'Too Soon', email: '' }))
  const received = await owner.send<{ applications: { id: number }[] }>('GET', '/api/admin/applications')
  const id = received.body.applications[0]?.id
  await owner.send('POST', `/api/admin/applications/${id}/decline`, { reply: 'Perhaps next year.' })
  expect(await portalOf(person)).toMatchObject({
    partner: null,
    application: { state: 'declined', reply: 'Perhaps next year.' },
  })
  expect((await person.send('POST', '/api/partnership/application', application())).status).toBe(200)
})

test('a call is requested with times, reported to the owner, and added to a calendar', async () => {
  const person = await newcomer()
  const callRequest = wish({ email: 'caller@mail.example' })
  expect((await person.send('POST', '/api/partnership/calls', callRequest)).body).toMatchObject({
    call: { state: 'waiting' },
  })
  expect((await person.send('POST', '/api/partnership/calls', callRequest)).body).toMatchObject({
    code: 'call_waiting',
  })
  const mail = await world.mailbox.arrival(({ subject }) => subject.startsWith('Call request'))
  expect(mail.text).toContain('(America/New_York)')
  expect(mail.text).toContain('(Europe/Berlin)')
  await world.settled()
  expect(world.mailbox.list().filter(({ to }) => to === 'caller@mail.example')).toEqual([])

  const { call } = await portalOf(person)
  const file = await bytesAt(call.calendar, person)
  expect(file.answer.headers.get('content-type')).toMatch(/^text\/calendar/)
  expect(file.bytes.toString().match(/STATUS:TENTATIVE/g)).toHaveLength(2)
  expect((await bytesAt(call.calendar, partner)).answer.status).toBe(404)

  const path = `/api/admin/calls/${call.id}/answer`
  const never = await owner.send('POST', path, { time: quarterAhead(9), reply: null })
  expect(never).toMatchObject({ status: 422, body: { fields: { time: expect.any(String) } } })
  await owner.send('POST', path, { time: callRequest.times[1], reply: 'We ring you.' })
  expect(await portalOf(person)).toMatchObject({
    call: { state: 'agreed', agreedTime: callRequest.times[1], reply: 'We ring you.' },
  })
  const agreed = await world.mailbox.arrival(
    ({ to, subject }) => to === 'caller@mail.example' && subject.includes('confirmed'),
  )
  expect(agreed.text).toContain('We ring you.')
  expect(agreed.raw).toMatch(/Content-Type: text\/calendar;[^]*filename=partnership-call\.ics/)
  expect(wordsIn(agreed.raw)).toContain('BEGIN:VCALENDAR')
  expect(wordsIn(agreed.raw)).not.toContain(callRequest.topic)
  const calls = await owner.send<{ calls: { id: number; state: string }[] }>('GET', '/api/admin/calls')
  expect(calls.body.calls.find(({ id }) => id === call.id)).toMatchObject({ state: 'agreed', topic: callRequest.topic })
  expect((await owner.send('POST', path, { time: null, reply: null })).body).toMatchObject({ code: 'already_decided' })
})

/** The text of an email and its attachments. */
const wordsIn = (raw: string) =>
  raw +
  raw
    .split(/\r?\n\r?\n/)
    .map((part) => Buffer.from(part, 'base64').toString())
    .join('\n')

test('the requested times are emailed to a confirmed address, and to no other', async () => {
  const person = await newcomer()
  await world.shop.database.pool.query('update app_user set email = $1 where username = $2', [
    'proven@mail.example',
    `newcomer-${people}`,
  ])
  await person.send('POST', '/api/partnership/calls', wish({ email: 'typed@mail.example' }))
  const mail = await world.mailbox.arrival(({ to }) => to === 'proven@mail.example')
  expect(wordsIn(mail.raw)).toContain('STATUS:TENTATIVE')
  await world.settled()
  expect(world.mailbox.list().filter(({ to }) => to === 'typed@mail.example')).toEqual([])
})

test.each([
  ['no time', { times: [] }, 'times'],
  [
    'four times',
    { times: ['2027-01-01T10:00:00Z', '2027-01-01T11:00:00Z', '2027-01-01T12:00:00Z', '2027-01-01T13:00:00Z'] },
    'times',
  ],
  ['text instead of a time', { times: ['tomorrow'] }, 'times.0'],
  ['a time long ago', { times: ['2020-01-01T10:00:00Z'] }, 'times'],
  ['an unknown time zone', { timeZone: '<script>' }, 'timeZone'],
  ['a header in the topic', { topic: 'Hello\r\nBcc: all@mail.example' }, 'topic'],
  ['a list of addresses', { email: 'a@mail.example, b@mail.example' }, 'email'],
])('a call with %s is refused', async (_, about, field) => {
  const person = await newcomer()
  expect(await person.send('POST', '/api/partnership/calls', wish(about))).toMatchObject({
    status: 422,
    body: { code: 'invalid', fields: { [field]: expect.any(String) } },
  })
  expect((await portalOf(person)).call).toBeNull()
})

type Link = { code: string; address: string; path: string; card: { address: string; alt: string } }

test('a creator makes links to the shop’s own pages, and the same page and campaign give the same link', async () => {
  const { id } = await partner.find('mouse pad')
  const make = (page: string, campaign?: string) =>
    partner.send<Link>('POST', '/api/partnership/links', { page, ...(campaign && { campaign }) })
  const { body: link } = await make(`${world.address}/product/${id}`, 'July video')
  expect(link).toMatchObject({
    path: `/product/${id}`,
    address: `${world.address}/r/${link.code}`,
    campaign: 'July video',
  })
  expect((await make(`/product/${id}`, 'July video')).body.code).toBe(link.code)
  expect((await make(`/product/${id}`)).body.code).not.toBe(link.code)
  const both = await Promise.all([make('/about', 'twice'), make('/about', 'twice')])
  expect(new Set(both.map(({ body }) => body.code)).size).toBe(1)
  for (const page of ['https://evil.example/', '//evil.example', '/admin', '/product/999999', '/collections/cats'])
    expect((await make(page)).body).toMatchObject({ code: 'page_not_ours' })

  const { body } = await partner.send<{ links: Link[] }>('GET', '/api/partnership/links')
  expect(body.links.map(({ code }) => code)).toContain(link.code)
  const visit = await fetch(link.address, { redirect: 'manual' })
  if (visit.status !== 404) expect(visit.headers.get('location')).toBe(`/product/${id}`)
})

test('a link’s QR code contains its address, as an image and as drawn', async () => {
  const { body: link } = await partner.send<Link>('POST', '/api/partnership/links', { page: '/collections/sherlock' })
  for (const form of ['svg', 'png']) {
    const { answer, bytes } = await bytesAt(`/partnership/links/${link.code}.${form}`, partner)
    expect(answer.headers.get('content-type')).toMatch(form === 'svg' ? /^image\/svg\+xml/ : /^image\/png/)
    const { data, info } = await sharp(bytes, { density: 600 })
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(decodeQR({ width: info.width, height: info.height, data })).toBe(link.address)
  }
  const stranger = await newcomer()
  expect((await bytesAt(`/partnership/links/${link.code}.svg`, stranger)).answer.status).toBe(403)
  expect((await bytesAt('/partnership/links/nobody.svg', partner)).answer.status).toBe(404)
})

test('a link’s card shows today’s price on any site, and no page of the shop can be framed (S87)', async () => {
  const product = await partner.find('mouse pad')
  const { body: link } = await partner.send<Link>('POST', '/api/partnership/links', { page: `/product/${product.id}` })
  const card = await fetch(link.card.address)
  expect(card.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  expect(card.headers.get('content-security-policy')).toContain(`frame-ancestors 'none'`)
  const drawn = await card.text()
  expect(drawn).toContain(`$${(product.price / 100).toFixed(2)}`)
  expect(drawn).toMatch(/href="data:image\/webp;base64,[\w+/=]{1000,}"/)
  const { width, height } = await sharp(Buffer.from(drawn)).metadata()
  expect([width, height]).toEqual([640, 260])
  expect((await fetch(`${world.address}/embed/nobody.svg`)).status).toBe(404)
  const page = await fetch(`${world.address}/api/products`)
  expect(page.headers.get('cross-origin-resource-policy')).toBe('same-origin')
})

test('a collection’s pictures come as one zip, for creators only', async () => {
  const { answer, bytes } = await bytesAt('/partnership/assets/example.zip', partner)
  expect(answer.headers.get('content-type')).toBe('application/zip')
  expect(answer.headers.get('content-length')).toBeNull()
  const names = namesIn(bytes)
  expect(names[0]).toBe('example/READ ME.txt')
  expect(names.filter((name) => name.endsWith('share-1200x630.webp'))).toHaveLength(4)
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBeGreaterThan(12)
  expect((await bytesAt('/partnership/assets/cats.zip', partner)).answer.status).toBe(404)
  expect((await bytesAt('/partnership/assets/example.zip', await newcomer())).answer.status).toBe(403)
  expect((await bytesAt('/partnership/assets/example.zip', world.shopper())).answer.status).toBe(401)
})

/** The file names in a zip's central directory. */
function namesIn(zip: Buffer): string[] {
  const end = zip.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'))
  const names: string[] = []
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const length = zip.readUInt16LE(at + 28)
    names.push(zip.toString('utf8', at + 46, at + 46 + length))
    at += 46 + length + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return names
}

test.each([
  ['name', 'A', 'Name must be at least 2 characters'],
  ['channel', '', 'Please tell us where your audience is'],
  ['message', 'Short', 'Message must be at least 10 characters'],
  ['email', 'nobody', 'Please enter a valid email address'],
  ['message', 'x'.repeat(2001), 'Please use at most 2000 characters'],
])('an application with the %s %j is refused with an explanation', async (field, value, sentence) => {
  const person = await newcomer()
  expect(await person.send('POST', '/api/partnership/application', application({ [field]: value }))).toMatchObject({
    status: 422,
    body: { fields: { [field]: sentence } },
  })
})

test('an id the admin does not have is not found', async () => {
  for (const id of ['0', '999999', 'x', '1e3'])
    for (const path of [`/api/admin/applications/${id}/accept`, `/api/admin/calls/${id}/answer`]) {
      const body = path.endsWith('answer') ? { time: null, reply: null } : { shareBasisPoints: 1200, reply: null }
      expect((await owner.send('POST', path, body)).status).toBe(404)
    }
})
