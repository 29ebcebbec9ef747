import { and, asc, desc, lt, not, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { formatQueuePosition, type QueuePosition } from '#contract/queue-page.ts'

/** A queue of requests that wait for an answer. `since` has whole milliseconds; `isWaiting` with `since` and `id` needs an index. */
export type Queue<Row> = {
  isWaiting: SQL
  since: PgColumn
  id: PgColumn
  list: (where: SQL | undefined, order: SQL[], limit: number) => Promise<Row[]>
  count: (where: SQL) => Promise<number>
  placeOf: (row: Row) => QueuePosition
}

/** One page of a queue: waiting rows first, longest waiting at the top; then done rows, newest first. */
export async function readQueuePage<Row>(
  { isWaiting, since, id, list, count, placeOf }: Queue<Row>,
  after: QueuePosition | undefined,
  size: number,
): Promise<{ rows: Row[]; next: string | null; waiting: number }> {
  const isAmongDone = after?.waitsSince === null
  const waitsSince = after?.waitsSince?.toISOString()
  const whereWaiting = and(
    isWaiting,
    waitsSince === undefined ? undefined : sql`(${since}, ${id}) > (${waitsSince}::timestamptz, ${after?.id})`,
  )
  const waitingRows = isAmongDone ? [] : await list(whereWaiting, [asc(since), asc(id)], size + 1)

  const whereDone = and(not(isWaiting), isAmongDone ? lt(id, after.id) : undefined)
  const room = size + 1 - waitingRows.length
  const rows = room > 0 ? [...waitingRows, ...(await list(whereDone, [desc(id)], room))] : waitingRows

  const page = rows.slice(0, size)
  const last = page.at(-1)
  const next = last && rows.length > size ? formatQueuePosition(placeOf(last)) : null
  return { rows: page, next, waiting: await count(isWaiting) }
}
