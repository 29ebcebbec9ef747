import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase, type Database } from '#server/db/db.ts'

// On a server a transaction's `begin` goes in one packet with its first statement, and statements are prepared by name: what
// follows must not be able to tell.

describe.runIf(process.env['TEST_DATABASE'] === 'postgresql')('a transaction on a server', () => {
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

  test('gives its first statement the answer to it, however often the connection is used again', async () => {
    // More than the pool has connections, twice: the first transaction of each prepares the begin, the next ones use it.
    const all = await Promise.all(Array.from({ length: 40 }, (_, id) => keep(id)))
    expect(all).toEqual(Array.from({ length: 40 }, (_, id) => [{ id }]))
    expect(await ids()).toHaveLength(40)
  })

  test('leaves nothing behind when what follows its first statement fails', async () => {
    const work = database.db.transaction(async (tx) => {
      await tx.execute(sql`insert into ${kept} values (${100})`)
      throw new Error('no')
    })
    expect(await failing(work)).toBe('no')
    expect(await ids()).not.toContain(100)
  })

  test('says why its first statement fails, and the connection goes on', async () => {
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

  test('holds also where statements are sent side by side, or have no values', async () => {
    const work = database.db.transaction(async (tx) => {
      await Promise.all([
        tx.execute(sql`insert into ${kept} values (${110})`),
        tx.execute(sql`insert into ${kept} values (${111})`),
      ])
      throw new Error('no')
    })
    await failing(work)
    const plain = database.db.transaction(async (tx) => {
      await tx.execute(sql`insert into ${kept} values (112)`)
      throw new Error('no')
    })
    await failing(plain)
    expect((await ids()).filter((id) => id >= 110)).toEqual([])
    expect(await database.db.transaction(async () => 'nothing asked')).toBe('nothing asked')
  })
})
