import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { inLanguage, languages, type Language } from '#shared/language.ts'
import '#words/all.ts'
import { sayKnown } from '#words/say.ts'
import type { Word } from '#words/words.ts'
import { conversationPaths } from '#contract/conversation-paths.ts'
import { EMAIL_SENTENCE } from '#contract/email-sentence.ts'
import { refusals, type RefusalBody } from '#contract/refusals.ts'
import { mailChat } from '#server/messages/chat.ts'
import { build } from '../../tools/build.ts'

// A shop that speaks five languages: by the address, the choice and the browser.

let world: World
beforeAll(async () => {
  await build()
  world = await openWorld({ pages: true })
})
afterAll(() => world[Symbol.asyncDispose]())

const open = (path: string, headers: Record<string, string> = {}) =>
  fetch(world.address + path, { headers, redirect: 'manual' })
const langOf = (html: string) => /<html lang="(\w+)"/.exec(html)?.[1]

test.each([
  // What the browser asks for, where it comes from, and where `/products?sort=price` leads.
  ['', {}, null],
  ['en-US,en;q=0.9,de;q=0.8', {}, null],
  ['de-AT,de;q=0.9,en;q=0.8', {}, '/de/products?sort=price'],
  ['it,fr;q=0.5', { 'sec-fetch-site': 'cross-site' }, '/fr/products?sort=price'],
  ['it', {}, null],
  ['ja', { 'sec-fetch-site': 'none' }, '/ja/products?sort=price'],
  // Who chose English on a page of the shop reads English.
  ['ja', { 'sec-fetch-site': 'same-origin' }, null],
] as const)('a browser that asks for "%s" with %j is led to %s', async (asked, headers, to) => {
  const answer = await open('/products?sort=price', { ...(asked && { 'accept-language': asked }), ...headers })
  expect(answer.headers.get('location')).toBe(to)
  expect(answer.status).toBe(to === null ? 200 : 302)
  if (to !== null) expect(answer.headers.get('cache-control')).toBe('no-store')
})

/** Follows a link of a page of the shop. @returns the answer's cookie and what caches may do with it */
async function follow(from: string, to: string, headers: Record<string, string> = {}) {
  const answer = await open(to, { 'sec-fetch-site': 'same-origin', referer: world.address + from, ...headers })
  // A page's answer: redirects choose nothing.
  expect(answer.headers.get('location')).toBeNull()
  return [answer.headers.get('set-cookie'), answer.headers.get('cache-control')]
}
const keeps = (language: Language) =>
  expect.stringMatching(new RegExp(`^language=${language}; Max-Age=31536000; .*HttpOnly`))
const forEverybody = [null, expect.stringContaining('public')]

test('who chooses another language keeps it, and no cache gets the answer that says so', async () => {
  expect(await follow('/about', '/contact')).toEqual(forEverybody)
  expect(await follow('/de/contact', '/contact')).toEqual([keeps('en'), 'no-store'])
  expect(await follow('/contact', '/contact')).toEqual(forEverybody)
  expect(await follow('/de/contact', '/fr/contact')).toEqual([keeps('fr'), 'no-store'])
  // Behind the sign-in there is only English, and another site's links say nothing about who follows them.
  expect(await follow('/admin', '/de/contact')).toEqual(forEverybody)
  expect((await follow('/de/contact', '/invitation'))[0]).toBeNull()
  // A page's icons, what is fetched ahead, and who checks the words that bind choose nothing.
  expect(await follow('/de/contact', '/contact', { 'sec-fetch-dest': 'image' })).toEqual(forEverybody)
  expect(await follow('/de/contact', '/contact', { 'sec-purpose': 'prefetch' })).toEqual(forEverybody)
  expect(await follow('/de/terms-of-service', '/terms-of-service')).toEqual(forEverybody)
  const elsewhere = { referer: 'https://elsewhere.example/de/contact', 'sec-fetch-site': 'cross-site' }
  expect((await open('/contact', elsewhere)).headers.get('set-cookie')).toBeNull()
})

test.each([
  // What was chosen, what the browser asks for, where somebody arrives, and where that leads.
  ['en', 'de', '/about', null],
  ['fr', 'de', '/about', '/fr/about'],
  ['fr', '', '/about', '/fr/about'],
  ['de', 'ja', '/fr/about', null],
  ['it', 'de', '/about', '/de/about'],
] as const)(
  'who chose "%s" on a browser that asks for "%s" and arrives at %s is led to %s',
  async (kept, asked, at, to) => {
    const answer = await open(at, { cookie: `language=${kept}`, ...(asked && { 'accept-language': asked }) })
    expect(answer.headers.get('location')).toBe(to)
    if (to !== null) expect(answer.headers.get('vary')).toContain('cookie')
    else expect([answer.headers.get('set-cookie'), answer.headers.get('cache-control')]).toEqual(forEverybody)
  },
)

