import { eq, isNotNull, isNull, sql, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { ToDoCounts } from '#contract/admin.ts'
import { ruleOf, type ExceptionKind } from '#domain/reconciliation/exceptions.ts'
import type { Reader } from '#server/db/db.ts'
import { callRequest, catalogChange, chat, contactMessage, erasure, partnerApplication } from '#server/db/schema.ts'

/**
 * What waits for somebody of the shop, each counted by an index of its own. Orders that are held, refused or disputed stand among the
 * exceptions, and nowhere else.
 */
export async function countWaiting(db: Reader): Promise<ToDoCounts> {
  const count = (table: PgTable, where?: SQL) => db.$count(table, where)
  const kinds = await countExceptions(db)
  return {
    exceptions: kinds.reduce((sum, one) => sum + one.count, 0),
    exceptionKinds: kinds.map(({ kind, count: many }) => ({ title: ruleOf(kind).title, count: many })),
    messages: await count(contactMessage, isNull(contactMessage.closedAt)),
    chats: await count(chat, isNotNull(chat.waitingSince)),
    applications: await count(partnerApplication, eq(partnerApplication.state, 'waiting')),
    calls: await count(callRequest, eq(callRequest.state, 'waiting')),
    changes: await count(catalogChange, eq(catalogChange.state, 'waiting')),
    erasures: await count(erasure),
  }
}

const countExceptions = async (db: Reader) =>
  (
    await db.execute<{ kind: ExceptionKind; count: number }>(sql`
      select kind, count(*)::int as count from (
        select kind from shop_exception where resolved_at is null
        union all select kind from payment_exception where resolved_at is null) open
      group by kind order by count desc, kind`)
  ).rows
