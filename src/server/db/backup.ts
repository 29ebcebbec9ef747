import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { StringDecoder } from 'node:string_decoder'
import { createGunzip, createGzip } from 'node:zlib'
import type pg from 'pg'
import type { Database } from './db.ts'

/**
 * A backup is one compressed text: a first line that says what it is, then for each table a line `T <name>` and its rows
 * `R <json>`, and a last line `E <rows by table>`. The database writes and reads the rows' JSON itself, so that no number and no
 * moment loses a digit on the way, and the same file fits the embedded database and a server.
 */
const FORMAT = 1
const ROWS_AT_ONCE = 500
const FOR_ITS_OWNER_ALONE = 0o600

type Head = { format: number; schema: string; madeAt: string }
type Counts = Record<string, number>

/** Of the queue only what is still to be done: its tables are made by every start. */
const QUEUED = { name: 'pgboss.job', condition: `where state in ('created', 'retry', 'active')` }

/**
 * Writes everything that a shop keeps, as it was at one moment, into a new file that only its owner can read.
 * @returns rows by table. @throws Error with one sentence when the file cannot be written; then there is none
 */
export async function writeBackup({ pool }: Pick<Database, 'pool'>, file: string): Promise<Counts> {
  const part = `${file}.part`
  const client = await pool.connect()
  const counts: Counts = {}
  try {
    await client.query('begin isolation level repeatable read read only')
    // A table of a million rows takes longer than any query of a request may.
    await client.query('set local statement_timeout = 0')
    await pipeline(
      Readable.from(linesOf(client, counts)),
      createGzip(),
      createWriteStream(part, { mode: FOR_ITS_OWNER_ALONE }),
    )
    // What a power failure would take away again is no backup.
    const written = await open(part, 'r+')
    await written.sync().finally(() => written.close())
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
  for (const { name, condition } of [
    ...(await tablesOf(client)).map((one) => ({ name: one, condition: '' })),
    QUEUED,
  ]) {
    yield `T ${name}\n`
    counts[name] = 0
    await client.query(`declare kept no scroll cursor for select to_jsonb(t)::text as row from ${name} t ${condition}`)
    for (;;) {
      const { rows } = await client.query<{ row: string }>(`fetch ${ROWS_AT_ONCE} from kept`)
      if (!rows.length) break
      counts[name] += rows.length
      yield rows.map(({ row }) => `R ${row}\n`).join('')
    }
    await client.query('close kept')
  }
  yield `E ${JSON.stringify(counts)}\n`
}

/**
 * Fills an empty database, which has the tables already, with what a backup kept; all of it or nothing.
 * @returns rows by table. @throws Error with one sentence: the database is not empty, the file is cut off, no backup, or of another version
 */
export async function readBackup({ pool }: Pick<Database, 'pool'>, file: string): Promise<Counts> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    // A table of a million rows takes longer than any query of a request may.
    await client.query('set local statement_timeout = 0')
    const tables = await tablesOf(client)
    await refuseFull(client, tables)
    for (const table of tables) await client.query(`alter table ${table} disable trigger user`)
    const counts = await fill(client, file, tables)
    for (const table of tables) {
      await client.query(`alter table ${table} enable trigger user`)
      await continueNumbers(client, table)
    }
    // Exceptions of both kinds share one range of numbers, which belongs to one of their tables.
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
  let [table, isBegun, isWhole]: [string, boolean, boolean] = ['', false, false]
  let rows: string[] = []
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
  }
  const take = async (line: string) => {
    if (!isBegun) {
      await requireOurs(client, line)
      isBegun = true
    } else if (line.startsWith('R ')) {
      rows.push(line.slice(2))
      if (rows.length === ROWS_AT_ONCE) await insert()
    } else {
      await insert()
      isWhole = line.startsWith('E ') && sameCounts(JSON.parse(line.slice(2)) as Counts, counts)
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
    // What gunzip says of a file that ends too soon, or of none of its own.
    if (isCutOff(error)) throw new Error(DAMAGED, { cause: error })
    throw error
  }
  if (!isWhole) throw new Error(DAMAGED)
  return counts
}

const DAMAGED = 'The backup is cut off or damaged. Nothing was restored.'

async function* linesIn(text: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let begun = ''
  for await (const chunk of text) {
    const lines = (begun + decoder.write(chunk)).split('\n')
    begun = lines.pop() ?? ''
    yield* lines
  }
  if (begun) yield begun
}

const isCutOff = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['Z_BUF_ERROR', 'Z_DATA_ERROR'].includes(String(error.code))

const sameCounts = (expected: Counts, read: Counts): boolean =>
  Object.entries(expected).every(([table, count]) => (read[table] ?? 0) === count)

async function requireOurs(client: pg.PoolClient, line: string): Promise<void> {
  let head: Partial<Head>
  try {
    head = JSON.parse(line) as Partial<Head>
  } catch {
    head = {}
  }
  if (head.format !== FORMAT) throw new Error('The file is not a backup of this shop.')
  if (head.schema !== (await schemaOf(client)))
    throw new Error(
      'The backup was made by another version of the shop. Restore it with that version, then start this one.',
    )
}

async function refuseFull(client: pg.PoolClient, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const { rowCount } = await client.query(`select 1 from ${table} limit 1`)
    if (rowCount) throw new Error(`The database is not empty (${table} has rows). Restore into a new one.`)
  }
}

/** The last migration that the database has had. */
async function schemaOf(client: pg.PoolClient): Promise<string> {
  const { rows } = await client.query<{ hash: string }>(
    'select hash from drizzle.__drizzle_migrations order by created_at desc limit 1',
  )
  return rows[0]?.hash ?? ''
}

/** Our tables, those that others refer to first. */
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

/** The columns that are written, those that the database reckons by itself left out. */
async function columnsOf(client: pg.PoolClient, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  )
  return rows.map(({ name }) => name)
}

/** The next id is one that nobody has. */
async function continueNumbers(client: pg.PoolClient, table: string): Promise<void> {
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
