import { and, asc, desc, lt, not, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { formatQueuePosition, type QueuePosition } from '#contract/queue-page.ts'

/** What people wait for an answer to, `since` a moment in whole milliseconds. `isWaiting` with `since` and `id` has an index of its own. */
export type Queue<Row> = {
  isWaiting: SQL
  since: PgColumn
  id: PgColumn
  list: (where: SQL | undefined, order: SQL[], limit: number) => Promise<Row[]>
  count: (where: SQL) => Promise<number>
  placeOf: (row: Row) => QueuePosition
}

/** A page of a pile: what waits lies on top, the longest waiting first; below it lies what is done, the newest first. */
export async function readQueuePage<Row>(
  { isWaiting, since, id, list, count, placeOf }: Queue<Row>,
  after: QueuePosition | undefined,
  size: number,
): Promise<{ rows: Row[]; next: string | null; waiting: number }> {
  const isBelow = after?.waitsSince === null
  const longest = after?.waitsSince?.toISOString()
  const waits = and(
    isWaiting,
    longest === undefined ? undefined : sql`(${since}, ${id}) > (${longest}::timestamptz, ${after?.id})`,
  )
  const top = isBelow ? [] : await list(waits, [asc(since), asc(id)], size + 1)

  const isDone = and(not(isWaiting), isBelow ? lt(id, after.id) : undefined)
  const room = size + 1 - top.length
  const rows = room > 0 ? [...top, ...(await list(isDone, [desc(id)], room))] : top

  const page = rows.slice(0, size)
  const last = page.at(-1)
  const next = last && rows.length > size ? formatQueuePosition(placeOf(last)) : null
  return { rows: page, next, waiting: await count(isWaiting) }
}
