import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ProductPictures, StoredPicture } from '#contract/admin-pictures.ts'
import type { Draft } from '#contract/admin-studio.ts'
import { EMPTY_DRAFT } from '#domain/studio/draft.ts'
import { eraseExpired } from '#server/privacy/retention.ts'
import { DAY_MS } from '#shared/time.ts'
import { defaultSettings } from '#site/shop-rules.ts'
import { openWorld, type World } from '#sandbox/world.ts'

let world: World
let owner: ReturnType<World['shopper']>
let cookie: string

beforeAll(async () => {
  world = await openWorld()
  owner = world.shopper()
  await signIn()
})
afterAll(() => world[Symbol.asyncDispose]())

async function signIn(): Promise<void> {
  const signedIn = await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  cookie =
    signedIn.headers
      .getSetCookie()
      .find((header) => header.includes('session='))
      ?.split(';')[0] ?? ''
}

let shades = 0

/** Each is another picture. */
async function upload(kind: 'drawing' | 'product' | 'hero', width = 64): Promise<StoredPicture> {
  shades += 1
  const background = { r: shades, g: 80, b: 160, alpha: 1 }
  const png = await sharp({ create: { width, height: width, channels: 4, background } })
    .png()
    .toBuffer()
  const answer = await fetch(`${world.address}/api/admin/pictures?kind=${kind}&alt=Biscuit+asleep`, {
    method: 'POST',
    headers: { 'content-type': 'image/png', cookie },
    body: new Uint8Array(png),
  })
  expect(answer.status).toBe(200)
  return (await answer.json()) as StoredPicture
}

const isThere = async ({ src }: { src: string }) => (await fetch(`${world.address}${src}`)).status === 200
const contentWith = (...drawings: StoredPicture[]) => ({
  ...EMPTY_DRAFT,
  placements: drawings.map(({ file }) => ({
    ...{ area: 'front', drawing: file, x: 0.5, y: 0.5, width: 0.4, height: 0.4, threadColors: [] },
  })),
})
const draftWith = (...drawings: StoredPicture[]) =>
  owner.send<Draft>('POST', '/api/admin/drafts', { content: contentWith(...drawings) })
const save = ({ id, version }: Draft, ...drawings: StoredPicture[]) =>
  owner.send<Draft>('PUT', `/api/admin/drafts/${id}`, {
    ...{ version, step: 'drawing', content: contentWith(...drawings) },
  })

/** Looks each day, as the job does. */
async function passDays(days: number): Promise<void> {
  await eraseExpired(world.shop)
  await world.advance(days * DAY_MS)
  await eraseExpired(world.shop)
  await signIn()
}

test('a picture that nothing needs is deleted after a month, and not before', async () => {
  const [never, replaced, chosenAgain] = [await upload('drawing'), await upload('drawing'), await upload('drawing')]
  const [first, second] = [(await draftWith(replaced)).body, (await draftWith(chosenAgain)).body]
  await passDays(40)
  // Those of the drafts were needed all the time.
  expect(await Promise.all([never, replaced, chosenAgain].map(isThere))).toEqual([false, true, true])
  const emptied = [(await save(first)).body, (await save(second)).body]
  await passDays(20)
  expect((await save(emptied[1] as Draft, chosenAgain)).status).toBe(200)
  await passDays(20)
  expect(await Promise.all([replaced, chosenAgain].map(isThere))).toEqual([false, true])
  // What is gone cannot be chosen from a page that was open for weeks; uploaded again, it can.
  const refused = await save(emptied[0] as Draft, replaced)
  expect(refused).toMatchObject({ status: 404, body: { message: 'We couldn’t find this picture.' } })
})

test('what an earlier version of a product shows stays, and can be restored with it', async () => {
  type Rows = { products: { id: number; name: string }[] }
  const [product] = (await owner.send<Rows>('GET', '/api/admin/products')).body.products
  const path = `/api/admin/products/${product?.id}/pictures`
  const before = (await owner.send<ProductPictures>('GET', path)).body
  const photo = await upload('product', 400)
  const shown = before.pictures.map(({ file, alt, color, view }) => ({ file, alt, color, view }))
  const added = [...shown, { file: photo.file, alt: photo.alt, color: null, view: 'front' }]
  expect((await owner.send('PUT', path, { version: before.version, pictures: added })).status).toBe(200)
  expect((await owner.send('PUT', path, { version: before.version + 1, pictures: shown })).status).toBe(200)
  await passDays(40)
  await passDays(40)
  expect(await isThere(photo)).toBe(true)
})

test('the home page’s opening picture stays, and so does the one before, which an undo brings back', async () => {
  const [first, second] = [await upload('hero', 900), await upload('hero', 900)]
  const chosen = ({ file, alt, widths, width, height }: StoredPicture) => ({ file, alt, widths, width, height })
  const open = (was: unknown, value: unknown) =>
    owner.send('PUT', '/api/admin/settings', { openingPicture: { was, value } })
  expect((await open(defaultSettings.openingPicture, chosen(first))).status).toBe(200)
  expect((await open(chosen(first), chosen(second))).status).toBe(200)
  await passDays(40)
  await passDays(40)
  expect(await Promise.all([first, second].map(isThere))).toEqual([true, true])
})

test('a draft is saved while the job runs: it keeps its picture, or is told that it is gone', async () => {
  const outcomes: [number, boolean][] = []
  for (const head of [0, 0, 1, 5, 20]) {
    const drawing = await upload('drawing')
    const draft = (await draftWith()).body
    await eraseExpired(world.shop)
    await world.advance(31 * DAY_MS)
    await signIn()
    const job = eraseExpired(world.shop)
    await new Promise((resolve) => setTimeout(resolve, head))
    const [saved] = await Promise.all([save(draft, drawing), job])
    outcomes.push([saved.status, await isThere(drawing)])
  }
  for (const outcome of outcomes)
    expect([JSON.stringify([200, true]), JSON.stringify([404, false])]).toContain(JSON.stringify(outcome))
})
