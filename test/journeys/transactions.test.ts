import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SessionId } from '#shared/ids.ts'
import { openWorld } from '#sandbox/world.ts'
import {
  lockConversation,
  lockOrInsert,
  mergeConversation,
  updateConversation,
} from '#server/messages/conversation-store.ts'
import { openDatabase, type Database } from '#server/db/db.ts'

// On a server each statement is prepared once per connection. Callers must not notice.

describe.runIf(process.env['TEST_DATABASE'] === 'postgresql')('a prepared statement', () => {
  let database: Database
  const schema = sql.identifier(`transactions_${process.pid}`)
  const kept = sql`${schema}.kept`

  beforeAll(async () => {
    database = await openDatabase(process.env['TEST_DATABASE_URL'], '')
    await database.db.execute(sql`create schema ${schema}`)
    await database.db.execute(sql`create table ${kept} (id int primary key)`)
  })
  afterAll(async () => {
    await database.db.execute(sql`drop schema ${schema} cascade`)
    await database.close()
  })

  const ids = async () =>
    (await database.db.execute<{ id: number }>(sql`select id from ${kept} order by id`)).rows.map(({ id }) => id)
  const keep = (id: number) =>
    database.db.transaction(
      async (tx) => (await tx.execute<{ id: number }>(sql`insert into ${kept} values (${id}) returning id`)).rows,
    )
  const failing = (work: Promise<unknown>) =>
    work.then(
      () => 'nothing',
      (error: Error) => (error.cause instanceof Error ? error.cause : error).message,
    )

  test('returns its own rows however often a connection runs it', async () => {
    // Several times as many as the pool has connections: the first on each prepares, the others reuse.
    const all = await Promise.all(Array.from({ length: 40 }, (_, id) => keep(id)))
    expect(all).toEqual(Array.from({ length: 40 }, (_, id) => [{ id }]))
    expect(await ids()).toHaveLength(40)
  })

  // More often than the pool has connections: one that is lost each time would leave none.
  test.each([
    ['`begin` fails', () => database.db.transaction(async () => 'never', { isolationLevel: 'none' as never })],
    [
      'its connection is cut',
      () => database.db.transaction((tx) => tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`)),
    ],
  ])('a transaction keeps no connection when %s', async (_, transaction) => {
    const failures = await Promise.all(Array.from({ length: 20 }, () => failing(transaction())))
    expect(failures).not.toContain('nothing')
    expect(await ids()).toBeInstanceOf(Array)
    expect(await database.db.transaction((tx) => tx.execute(sql`select 1`))).toMatchObject({ rowCount: 1 })
  })

  test('reports why it failed, and the connection stays usable', async () => {
    const twice = Array.from({ length: 20 }, () => failing(keep(1)))
    expect(new Set(await Promise.all(twice))).toEqual(
      new Set(['duplicate key value violates unique constraint "kept_pkey"']),
    )
    const missing = sql`${schema}.missing`
    const ask = () => database.db.transaction((tx) => tx.execute(sql`insert into ${missing} values (${1}) returning *`))
    expect(await failing(ask())).toContain('does not exist')
    await database.db.execute(sql`create table ${missing} (id int)`)
    expect((await ask()).rows).toEqual([{ id: 1 }])
    expect(await keep(101)).toEqual([{ id: 101 }])
  })
})

test.runIf(process.env['TEST_DATABASE'] === 'postgresql')(
  'a chat that is merged into another while a line of it waits takes the line along',
  async () => {
    await using world = await openWorld()
    const { db } = world.shop
    await world.shopper().adds('hat')
    const { rows: sessions } = await db.execute<{ id: SessionId }>(sql`select id from session limit 1`)
    const chatOf = (reference: string, more: object = {}) => ({
      ...{ reference, subject: 'Chat', startedAt: new Date() },
      ...more,
    })
    const ofVisitor = { sessionId: sessions[0]?.id }
    const chat = await db.transaction((tx) => lockOrInsert(tx, chatOf('A', ofVisitor)))
    let waiting: ReturnType<typeof lockOrInsert> | undefined
    const into = await db.transaction(async (tx) => {
      const other = await lockOrInsert(tx, chatOf('B'))
      await lockConversation(tx, chat.id)
      waiting = db.transaction((line) => lockOrInsert(line, chatOf('C', ofVisitor)))
      const isWaiting = async () => (await db.execute(sql`select 1 from pg_locks where not granted`)).rows.length > 0
      await expect.poll(isWaiting).toBe(true)
      await mergeConversation(tx, chat.id, other.id)
      await updateConversation(tx, other.id, ofVisitor)
      return other.id
    })
    expect((await waiting)?.id).toBe(into)
  },
)
