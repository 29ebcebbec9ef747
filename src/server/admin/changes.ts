import { listActions } from '#server/audit-log/audit-log.ts'
import type { Db, Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { toAuditLogEntry } from './log-view.ts'

const CHANGES_SHOWN = 20

/** The log's latest entries about one kind of values, or one thing of that kind. */
export const latestChanges = async (db: Db, kind: string, id?: string) =>
  (await listActions(db, { about: { kind, ...(id !== undefined && { id }) }, limit: CHANGES_SHOWN })).map(
    toAuditLogEntry,
  )

/** For a save that is based on another value than the current one. */
export async function staleRefusal(tx: Tx, about: { kind: string; id: string }, label: string): Promise<Refusal> {
  const [last] = await listActions(tx, { about, limit: 1 })
  return new Refusal('setting_changed', {
    changes: last ? `${last.userName} changed ‘${label}’` : `‘${label}’ was changed`,
  })
}
