import { and, eq, inArray, notInArray } from 'drizzle-orm'
import type { SessionId } from '#shared/ids.ts'
import type { Tx } from '#server/db/db.ts'
import { checkout } from './schema.ts'

const UNPAID_STATES = ['open', 'held'] as const satisfies (typeof checkout.$inferSelect.state)[]

/** Open checkouts, and those whose payment is under review. */
export const moveUnpaidCheckouts = (tx: Tx, from: SessionId, to: SessionId) =>
  tx
    .update(checkout)
    .set({ sessionId: to })
    .where(and(eq(checkout.sessionId, from), inArray(checkout.state, UNPAID_STATES)))

export const moveEndedCheckouts = (tx: Tx, from: SessionId, to: SessionId) =>
  tx
    .update(checkout)
    .set({ sessionId: to })
    .where(and(eq(checkout.sessionId, from), notInArray(checkout.state, UNPAID_STATES)))
