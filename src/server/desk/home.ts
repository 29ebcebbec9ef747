import { and, eq, isNotNull, isNull, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Waiting } from '#contract/desk.ts'
import type { FulfilmentStatus } from '#domain/orders/status.ts'
import type { Reader } from '#server/db/db.ts'
import {
  callRequest,
  catalogueChange,
  chat,
  contactMessage,
  erasure,
  partnerApplication,
  paymentException,
  shopException,
  shopOrder,
} from '#server/db/schema.ts'

/** What waits for somebody of the shop, each counted by an index of its own. */
export async function countWaiting(db: Reader): Promise<Waiting> {
  const count = (table: PgTable, where?: SQL) => db.$count(table, where)
  const ordersWith = (status: FulfilmentStatus) =>
    count(shopOrder, and(eq(shopOrder.fulfilmentStatus, status), isNull(shopOrder.erasedAt)))
  return {
    exceptions:
      (await count(shopException, isNull(shopException.resolvedAt))) +
      (await count(paymentException, isNull(paymentException.resolvedAt))),
    ordersOnHold: await ordersWith('on_hold'),
    ordersInNeed: await ordersWith('needs_attention'),
    disputes: await count(shopOrder, eq(shopOrder.paymentStatus, 'disputed')),
    messages: await count(contactMessage, isNull(contactMessage.closedAt)),
    chats: await count(chat, isNotNull(chat.waitingSince)),
    applications: await count(partnerApplication, eq(partnerApplication.state, 'waiting')),
    calls: await count(callRequest, eq(callRequest.state, 'waiting')),
    changes: await count(catalogueChange, eq(catalogueChange.state, 'waiting')),
    erasures: await count(erasure),
  }
}
