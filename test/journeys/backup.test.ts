import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { randomUUID } from 'node:crypto'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type World } from '#sandbox/world.ts'
import { readAudit } from '#server/db/audit.ts'
import { writeBackup } from '#server/db/backup.ts'
import { migrateSchema, migrateSchemaUntil, openDatabase, type Database } from '#server/db/db.ts'
import { migrateJobs } from '#server/jobs/jobs.ts'
import { backupByOwner, beginWithBackup, moveToPostgres, restoreByOwner } from '#server/db/owner-backup.ts'
import { salesOf, writeSales } from '../properties/sales.ts'

const server = process.env['TEST_DATABASE_URL']
/** Set it, such as to 10000, to also move a shop with that many orders. */
const MOVED_ORDERS = Number(process.env['MOVED_ORDERS'] ?? 0)
let world: World
let folder: string
let file: string
let made: Awaited<ReturnType<typeof backupByOwner>>
const dropped: string[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pawtelier-backup-'))
  file = join(folder, 'shop.backup.gz')
  world = await openWorld()
  for (const buying of ['hat', 'mug']) await (await world.shopper().paysByCard({ buying, quantity: 2 })).returnsToShop()
  await world.settled()
  await world.shopper().adds('tote')
  await world.shop.database.pool.query(
    `insert into shop_exception (kind, about, amount_cents, cause, opened_at) values ('late', 'order:1', 0, 'late', now())`,
  )
  made = await backupByOwner(world.shop.database, [file])
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  for (const name of dropped) await asAdmin(`drop database ${name} with (force)`)
  rmSync(folder, { recursive: true, force: true })
})

