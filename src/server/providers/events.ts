import { and, asc, eq, inArray, max } from 'drizzle-orm'
import { type Reader, type Tx, autocommitWrite } from '#server/db/db.ts'
import { providerEvent } from './schema.ts'
import type { Needs } from '#server/shop.ts'

type EventToStore = { provider: string; eventId: string; type: string; payload: unknown }

/** Stores a verified event that needs no more work. Events already stored stay unchanged. */
export async function insertEvent(tx: Tx, event: EventToStore, now: Date, outcome: string): Promise<void> {
  const row = { ...event, payload: event.payload ?? {}, receivedAt: now, outcome, processedAt: now }
  await tx.insert(providerEvent).values(row).onConflictDoNothing()
}

/** Stores a verified event together with its job. Events already stored have theirs. */
export async function insertEventToFollow(
  { db, jobs, clock }: Needs<'db' | 'jobs' | 'clock'>,
  { payload, ...event }: EventToStore,
): Promise<void> {
  const row = { ...event, payload: payload ?? {}, receivedAt: clock.now() }
  await db.transaction(async (tx) => {
    const [added] = await tx.insert(providerEvent).values(row).onConflictDoNothing().returning({ id: providerEvent.id })
    if (added) await jobs.enqueue(tx, 'provider-event', { eventRowId: added.id })
  })
}

/** The ids among these that are stored. */
export async function filterStored(db: Reader, provider: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .select({ id: providerEvent.eventId })
    .from(providerEvent)
    .where(and(eq(providerEvent.provider, provider), inArray(providerEvent.eventId, [...ids])))
  return new Set(rows.map(({ id }) => id))
}

/** When the last event of these types came; undefined before the first. */
export const findLastEventTime = async (
  db: Reader,
  provider: string,
  types: readonly string[],
): Promise<Date | undefined> =>
  (
    await db
      .select({ at: max(providerEvent.receivedAt) })
      .from(providerEvent)
      .where(and(eq(providerEvent.provider, provider), inArray(providerEvent.type, [...types])))
  )[0]?.at ?? undefined

export type StoredEvent = typeof providerEvent.$inferSelect

/**
 * Processes a stored event once.
 * @param follow the handler per provider; its result is stored as the event's outcome
 */
export async function handleEvent(
  { db, clock }: Needs<'db' | 'clock'>,
  id: number,
  follow: Readonly<Record<string, (event: StoredEvent) => Promise<string>>>,
): Promise<void> {
  const event = await findEvent(db, id)
  if (!event || event.processedAt) return
  const outcome = (await follow[event.provider]?.(event)) ?? 'no handler for this provider'
  await autocommitWrite(db, (tx) =>
    tx.update(providerEvent).set({ processedAt: clock.now(), outcome }).where(eq(providerEvent.id, id)),
  )
}

const findEvent = async (db: Reader, id: number): Promise<StoredEvent | undefined> =>
  (await db.select().from(providerEvent).where(eq(providerEvent.id, id)))[0]

/** Events about any of these ids, oldest first. */
export const listEventsAbout = (db: Reader, ids: readonly string[], limit: number) => {
  const { provider, type, receivedAt, outcome } = providerEvent
  return db
    .select({ provider, type, receivedAt, outcome })
    .from(providerEvent)
    .where(inArray(providerEvent.about, [...ids]))
    .orderBy(asc(providerEvent.id))
    .limit(limit)
}
