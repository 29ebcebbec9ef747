import { and, desc, eq } from 'drizzle-orm'
import type { LegalPageName } from '#domain/legal/legal-text.ts'
import type { OtherLanguage } from '#shared/language.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { legalTranslation } from './schema.ts'

export type LegalTranslation = typeof legalTranslation.$inferSelect

const current = [desc(legalTranslation.id)]
const isOf = (page: LegalPageName, language: OtherLanguage) =>
  and(eq(legalTranslation.page, page), eq(legalTranslation.language, language))

/** @returns what was published last, also of an earlier version; undefined if that was withdrawn */
export async function findLegalTranslation(
  db: Reader,
  page: LegalPageName,
  language: OtherLanguage,
): Promise<LegalTranslation | undefined> {
  const [last] = await db
    .select()
    .from(legalTranslation)
    .where(isOf(page, language))
    .orderBy(...current)
    .limit(1)
  return last?.withdrawn ? undefined : last
}

/** The current ones of all pages and languages. */
export async function listLegalTranslations(db: Reader): Promise<LegalTranslation[]> {
  const { page, language } = legalTranslation
  const last = await db
    .selectDistinctOn([page, language])
    .from(legalTranslation)
    .orderBy(page, language, ...current)
  return last.filter(({ withdrawn }) => !withdrawn)
}

/** @param id also of one that was replaced or withdrawn */
export async function findFormerTranslation(db: Reader, id: number): Promise<LegalTranslation | undefined> {
  const [found] = await db.select().from(legalTranslation).where(eq(legalTranslation.id, id))
  return found
}

/** Inside `lockLegalVersions`. @returns its id */
export async function addLegalTranslation(
  tx: Tx,
  { page, language, ofVersion, text, signedBy, signedOn, publishedAt, withdrawn }: Omit<LegalTranslation, 'id'>,
): Promise<number> {
  const row = { page, language, ofVersion, text, signedBy, signedOn, publishedAt, withdrawn }
  const [added] = await tx.insert(legalTranslation).values(row).returning({ id: legalTranslation.id })
  if (!added) throw new Error('A translation was not stored.')
  return added.id
}
