import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWorld } from '#sandbox/world.ts'
import { migrateSchema } from '#server/db/db.ts'

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
  const { rows } = await world.shop.database.pool.query('select gift_note from shop_order')
  expect(rows).toEqual([{ gift_note: '' }, { gift_note: '' }])
})

test('a database from before the first release is refused in one sentence, and stays unchanged', async () => {
  await using world = await openWorld()
  await world.shop.database.pool.query(`update drizzle.__drizzle_migrations set hash = 'older'`)
  await expect(migrateSchema(world.shop.database)).rejects.toThrow('from before the first release')
  expect(await world.audit('orders')).toEqual([])
})
