import type { EventEmitter } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql, type SQL } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import type { Embedded } from './embedded.ts'

const queriesOn = <Client extends pg.Pool | pg.PoolClient>(client: Client) => drizzle(client, { casing: 'snake_case' })

/** For reading only: a function that takes a `Db` does not write. */
export type Db = ReturnType<typeof queriesOn<pg.Pool>>
/** Permission to write, from a transaction or `autocommitWrite`. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]
/** Either, for queries that only read. */
export type Reader = Db | Tx

/**
 * Writes with a single statement, without the round trips of `begin` and `commit`.
 * @param write must run exactly one statement, because there is no transaction around it
 */
export const autocommitWrite = <Written>(db: Db, write: (tx: Tx) => Promise<Written>): Promise<Written> =>
  // Db and Tx build statements alike; only the type differs.
  write(db as unknown as Tx)

/** Several writes in one statement. They do not see each other's changes, and no two may write the same row. */
export const combineWrites = (tx: Tx, ...writes: readonly { getSQL(): SQL }[]) => {
  const parts = writes.map((write, index) => sql`${sql.identifier(`write_${index}`)} as (${write.getSQL()})`)
  return tx.execute(sql`with ${sql.join(parts, sql`, `)} select`)
}

/**
 * Drizzle's own `transaction` on a pool keeps the connection when `begin` fails, and gives a connection back whose `rollback` failed: a few
 * such failures, and the pool is empty until the process ends (drizzle-orm, issues 6241 and 6114). So the connection is borrowed here, and
 * closed unless its transaction is known to have ended.
 */
function connect(pool: pg.Pool): Db {
  const perConnection = new WeakMap<pg.PoolClient, ReturnType<typeof queriesOn<pg.PoolClient>>>()
  const transaction: Db['transaction'] = async (work, config) => {
    const client = await pool.connect()
    const queries = perConnection.get(client) ?? queriesOn(client)
    perConnection.set(client, queries)
    let failure: { error: unknown } | undefined
    const noteFailure = (error: unknown) => {
      failure = { error }
      throw error
    }
    try {
      const result = await queries.transaction((tx) => work(tx).catch(noteFailure), config)
      client.release()
      return result
    } catch (error) {
      // What `work` threw comes through only after a rollback.
      client.release(failure?.error !== error)
      throw failure ? failure.error : error
    }
  }
  return Object.assign(queriesOn(pool), { transaction })
}

export type Database = {
  db: Db
  /** For data that may be seconds old, such as catalog and reports: a read replica if configured, otherwise `db`. */
  replica: Db
  pool: pg.Pool
  embedded: boolean
  /** Embedded database only: a file with all data, to start another one from. */
  dump?: () => Promise<Blob>
  close(): Promise<void>
}

const CONNECT_TIMEOUT_MS = 5000
/**
 * A process can keep three to five statements busy with its one core; the rest wait for locks. More connections would only move the
 * waiting into the database, use up its connection limit and cost 11 MB of plans each.
 */
const POOL_SIZE = 8
/** Longer than any query of a request or job should take. */
const STATEMENT_TIMEOUT_MS = 10_000

/**
 * Connects by node-postgres: with a URL to a server, without one to PGlite in this process.
 * @param dataDir a folder of our own, or `memory://`
 * @param embedded an embedded database that is already open, and stays open (tests)
 * @param waitMs how long a query waits for a connection before it fails
 * @param replicaUrl a read replica
 * @throws Error when another process uses the folder
 */
