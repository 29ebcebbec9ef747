import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { Database } from '#server/db/db.ts'

const USAGE =
  "Usage: npm run owner -- checkouts save FILE --since '2026-11-26 15:04:05+00', or npm run owner -- checkouts add FILE"
const OWNER_READ_WRITE = 0o600

/**
 * What makes an order of a payment, in the order of the foreign keys. They come back as released: a payment that was made still makes its
 * order, and nothing else happens to them. PayPal's orders are due for a look.
 */
const TABLES = [
  { name: 'checkout', madeAt: 'created_at', changes: `'{"state": "released"}'` },
  { name: 'checkout_version', madeAt: 'frozen_at', changes: `'{}'` },
  {
    name: 'wallet_order',
    madeAt: 'created_at',
    changes: `jsonb_build_object('look_at', created_at, 'capture_until', null)`,
  },
] as const

/** A row may be committed long after the time it says. What the other database has already is left out there. */
const MARGIN = '10 minutes'

/**
 * The owner command `checkouts`: takes the purchases that began after a moment from a database that is about to be taken back to that
 * moment, and adds them afterward. With them, those who paid in between get the order under the number they know.
 * @throws Error with one sentence
 */
export async function checkoutsByOwner({ pool }: Pick<Database, 'pool'>, args: readonly string[]): Promise<unknown> {
  const { what, file, since } = parseArguments(args)
  if (since !== undefined) {
    const parts = await Promise.all(
      TABLES.map(async ({ name, madeAt, changes }) => {
        const { rows } = await pool.query<{ found: string }>(
          `select coalesce(jsonb_agg(to_jsonb(t) || ${changes}), '[]')::text as found from ${name} t
           where ${madeAt} >= $1::timestamptz - interval '${MARGIN}'`,
          [since],
        )
        return `"${name}": ${rows[0]?.found ?? '[]'}`
      }),
    )
    await writeFile(file, `{${parts.join(',\n')}}\n`, { mode: OWNER_READ_WRITE })
    return { [what]: file }
  }
  const text = await readFile(file, 'utf8')
  const client = await pool.connect()
  try {
    await client.query('begin')
    const added: Record<string, number> = {}
    for (const { name } of TABLES) {
      const { rowCount } = await client.query(
        `insert into ${name} select r.* from jsonb_populate_recordset(null::${name}, $1::jsonb -> '${name}') r on conflict do nothing`,
        [text],
      )
      added[name] = rowCount ?? 0
    }
    await client.query('commit')
    return { added }
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

function parseArguments(args: readonly string[]): { what: 'save' | 'add'; file: string; since: string | undefined } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { since: { type: 'string' } },
      allowPositionals: true,
    })
    const [what, file, ...more] = positionals
    const isRight = file !== undefined && more.length === 0
    if (isRight && what === 'save' && values.since !== undefined) return { what, file, since: values.since }
    if (isRight && what === 'add' && values.since === undefined) return { what, file, since: undefined }
  } catch {
    // The usage says it all.
  }
  throw new Error(USAGE)
}
