import type pg from 'pg'

/** The views of docs/operations.md: what an auditor may read, and all that an auditor needs. */
const auditViews = [
  'audit_checkouts',
  'audit_orders',
  'audit_lines',
  'audit_payments',
  'audit_refunds',
  'audit_ledger',
  'audit_exceptions',
  'audit_events',
  'audit_jobs',
  'audit_mails',
] as const

export type Audit = Record<(typeof auditViews)[number], Record<string, unknown>[]>

/** Every view whole, read at one moment. */
export async function readAudit(pool: pg.Pool): Promise<Audit> {
  const client = await pool.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const audit: Partial<Audit> = {}
    for (const view of auditViews)
      audit[view] = (await client.query<Record<string, unknown>>(`select * from ${view}`)).rows
    await client.query('commit')
    return audit as Audit
  } finally {
    client.release()
  }
}
