import { and, asc, count, eq, inArray, lte, or } from 'drizzle-orm'
import type { AdminCollection, CollectionInput, OneCollection } from '#contract/admin-collections.ts'
import { isReservedSlug } from '#contract/collection-slugs.ts'
import { collectionCanBecome, namedPath, type CollectionState } from '#domain/catalog/collections.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { ActionFacts } from '#server/audit-log/schema.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import { revisionOf, toInput, type Row } from './collections.ts'
import { clearListingCache } from './listing-cache.ts'
import { requirePicture } from './pictures.ts'
import { findRevision, listRevisions, memberWords, recordRevision, versionsOf } from './revisions.ts'
import { collection, product } from './schema.ts'

const stateWords: Record<CollectionState, string> = {
  draft: 'a draft',
  coming_soon: 'coming soon',
  published: 'published',
  retired: 'retired',
}

function toColumns({ slug, state, publishAt, inMenu, onHome, ...content }: CollectionInput) {
  // A day that has come has done its work: what is published now needs none.
  const isAwaited = state === 'draft' || state === 'coming_soon'
  return { slug, state, inMenu, onHome, content, publishAt: isAwaited && publishAt ? new Date(publishAt) : null }
}

const listRows = (db: Reader): Promise<Row[]> =>
  db.select().from(collection).orderBy(asc(collection.position), asc(collection.id))

/** All collections, hidden ones too, in menu order. */
export async function listForOwner({ db }: Needs<'db'>): Promise<AdminCollection[]> {
  const products = await db.select({ id: product.collection, count: count() }).from(product).groupBy(product.collection)
  return (await listRows(db)).map((row) => ({
    ...{ id: row.id, slug: row.slug, inMenu: row.inMenu, onHome: row.onHome },
    ...{ name: row.content.name, displayName: row.content.displayName, petName: row.content.petName },
    state: row.state,
    publishAt: row.publishAt?.toISOString() ?? null,
    products: products.find(({ id }) => id === row.id)?.count ?? 0,
  }))
}

/** @throws Refusal `unknown_collection` */
export async function readForOwner({ db }: Needs<'db'>, idOrSlug: string): Promise<OneCollection> {
  const [row] = await db
    .select()
    .from(collection)
    .where(or(eq(collection.id, idOrSlug), eq(collection.slug, idOrSlug)))
  if (!row) throw new Refusal('unknown_collection')
  const history = await listRevisions(db, 'collection', row.id)
  return {
    ...{ id: row.id, version: row.version, formerSlugs: row.formerSlugs },
    collection: toInput(row),
    state: row.state,
    history: versionsOf(history, memberWords),
  }
}

/** @throws Refusal `slug_refused`, at the field that clashes */
export function checkAddresses({ slug, name }: CollectionInput, others: readonly Row[], ownId?: string): void {
  const refuse = (field: 'slug' | 'name', reason: string) => {
    throw new Refusal('slug_refused', { reason }, { [field]: reason })
  }
  const rest = others.filter(({ id }) => id !== ownId)
  if (isReservedSlug(slug)) refuse('slug', `The address /${slug} belongs to a page of the shop. Please choose another.`)
  const taken = rest.find((other) => [other.id, other.slug, ...other.formerSlugs].includes(slug))
  if (taken) refuse('slug', `The address /${slug} belongs to ${taken.content.displayName}. Please choose another.`)
  const same = rest.find((other) => namedPath(other.content.name).toLowerCase() === namedPath(name).toLowerCase())
  if (same) refuse('name', `${same.content.displayName} has this name already. Please choose another.`)
}

/** @throws Refusal `invalid`, at a picture that does not exist */
async function checkPictures(db: Reader, { hero, intro, share }: CollectionInput): Promise<void> {
  for (const [field, picture] of Object.entries({ hero, intro, share })) await requirePicture(db, field, picture)
}

/** @throws Refusal `slug_refused`, `collection_state_refused`, `invalid` */
export async function createCollection(
  { db, clock }: Needs<'db' | 'clock'>,
  input: CollectionInput,
  by: Actor,
): Promise<Row> {
  const at = clock.now()
  const created = await db.transaction(async (tx) => {
    const others = await lockAll(tx)
    checkAddresses(input, others)
    await checkPictures(tx, input)
    if (input.state === 'retired')
      throw new Refusal('collection_state_refused', { from: 'new', to: stateWords.retired })
    const position = Math.max(0, ...others.map((other) => other.position)) + 1
    const row: Row = {
      ...toColumns(input),
      ...{ id: input.slug, formerSlugs: [], position, version: 1, updatedAt: at },
    }
    await tx.insert(collection).values(row)
    await recordRevision(tx, revisionOf(row, 'admin', by.name))
    const { slug, name, state } = input
    await recordAction(tx, {
      by,
      what: 'created',
      about: { kind: 'collection', id: row.id },
      after: { slug, name, state },
      at,
    })
    return row
  })
  clearListingCache(db)
  return created
}

