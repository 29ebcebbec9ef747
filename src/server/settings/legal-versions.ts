import { isDeepStrictEqual } from 'node:util'
import { and, desc, eq, lte, max } from 'drizzle-orm'
import { FIRST_LEGAL_DAY, privacyPolicy, shippingReturns, termsOfService } from '#site/legal-texts.ts'
import type { SiteSettings } from '#site/shop-rules.ts'
import { legalPageNames, type LegalFacts, type LegalPageName } from '#domain/legal/legal-text.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { cachedAnswer, createDbCache } from '#server/limits/db-cache.ts'
import type { Needs } from '#server/shop.ts'
import { legalFigures, legalVersion } from './schema.ts'
import { lockSetting } from './settings.ts'
import { readChangedSettings, readChangedSettingsCached } from './site-settings.ts'

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

/** What the placeholders stood for in a version; null for versions from before it was kept. */
export async function findLegalFigures(db: Reader, version: number): Promise<LegalFacts | null> {
  const [found] = await db
    .select({ figures: legalFigures.figures })
    .from(legalFigures)
    .where(lte(legalFigures.version, version))
    .orderBy(desc(legalFigures.version))
    .limit(1)
  return found && Object.keys(found.figures).length > 0 ? found.figures : null
}

type LatestVersion = { version: number; figures: LegalFacts | undefined }

/** The newest version of any page or of the figures. */
export async function latestLegalVersion(db: Reader): Promise<LatestVersion> {
  const [text] = await db.select({ version: max(legalVersion.version) }).from(legalVersion)
  const [figures] = await db.select().from(legalFigures).orderBy(desc(legalFigures.version)).limit(1)
  return { version: Math.max(1, text?.version ?? 1, figures?.version ?? 1), figures: figures?.figures }
}

const latest = createDbCache<string, Promise<LatestVersion>>(1)

/** Call after committing a new version. */
export const clearLegalVersionCache = latest.clear

/** Until the transaction ends, nobody else adds a version. */
export const lockLegalVersions = (tx: Tx): Promise<string> => lockSetting(tx, 'legal', '')

/**
 * Inside `lockLegalVersions`.
 * @param figures of that moment
 * @returns its number
 */
export async function addLegalVersion(
  tx: Tx,
  {
    page,
    text,
    publishedAt,
    figures,
  }: Omit<LegalVersion, 'version'> & { page: LegalPageName; figures: LegalFacts | undefined },
): Promise<number> {
  const version = (await latestLegalVersion(tx)).version + 1
  await tx.insert(legalVersion).values({ version, page, text, publishedAt })
  if (figures) await tx.insert(legalFigures).values({ version, figures, since: publishedAt })
  return version
}

/**
 * The version that says what a shopper agrees to now. Where figures differ from those of the newest version, it is a new one. Cached,
 * because every checkout needs it; a trigger tells every instance about a new version.
 * @param figuresOf the settings that differ from their defaults; undefined while unknown
 */
export async function agreedLegalVersion(
  { db, clock }: Needs<'db' | 'clock'>,
  figuresOf: (changed: Partial<SiteSettings>) => LegalFacts | undefined,
): Promise<number> {
  const known = await cachedAnswer(latest.of(db), 'latest', () => latestLegalVersion(db))
  const isSame = (before: LegalFacts | undefined, today: LegalFacts | undefined) =>
    today === undefined || isDeepStrictEqual(before, today)
  if (isSame(known.figures, figuresOf(await readChangedSettingsCached(db)))) return known.version
  const agreed = await db.transaction(async (tx) => {
    await lockLegalVersions(tx)
    const { version, figures: before } = await latestLegalVersion(tx)
    const figures = figuresOf(await readChangedSettings(tx))
    if (!figures || isSame(before, figures)) return version
    // The first figures ever are those of the version that was there without.
    const next = before ? version + 1 : version
    await tx.insert(legalFigures).values({ version: next, figures, since: clock.now() })
    return next
  })
  clearLegalVersionCache(db)
  return agreed
}

/** @param stored with an order; earlier releases stored the day of the only version they had */
export const legalVersionIn = (stored: string): number | string => {
  if (stored === FIRST_LEGAL_DAY) return 1
  return /^\d+$/.test(stored) ? Number(stored) : stored
}
