import { asc } from 'drizzle-orm'
import * as z from 'zod/mini'
import { CollectionInput } from '#contract/admin-collections.ts'
import { fieldChanges, type FieldChange } from '#domain/catalog/difference-text.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { CatalogFileError, type FileMistake } from './catalog-file-error.ts'
import { checkAddresses } from './collection-editor.ts'
import { recordOrder } from './collection-order.ts'
import { revisionOf, toInput, type Row } from './collections.ts'
import { recordRevisions } from './revisions.ts'
import { collection } from './schema.ts'

const slug = z.string().check(z.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/), z.maxLength(60))

/** A collection in the catalog file: what the owner edits, with its id. Its place is that in the file. */
export const FileCollection = z.extend(CollectionInput, { id: slug, formerSlugs: z._default(z.array(slug), []) })
export type FileCollection = z.output<typeof FileCollection>

/** All collections in menu order; importing them again changes nothing. */
export async function exportCollections(db: Reader): Promise<FileCollection[]> {
  const rows = await db.select().from(collection).orderBy(asc(collection.position), asc(collection.id))
  return rows.map((row) => ({ id: row.id, formerSlugs: row.formerSlugs, ...toInput(row) }))
}

/** How collections and product types are imported. */
export type ImportOptions = {
  at: Date
  by: string
  source: 'import' | 'upload'
  /** Whether what the file says replaces what is stored; a start leaves stored collections as the owner has them. */
  replaces: boolean
}

/**
 * @returns the collections that are new or changed, with what changed
 * @throws CatalogFileError for addresses and names that are taken
 */
export async function importCollections(
  tx: Tx,
  files: readonly FileCollection[],
  { at, by, source, replaces }: ImportOptions,
): Promise<{ name: string; what: 'new' | 'changed'; changes: FieldChange[] }[]> {
  const stored = new Map((await tx.select().from(collection).for('update')).map((row) => [row.id, row]))
  const last = Math.max(0, ...[...stored.values()].map(({ position }) => position))
  const saved = files.flatMap(({ id, formerSlugs, ...input }, index) => {
    const before = stored.get(id)
    if (before && !replaces) return []
    const { slug: address, state, publishAt, inMenu, onHome, ...content } = input
    const after = {
      ...{ id, slug: address, formerSlugs, state, inMenu, onHome, content },
      publishAt: publishAt === null ? null : new Date(publishAt),
      position: replaces ? index + 1 : last + index + 1,
      version: (before?.version ?? 0) + 1,
      updatedAt: at,
    }
    const changes = before ? fieldChanges(comparable(before), comparable(after)) : []
    return before && changes.length === 0 ? [] : [{ before, after, changes }]
  })
  const all = new Map([...stored, ...saved.map(({ after }) => [after.id, after] as const)])
  refuseTakenAddresses(
    saved.map(({ after }) => after),
    [...all.values()],
    files,
  )
  for (const { after } of saved)
    await tx.insert(collection).values(after).onConflictDoUpdate({ target: collection.id, set: after })
  await recordRevisions(
    tx,
    saved.map(({ after }) => revisionOf(after, source, by)),
  )
  const orderOf = (rows: Iterable<Row>): string[] =>
    [...rows].toSorted((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1)).map(({ id }) => id)
  const was = orderOf(stored.values())
  const ids = orderOf(all.values())
  if (was.join() !== ids.filter((id) => stored.has(id)).join()) await recordOrder(tx, { was, ids, source, by, at })
  return saved.map(({ before, after, changes }) => ({
    ...{ name: after.content.displayName, changes },
    what: before ? ('changed' as const) : ('new' as const),
  }))
}

function comparable(row: Row): object {
  const { content: _content, version: _version, updatedAt: _updatedAt, ...rest } = row
  return { ...rest, ...toInput(row) }
}

function refuseTakenAddresses(saved: readonly Row[], all: readonly Row[], files: readonly FileCollection[]): void {
  const mistakes = saved.flatMap((row): FileMistake[] => {
    try {
      checkAddresses(toInput(row), all, row.id)
      return []
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const number = files.findIndex(({ id }) => id === row.id) + 1
      return Object.entries(error.fields ?? {}).map(([field, problem]) => ({
        ...{ row: number, column: `collections.${field}`, problem },
      }))
    }
  })
  if (mistakes.length) throw new CatalogFileError(mistakes)
}
