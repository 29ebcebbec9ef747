import { and, asc, eq, sql } from 'drizzle-orm'
import { VIEWS_MAX, type SavedFilter, type SavedView } from '#contract/saved-views.ts'
import type { UserId } from '#shared/ids.ts'
import { autocommitWrite, type Reader } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import { savedView } from './schema.ts'

/** A person's own views, by name. */
export const listViews = (db: Reader, userId: UserId): Promise<SavedView[]> =>
  db
    .select({ id: savedView.id, name: savedView.name, filter: savedView.filter })
    .from(savedView)
    .where(eq(savedView.userId, userId))
    .orderBy(asc(sql`lower(${savedView.name})`), asc(savedView.id))

/** Saves a view; one of the same name is replaced. @throws Refusal `too_many_views` */
export const saveView = (
  { db, clock }: Needs<'db' | 'clock'>,
  userId: UserId,
  { name, filter }: { name: string; filter: SavedFilter },
): Promise<void> =>
  db.transaction(async (tx) => {
    const views = await listViews(tx, userId)
    if (views.length >= VIEWS_MAX && views.every((view) => view.name !== name))
      throw new Refusal('too_many_views', { most: String(VIEWS_MAX) })
    const chosen = Object.fromEntries(Object.entries(filter).filter(([, value]) => value))
    await tx
      .insert(savedView)
      .values({ userId, name, filter: chosen, createdAt: clock.now() })
      .onConflictDoUpdate({ target: [savedView.userId, savedView.name], set: { filter: chosen } })
  })

/** @throws Refusal `unknown_view` for one that is not theirs or was deleted */
export async function deleteView({ db }: Needs<'db'>, userId: UserId, id: number): Promise<void> {
  const deleted = await autocommitWrite(db, (tx) =>
    tx
      .delete(savedView)
      .where(and(eq(savedView.id, id), eq(savedView.userId, userId)))
      .returning({ id: savedView.id }),
  )
  if (deleted.length === 0) throw new Refusal('unknown_view')
}
