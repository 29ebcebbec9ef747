import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Draft, DraftSummary } from '#contract/admin-studio.ts'
import { EMPTY_DRAFT, type DraftContent } from '#domain/studio/draft.ts'
import { openWorld, type World } from '#sandbox/world.ts'

let world: World
let owner: ReturnType<World['shopper']>

beforeAll(async () => {
  world = await openWorld()
  owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
})
afterAll(() => world[Symbol.asyncDispose]())

const begin = async (content: Partial<DraftContent> = {}) =>
  (await owner.send<Draft>('POST', '/api/admin/drafts', { content: { ...EMPTY_DRAFT, ...content } })).body
const save = (draft: Draft, content: Record<string, unknown>) =>
  owner.send<Draft & { message: string; summary: Draft; fields?: object }>('PUT', `/api/admin/drafts/${draft.id}`, {
    version: draft.version,
    step: 'words',
    content: { ...draft.content, ...content },
  })

test('a draft is saved step by step, listed, and deleted', async () => {
  const draft = await begin({ blankId: 71 })
  const saved = await save(draft, { name: 'Biscuit Hoodie', slug: 'biscuit-hoodie' })
  expect(saved.body).toMatchObject({ version: 2, step: 'words', state: 'open', content: { blankId: 71 } })
  expect((await owner.send<Draft>('GET', `/api/admin/drafts/${draft.id}`)).body).toEqual(saved.body)
  const listed = async () => (await owner.send<{ drafts: DraftSummary[] }>('GET', '/api/admin/drafts')).body.drafts
  expect((await listed())[0]).toMatchObject({ id: draft.id, name: 'Biscuit Hoodie', step: 'words' })
  await owner.send('DELETE', `/api/admin/drafts/${draft.id}`)
  expect((await listed()).map(({ id }) => id)).not.toContain(draft.id)
  expect((await owner.send('GET', `/api/admin/drafts/${draft.id}`)).status).toBe(404)
})

test('the second of two owners is told what the first changed, and gets the stored draft', async () => {
  const draft = await begin({ name: 'Biscuit' })
  await save(draft, { name: 'Biscuit the Dog' })
  const second = await save(draft, { name: 'Biscuit', badge: 'NEW' })
  expect(second.status).toBe(409)
  expect(second.body.message).toBe(
    'After you opened this draft, owner saved it. Changed there: name, badge. Nothing you typed is lost.',
  )
  expect(second.body.summary).toMatchObject({ version: 2, content: { name: 'Biscuit the Dog', badge: null } })
})

test.each([
  [{ slug: 'Not A Slug' }, 'content.slug'],
  [{ prices: [{ size: 'S', price: 12.5 }] }, 'content.prices.0.price'],
  [{ publishAt: 'tomorrow' }, 'content.publishAt'],
])('%o is refused, and the draft stays as it was', async (content, field) => {
  const draft = await begin()
  const { status, body } = await save(draft, content)
  expect(status).toBe(422)
  expect(Object.keys(body.fields ?? {})).toEqual([field])
  expect((await owner.send<Draft>('GET', `/api/admin/drafts/${draft.id}`)).body.version).toBe(1)
})

test('a draft on a blank has figures for its margin and a preview, and collections tell their texts', async () => {
  await owner.send('POST', '/api/admin/blanks')
  await world.settled()
  expect((await owner.send('GET', '/api/admin/draft-choices')).body).toMatchObject({
    collections: expect.arrayContaining([{ id: 'rudy', name: 'Rudy' }]),
  })
  const { id } = await begin({ blankId: 71, name: 'Biscuit Shirt', slug: 'biscuit-shirt', collection: 'rudy' })
  const partner = world.shopper()
  await partner.send('POST', '/api/login', { username: 'partner', password: 'partner-demo' })
  expect((await owner.send('GET', '/api/admin/margin-facts/71')).status).toBe(200)
  expect((await owner.send('GET', `/api/admin/drafts/${id}/preview`)).status).toBe(200)
  expect((await owner.send('GET', '/api/collections/rudy')).body).toMatchObject({
    collection: { displayName: 'The Rudy Collection' },
  })
  expect((await partner.send('GET', '/api/partnership/texts/rudy')).status).toBe(200)
})
