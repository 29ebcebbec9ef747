import { eq, isNotNull, isNull, sql, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { ToDoCounts } from '#contract/admin.ts'
import { ruleOf, type ExceptionKind } from '#domain/reconciliation/exceptions.ts'
import type { Reader } from '#server/db/db.ts'
import { catalogChange } from '#server/catalog/schema.ts'
import { chat, contactMessage } from '#server/messages/schema.ts'
import { callRequest, partnerApplication } from '#server/partners/schema.ts'
import { erasure } from '#server/privacy/schema.ts'

/**
 * Counts of the owner's to-do list, each from its own index. Orders that are on hold, refused or disputed count as exceptions only.
 */
export async function countToDos(db: Reader): Promise<ToDoCounts> {
  const count = (table: PgTable, where?: SQL) => db.$count(table, where)
  const kinds = await countExceptions(db)
  return {
    exceptions: kinds.reduce((sum, kind) => sum + kind.count, 0),
    exceptionKinds: kinds.map(({ kind, count: total }) => ({ title: ruleOf(kind).title, count: total })),
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
