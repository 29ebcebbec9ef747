import { and, inArray, isNotNull, sql, type SQL } from 'drizzle-orm'
import type { Tx } from '#server/db/db.ts'
import { after, DAY_MS } from '#shared/time.ts'
import { composition, picture } from './schema.ts'

/** So long, a picture that nothing refers to any more can be chosen again. */
const UNUSED_DAYS = 30

/** Names of pictures that owners' products can have; those of blanks and of people have other kinds. As a regular expression of both languages. */
const NAME = '(?:product|hero|drawing|printer|composed)[.][0-9a-f]{16}'

/** The names of pictures in a column of a table, as rows. */
export const namesIn = (column: SQL, table: SQL): SQL =>
  sql`select (regexp_matches(${column}::text, ${sql.raw(`'${NAME}'`)}, 'g'))[1] from ${table}`

/**
 * Holds the pictures that a content names until the transaction ends: none is deleted meanwhile.
 * @returns names of pictures that are not there, or no longer
 */
export async function holdPictures(tx: Tx, content: unknown): Promise<string[]> {
  const names = [...new Set(JSON.stringify(content).match(new RegExp(NAME, 'g')))]
  if (!names.length) return []
  const held = await tx
    .select({ file: picture.file })
    .from(picture)
    .where(sql`${picture.file} = any (${sql.param(names)}::text[])`)
    .for('key share')
  const there = new Set(held.map(({ file }) => file))
  return names.filter((name) => !there.has(name))
}

/** Names of pictures or addresses at the printer that something needs. */
const usedNames = (references: readonly SQL[], since: Date): SQL =>
  sql`used (name) as materialized (${sql.join(
    [
      ...references,
      // A composition that was asked for again begins with its drawing.
      sql`select request ->> 'drawing' from composition where created_at > ${since.toISOString()}::timestamptz`,
    ],
    sql` union `,
  )})`

const isUsed = sql`(exists (select from used where used.name = picture.file)
  or exists (select from used where used.name = picture.source_url))`
const isOurs = sql`picture.file ~ ${sql.raw(`'^${NAME}$'`)}`

/**
 * Notes since when nothing refers to a picture, and forgets it of those that are used again.
 * @param references what each area needs: queries of one column with names of pictures, or their addresses at the printer
 */
export async function markUnused(tx: Tx, references: readonly SQL[], now: Date): Promise<void> {
  const used = usedNames(references, after(now, -UNUSED_DAYS * DAY_MS))
  await tx.execute(
    sql`with ${used} update picture set unused_since = null where unused_since is not null and ${isUsed}`,
  )
  await tx.execute(
    sql`with ${used} update picture set unused_since = ${now.toISOString()}::timestamptz
      where unused_since is null and ${isOurs} and not ${isUsed}`,
  )
}

/**
 * Deletes some of the pictures that nothing has referred to for a month. The rows are locked before the references are read again: what
 * is saved meanwhile either holds its picture, which is then left alone, or finds it gone.
 * @returns fewer are found than `limit` when none is left
 */
export async function deleteUnused(
  tx: Tx,
  references: readonly SQL[],
  now: Date,
  limit: number,
): Promise<{ found: number; deleted: number }> {
  const before = after(now, -UNUSED_DAYS * DAY_MS)
  const locked = await tx
    .select({ file: picture.file })
    .from(picture)
    .where(sql`unused_since < ${before.toISOString()}::timestamptz and ${isOurs}`)
    .orderBy(picture.file)
    .limit(limit)
    .for('update', { skipLocked: true })
  const files = locked.map(({ file }) => file)
  if (!files.length) return { found: 0, deleted: 0 }
  const isLocked = sql`picture.file = any (${sql.param(files)}::text[])`
  await tx.execute(sql`with ${usedNames(references, before)}
    update picture set unused_since = null where ${isLocked} and ${isUsed}`)
  const deleted = await tx
    .delete(picture)
    .where(and(inArray(picture.file, files), isNotNull(picture.unusedSince)))
    .returning({ file: picture.file })
  await tx.delete(composition).where(
    inArray(
      sql`${composition.request} ->> 'drawing'`,
      deleted.map(({ file }) => file),
    ),
  )
  return { found: files.length, deleted: deleted.length }
}
