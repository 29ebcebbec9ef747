import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { defaultSettings, type SiteSettings } from '#site/shop-rules.ts'
import type { AuditLogEntry } from '#contract/admin.ts'
import type { StoredPicture } from '#contract/admin-pictures.ts'
import type { SettingName } from '#contract/settings.ts'
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

type Answer = { values: SiteSettings; changes: AuditLogEntry[] }
const read = async (): Promise<Answer> => (await owner.send<Answer>('GET', '/api/admin/settings')).body

/** Changes a setting from its present value. */
const change = async (name: SettingName, value: unknown) =>
  owner.send<{ code?: string; message: string; fields?: Record<string, string> }>('PUT', '/api/admin/settings', {
    [name]: { was: (await read()).values[name], value },
  })
const pageAt = async (path: string) =>
  // React separates texts by comments.
  (await (await fetch(`${world.address}${path}`)).text()).replaceAll('<!-- -->', '')

test('a new label name is in the title, the footer, the structured data and the emails', async () => {
  expect((await change('name', 'Paws & Sons')).status).toBe(200)
  const home = await pageAt('/')
  expect(home).toContain('<title>Paws &amp; Sons - ')
  expect(home).toContain('"name":"Paws & Sons"')
  await owner.send('POST', '/api/newsletter', { email: 'ada@example.com' })
  await world.settled()
  const mail = world.mailbox.list().find(({ subject }) => subject.includes('newsletter'))
  expect(mail?.subject).toBe('Please confirm your Paws & Sons newsletter')
  expect(mail?.html).toContain('Paws &amp; Sons')
  expect(mail?.raw).toMatch(/^From: "?Paws & Sons"? </m)
  const manifest = (await (await fetch(`${world.address}/manifest.webmanifest`)).json()) as object
  expect(manifest).toMatchObject({ name: 'Paws & Sons', short_name: 'Paws & Sons' })
  const refused = await fetch(`${world.address}/api/partnership/statement-file`, { headers: { accept: 'text/html' } })
  expect(await refused.text()).toContain('<title>That didn’t work | Paws &amp; Sons</title>')
  await change('name', null)
  expect(await pageAt('/')).toContain(`<title>${defaultSettings.name} - `)
})

/** Ink on a transparent ground, 3:1. */
const drawn = (ink: string, inside = '') =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 100"><circle cx="150" cy="50" r="48" fill="${ink}"/>${inside}</svg>`,
  )
const uploads = (bytes: Uint8Array) =>
  owner.send<StoredPicture & { code?: string }>(
    'POST',
    `/api/admin/pictures?${new URLSearchParams({ kind: 'logo', alt: 'Our logo' })}`,
    bytes,
  )

/** Without the moments at which its answers were read. */
const untimed = (page: string) => page.replaceAll(/"(?:dehydratedAt|dataUpdatedAt)":\d+/g, '')

test('an uploaded logo replaces the name in header, footer, emails, receipts and icons, until it is undone', async () => {
  const before = untimed(await pageAt('/contact'))
  expect((await uploads(drawn('#111111', '<script>alert(1)</script>'))).body.code).toBe('svg_unsafe')
  const { file, width, height } = (await uploads(drawn('#111111'))).body
  expect([file, width, height]).toEqual([expect.stringMatching(/^logo\.[0-9a-f]{16}$/), 432, 144])
  const logo = { file, width, height, ground: 'light' }
  for (const wrong of [
    { ...logo, file: 'logo.0123456789abcdef' },
    { ...logo, width: 300 },
    { ...logo, ground: 'any' },
  ])
    expect(await change('logo', wrong)).toMatchObject({
      status: 422,
      body: { fields: { 'logo.value': expect.anything() } },
    })
  expect(untimed(await pageAt('/contact'))).toBe(before)

  expect((await change('logo', logo)).status).toBe(200)
  const page = await pageAt('/contact')
  const picture = `<img src="/pictures/${file}.432.webp" width="432" height="144" alt="${defaultSettings.name}"`
  expect(page.split(picture)).toHaveLength(3)
  const square = (size: number) => `/pictures/${file.replace('logo', 'icon')}.${size}.png`
  expect(page).toContain(`/pictures/${file}.432.png","email"`)
  expect(page).toContain(`<meta property="og:image" content="${world.address}${square(512)}"/>`)
  const manifest = (await (await fetch(`${world.address}/manifest.webmanifest`)).json()) as { icons: { src: string }[] }
  expect(manifest.icons.map(({ src }) => src)).toEqual([square(192), square(512), square(512)])
  for (const [address, size] of [
    ['/apple-touch-icon.png', 180],
    ['/icons/icon-512.png', 512],
    ['/favicon.svg', 48],
  ] as const) {
    const icon = await fetch(world.address + address)
    expect(icon.headers.get('cache-control')).toContain('immutable')
    const { width: wide, height: high, format } = await sharp(await icon.bytes()).metadata()
    expect([address, format, wide, high]).toEqual([address, 'png', size, size])
  }
  await owner.send('POST', '/api/newsletter', { email: 'grace@example.com' })
  await world.settled()
  const mail = world.mailbox.list().find(({ to }) => JSON.stringify(to).includes('grace'))
  expect(mail?.html).toMatch(
    new RegExp(
      `<img\\s+src="http[^"]+/pictures/${file}.432.png"\\s+width="120"\\s+height="40"\\s+alt="${defaultSettings.name}"`,
    ),
  )
  expect(mail?.text).not.toContain('<img')

  const [last] = (await read()).changes
  expect((await owner.send('POST', `/api/admin/settings/undo/${last?.id}`)).status).toBe(200)
  expect(untimed(await pageAt('/contact'))).toBe(before)
})

