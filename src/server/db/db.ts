import type { EventEmitter } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql, type SQL } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import type { Embedded } from './embedded.ts'
import * as schema from './schema.ts'

const connect = (pool: pg.Pool) => drizzle(pool, { schema, casing: 'snake_case' })

/** Reads. A function that takes it does not write. */
export type Db = ReturnType<typeof connect>
/** The license to write: a transaction gives it, or `autocommitWrite`. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]
/** Either, for queries that only read. */
export type Reader = Db | Tx

/**
 * A write of one statement: it is a transaction by itself, and saves the two round trips that begin and commit would cost.
 * @param write makes one statement and no second one: between two nothing would hold them together
 */
export const autocommitWrite = <Written>(db: Db, write: (tx: Tx) => Promise<Written>): Promise<Written> =>
  // Statements are made of either in the same way; the type alone tells them apart.
  write(db as unknown as Tx)

/** Several writes in one statement. None sees what the others write, and no two may write the same row. */
export const combineWrites = (tx: Tx, ...writes: readonly { getSQL(): SQL }[]) => {
  const parts = writes.map((write, index) => sql`${sql.identifier(`write_${index}`)} as (${write.getSQL()})`)
  return tx.execute(sql`with ${sql.join(parts, sql`, `)} select`)
}

export type Database = {
  db: Db
  /** For what may be some seconds old, such as catalog and reports: a replica where there is one, else the same as `db`. */
  replica: Db
  pool: pg.Pool
  embedded: boolean
  /** Only on the embedded database: all of it as one file, to start another from. */
  dump?: () => Promise<Blob>
  close(): Promise<void>
}

const CONNECT_TIMEOUT_MS = 5000
/**
 * One process has one core to read answers with, and keeps three to five statements under way with it; the rest is for those that
 * wait for a row. More connections would only move the waiting into the database, whose own limit they use up, and each keeps 11 MB of
 * plans there.
 */
const POOL_SIZE = 8
/** Longer than any query of a request or a job may take. */
const STATEMENT_TIMEOUT_MS = 10_000

/**
 * One code path: node-postgres everywhere. With a URL it talks to a server, without one to PGlite in this process.
 * @param dataDir a folder of our own, or `memory://`
 * @param embedded an embedded database that is open already, and stays open (tests)
 * @param waitMs how long a query waits for one of a server's connections, before it fails as if the server were away
 * @param replicaUrl a server that follows the other; nothing is written to it
 * @throws Error with one sentence when the folder is in use by another process
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
    // One connection: a query outside the open transaction fails after 5 s with an error instead of hanging for ever.
    const options: object = {
      connection: connection(),
      max: 1,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    }
    const pool = ignoreIdleErrors(new pg.Pool(options))
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
  const pool = serverPool(url, waitMs)
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

const serverPool = (url: string, waitMs: number): pg.Pool =>
  ignoreIdleErrors(
    new pg.Pool({
      Client: PreparingClient,
      connectionString: url,
      max: POOL_SIZE,
      connectionTimeoutMillis: waitMs,
      // A server that hangs is not one that is dead: without these a query would wait for it for ever.
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: STATEMENT_TIMEOUT_MS + 1000,
      keepAlive: true,
      application_name: 'pawtelier',
    }),
  )

/** Statements that a connection prepares at most; a list of changing length makes another text each time. */
const PREPARED_MAX = 300
const statementNames = new Map<string, string>()

/** @returns the same name for the same text, in every connection; undefined for what comes too late to be prepared */
function nameOf(text: string): string | undefined {
  const known = statementNames.get(text)
  if (known !== undefined || statementNames.size >= PREPARED_MAX) return known
  const name = `s${statementNames.size}`
  statementNames.set(text, name)
  return name
}

/** Without values a text may hold several statements, which cannot be prepared. */
const SINGLE_QUERY = /^\s*(?:with|select)\b[^;]*$/i

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
      if (!isPreparable || given.name !== undefined || 'submit' in given) return query(statement, values, ...rest)
      return query({ ...given, name: nameOf(text), values }, ...rest)
    }
    this.query = prepare as typeof this.query
  }
}

/**
 * A connection that breaks fails what runs on it, and is replaced by the pool. Its error is told once more, by the pool where it
 * is idle and by itself where it is lent, as to a transaction; unheard it would end the process.
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
 * @param migrationsFolder as drizzle-kit writes it; a test puts a later one in its place
 * @throws Error with one sentence for a database from before the first release, whose migrations are not these
 */
export async function migrateSchema({ db }: Database, migrationsFolder: string = MIGRATIONS): Promise<void> {
  const [first] = readMigrationFiles({ migrationsFolder: MIGRATIONS })
  const { rows } = await db.execute<{ applied: string | null }>(
    sql`select to_regclass('drizzle.__drizzle_migrations')::text as applied`,
  )
  if (rows[0]?.applied) {
    const known = await db.execute(sql`select 1 from drizzle.__drizzle_migrations where hash = ${first?.hash ?? ''}`)
    if (known.rows.length === 0)
      throw new Error('This database is from before the first release. Start with an empty one, or another DATA_DIR.')
  }
  await migrate(db, { migrationsFolder })
}

/**
 * Runs set-up steps in one instance at a time: instances that start together would race, and the migrator takes no
 * lock of its own.
 */
export async function withSetupLock(database: Database, steps: () => Promise<void>): Promise<void> {
  if (database.embedded) return steps()
  const guard = await database.pool.connect()
  try {
    // Another instance may be at it for a while: it is worth waiting for.
    await guard.query('set statement_timeout = 0')
    await guard.query({
      text: 'select pg_advisory_lock($1)',
      values: [SET_UP_LOCK],
      query_timeout: SETUP_TIMEOUT_MS,
    } as pg.QueryConfig)
    await steps()
  } finally {
    await guard.query('select pg_advisory_unlock($1)', [SET_UP_LOCK])
    await guard.query('reset statement_timeout')
    guard.release()
  }
}

/** Whether a shop was ever started on it, to the end of its setting up. @throws what the driver throws when it does not answer */
export async function isSetUp({ pool }: Database): Promise<boolean> {
  const { rows } = await pool.query<{ ok: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null and to_regclass('public.setting') is not null as ok`,
  )
  return rows[0]?.ok ?? false
}

/** True while PostgreSQL answers; for `/readyz`. */
export async function isReachable({ pool }: Database): Promise<boolean> {
  try {
    await pool.query('select 1')
    return true
  } catch {
    return false
  }
}