export async function openDatabase(
  url: string | undefined,
  dataDir: string,
  {
    embedded,
    replicaUrl,
    waitMs = CONNECT_TIMEOUT_MS,
  }: { embedded?: Embedded | undefined; replicaUrl?: string | undefined; waitMs?: number } = {},
): Promise<Database> {
  if (!url) {
    const { openEmbedded } = await import('./embedded.ts')
    const { connect: connection, dump, close } = embedded ?? (await openEmbedded(dataDir))
    // Single connection: a query outside the open transaction fails after 5 s instead of hanging forever.
    const options: object = {
      Client: PreparingClient,
      connection: connection(),
      max: 1,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    }
    const pool = ignoreIdleErrors(new pg.Pool(options))
    // Its one session may know statements under the same names, from a pool before.
    if (embedded) await pool.query('deallocate all')
    const db = connect(pool)
    return {
      db,
      replica: db,
      pool,
      embedded: true,
      dump,
      close: async () => {
        await pool.end()
        if (!embedded) await close()
      },
    }
  }
  const pool = serverPool(url, waitMs, { verify: requirePrimary })
  const db = connect(pool)
  const replicaPool = replicaUrl === undefined ? undefined : serverPool(replicaUrl, waitMs)
  return {
    db,
    replica: replicaPool ? connect(replicaPool) : db,
    pool,
    embedded: false,
    close: async () => {
      await replicaPool?.end()
      await pool.end()
    },
  }
}

/**
 * A primary that lost its role starts again as a replica, with commits that nobody acknowledged and that will be taken back: until the proxy has
 * noticed, nothing may be read there.
 */
const requirePrimary: NonNullable<pg.PoolConfig['verify']> = (client, done) =>
  client.query<{ is_replica: boolean }>('select pg_is_in_recovery() as is_replica', (error, result) => {
    const isReplica = !error && result.rows[0]?.is_replica
    done(isReplica ? Object.assign(new Error('This database is a replica.'), { code: '25006' }) : error)
  })

const serverPool = (url: string, waitMs: number, more: Pick<pg.PoolConfig, 'verify'> = {}): pg.Pool =>
  ignoreIdleErrors(
    new pg.Pool({
      Client: PreparingClient,
      connectionString: url,
      max: POOL_SIZE,
      connectionTimeoutMillis: waitMs,
      // Without these a query would wait forever for a server that hangs.
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: STATEMENT_TIMEOUT_MS + 1000,
      keepAlive: true,
      application_name: 'pawtelier',
      ...more,
    }),
  )

/** Prepared statements per connection: lists of varying length create new texts without end. */
const PREPARED_MAX = 300
const statementNames = new Map<string, string>()

/** @returns a statement's name, the same in every connection; undefined once the limit is reached */
function nameOf(text: string): string | undefined {
  const existing = statementNames.get(text)
  if (existing !== undefined || statementNames.size >= PREPARED_MAX) return existing
  const name = `s${statementNames.size}`
  statementNames.set(text, name)
  return name
}

/** Without values a text may hold several statements, which cannot be prepared. */
const SINGLE_QUERY = /^\s*(?:with|select)\b[^;]*$/i

/**
 * At the end of a statement, has it planned for the values of each call: a word found in every third product is looked for in another way
 * than one found in three. PostgreSQL compares the costs of both plans, but not what it costs to evaluate functions for each row again.
 */
export const PLANNED_FOR_ITS_VALUES = sql.raw(' -- planned for its values')
const isPlannedEachTime = (text: string): boolean => text.endsWith('-- planned for its values')

/** Has the server parse and plan each statement once per connection, not once per call. */
class PreparingClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    const query = this.query.bind(this) as (...args: unknown[]) => unknown
    const prepare = (statement: string | Partial<pg.QueryConfig>, values?: unknown, ...rest: unknown[]): unknown => {
      const given = typeof statement === 'string' ? { text: statement } : statement
      const { text } = given
      const isPreparable =
        typeof text === 'string' && Array.isArray(values) && (values.length > 0 || SINGLE_QUERY.test(text))
      // A query with a name or a `submit` of its own comes from a library that knows what it does.
      if (!isPreparable || given.name !== undefined || 'submit' in given || isPlannedEachTime(text))
        return query(statement, values, ...rest)
      return query({ ...given, name: nameOf(text), values }, ...rest)
    }
    this.query = prepare as typeof this.query
  }
}

