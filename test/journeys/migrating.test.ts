import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWorld } from '#sandbox/world.ts'
import { addKnownCollections } from '#server/catalog/collections.ts'
import { migrateSchema, openDatabase, type Database } from '#server/db/db.ts'

const MIGRATIONS = join(import.meta.dirname, '../../src/server/db/migrations')

/** The shop's migrations plus one that a next release might bring. */
function laterMigrations(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pawtelier-migrations-'))
  cpSync(MIGRATIONS, folder, { recursive: true })
  const journalFile = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(journalFile, 'utf8')) as { entries: { idx: number; when: number }[] }
  const last = journal.entries.at(-1)
  const entry = { ...last, idx: (last?.idx ?? 0) + 1, when: (last?.when ?? 0) + 1, tag: '9999_gift_note' }
  writeFileSync(journalFile, JSON.stringify({ ...journal, entries: [...journal.entries, entry] }))
  writeFileSync(
    join(folder, '9999_gift_note.sql'),
    `ALTER TABLE "shop_order" ADD COLUMN "gift_note" text DEFAULT '' NOT NULL;`,
  )
  return folder
}

test('a release with a migration takes over a database with orders in it while the shop keeps selling', async () => {
  await using world = await openWorld()
  await world.shopper().paysByCard({ buying: 'hat' })
  await world.settled()
  const folder = laterMigrations()
  await migrateSchema(world.shop.database, folder)
  rmSync(folder, { recursive: true })
  await world.shopper().paysByCard({ buying: 'hat' })
  await world.settled()
  const { pool } = world.shop.database
  const { rows } = await pool.query('select gift_note from shop_order')
  expect(rows).toEqual([{ gift_note: '' }, { gift_note: '' }])
  // The worlds of other tests live in the same database: they must not get that of a later release.
  await pool.query(`alter table shop_order drop column gift_note`)
  await pool.query(
    `delete from drizzle.__drizzle_migrations where created_at = (select max(created_at) from drizzle.__drizzle_migrations)`,
  )
})

/** The migrations of the release before owners could edit the catalog. */
function earlyMigrations(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pawtelier-migrations-'))
  cpSync(MIGRATIONS, folder, { recursive: true })
  const journalFile = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(journalFile, 'utf8')) as { entries: { tag: string }[] }
  const until = journal.entries.findIndex(({ tag }) => tag === '0003_order_texts')
  writeFileSync(journalFile, JSON.stringify({ ...journal, entries: journal.entries.slice(0, until + 1) }))
  return folder
}

const columnsOf = async ({ pool }: Database): Promise<Map<string, readonly string[]>> => {
  const { rows } = await pool.query<{ table: string; columns: string[] }>(
    `select c.table_name as table, array_agg(c.column_name::text) as columns
     from information_schema.columns c join information_schema.tables using (table_schema, table_name)
     where c.table_schema = 'public' and table_type = 'BASE TABLE' and is_generated = 'NEVER' group by 1 order by 1`,
  )
  return new Map(rows.map(({ table, columns }) => [table, columns]))
}

/** As JSON, in an order of their own. */
const rowsOf = async ({ pool }: Database, table: string, columns: readonly string[]): Promise<string[]> => {
  const list = columns.map((name) => `"${name}"`).join(', ')
  const { rows } = await pool.query<{ row: string }>(
    `select row_to_json(r)::text as row from (select ${list} from "${table}") r order by 1`,
  )
  return rows.map(({ row }) => row)
}

test('a database of an early release comes through all migrations with its catalog, orders and settings', async () => {
  await using world = await openWorld()
  await world.shopper().paysByCard({ buying: 'hat' })
  await world.settled()
  const now = world.shop.database
  const folder = earlyMigrations()
  const early = await openDatabase(undefined, 'memory://')
  try {
    await migrateSchema(early, folder)
    const [columnsNow, columnsThen] = [await columnsOf(now), await columnsOf(early)]
    const shared = [...columnsThen].map(([table, columns]): [string, string[]] => [
      table,
      columns.filter((name) => columnsNow.get(table)?.includes(name)),
    ])
    // Foreign keys and triggers were satisfied where the rows come from.
    await early.pool.query('set session_replication_role = replica')
    for (const [table, columns] of shared) {
      const rows = await rowsOf(now, table, columns)
      const list = columns.map((name) => `"${name}"`).join(', ')
      await early.pool.query(`delete from "${table}"`)
      await early.pool.query(
        `insert into "${table}" (${list}) select ${list} from json_populate_recordset(null::"${table}", $1::json)`,
        [`[${rows.join(',')}]`],
      )
    }
    await early.pool.query('set session_replication_role = origin')
    await migrateSchema(early)
    const different: string[] = []
    for (const [table, columns] of shared) {
      const [before, after] = [await rowsOf(now, table, columns), await rowsOf(early, table, columns)]
      if (JSON.stringify(before) !== JSON.stringify(after)) different.push(table)
    }
    expect(different).toEqual([])
    // What was a part of the program then are rows now; a start adds the collections.
    await early.db.transaction((tx) => addKnownCollections(tx, world.shop.clock.now()))
    for (const table of ['product_type', 'collection']) {
      const keys = async (database: Database) =>
        (await rowsOf(database, table, [table === 'collection' ? 'id' : 'key'])).toSorted()
      expect(await keys(early)).toEqual(await keys(now))
    }
    const products = 'select id, state from product order by id'
    expect((await early.pool.query(products)).rows).toEqual((await now.pool.query(products)).rows)
    expect((await early.pool.query('select count(*)::int as count from shop_order')).rows).toEqual([{ count: 1 }])
  } finally {
    await early.close()
    rmSync(folder, { recursive: true })
  }
})

test('a database from before the first release is refused in one sentence, and stays unchanged', async () => {
  await using world = await openWorld()
  const { pool } = world.shop.database
  await pool.query(`update drizzle.__drizzle_migrations set hash = 'older' || hash`)
  await expect(migrateSchema(world.shop.database)).rejects.toThrow('from before the first release')
  expect(await world.audit('orders')).toEqual([])
  // The worlds of other tests live in the same database.
  await pool.query(`update drizzle.__drizzle_migrations set hash = substr(hash, 6)`)
})

test('a first start that was interrupted before it created its tables is completed by the next', async () => {
  const database = await openDatabase(undefined, 'memory://')
  try {
    await database.pool.query('create schema drizzle')
    await database.pool.query(
      'create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
    )
    await migrateSchema(database)
    expect((await database.pool.query('select count(*)::int as count from shop_order')).rows).toEqual([{ count: 0 }])
  } finally {
    await database.close()
  }
})
