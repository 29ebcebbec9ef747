import type pg from 'pg'

/** The audit views (docs/audit.md); an auditor needs no other table. */
const auditViews = [
  'audit_checkouts',
  'audit_orders',
  'audit_lines',
  'audit_payments',
  'audit_refunds',
  'audit_ledger',
  'audit_exceptions',
  'audit_claims',
  'audit_events',
  'audit_jobs',
  'audit_mails',
  'audit_changes',
  'audit_margin',
  'audit_seals',
  'audit_periods',
  'audit_reviews',
  'audit_codes',
  'audit_code_uses',
  'audit_discounts',
  'audit_gift_cards',
  'audit_drops',
  'audit_editions',
] as const

export type Audit = Record<(typeof auditViews)[number], Record<string, unknown>[]>

/** Reads all views in one consistent snapshot. */
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
