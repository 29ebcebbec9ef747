import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { StringDecoder } from 'node:string_decoder'
import { createGunzip, createGzip } from 'node:zlib'
import type pg from 'pg'
import type { Database } from './db.ts'

/**
 * A backup is a gzipped text: a header line with the format, for each table a line `T <name>` and its rows as `R <json>`, and a last
 * line `E <rows by table>`. The database itself writes and reads the JSON, so numbers and times keep every digit, and the same file
 * works for the embedded database and a server.
 */
const FORMAT = 1
const ROWS_PER_FETCH = 500
/** Rows with a picture have megabytes: the database would need many times as much for one statement. */
const CHARS_PER_INSERT = 1_000_000
const OWNER_READ_WRITE = 0o600

type Head = { format: number; schema: string; madeAt: string }
type Counts = Record<string, number>

/** Of the job queue only unfinished jobs; every start creates its tables. */
const QUEUED = { name: 'pgboss.job', condition: `where state in ('created', 'retry', 'active')` }

/**
 * Writes a consistent snapshot of all the shop's data into a new file that only its owner can read.
 * @returns rows by table. @throws Error when the file cannot be written; then no file is left
 */
export async function writeBackup({ pool }: Pick<Database, 'pool'>, file: string): Promise<Counts> {
  const part = `${file}.part`
  const client = await pool.connect()
  const counts: Counts = {}
  try {
    await client.query('begin isolation level repeatable read read only')
    // Large tables take longer than the timeout for requests.
    await client.query('set local statement_timeout = 0')
    await pipeline(
      Readable.from(linesOf(client, counts)),
      createGzip(),
      createWriteStream(part, { mode: OWNER_READ_WRITE }),
    )
    // Synced to disk before the rename: a backup must survive a power failure.
    const handle = await open(part, 'r+')
    await handle.sync().finally(() => handle.close())
    await rename(part, file)
    return counts
  } catch (error) {
    await rm(part, { force: true })
    throw error
  } finally {
    await client.query('rollback').then(
      () => client.release(),
      (error: Error) => client.release(error),
    )
  }
}

async function* linesOf(client: pg.PoolClient, counts: Counts): AsyncGenerator<string> {
  const head: Head = { format: FORMAT, schema: await schemaOf(client), madeAt: new Date().toISOString() }
  yield `${JSON.stringify(head)}\n`
  for (const { name, condition } of [...(await tablesOf(client)).map((name) => ({ name, condition: '' })), QUEUED]) {
    yield `T ${name}\n`
    counts[name] = 0
    await client.query(
      `declare backup_rows no scroll cursor for select to_jsonb(t)::text as row from ${name} t ${condition}`,
    )
    for (;;) {
      const { rows } = await client.query<{ row: string }>(`fetch ${ROWS_PER_FETCH} from backup_rows`)
      if (!rows.length) break
      counts[name] += rows.length
      yield rows.map(({ row }) => `R ${row}\n`).join('')
    }
    await client.query('close backup_rows')
  }
  yield `E ${JSON.stringify(counts)}\n`
}

/** The hash of the last migration of the shop that wrote a backup. @throws Error when it is damaged, or not a backup */
export async function schemaOfBackup(file: string): Promise<string> {
  const source = createReadStream(file)
  try {
    for await (const line of linesIn(source.pipe(createGunzip()))) return headOf(line).schema
  } catch (error) {
    if (isCutOff(error)) throw new Error(DAMAGED, { cause: error })
    throw error
  } finally {
    source.destroy()
  }
  throw new Error(DAMAGED)
}

/**
 * Restores a backup into an empty database that already has its tables; all or nothing.
 * @returns rows by table. @throws Error when the database is not empty, or the file is damaged, not a backup or of another version
 */
export async function readBackup({ pool }: Pick<Database, 'pool'>, file: string): Promise<Counts> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    // Large tables take longer than the timeout for requests.
    await client.query('set local statement_timeout = 0')
    const tables = await tablesOf(client)
    // The only rows that migrations insert; the backup brings its own.
    await client.query(`delete from catalog_revision where kind = 'product_type' and not exists (select from product)`)
    await client.query('delete from product_type where not exists (select from product)')
    await client.query('delete from staff_role where not exists (select from app_user)')
    await refuseFull(client, tables)
    for (const table of tables) await client.query(`alter table ${table} disable trigger user`)
    const counts = await fill(client, file, tables)
    for (const table of tables) {
      await client.query(`alter table ${table} enable trigger user`)
      await continueSequences(client, table)
    }
    // Both exception tables share one sequence, which belongs to payment_exception.
    await client.query(
      `select setval('payment_exception_id_seq', max(id)) from
       (select id from payment_exception union all select id from shop_exception) t having max(id) is not null`,
    )
    await client.query('commit')
    return counts
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

