import { setImmediate as nextTurn } from 'node:timers/promises'
import { getTableColumns, sql, type SQL, type SQLChunk } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import type { AnyPgTable } from 'drizzle-orm/pg-core'
import type { Tx } from './db.ts'

/** Bounds the memory of a statement, and the time that it keeps everything else waiting. */
const ROWS_PER_STATEMENT = 1000

/**
 * Inserts rows that all have the same members, without binary data. A statement has one parameter, the rows as JSON: with a parameter
 * per value, a large import takes several times as long.
 * @param key the members that identify a row; rows that exist get the new values. Without it, none may exist
 */
export async function saveRows<Table extends AnyPgTable>(
  tx: Tx,
  table: Table,
  rows: readonly Table['$inferInsert'][],
  key: readonly string[] = [],
): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = getTableColumns(table)
  // Columns without a name of their own have the snake_case of their member.
  const nameOf = (member: string): string => {
    const column = columns[member]
    if (!column) throw new Error(`a column that does not exist: ${member}`)
    return column.keyAsName ? toSnakeCase(member) : column.name
  }
  const members = Object.keys(first)
  const names = new Map(members.map((member) => [member, nameOf(member)]))
  const list = commaList([...names.values()].map((name) => sql.identifier(name)))
  const taken = members
    .filter((member) => !key.includes(member))
    .map((member) => sql`${sql.identifier(nameOf(member))} = excluded.${sql.identifier(nameOf(member))}`)
  const onConflict = key.length
    ? sql`on conflict (${commaList(key.map((member) => sql.identifier(nameOf(member))))}) do update set ${commaList(taken)}`
    : sql``
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
    const records = rows
      .slice(from, from + ROWS_PER_STATEMENT)
      .map((row) => Object.fromEntries(Object.entries(row).map(([member, value]) => [names.get(member), value])))
    // The embedded database runs in this process: what needs no database goes on between two statements.
    if (from > 0) await nextTurn()
    await tx.execute(sql`
      insert into ${table} (${list})
      select ${list} from json_populate_recordset(null::${table}, ${JSON.stringify(records)}::json)
      ${onConflict}`)
  }
}

const commaList = (parts: SQLChunk[]): SQL => sql.join(parts, sql`, `)