test('the home page opens with the picture that the owner chose, and with the house’s after an undo', async () => {
  const pixels = { width: 1600, height: 900, channels: 3, background: '#3a4a2c' } as const
  const { file, widths, width, height } = (
    await owner.send<StoredPicture>(
      'POST',
      `/api/admin/pictures?${new URLSearchParams({ kind: 'hero', alt: 'Biscuit in a basket' })}`,
      await sharp({ create: pixels }).png().toBuffer(),
    )
  ).body
  const chosen = { file, widths, width, height, alt: 'Biscuit in a basket' }
  expect(await change('openingPicture', { ...chosen, file: 'hero.0123456789abcdef' })).toMatchObject({
    status: 422,
    body: { fields: { 'openingPicture.value': expect.stringContaining('upload it again') } },
  })
  expect(await pageAt('/')).toContain(defaultSettings.openingPicture.alt)
  expect((await change('openingPicture', chosen)).status).toBe(200)
  const page = await pageAt('/')
  expect(page).toContain(`src="/pictures/${file}.${width}.webp"`)
  expect(page).toContain('alt="Biscuit in a basket"')
  expect(page).not.toContain(defaultSettings.openingPicture.alt)
  const [last] = (await read()).changes
  expect((await owner.send('POST', `/api/admin/settings/undo/${last?.id}`)).status).toBe(200)
  expect(await pageAt('/')).toContain(defaultSettings.openingPicture.alt)
})

test('what is not a value of its kind is refused beside its field, and nothing changes', async () => {
  const before = (await read()).values
  const wrong: [SettingName, unknown, string][] = [
    ['banner', ' ', 'banner.value'],
    ['supportEmail', 'care', 'supportEmail.value'],
    ['returnDays', 1.5, 'returnDays.value'],
    ['processingDays', { from: 5, to: 2 }, 'processingDays.value.to'],
    ['social', [{ name: 'Video', url: 'javascript:alert(1)' }], 'social.value.0.url'],
    ['homeSections', ['hero', 'hero'], 'homeSections.value'],
    ['homeSections', [], 'homeSections.value'],
    ['openingPicture', { ...defaultSettings.openingPicture, alt: '' }, 'openingPicture.value.alt'],
    ['commission', { usual: 13, most: 12 }, 'commission.value.most'],
  ]
  for (const [name, value, field] of wrong) {
    const { status, body } = await change(name, value)
    expect([name, status, Object.keys(body.fields ?? {})]).toEqual([name, 422, [field]])
  }
  expect((await read()).values).toEqual(before)
})

test('two owners change the same setting: the second sees who was first, and nothing is lost', async () => {
  const was = (await read()).values.tagline
  await change('tagline', 'First')
  const second = await owner.send<{ code: string; message: string }>('PUT', '/api/admin/settings', {
    tagline: { was, value: 'Second' },
    footerNote: { was: defaultSettings.footerNote, value: 'Not saved either' },
  })
  expect(second).toMatchObject({ status: 409, body: { code: 'setting_changed' } })
  expect(second.body.message).toContain('owner changed ‘Tagline’')
  expect((await read()).values).toMatchObject({ tagline: 'First', footerNote: defaultSettings.footerNote })
})

test('every change is in the log with before and after, and each can be undone', async () => {
  const { returnDays, social } = (await read()).values
  await change('returnDays', 45)
  expect(await pageAt('/shipping-returns')).toContain('within 45 days of delivery')
  await change('social', [])
  const [latest, earlier] = (await read()).changes
  expect(earlier).toMatchObject({ about: { kind: 'setting', id: 'returnDays' }, after: { returnDays: 45 } })
  for (const action of [latest, earlier])
    expect((await owner.send('POST', `/api/admin/settings/undo/${action?.id}`)).status).toBe(200)
  expect((await read()).values).toMatchObject({ returnDays, social })
  expect((await owner.send('POST', '/api/admin/settings/undo/999999')).status).toBe(404)
})

test('sections of the home page follow the owner’s order, and hidden ones are gone', async () => {
  await change('homeSections', ['making', 'collections'])
  const home = await pageAt('/')
  expect(home.indexOf('id="making"')).toBeLessThan(home.indexOf('id="collections"'))
  expect(home).not.toContain('Famous pets, properly made')
  expect(home.match(/<h1/g)).toHaveLength(1)
  await change('homeSections', null)
  expect(await pageAt('/')).toContain('Famous pets, properly made')
})

test('who pays for shipping follows the setting, and the banner no longer promises what is not free', async () => {
  expect(await pageAt('/')).toContain('Free Global Shipping')
  await change('shipping', 'partner')
  const [home, shipping] = [await pageAt('/'), await pageAt('/shipping-returns')]
  expect(home).not.toContain('Free Global Shipping')
  expect(shipping).not.toContain('Shipping is free')
  await change('shipping', null)
})

test('the former address of the page leads to the settings', async () => {
  const { status, headers } = await fetch(`${world.address}/admin/content`, { redirect: 'manual' })
  expect([status, headers.get('location')]).toEqual([301, '/admin/settings'])
})