async function fill(client: pg.PoolClient, file: string, tables: readonly string[]): Promise<Counts> {
  const counts: Counts = {}
  let [table, hasHead, isComplete]: [string, boolean, boolean] = ['', false, false]
  let rows: string[] = []
  let chars = 0
  const insert = async () => {
    if (!rows.length) return
    const columns = (await columnsOf(client, table)).join(', ')
    await client.query(
      `insert into ${table} (${columns}) overriding system value
       select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
      [`[${rows.join(',')}]`],
    )
    counts[table] = (counts[table] ?? 0) + rows.length
    rows = []
    chars = 0
  }
  const take = async (line: string) => {
    if (!hasHead) {
      await checkHead(client, line)
      hasHead = true
    } else if (line.startsWith('R ')) {
      rows.push(line.slice(2))
      chars += line.length
      if (rows.length === ROWS_PER_FETCH || chars > CHARS_PER_INSERT) await insert()
    } else {
      await insert()
      isComplete = line.startsWith('E ') && sameCounts(JSON.parse(line.slice(2)) as Counts, counts)
      table = line.slice(2)
      if (line.startsWith('T ') && table !== QUEUED.name && !tables.includes(table))
        throw new Error(`The backup has a table that this shop does not know: ${table}.`)
    }
  }
  try {
    await pipeline(createReadStream(file), createGunzip(), async (text: AsyncIterable<Buffer>) => {
      for await (const line of linesIn(text)) await take(line)
    })
  } catch (error) {
    // gunzip's errors for a truncated file or one that is not gzip.
    if (isCutOff(error)) throw new Error(DAMAGED, { cause: error })
    throw error
  }
  if (!isComplete) throw new Error(DAMAGED)
  return counts
}

const DAMAGED = 'The backup file is incomplete or damaged. Nothing was restored.'

async function* linesIn(text: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let unfinished = ''
  for await (const chunk of text) {
    const lines = (unfinished + decoder.write(chunk)).split('\n')
    unfinished = lines.pop() ?? ''
    yield* lines
  }
  if (unfinished) yield unfinished
}

const isCutOff = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['Z_BUF_ERROR', 'Z_DATA_ERROR'].includes(String(error.code))

const sameCounts = (expected: Counts, read: Counts): boolean =>
  Object.entries(expected).every(([table, count]) => (read[table] ?? 0) === count)

function headOf(line: string): Head {
  let head: Partial<Head>
  try {
    head = JSON.parse(line) as Partial<Head>
  } catch {
    head = {}
  }
  if (head.format !== FORMAT) throw new Error('This file is not a backup of the shop. Nothing was restored.')
  return head as Head
}

async function checkHead(client: pg.PoolClient, line: string): Promise<void> {
  const head = headOf(line)
  if (head.schema !== (await schemaOf(client)))
    throw new Error(
      'The backup was made by a different version of the shop. Restore it with that version, then start this one.',
    )
}

async function refuseFull(client: pg.PoolClient, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const { rowCount } = await client.query(`select 1 from ${table} limit 1`)
    if (rowCount) throw new Error(`The database is not empty (${table} has rows). Restore into a new, empty one.`)
  }
}

/** The hash of the last applied migration. */
async function schemaOf(client: pg.PoolClient): Promise<string> {
  const { rows } = await client.query<{ hash: string }>(
    'select hash from drizzle.__drizzle_migrations order by created_at desc limit 1',
  )
  return rows[0]?.hash ?? ''
}

/** Our tables, in an order that satisfies the foreign keys. */
async function tablesOf(client: pg.PoolClient): Promise<string[]> {
  const { rows: all } = await client.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  const { rows: references } = await client.query<{ from: string; to: string }>(
    `select format('public.%I', a.relname) as from, format('public.%I', b.relname) as to
     from pg_constraint c join pg_class a on a.oid = c.conrelid join pg_class b on b.oid = c.confrelid
     where c.contype = 'f' and c.connamespace = 'public'::regnamespace and c.conrelid <> c.confrelid`,
  )
  const left = new Set(all.map(({ name }) => name))
  const ordered: string[] = []
  while (left.size) {
    const free = [...left].filter((name) => !references.some(({ from, to }) => from === name && left.has(to)))
    if (!free.length) throw new Error(`These tables refer to each other in a circle: ${[...left].join(', ')}.`)
    for (const name of free) {
      ordered.push(name)
      left.delete(name)
    }
  }
  return ordered
}

/** Columns without the generated ones. */
async function columnsOf(client: pg.PoolClient, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  )
  return rows.map(({ name }) => name)
}

/** Sets a table's sequences behind the restored ids. */
async function continueSequences(client: pg.PoolClient, table: string): Promise<void> {
  const { rows } = await client.query<{ column: string; sequence: string }>(
    `select attname as column, pg_get_serial_sequence($1, attname) as sequence from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped
       and pg_get_serial_sequence($1, attname) is not null`,
    [table],
  )
  for (const { column, sequence } of rows)
    await client.query(
      `select setval($1, greatest(coalesce((select max("${column}") from ${table}), 0), 1),
         exists (select 1 from ${table}))`,
      [sequence],
    )
}
