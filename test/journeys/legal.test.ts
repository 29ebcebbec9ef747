import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AuditLogEntry } from '#contract/admin.ts'
import type { AdminOrder } from '#contract/admin-orders.ts'
import type { LegalPage, LegalText, LegalTranslation } from '#contract/legal.ts'
import { legalPageNames, type LegalPageName } from '#domain/legal/legal-text.ts'
import { openWorld, type World } from '#sandbox/world.ts'

let world: World
let owner: ReturnType<World['shopper']>

beforeAll(async () => {
  world = await openWorld({ pages: true })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(async () => {
  owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
})

type Answer = { pages: Record<LegalPageName, LegalText>; changes: AuditLogEntry[] }
const read = async (): Promise<Answer> => (await owner.send<Answer>('GET', '/api/admin/legal')).body

type Saved = { code?: string; message: string; done: string; fields?: Record<string, string> }
const publish = async (page: LegalPageName, text: string, was?: number) =>
  owner.send<Saved>('PUT', `/api/admin/legal/${page}`, { was: was ?? (await read()).pages[page].version, text })

/** The texts of a page's main part, one a line, and its anchors. */
async function mainOf(path: string): Promise<string> {
  const html = await (await fetch(`${world.address}/${path}`)).text()
  const main = (/<main[\s\S]*<\/main>/.exec(html)?.[0] ?? '').replaceAll('<!-- -->', '')
  const anchors = [...main.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id).join(' ')
  return `${main.replaceAll(/(?:<[^>]*>)+/g, '\n').trim()}\n${anchors}`
}
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** Orders placed so far agreed to these words, so they stay to the letter. */
const firstDigests = {
  'terms-of-service': 'bb4554996741f6ea',
  'privacy-policy': '88d5403b6a9694ae',
  'shipping-returns': '01d088ff55f05591',
}

test('version 1 of each legal page has the words that orders agreed to, to the letter', async () => {
  for (const page of legalPageNames) {
    const main = await mainOf(page)
    expect(main, page).not.toMatch(/\{[a-z-]+\}|\*\*|\]\(/)
    expect([page, digestOf(main)]).toEqual([page, firstDigests[page]])
  }
})

test('what is published is a new version; the earlier ones stay at their address, and placeholders follow the settings', async () => {
  const { text } = (await read()).pages['shipping-returns']
  const changed = text.replace('We keep no stock.', 'We keep no stock at all, <b>none</b>.')
  const { status, body } = await publish('shipping-returns', changed)
  expect([status, body.done]).toEqual([200, 'Version 2 is published.'])

  const now = await mainOf('shipping-returns')
  expect(now).toContain('We keep no stock at all, &lt;b&gt;none&lt;/b&gt;.')
  expect(now).toContain('Version 2')
  expect(now).toContain('Processing takes 2-5 business days')
  const old = await mainOf('shipping-returns?version=1')
  expect(old).toContain('We keep no stock. Your order')
  expect(old).toContain('This is version 1.')
  for (const version of ['3', '0', 'x', '1.5']) {
    expect((await fetch(`${world.address}/shipping-returns?version=${version}`)).status, version).toBe(404)
    expect((await owner.send('GET', `/api/legal/shipping-returns?version=${version}`)).status, version).toBe(404)
  }
  // A version counts for all pages: the others were as they are.
  const { body: terms } = await owner.send<LegalPage>('GET', '/api/legal/terms-of-service?version=2')
  expect([terms.version, terms.versions.length]).toEqual([1, 1])

  const pool = world.shop.database.pool
  await expect(pool.query(`update legal_version set text = 'x'`)).rejects.toThrow('are kept as they are')
  await expect(pool.query('delete from legal_version')).rejects.toThrow('are kept as they are')
})

test('an unknown placeholder, a link that runs a script and a text without sections are refused beside the field', async () => {
  const before = await read()
  const wrong: [string, string][] = [
    ['Sum.\n\n## Ordering\n\nWe are {nobody}.', 'There is no {nobody}. You can use {shop}, {support-email}'],
    ['Sum.\n\n## Ordering\n\n[Here](javascript:alert)', 'A link begins with /, #, https:// or mailto:'],
    ['Only a paragraph.', 'Please begin each section with a line such as'],
    ['## Ordering\n\nWithout a sum.', 'Please begin with a paragraph'],
    ['Sum.\n\n## Ordering\n\nA.\n\n## Ordering\n\nB.', 'Two sections have the anchor #ordering.'],
    [' ', 'Please write a text'],
  ]
  for (const [text, sentence] of wrong) {
    const { status, body } = await publish('privacy-policy', text)
    expect([status, body.fields?.['text']], text).toEqual([422, expect.stringContaining(sentence)])
  }
  expect((await owner.send('PUT', '/api/admin/legal/imprint', { was: 1, text: 'Sum.\n\n## A\n\nB.' })).status).toBe(404)
  expect(await read()).toEqual(before)
})

test('an order keeps the version that its shopper agreed to, and the owner sees it', async () => {
  const numberOf = async () => {
    const payment = await world.shopper().paysByCard({ buying: 'mug' })
    await payment.returnsToShop()
    await world.settled()
    const { rows } = await world.shop.database.pool.query<{ order_number: string }>(
      'select order_number from shop_order order by created_at desc limit 1',
    )
    return rows[0]?.order_number ?? ''
  }
  const termsOf = async (number: string) =>
    (await owner.send<AdminOrder>('GET', `/api/admin/orders/${number}`)).body.terms?.version
  const before = await numberOf()
  const agreed = await termsOf(before)
  await publish('terms-of-service', 'Short.\n\n## Ordering\n\nYou order, we make.')
  const after = await numberOf()
  expect(await termsOf(before)).toBe(agreed)
  expect(await termsOf(after)).toBe(Number(agreed) + 1)
  // What releases before stored: the day of their only version.
  await world.shop.database.pool.query(`update shop_order set terms_version = '2026-11-22' where order_number = $1`, [
    before,
  ])
  expect(await termsOf(before)).toBe(1)
})

test('figures stay with an order: its page and email lead to those that its shopper agreed to', async () => {
  const buys = async () => {
    const shopper = world.shopper()
    const payment = await shopper.paysByCard({ buying: 'mug' })
    const { orderId } = (await payment.returnsToShop()).body
    await world.settled()
    const order = await shopper.send<{ termsVersion: number }>('GET', `/api/order?order=${orderId}`)
    const { rows } = await world.shop.database.pool.query<{ version: string; html: string; text: string }>(
      `select o.terms_version as version, m.html_part as html, m.text_part as text
       from shop_order o join mail m on m.order_id = o.id and m.kind = 'confirmation' order by o.created_at desc limit 1`,
    )
    const [found] = rows
    if (!found) throw new Error('there is no order')
    expect(order.body.termsVersion).toBe(Number(found.version))
    return found
  }
  const saves = (was: number, value: number) =>
    owner.send<Saved>('PUT', '/api/admin/settings', { returnDays: { was, value } })
  const first = await buys()
  expect((await saves(30, 21)).status).toBe(200)
  const second = await buys()
  expect(Number(second.version)).toBe(Number(first.version) + 1)
  expect((await buys()).version).toBe(second.version)

  const address = `shipping-returns?version=${first.version}`
  expect(await mainOf(address)).toMatch(/30 days/)
  expect(await mainOf(address)).toContain(`This is version ${first.version}.`)
  expect(await mainOf(`shipping-returns?version=${second.version}`)).not.toMatch(/30 days|This is version/)
  expect(await mainOf('shipping-returns')).toMatch(/21 days/)
  const link = `/terms-of-service?version=${second.version}`
  expect(second.html).toContain(`${link}"`)
  expect(second.text).toContain(`You agreed to our Terms of Service, version ${second.version}: http`)
  await expect(world.shop.database.pool.query('delete from legal_figures')).rejects.toThrow('are kept as they are')
  await saves(21, 30)
})

test('two owners publish the same page: the second sees who was first; undoing publishes the former text again', async () => {
  const { version, text } = (await read()).pages['privacy-policy']
  await publish('privacy-policy', `${text}\n\nFirst.`)
  const second = await publish('privacy-policy', `${text}\n\nSecond.`, version)
  expect(second).toMatchObject({ status: 409, body: { code: 'setting_changed' } })
  expect(second.body.message).toContain('owner changed ‘Privacy Policy’')
  const [last] = (await read()).changes
  const about = { kind: 'legal page', id: 'privacy-policy' }
  const published = (await read()).pages['privacy-policy'].version
  expect(last).toMatchObject({ who: 'owner', what: 'changed', about, before: { [about.id]: version } })
  const undone = await owner.send<Saved>('POST', `/api/admin/settings/undo/${last?.id}`)
  expect(undone.body.done).toBe(`Undone. Version ${published + 1} has the text of version ${version}.`)
  const now = (await read()).pages['privacy-policy']
  expect([now.version, now.text]).toEqual([published + 1, text])
})

const translationAddress = (page: string, language: string) => `/api/admin/legal/${page}/${language}`
type Translations = { translations: LegalTranslation[] }
const translated = async (language = 'de') =>
  (await owner.send<Translations>('GET', '/api/admin/legal')).body.translations.find((one) => one.language === language)

/** A signed translation of `Short. ## Ordering` that is published unless a test changes what is wrong about it. */
const signed = async (page: LegalPageName, more: Record<string, unknown> = {}) => ({
  was: (await translated())?.id ?? null,
  ofVersion: (await read()).pages[page].version,
  text: 'Kurz, von {shop}.\n\n## Bestellen\n\nDu bestellst, wir fertigen.',
  signedBy: 'Dr. Grete Beispiel',
  signedOn: '2026-01-05',
  ...more,
})
const translate = async (page: LegalPageName, more: Record<string, unknown> = {}, language = 'de') =>
  owner.send<Saved>('PUT', translationAddress(page, language), await signed(page, more))

const ENGLISH = 'Short, by {shop}.\n\n## Ordering\n\nYou order, we make.'

test('a signed translation is read in its language until English has a newer version', async () => {
  const page = 'terms-of-service'
  await publish(page, ENGLISH)
  const { version } = (await read()).pages[page]
  expect(await mainOf(`de/${page}`)).toContain('You order, we make.')
  const { status, body } = await translate(page)
  expect([status, body.done]).toEqual([200, `The translation of version ${version} is published.`])

  const html = await (await fetch(`${world.address}/de/${page}`)).text()
  expect(html).toContain('<article lang="de"')
  expect(html).toContain(`<link rel="alternate" hreflang="de" href="${world.address}/de/${page}"/>`)
  const main = await mainOf(`de/${page}`)
  for (const words of [
    'Du bestellst, wir fertigen.',
    `Übersetzung der Fassung ${version}`,
    'Dr. Grete Beispiel',
    '5. Januar 2026',
  ])
    expect(main).toContain(words)
  expect(html).toMatch(new RegExp(`<a href="/${page}"[^>]*>englische Text</a>`))
  // Links to a section lead to the same one in every language.
  expect(main).toContain('ordering ordering-title')
  for (const elsewhere of [page, `fr/${page}`, `de/${page}?version=${version}`]) {
    expect(await mainOf(elsewhere), elsewhere).toContain('You order, we make.')
    expect(await mainOf(elsewhere), elsewhere).not.toContain('Grete')
  }
  expect(await (await fetch(`${world.address}/fr/${page}`)).text()).toContain('<article lang="en"')

  await publish(page, `${ENGLISH} Soon.`)
  expect(await mainOf(`de/${page}`)).toContain('You order, we make. Soon.')
  expect(await translated()).toMatchObject({
    page,
    ofVersion: version,
    signedBy: 'Dr. Grete Beispiel',
    signedOn: '2026-01-05',
  })
  const late = await translate(page, { ofVersion: version })
  expect([late.status, late.body.code]).toEqual([409, 'setting_changed'])
  expect(late.body.message).toContain('owner changed ‘Terms of Service’')
})

test('a translation has what the English text has, or is refused beside its field', async () => {
  const page = 'terms-of-service'
  await publish(page, ENGLISH)
  const before = await translated()
  const wrong: [string, Record<string, unknown>, string][] = [
    ['text', { text: ' ' }, 'Please write a text'],
    ['text', { text: 'x'.repeat(30_001) }, 'Please use at most 30000 characters'],
    ['text', { text: 'Von {shop}.\n\n## A\n\n{nobody}' }, 'There is no {nobody}.'],
    ['text', { text: 'Von {shop}.\n\n## A\n\n{return-days}' }, 'The English text doesn’t have {return-days}.'],
    ['text', { text: 'Von uns.\n\n## A\n\nB.' }, 'The English text also has {shop}.'],
    ['text', { text: 'Von {shop}.\n\n## A\n\nB.\n\n## C\n\nD.' }, 'The English text has 1 sections, this one 2.'],
    ['signedBy', { signedBy: ' ' }, 'Please enter who signed it'],
    ['signedOn', { signedOn: 'yesterday' }, 'Please enter the day on which it was signed'],
    ['signedOn', { signedOn: '2999-01-01' }, 'Please enter the day on which it was signed'],
    ['signedOn', { signedOn: '0000-01-01' }, 'Please enter the day on which it was signed'],
  ]
  for (const [field, more, sentence] of wrong) {
    const { status, body } = await translate(page, more)
    expect([status, body.fields?.[field]], JSON.stringify(more).slice(0, 60)).toEqual([
      422,
      expect.stringContaining(sentence),
    ])
  }
  for (const language of ['en', 'it']) expect((await translate(page, {}, language)).status).toBe(404)
  expect((await owner.send('PUT', translationAddress('imprint', 'de'), await signed(page))).status).toBe(404)
  expect((await world.shopper().send('PUT', translationAddress(page, 'de'), await signed(page))).status).toBe(401)
  expect(await translated()).toEqual(before)
})

test('a translation is withdrawn, undone, and not overwritten unseen; its rows stay', async () => {
  const page = 'terms-of-service'
  const isGerman = async () => (await mainOf(`de/${page}`)).includes('Du bestellst')
  const withdraws = () => owner.send<Saved>('DELETE', translationAddress(page, 'de'))
  await withdraws()
  const { was, ...rest } = await signed(page)
  expect((await translate(page, rest)).status).toBe(200)
  expect((await translate(page)).body.done).toBe('There is nothing to publish.')
  const stale = await translate(page, { ...rest, was, text: rest.text.replace('Kurz', 'Knapp') })
  expect(stale.body).toMatchObject({
    code: 'setting_changed',
    message: expect.stringContaining('‘Terms of Service, Deutsch’') as string,
  })
  expect(await isGerman()).toBe(true)

  expect((await withdraws()).body.done).toBe('The translation is withdrawn. Shoppers read English.')
  expect((await withdraws()).body.done).toBe('There is nothing to withdraw.')
  expect([await isGerman(), await translated()]).toEqual([false, undefined])
  const [last] = (await read()).changes
  expect(last).toMatchObject({ who: 'owner', what: 'withdrew', about: { kind: 'legal translation', id: `${page} de` } })
  const undoes = () => owner.send<Saved>('POST', `/api/admin/settings/undo/${last?.id}`)
  expect((await undoes()).body.done).toBe(`Undone. It is the translation of version ${rest.ofVersion}.`)
  expect(await isGerman()).toBe(true)
  expect((await undoes()).body.code).toBe('nothing_to_undo')

  const pool = world.shop.database.pool
  await expect(pool.query(`update legal_translation set text = 'x'`)).rejects.toThrow('are kept as they are')
  await expect(pool.query('delete from legal_translation')).rejects.toThrow('are kept as they are')
})
