import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deskCalls } from '#contract/desk.ts'
import { COMMAND, recordAction } from '#server/actions/actions.ts'
import { openWorld, type World } from '#sandbox/world.ts'

let world: World
let owner: ReturnType<World['shopper']>

beforeAll(async () => {
  world = await openWorld()
  owner = await signedIn('owner', 'owner-demo')
})
afterAll(() => world[Symbol.asyncDispose]())

async function signedIn(username: string, password: string) {
  const somebody = world.shopper()
  const { status } = await somebody.send('POST', '/api/login', { username, password })
  expect(status).toBe(200)
  return somebody
}

describe('the desk is the owner’s alone', () => {
  test('every call refuses whoever is not signed in, users and partners', async () => {
    const nobody = world.shopper()
    const partner = await signedIn('partner', 'partner-demo')
    const user = world.shopper()
    await user.send('POST', '/api/register', { username: 'just-a-fan', password: 'sleeps all day' })
    for (const { method, path } of Object.values(deskCalls)) {
      const address = path.replace(/:\w+/g, '1')
      const body = method === 'GET' ? undefined : {}
      for (const [who, status] of [
        [nobody, 401],
        [user, 403],
        [partner, 403],
      ] as const) {
        const answer = await who.send(method, address, body)
        // What is wrong with a body is nobody's business who may not send it.
        expect(answer.status, `${method} ${path}`).toBe(status)
      }
    }
  })
})

describe('what was done', () => {
  test('is told with who, when and from where, the latest first, a page at a time', async () => {
    const at = world.shop.clock.now()
    await world.shop.db.transaction(async (tx) => {
      for (let id = 1; id <= 60; id += 1)
        await recordAction(tx, { by: COMMAND, what: 'tried', about: { kind: 'thing', id }, after: { size: id }, at })
    })
    const first = await owner.send<Log>('GET', '/api/desk/log')
    expect(first.body.actions[0]).toMatchObject({
      who: 'command',
      address: '',
      what: 'tried',
      about: { kind: 'thing', id: '60' },
      before: null,
      after: { size: 60 },
      at: at.toISOString(),
    })
    expect(first.body.actions).toHaveLength(50)
    const next = await owner.send<Log>('GET', `/api/desk/log?older=${first.body.actions.at(-1)?.id}`)
    expect(next.body.actions.map(({ about }) => about.id).slice(0, 10)).toEqual([
      '10',
      '9',
      '8',
      '7',
      '6',
      '5',
      '4',
      '3',
      '2',
      '1',
    ])
    expect(next.body.hasMore).toBe(false)
  })

  test('cannot be changed or taken back', async () => {
    const { pool } = world.shop.database
    await expect(pool.query(`update owner_action set what = 'nothing'`)).rejects.toThrow('append-only')
    await expect(pool.query('delete from owner_action')).rejects.toThrow('append-only')
  })
})

type Log = { actions: { id: number; about: { id: string } }[]; hasMore: boolean }