/**
 * A broken connection fails its queries, and the pool replaces it. Its additional `error` event, on the pool or the client, would end
 * the process if nobody listened.
 */
function ignoreIdleErrors(pool: pg.Pool): pg.Pool {
  pool.on('connect', (client: EventEmitter) => void client.on('error', () => {}))
  ;(pool as EventEmitter).on('error', () => {})
  return pool
}

const SET_UP_LOCK = 720_144
const SETUP_TIMEOUT_MS = 120_000

const MIGRATIONS = fileURLToPath(new URL('migrations', import.meta.url))

/**
 * Brings the schema up to date.
 * @param migrationsFolder as drizzle-kit writes it (tests use their own)
 * @throws Error for a database from before the first release, which had other migrations
 */
export async function migrateSchema({ db }: Database, migrationsFolder: string = MIGRATIONS): Promise<void> {
  const [first] = readMigrationFiles({ migrationsFolder: MIGRATIONS })
  const { rows } = await db.execute<{ applied: string | null }>(
    sql`select to_regclass('drizzle.__drizzle_migrations')::text as applied`,
  )
  if (rows[0]?.applied) {
    const { rows: known } = await db.execute<{ ours: boolean | null }>(
      sql`select bool_or(hash = ${first?.hash ?? ''}) as ours from drizzle.__drizzle_migrations`,
    )
    // No rows: the first start was interrupted after the migrator created this table, before it migrated.
    if (known[0]?.ours === false)
      throw new Error(
        'This database is from before the first release and cannot be used. Start with an empty database or a different DATA_DIR.',
      )
  }
  await migrate(db, { migrationsFolder })
}

/**
 * Creates the schema as it was after an earlier migration, in an empty database.
 * @param hash of that migration
 * @throws Error when there is no such migration
 */
export async function migrateSchemaUntil(database: Database, hash: string): Promise<void> {
  const all = readMigrationFiles({ migrationsFolder: MIGRATIONS })
  const last = all.findIndex((migration) => migration.hash === hash)
  if (last === -1) throw new Error('The backup was made by a later version of the shop. Nothing was restored.')
  if (last === all.length - 1) return migrateSchema(database)
  // The migrator takes a folder.
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'))
  try {
    cpSync(MIGRATIONS, folder, { recursive: true })
    const file = join(folder, 'meta/_journal.json')
    const journal = JSON.parse(readFileSync(file, 'utf8')) as { entries: unknown[] }
    writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, last + 1) }))
    await migrateSchema(database, folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Runs setup steps in one instance at a time: instances that start together would race, because the migrator takes no lock.
 */
export async function withSetupLock(database: Database, steps: () => Promise<void>): Promise<void> {
  if (database.embedded) return steps()
  const guard = await database.pool.connect()
  try {
    // Another instance may take a while to migrate.
    await guard.query('set statement_timeout = 0')
    await guard.query({
      text: 'select pg_advisory_lock($1)',
      values: [SET_UP_LOCK],
      query_timeout: SETUP_TIMEOUT_MS,
    } as pg.QueryConfig)
    await steps()
  } finally {
    // Closing the connection gives the lock back, also after the database was away.
    guard.release(true)
  }
}

/** Whether somebody can sign in here: a start that was cut off before it filled the database left nobody. */
export async function hasPeople(database: Database): Promise<boolean> {
  if (!(await isSetUp(database))) return false
  const { rows } = await database.pool.query('select 1 from app_user limit 1')
  return rows.length > 0
}

/** Whether a shop has ever finished its setup here. @throws the driver's error when the database does not answer */
export async function isSetUp({ pool }: Database): Promise<boolean> {
  const { rows } = await pool.query<{ ok: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null and to_regclass('public.setting') is not null as ok`,
  )
  return rows[0]?.ok ?? false
}

/** For `/readyz`. */
export async function isReachable({ pool }: Database): Promise<boolean> {
  try {
    await pool.query('select 1')
    return true
  } catch {
    return false
  }
}
