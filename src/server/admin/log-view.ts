import type { AuditLogEntry } from '#contract/admin.ts'
import { listActions } from '#server/audit-log/audit-log.ts'
import type { Reader } from '#server/db/db.ts'

const ACTIONS_A_PAGE = 50

type StoredAction = Awaited<ReturnType<typeof listActions>>[number]

export async function readLog(
  db: Reader,
  olderThan: number | undefined,
): Promise<{ actions: AuditLogEntry[]; hasMore: boolean }> {
  const rows = await listActions(db, { olderThan, limit: ACTIONS_A_PAGE + 1 })
  return { actions: rows.slice(0, ACTIONS_A_PAGE).map(toAuditLogEntry), hasMore: rows.length > ACTIONS_A_PAGE }
}

export const toAuditLogEntry = ({
  id,
  userName,
  userRole,
  address,
  what,
  aboutKind,
  aboutId,
  before,
  after,
  takenAt,
}: StoredAction): AuditLogEntry => ({
  id,
  who: userName,
  role: userRole,
  address,
  what,
  about: { kind: aboutKind, id: aboutId },
  before,
  after,
  at: takenAt.toISOString(),
})
