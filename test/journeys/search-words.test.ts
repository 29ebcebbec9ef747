import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SearchAnswer } from '#contract/catalog.ts'
import { openWorld, type World } from '#sandbox/world.ts'

let world: World
let owner: ReturnType<World['shopper']>

beforeAll(async () => {
  world = await openWorld()
  owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
})
afterAll(() => world[Symbol.asyncDispose]())

const found = async (q: string) =>
  (await world.shopper().send<SearchAnswer>('GET', `/api/search?q=${encodeURIComponent(q)}`)).body.products.map(
    ({ name }) => name,
  )
type SearchWords = { spellings: string[][]; misses: { words: string; count: number }[] }
const searchWords = async () => (await owner.send<SearchWords>('GET', '/api/admin/search')).body
const adds = (words: string, of: string) =>
  owner.send<{ done: string; fields: object }>('POST', '/api/admin/search/synonyms', { words, of })

describe('searches that found nothing', () => {
  const misses = async () => (await searchWords()).misses

  test('are counted for the owner until a type has the word', async () => {
    for (const q of ['Kazoo', ' kazoo ', 'kazoo', 'ukulele']) await found(q)
    expect(await misses()).toMatchObject([
      { words: 'kazoo', count: 3 },
      { words: 'ukulele', count: 1 },
    ])
    expect(await adds('kazoo', 'Mug')).toMatchObject({
      status: 200,
      body: { done: '“kazoo” finds what “Mug” finds now.' },
    })
    expect((await misses()).map(({ words }) => words)).toEqual(['ukulele'])
    expect(await found('kazoo')).toEqual(await found('mug'))
  })

  test('become a spelling of a word that finds something', async () => {
    expect(await found('chapeau')).toEqual([])
    expect((await adds('chapeau', 'Portrait')).status).toBe(200)
    expect(await found('chapeau')).toEqual(await found('portrait'))
    expect((await searchWords()).spellings).toContainEqual(['portrait', 'chapeau'])
    expect((await misses()).map(({ words }) => words)).not.toContain('chapeau')
  })

  test.each([
    ['theremin', 'theremin', 'Please choose another word'],
    ['glass theremin', 'portrait', 'Several words can only be a synonym of a product type'],
    ['a very long theremin', 'mug', 'A synonym has at most 3 words'],
    ['theremin', '', 'Please enter a word'],
  ])('“%s” as a synonym of “%s” is refused beside the field, and stays on the list', async (words, of, sentence) => {
    await found(words)
    expect(await adds(words, of)).toMatchObject({ status: 422, body: { fields: { of: sentence } } })
    expect((await misses()).map((miss) => miss.words)).toContain(words)
  })

  test('are dismissed until they are searched for ten more times, or for 30 days', async () => {
    const listed = async () => (await misses()).find(({ words }) => words === 'didgeridoo')?.count
    const dismiss = () => owner.send('POST', '/api/admin/search/dismissals', { words: 'didgeridoo' })
    const searches = async (times: number) => {
      for (let search = 0; search < times; search += 1) await found('didgeridoo')
    }
    await searches(1)
    expect((await dismiss()).status).toBe(200)
    await searches(9)
    expect(await listed()).toBeUndefined()
    await searches(1)
    expect(await listed()).toBe(11)
    await dismiss()
    await world.shop.database.pool.query(`update search_miss set day = day - 31 where words = 'didgeridoo'`)
    await searches(1)
    expect(await listed()).toBe(1)
  })

  test.each(['jane.roe@example.com', '4242 4242 4242 4242', '+1 212 555 0100', 'K7QM-4T2X', 'https://example.com/x'])(
    'are forgotten where they may be somebody’s: %s',
    async (q) => {
      const before = await misses()
      expect(await found(q)).toEqual([])
      expect(await misses()).toEqual(before)
    },
  )

  test('fill no more than their share of the table, however many a robot sends', async () => {
    await world.shop.database.pool.query(
      `insert into search_miss select (now() at time zone 'UTC')::date, 'robot ' || n, 1 from generate_series(1, 600) n`,
    )
    await found('zither')
    await found('ukulele')
    const { rows } = await world.shop.database.pool.query(
      `select words, count from search_miss where words in ('zither', 'ukulele')`,
    )
    expect(rows).toEqual([{ words: 'ukulele', count: 2 }])
  })
})

test('the owner edits spellings of the same word; a stale page changes nothing', async () => {
  const { spellings: before } = await searchWords()
  const saves = (spellings: string[][]) =>
    owner.send<{ message: string }>('PUT', '/api/admin/search/spellings', { before, spellings })
  expect((await saves([['alone']])).status).toBe(422)
  expect((await saves([...before, ['Sleeping', 'snoozing']])).status).toBe(200)
  expect(await found('snoozing')).toEqual(await found('sleeping'))
  expect((await saves([])).status).toBe(409)
  expect((await searchWords()).spellings).toEqual([...before, ['sleeping', 'snoozing']])
})