async function asAdmin(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

async function newOnServer(): Promise<string> {
  const name = `restored_${randomUUID().replaceAll('-', '')}`
  await asAdmin(`create database ${name}`)
  dropped.push(name)
  const url = new URL(server ?? '')
  url.pathname = `/${name}`
  return url.href
}

/** An empty database of the kind this world does not use: a backup fits both. */
const openOther = async (): Promise<Database> =>
  openDatabase(server && world.shop.database.embedded ? await newOnServer() : undefined, 'memory://')

/** Sorted, since two databases may return rows in different orders; completed jobs are not backed up. */
async function auditOf({ pool }: Pick<Database, 'pool'>) {
  const audit = { ...(await readAudit(pool)), audit_jobs: [] }
  const inOrder = Object.entries(audit).map(([view, rows]) => [view, rows.toSorted(byText)])
  return Object.fromEntries(inOrder) as typeof audit
}

const byText = (row: unknown, other: unknown) => (JSON.stringify(row) < JSON.stringify(other) ? -1 : 1)

test('a backup is one file that only its owner can read, and lists what it contains', () => {
  expect(made).toMatchObject({ where: file, tables: { 'public.shop_order': 2, 'public.order_line': 2 } })
  expect(statSync(file).mode & 0o077).toBe(0)
  expect(existsSync(`${file}.part`)).toBe(false)
})

test('a restored shop equals the saved one to the cent, with the same guards (F51)', async () => {
  const other = await openOther()
  try {
    expect(await restoreByOwner(other, [file])).toMatchObject({ rows: (made as { rows: number }).rows })
    expect(await auditOf(other)).toEqual(await auditOf(world.shop.database))
    // Every column of these tables, not only what an auditor sees.
    for (const table of ['shop_order', 'checkout', 'cart_line', 'session', 'variant', 'mail', 'app_user']) {
      const all = `select to_jsonb(t)::text as row from ${table} t order by 1`
      expect((await other.pool.query(all)).rows, table).toEqual((await world.shop.database.pool.query(all)).rows)
    }
    await expect(other.pool.query('delete from ledger_entry')).rejects.toThrow('append-only')
    const { rows } = await other.pool.query<{ id: string }>(
      `insert into ledger_posting (kind, key, booked_at) values ('sale', 'next', now()) returning id`,
    )
    const { rows: before } = await world.shop.database.pool.query<{ id: string }>(
      'select max(id) as id from ledger_posting',
    )
    // Two tables share this sequence.
    const { rows: exceptions } = await other.pool.query<{ next: string; last: string }>(
      `select nextval('payment_exception_id_seq') as next, max(id) as last from shop_exception`,
    )
    expect(Number(exceptions[0]?.next)).toBeGreaterThan(Number(exceptions[0]?.last))
    expect(Number(rows[0]?.id)).toBeGreaterThan(Number(before[0]?.id ?? Infinity))
  } finally {
    await other.close()
  }
})

test('a new shop can begin with the backup of an earlier release, and is migrated from there', async () => {
  const migrations = readMigrationFiles({ migrationsFolder: 'src/server/db/migrations' })
  const earlier = migrations.at(-2)?.hash ?? ''
  // Two embedded databases at once would take longer than everything else here.
  const open = async () => openDatabase(server && (await newOnServer()), 'memory://')
  const [before, now] = [await open(), await open()]
  try {
    const old = join(folder, 'old.backup.gz')
    await migrateSchemaUntil(before, earlier)
    await migrateJobs({ database: before, leaseS: 20, log: world.shop.log })
    await before.pool.query(
      `insert into visit_count (day, step, device, count) values ('2026-11-01', 'view', 'phone', 7)`,
    )
    await writeBackup(before, old)
    await beginWithBackup(now, old)
    expect(await migrationsOf(now)).toBe(migrations.length - 1)
    await migrateSchema(now)
    expect(await migrationsOf(now)).toBe(migrations.length)
    expect((await now.pool.query('select count from visit_count')).rows).toEqual([{ count: 7 }])
    await expect(migrateSchemaUntil(now, 'of a later release')).rejects.toThrow('a later version')
  } finally {
    await before.close()
    await now.close()
  }
})

async function migrationsOf({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ count: number }>('select count(*)::int from drizzle.__drizzle_migrations')
  return rows[0]?.count ?? 0
}

test('a restore refuses a database that already has data', async () => {
  const before = await auditOf(world.shop.database)
  await expect(restoreByOwner(world.shop.database, [file])).rejects.toThrow('The database is not empty')
  expect(await auditOf(world.shop.database)).toEqual(before)
})

test('a file that is truncated, damaged, of another version or no backup restores nothing', async () => {
  const whole = readFileSync(file)
  const text = gunzipSync(whole).toString('utf8')
  const [head = '', ...lines] = text.split('\n')
  const bad: [string, Buffer, string][] = [
    ['cut off', whole.subarray(0, whole.length / 2), 'incomplete or damaged'],
    ['without its end', gzipSync(text.slice(0, text.lastIndexOf('E '))), 'incomplete or damaged'],
    [
      'a row short',
      gzipSync(
        [
          head,
          ...lines.toSpliced(
            lines.findIndex((line) => line.startsWith('R ')),
            1,
          ),
        ].join('\n'),
      ),
      'incomplete or damaged',
    ],
    ['of another version', gzipSync(text.replace(/"schema":"\w+"/, '"schema":"older"')), 'a different version'],
    ['something else', gzipSync('{"a":1}\n'), 'not a backup'],
    ['not compressed', Buffer.from(text), 'incomplete or damaged'],
  ]
  const other = await openOther()
  try {
    for (const [name, bytes, sentence] of bad) {
      const damaged = join(folder, 'damaged.gz')
      writeFileSync(damaged, bytes)
      await expect(restoreByOwner(other, [damaged]), name).rejects.toThrow(sentence)
      expect((await other.pool.query('select 1 from shop_order union all select 1 from variant')).rowCount, name).toBe(
        0,
      )
    }
    await expect(restoreByOwner(other, [join(folder, 'nowhere.gz')])).rejects.toThrow('ENOENT')
    await expect(backupByOwner(world.shop.database, ['/nowhere/at/all.gz'])).rejects.toThrow('ENOENT')
    await expect(backupByOwner(world.shop.database, [])).rejects.toThrow('Usage: ')
    // After all those refusals, the complete file still finds an empty database.
    await restoreByOwner(other, [file])
  } finally {
    await other.close()
  }
})

test('a backup taken while people buy has each order completely or not at all', async () => {
  const busy = join(folder, 'busy.backup.gz')
  const buys = async () => (await world.shopper().paysByCard({ buying: 'mug' })).returnsToShop()
  const bought = Array.from({ length: 4 }, buys)
  await bought[0]
  const [backup] = await Promise.all([backupByOwner(world.shop.database, [busy]), ...bought])
  await world.settled()
  const other = await openOther()
  try {
    await restoreByOwner(other, [busy])
    const { audit_orders: orders, audit_lines: lines, ...books } = await auditOf(other)
    const ids = orders.map(({ id }) => id)
    expect(ids.length).toBeGreaterThan(2)
    expect((backup as { tables: Record<string, number> }).tables['public.shop_order']).toBe(ids.length)
    expect(new Set(lines.map((row) => row['order_id']))).toEqual(new Set(ids))
    const sums = Map.groupBy(books.audit_ledger, (row) => row['posting_id'])
    for (const [id, entries] of sums)
      expect(
        entries.reduce((sum, row) => sum + Number(row['amount_cents']), 0),
        String(id),
      ).toBe(0)
    const paid = books.audit_payments.map((row) => row['order_id'])
    expect(new Set(paid)).toEqual(new Set(ids))
  } finally {
    await other.close()
  }
})

test.skipIf(!server || process.env['TEST_DATABASE'] === 'postgresql')(
  'an embedded shop moves to a server unchanged (F50)',
  async () => {
    const before = await auditOf(world.shop.database)
    const url = await newOnServer()
    await moveToPostgres(world.shop.database, [url])
    const moved = await openDatabase(url, folder)
    expect(await auditOf(moved)).toEqual(before)
    await moved.close()
    expect(await auditOf(world.shop.database)).toEqual(before)
    await expect(moveToPostgres(world.shop.database, [url])).rejects.toThrow('not empty')
    await expect(moveToPostgres(world.shop.database, ['elsewhere'])).rejects.toThrow('Usage: ')
  },
)

test.runIf(MOVED_ORDERS > 0 && server && process.env['TEST_DATABASE'] !== 'postgresql')(
  `a shop with ${MOVED_ORDERS} orders moves to a server, row by row (F50)`,
  async () => {
    await using large = await openWorld()
    await writeSales(large.shop.database.pool, salesOf(MOVED_ORDERS), [], new Date())
    const before = await auditOf(large.shop.database)
    expect(before.audit_orders).toHaveLength(MOVED_ORDERS)
    const url = await newOnServer()
    await moveToPostgres(large.shop.database, [url])
    const moved = await openDatabase(url, folder)
    const after = await auditOf(moved)
    await moved.close()
    expect(after).toEqual(before)
  },
)