test('pages of each language are told apart by the cache, name each other, and lead on in their language', async () => {
  for (const language of [...languages, ...languages]) {
    const path = language === 'en' ? '/about' : `/${language}/about`
    const html = await (await open(path)).text()
    expect(langOf(html)).toBe(language)
    expect(html).toContain(`<link rel="canonical" href="${world.address}${path}"/>`)
    for (const other of languages)
      expect(html).toContain(
        `<link rel="alternate" hreflang="${other}" href="${world.address}${other === 'en' ? '' : `/${other}`}/about"/>`,
      )
    expect(html).toContain(`href="${language === 'en' ? '' : `/${language}`}/products"`)
  }
})

test.each(['/de/admin', '/de/reports', '/de/partnership'])(
  '%s is English, as everything behind the sign-in',
  async (path) => {
    expect((await open(path)).headers.get('location')).toBe(path.replace('/de', ''))
  },
)

test('addresses that moved, and files, keep working with a language', async () => {
  expect((await open('/de/nothing-here')).status).toBe(404)
  const moved = await open('/de/collection/rudy')
  expect([200, 301]).toContain(moved.status)
  if (moved.status === 301) expect(moved.headers.get('location')).toMatch(/^\/de\//)
  expect((await open('/de/api/products')).status).toBe(200)
})

const said = (language: Language, word: Word) => inLanguage(language, () => sayKnown(word))

test.each(languages)('%s: refusals are in the language of the page that asked', async (language) => {
  const shopper = world.shopper()
  shopper.reads(language)
  const unknown = await shopper.send('POST', '/api/track', { orderNumber: 'PF0000-0000', email: 'nobody@mail.example' })
  expect(unknown.body['message']).toBe(said(language, refusals.unknown_order[1]))
  const { body } = await shopper.send<RefusalBody>('POST', '/api/newsletter', { email: 'nobody' })
  expect(body.message).toBe(said(language, refusals.invalid[1]))
  expect(body.fields?.['email']).toBe(said(language, EMAIL_SENTENCE))
})

test.each(languages)('%s: an order’s emails are in the language of its checkout', async (language) => {
  const shopper = world.shopper()
  shopper.reads(language)
  await (await shopper.paysByCard()).returnsToShop()
  await world.settled()
  const mail = world.mailbox.list().find(({ to }) => to.includes(shopper.customer.email))
  expect(mail?.html).toContain(`<html lang="${language}"`)
  expect(mail?.text).toContain(said(language, 'See your order'))
})

test('answers, links and replacements are emailed in the language of who gets them', async () => {
  const owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  const mailsTo = async (email: string) => {
    await world.settled()
    return world.mailbox.list().filter(({ to }) => JSON.stringify(to).includes(email))
  }

  // A German buys, asks, wants the own data, and gets a replacement.
  const shopper = world.shopper()
  shopper.reads('de')
  const { email } = shopper.customer
  const contact = { name: 'Grete', email, subject: 'Frage', message: 'Habt ihr Tassen?' }
  expect((await shopper.send('POST', '/api/contact', contact)).status).toBe(200)
  const { conversations } = (await owner.send<{ conversations: { id: number }[] }>('GET', '/api/admin/conversations'))
    .body
  const thread = `/api/admin/conversations/${conversations[0]?.id}`
  const { version, language } = (await owner.send<{ version: number; language: Language }>('GET', thread)).body
  expect(language).toBe('de')
  expect((await owner.send('POST', `${thread}/answer`, { words: 'Ja, drei.', version })).status).toBe(200)
  await mailsTo(email)
  expect((await mailsTo(email))[0]?.text).toContain(said('de', 'Write to us again'))

  // In the chat they have no name: answered in the chat and by email, then by email alone.
  const visitor = world.shopper()
  visitor.reads('de')
  await visitor.send('POST', '/api/chat', { message: 'Seid ihr da?', email: 'ohne-namen@mail.example' })
  const chats = (
    await owner.send<{ conversations: { id: number; subject: string }[] }>('GET', '/api/admin/conversations')
  ).body.conversations
  const chat = chats.find(({ subject }) => subject === 'Chat')?.id ?? 0
  const answers = async (words: string) => {
    const { version: now } = (await owner.send<{ version: number }>('GET', `/api/admin/conversations/${chat}`)).body
    await owner.send('POST', `/api/admin/conversations/${chat}/answer`, { words, version: now })
    await mailChat(world.shop, chat)
    return (await mailsTo('ohne-namen@mail.example'))[0]?.text
  }
  expect(await answers('Ja.')).toContain(said('de', 'Hi there,'))
  await world.shop.database.pool.query('update conversation set session_id = null where id = $1', [chat])
  expect(await answers('Immer noch.')).toContain('Hallo du,')

  const payment = await shopper.paysByCard({ buying: 'mug', quantity: 2 })
  const number = String((await payment.returnsToShop()).body.orderId)
  await world.settled()
  for (const change of ['ship', 'deliver']) {
    await world.simulators.printful.change({ change, external_id: number })
    await world.settled()
  }
  await shopper.send('POST', '/api/my-data', { email })
  expect((await mailsTo(email)).map(({ text }) => text).join('\n')).toContain(said('de', 'See my data'))
  const wanted = { pieces: [{ position: 0, quantity: 1 }], seen: 2, reason: 'torn', requestKey: randomUUID() }
  const replaced = await owner.send('POST', `/api/admin/orders/${number}/replacement`, wanted)
  expect(replaced.status).toBe(200)
  const languagesOf = async (to: string) =>
    (
      await world.shop.database.pool.query<{ language: string }>(
        'select language from shop_order where customer_email = $1',
        [to],
      )
    ).rows.map((row) => row.language)
  expect(await languagesOf(email)).toEqual(['de', 'de'])

  // The owner chooses for who has no page: an order by phone, and a gift.
  const customer = { name: 'Amélie', shippingAddress: addresses.newYork, language: 'fr' }
  const lines = [{ variantId: await shopper.firstVariant(await shopper.find('mug')), quantity: 1 }]
  const byPhone = { lines, customer: { ...customer, email: 'amelie@example.com' }, requestKey: randomUUID() }
  expect((await owner.send('POST', '/api/admin/phone-orders', { ...byPhone, partnerLink: '' })).status).toBe(200)
  const [link] = await mailsTo('amelie@example.com')
  expect(link?.text).toContain(said('fr', 'Check and pay'))
  expect(link?.text).toContain('/fr/order-confirmation/pay?token=')
  const gift = { ...byPhone, customer: { ...byPhone.customer, email: 'cadeau@example.com', phone: '' } }
  const given = { ...gift, kind: 'gift', reason: 'a fan', requestKey: randomUUID() }
  expect((await owner.send('POST', '/api/admin/free-orders', given)).status).toBe(200)
  expect(await languagesOf('cadeau@example.com')).toEqual(['fr'])
})

test.each([
  ['de', 'Tasse', 'mug'],
  ['de', 'schwarze Mütze', 'black hat'],
  ['fr', 'un chapeau noir de Rudy', 'black hat of rudy'],
  ['es', 'taza', 'mug'],
  ['ja', 'マグカップ', 'mug'],
] as const)('%s: “%s” finds what “%s” finds', async (language, words, english) => {
  type Found = { products: { id: number }[]; count: number }
  const search = async (q: string, more: Record<string, string> = {}) =>
    (await (await open(`/api/search?${new URLSearchParams({ q, ...more }).toString()}`)).json()) as Found
  const [found, meant, elsewhere] = [await search(words, { language }), await search(english), await search(words)]
  expect(meant.count).toBeGreaterThan(0)
  const idsOf = ({ products }: Found) => products.map(({ id }) => id).toSorted((a, b) => a - b)
  expect(idsOf(found)).toEqual(idsOf(meant))
  expect(elsewhere.products).not.toEqual(found.products)
  const page = await (await open(`/${language}/search?q=${encodeURIComponent(words)}`)).text()
  expect(page).toContain(`/${language}/product/`)
})

test('a refusal as a page is in the language of its address', async () => {
  const page = await fetch(`${world.address}/de${conversationPaths.messages}`, {
    method: 'POST',
    headers: { accept: 'text/html', origin: world.address, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'words=Hallo',
  })
  const html = await page.text()
  expect(page.status).toBeGreaterThanOrEqual(400)
  expect(langOf(html)).toBe('de')
  expect(html).toContain(said('de', 'That didn’t work'))
  expect(html).toContain(`href="/de${conversationPaths.messages}"`)
})
