import { and, desc, eq, lte } from 'drizzle-orm'
import { FIRST_LEGAL_DAY, privacyPolicy, shippingReturns, termsOfService } from '#site/legal-texts.ts'
import { legalPageNames, type LegalPageName } from '#domain/legal/legal-text.ts'
import type { Db, Reader, Tx } from '#server/db/db.ts'
import { cachedAnswer, createDbCache } from '#server/limits/db-cache.ts'
import { legalVersion } from './schema.ts'
import { lockSetting } from './settings.ts'

export type LegalVersion = { version: number; text: string; publishedAt: Date }

const houseTexts: Readonly<Record<LegalPageName, string>> = {
  'terms-of-service': termsOfService,
  'privacy-policy': privacyPolicy,
  'shipping-returns': shippingReturns,
}

const publishedFirst = new Date(FIRST_LEGAL_DAY)

/** @returns a page's versions up to one of all pages, newest first; the last is the house's */
export async function listLegalVersions(db: Reader, page: LegalPageName, upTo?: number): Promise<LegalVersion[]> {
  const isWanted = and(eq(legalVersion.page, page), upTo === undefined ? undefined : lte(legalVersion.version, upTo))
  const published = await db.select().from(legalVersion).where(isWanted).orderBy(desc(legalVersion.version))
  return [...published, { version: 1, text: houseTexts[page], publishedAt: publishedFirst }]
}

/** The current text of each page. */
export async function readLegalTexts(db: Reader): Promise<Partial<Record<LegalPageName, LegalVersion>>> {
  const versions = await Promise.all(
    legalPageNames.map(async (page) => [page, (await listLegalVersions(db, page))[0]] as const),
  )
  return Object.fromEntries(versions)
}

/** The newest version of any page. */
export async function latestLegalVersion(db: Reader): Promise<number> {
  const [latest] = await db
    .select({ version: legalVersion.version })
    .from(legalVersion)
    .orderBy(desc(legalVersion.version))
    .limit(1)
  return latest?.version ?? 1
}

const latest = createDbCache<string, Promise<number>>(1)

/** Cached, because every checkout needs it. A trigger tells every instance about a new version. */
export const latestLegalVersionCached = (db: Db): Promise<number> =>
  cachedAnswer(latest.of(db), 'latest', () => latestLegalVersion(db))

/** Call after committing a new version. */
export const clearLegalVersionCache = latest.clear

/** Until the transaction ends, nobody else publishes. */
export const lockLegalVersions = (tx: Tx): Promise<string> => lockSetting(tx, 'legal', '')

/** Inside `lockLegalVersions`. @returns its number */
export async function addLegalVersion(
  tx: Tx,
  { page, text, publishedAt }: { page: LegalPageName; text: string; publishedAt: Date },
): Promise<number> {
  const version = (await latestLegalVersion(tx)) + 1
  await tx.insert(legalVersion).values({ version, page, text, publishedAt })
  return version
}

/** @param stored with an order; earlier releases stored the day of the only version they had */
export const legalVersionIn = (stored: string): number | string => {
  if (stored === FIRST_LEGAL_DAY) return 1
  return /^\d+$/.test(stored) ? Number(stored) : stored
}
