import type pg from 'pg'
import { meetShop, purchaseOnce, untilSettled } from './purchases.ts'

type Insert = { text: string; values: unknown[] }

/** Tables where a purchase only updates rows, and the queue's own bookkeeping. */
const IGNORED_TABLES = ['bam', 'queue', 'schedule', 'subscription', 'version', 'warning']

/**
 * Makes a purchase, finds every row it wrote, and creates the same tables without keys for the floor.
 * @returns an insert per row
 */
export async function rowsOfPurchase(pool: pg.Pool, address: string): Promise<Insert[]> {
  const shop = await meetShop(address)
  await purchaseOnce(shop)
  await untilSettled(pool)
  const { rows: before } = await pool.query<{ id: string }>('select txid_current()::text as id')
  await purchaseOnce(shop)
  await untilSettled(pool)

  const { rows: tables } = await pool.query<{ home: string; name: string }>(
    `select table_schema as home, table_name as name from information_schema.tables
     where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`,
  )
  const inserts: Insert[] = []
  for (const { home, name } of tables) {
    if (home === 'pgboss' && IGNORED_TABLES.includes(name)) continue
    const { rows } = await pool.query<Record<string, unknown>>(
      `select * from "${home}"."${name}" where xmin::text::bigint > $1::bigint % 4294967296`,
      [before[0]?.id],
    )
    if (!rows.length) continue
    const copy = `bench."${home}_${name}"`
    await pool.query(`create table if not exists ${copy} (like "${home}"."${name}")`)
    for (const row of rows) {
      const columns = Object.keys(row)
      inserts.push({
        text: `insert into ${copy} (${columns.map((column) => `"${column}"`).join(', ')}) values (${columns.map((_, at) => `$${at + 1}`).join(', ')})`,
        values: Object.values(row).map(asParameter),
      })
    }
  }
  return inserts
}

/** Converts parsed JSON columns and buffers to text for the column's type. */
function asParameter(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  return typeof value === 'object' && value !== null && !(value instanceof Date) ? JSON.stringify(value) : value
}