/** Few rows, and addresses must be unique among all of them. */
const lockAll = (tx: Tx): Promise<Row[]> => tx.select().from(collection).orderBy(asc(collection.id)).for('update')

type Change = { id: string; version: number; by: Actor; source?: 'admin' | 'undo' }

/**
 * @param to receives what is stored now
 * @throws Refusal `unknown_collection`, `collection_changed`, `slug_refused`, `collection_state_refused`, `invalid`
 */
export async function saveCollection(
  { db, clock }: Needs<'db' | 'clock'>,
  { id, version, by, source = 'admin' }: Change,
  to: (now: CollectionInput) => CollectionInput,
): Promise<Row> {
  const at = clock.now()
  const saved = await db.transaction(async (tx) => {
    const all = await lockAll(tx)
    const before = all.find((row) => row.id === id)
    if (!before) throw new Refusal('unknown_collection')
    if (before.version !== version) throw await staleRefusal(tx, before, version)
    const input = to(toInput(before))
    checkAddresses(input, all, id)
    await checkPictures(tx, input)
    if (!collectionCanBecome(before.state, input.state))
      throw new Refusal('collection_state_refused', { from: stateWords[before.state], to: stateWords[input.state] })
    const after: Row = {
      ...before,
      ...toColumns(input),
      formerSlugs: formerSlugsOf(before, input.slug),
      version: version + 1,
      updatedAt: at,
    }
    const facts = changedFacts(toInput(before), toInput(after))
    if (Object.keys(facts.after).length === 0) return before
    await tx.update(collection).set(after).where(eq(collection.id, id))
    await recordRevision(tx, revisionOf(after, source, by.name))
    await recordAction(tx, { by, what: 'changed', about: { kind: 'collection', id }, ...facts, at })
    return after
  })
  clearListingCache(db)
  return saved
}

/** Publishes drafts and announced collections whose day has come. Any instance may do it, and each collection once. @returns how many */
export async function publishDueCollections({ db, clock }: Needs<'db' | 'clock'>): Promise<number> {
  const at = clock.now()
  const isDue = and(inArray(collection.state, ['draft', 'coming_soon']), lte(collection.publishAt, at))
  const published = await db.transaction(async (tx) => {
    const due = await tx
      .select()
      .from(collection)
      .where(isDue)
      .orderBy(asc(collection.id))
      .for('update', { skipLocked: true })
    for (const before of due) {
      const after: Row = { ...before, state: 'published', publishAt: null, version: before.version + 1, updatedAt: at }
      await tx.update(collection).set(after).where(eq(collection.id, after.id))
      await recordRevision(tx, revisionOf(after, 'schedule', 'shop'))
    }
    return due.length
  })
  if (published) clearListingCache(db)
  return published
}

/** A slug that becomes the present one again no longer redirects. */
const formerSlugsOf = ({ slug, formerSlugs }: Row, next: string): string[] =>
  slug === next ? formerSlugs : [...formerSlugs.filter((one) => one !== next), slug]

/** Saves an earlier version again, except for its address, its state and its place. */
export async function restoreCollection(shop: Needs<'db' | 'clock'>, change: Change, to: number): Promise<Row> {
  const earlier = await findRevision(shop.db, 'collection', change.id, to)
  if (!earlier) throw new Refusal('unknown_collection')
  return saveCollection(shop, { ...change, source: 'undo' }, (now) => {
    const { slug, state, publishAt, inMenu, onHome } = now
    return { ...now, ...earlier.content, ...{ slug, state, publishAt, inMenu, onHome } }
  })
}

/** Says what was saved since the version that a change is based on. */
async function staleRefusal(tx: Tx, row: Row, version: number): Promise<Refusal> {
  const based = await findRevision(tx, 'collection', row.id, version)
  const changed = Object.keys(changedFacts({ ...based?.content }, toInput(row)).after)
  return new Refusal('collection_changed', { changes: changed.join(', ') || 'everything' })
}

const FACT_LENGTH_MAX = 200

/** Lists and objects as JSON, so that the log shows them. */
const factOf = (value: unknown): string | number | boolean | null =>
  value === null || typeof value === 'boolean' || typeof value === 'number'
    ? value
    : (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, FACT_LENGTH_MAX)

function changedFacts(before: object, after: object): { before: ActionFacts; after: ActionFacts } {
  const [was, became] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  const names = [...became.keys()].filter((name) => JSON.stringify(was.get(name)) !== JSON.stringify(became.get(name)))
  const only = (facts: Map<string, unknown>) =>
    Object.fromEntries(names.map((name) => [name, factOf(facts.get(name) ?? null)]))
  return { before: only(was), after: only(became) }
}
