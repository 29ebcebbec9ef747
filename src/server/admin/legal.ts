import { isLegalPageName, legalPages, type LegalFacts, type LegalPageName } from '#domain/legal/legal-text.ts'
import type { Language } from '#shared/language.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { Db, Tx } from '#server/db/db.ts'
import { readLegalFigures } from '#server/catalog/legal-figures.ts'
import { clearPageCache } from '#server/http/page-cache.ts'
import { Refusal } from '#server/http/refusal.ts'
import { findLegalTranslation } from '#server/settings/legal-translations.ts'
import {
  addLegalVersion,
  clearLegalVersionCache,
  findLegalFigures,
  latestLegalVersion,
  listLegalVersions,
  lockLegalVersions,
  readLegalTexts,
  type LegalVersion,
} from '#server/settings/legal-versions.ts'
import { readChangedSettings } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import { staleRefusal } from './changes.ts'

/** Of the audit log's entries. Their values are numbers of versions. */
export const LEGAL_PAGE = 'legal page'

/** @throws Refusal `unknown_call` for a page that does not exist */
export function legalPageIn({ page }: { page: string }): LegalPageName {
  if (!isLegalPageName(page)) throw new Refusal('unknown_call')
  return page
}

/**
 * A page as shoppers read it.
 * @param asked the number of a version of all pages; undefined for the current one, which may have a translation
 * @throws Refusal `unknown_call` for a version that does not exist
 */
export async function showLegalPage(
  db: Db,
  page: LegalPageName,
  asked: { version?: string | undefined; language?: Language | undefined },
) {
  const { version: typed, language = 'en' } = asked
  const versions = await listLegalVersions(db, page)
  const wanted = typed === undefined ? undefined : Number(typed)
  const latest = await latestLegalVersion(db)
  if (wanted !== undefined && !(Number.isInteger(wanted) && wanted >= 1 && wanted <= latest.version))
    throw new Refusal('unknown_call')
  const shown = versions.find(({ version }) => wanted === undefined || version <= wanted)
  if (!shown) throw new Refusal('unknown_call')
  const translation =
    wanted === undefined && language !== 'en' ? await findLegalTranslation(db, page, language) : undefined
  return {
    ...toWire(shown),
    // As soon as there is a newer version, English is all that is right.
    translation:
      translation?.ofVersion === shown.version
        ? { text: translation.text, signedBy: translation.signedBy, signedOn: translation.signedOn }
        : null,
    figures: wanted === undefined ? null : await findLegalFigures(db, wanted),
    versions: versions.map(({ version, publishedAt }) => ({ version, publishedAt: publishedAt.toISOString() })),
  }
}

/** The current text of each page. */
export const readLegalPages = async (db: Db) =>
  Object.fromEntries(Object.entries(await readLegalTexts(db)).map(([page, text]) => [page, toWire(text)]))

const toWire = ({ version, text, publishedAt }: LegalVersion) => ({
  version,
  text,
  publishedAt: publishedAt.toISOString(),
})

/** @throws Refusal `setting_changed` when another owner has published a version since */
export async function publishLegalPage(
  shop: Needs<'config' | 'db' | 'clock'>,
  page: LegalPageName,
  { was, text }: { was: number; text: string },
  by: Actor,
) {
  const version = await publish(shop, async (tx, figures) => {
    const [current] = await listLegalVersions(tx, page)
    if (current?.version !== was) throw await staleRefusal(tx, { kind: LEGAL_PAGE, id: page }, legalPages[page].label)
    return current.text === text
      ? was
      : addVersion(tx, page, { text, was, figures, at: shop.clock.now(), by, what: 'changed' })
  })
  return { done: version === was ? 'There is nothing to publish.' : `Version ${version} is published.` }
}

/**
 * Publishes the text that a page had before an entry of the log, as a new version.
 * @throws Refusal `nothing_to_undo`
 */
export async function restoreLegalPage(
  shop: Needs<'config' | 'db' | 'clock'>,
  { actionId, page, before }: { actionId: number; page: string; before: unknown },
  by: Actor,
) {
  if (!isLegalPageName(page) || typeof before !== 'number') throw new Refusal('nothing_to_undo')
  const version = await publish(shop, async (tx, figures) => {
    const [current] = await listLegalVersions(tx, page)
    const [former] = await listLegalVersions(tx, page, before)
    if (!current || !former) throw new Refusal('nothing_to_undo')
    if (current.text === former.text) return current.version
    const what = `undid entry ${actionId} of`
    const at = shop.clock.now()
    return addVersion(tx, page, { text: former.text, was: current.version, figures, at, by, what })
  })
  return { done: `Undone. Version ${version} has the text of version ${before}.` }
}

async function publish(
  shop: Needs<'config' | 'db'>,
  work: (tx: Tx, figures: LegalFacts | undefined) => Promise<number>,
): Promise<number> {
  const { db } = shop
  const figuresOf = await readLegalFigures(shop)
  const version = await db.transaction(async (tx) => {
    await lockLegalVersions(tx)
    return work(tx, figuresOf(await readChangedSettings(tx)))
  })
  clearLegalVersionCache(db)
  clearPageCache(db)
  return version
}

type Publication = {
  text: string
  was: number
  figures: LegalFacts | undefined
  at: Date
  by: Actor
  what: string
}

async function addVersion(
  tx: Tx,
  page: LegalPageName,
  { text, was, figures, at, by, what }: Publication,
): Promise<number> {
  const version = await addLegalVersion(tx, { page, text, publishedAt: at, figures })
  const about = { kind: LEGAL_PAGE, id: page }
  await recordAction(tx, { by, what, about, before: { [page]: was }, after: { [page]: version }, at })
  return version
}
