import { legalPages, objectionToTranslation, type LegalPageName } from '#domain/legal/legal-text.ts'
import { isLanguage, languageNames, type OtherLanguage } from '#shared/language.ts'
import { DAY_MS } from '#shared/time.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { Db, Tx } from '#server/db/db.ts'
import { clearPageCache } from '#server/http/page-cache.ts'
import { Refusal } from '#server/http/refusal.ts'
import {
  addLegalTranslation,
  findFormerTranslation,
  findLegalTranslation,
  listLegalTranslations,
  type LegalTranslation,
} from '#server/settings/legal-translations.ts'
import { listLegalVersions, lockLegalVersions } from '#server/settings/legal-versions.ts'
import type { Needs } from '#server/shop.ts'
import { latestChanges, staleRefusal } from './changes.ts'
import { LEGAL_PAGE, legalPageIn, readLegalPages } from './legal.ts'

/** Of the audit log's entries, whose ids are such as `privacy-policy de`. Their values are ids of translations. */
export const LEGAL_TRANSLATION = 'legal translation'

type Place = { page: LegalPageName; language: OtherLanguage }

/** @throws Refusal `unknown_call` for a page or a language that does not exist */
export function translationIn({ page, language }: { page: string; language: string }): Place {
  if (!isLanguage(language) || language === 'en') throw new Refusal('unknown_call')
  return { page: legalPageIn({ page }), language }
}

const idOf = ({ page, language }: Place): string => `${page} ${language}`
const labelOf = ({ page, language }: Place): string => `${legalPages[page].label}, ${languageNames[language]}`

/** The legal pages with what is translated, and what was changed last. */
export async function readLegal(db: Db) {
  const [pages, translations, ofPages, ofTranslations] = await Promise.all([
    readLegalPages(db),
    listLegalTranslations(db),
    latestChanges(db, LEGAL_PAGE),
    latestChanges(db, LEGAL_TRANSLATION),
  ])
  return {
    pages,
    translations: translations.map(({ id, page, language, ofVersion, text, signedBy, signedOn, publishedAt }) => ({
      id,
      page,
      language,
      ofVersion,
      text,
      signedBy,
      signedOn,
      publishedAt: publishedAt.toISOString(),
    })),
    changes: [...ofPages, ...ofTranslations].toSorted((a, b) => b.id - a.id),
  }
}

type Typed = { was: number | null; ofVersion: number; text: string; signedBy: string; signedOn: string }

/**
 * @throws Refusal `setting_changed` when the English text has a newer version, or another owner has changed the translation since; `invalid`
 */
export async function publishLegalTranslation(
  shop: Needs<'db' | 'clock'>,
  place: Place,
  { was, ...typed }: Typed,
  by: Actor,
) {
  const at = shop.clock.now()
  // Somewhere it is tomorrow; a year before the shop is a slip.
  if (typed.signedOn < '2000' || typed.signedOn > new Date(at.getTime() + DAY_MS).toISOString().slice(0, 10))
    throw new Refusal('invalid', {}, { signedOn: 'Please enter the day on which it was signed' })
  return change(shop, async (tx) => {
    const [english] = await listLegalVersions(tx, place.page)
    if (english?.version !== typed.ofVersion)
      throw await staleRefusal(tx, { kind: LEGAL_PAGE, id: place.page }, legalPages[place.page].label)
    const current = await findLegalTranslation(tx, place.page, place.language)
    if ((current?.id ?? null) !== was)
      throw await staleRefusal(tx, { kind: LEGAL_TRANSLATION, id: idOf(place) }, labelOf(place))
    const objection = objectionToTranslation(typed.text, english.text)
    if (objection) throw new Refusal('invalid', {}, { text: objection })
    if (current && isSame(current, typed)) return { done: 'There is nothing to publish.' }
    const added = await addLegalTranslation(tx, { ...place, ...typed, publishedAt: at, withdrawn: false })
    await record(tx, place, { by, what: 'published', before: was, after: added, at })
    return { done: `The translation of version ${typed.ofVersion} is published.` }
  })
}

const isSame = (current: LegalTranslation, typed: Omit<Typed, 'was'>): boolean =>
  current.ofVersion === typed.ofVersion &&
  current.text === typed.text &&
  current.signedBy === typed.signedBy &&
  current.signedOn === typed.signedOn

/** From now on, shoppers read English. */
export const withdrawLegalTranslation = (shop: Needs<'db' | 'clock'>, place: Place, by: Actor) =>
  change(shop, async (tx) => {
    const current = await findLegalTranslation(tx, place.page, place.language)
    if (!current) return { done: 'There is nothing to withdraw.' }
    const at = shop.clock.now()
    await addLegalTranslation(tx, { ...current, publishedAt: at, withdrawn: true })
    await record(tx, place, { by, what: 'withdrew', before: current.id, after: null, at })
    return { done: 'The translation is withdrawn. Shoppers read English.' }
  })

/**
 * Publishes the translation that there was before an entry of the log again, or withdraws the one that there is.
 * @throws Refusal `nothing_to_undo`
 */
export async function restoreLegalTranslation(
  shop: Needs<'db' | 'clock'>,
  { actionId, id, before }: { actionId: number; id: string; before: unknown },
  by: Actor,
) {
  const [page = '', language = ''] = id.split(' ')
  const place = translationIn({ page, language })
  return change(shop, async (tx) => {
    const current = await findLegalTranslation(tx, place.page, place.language)
    const former = typeof before === 'number' ? await findFormerTranslation(tx, before) : undefined
    const at = shop.clock.now()
    const entry = { by, what: `undid entry ${actionId} of`, before: current?.id ?? null, at }
    if (!former) {
      if (!current) throw new Refusal('nothing_to_undo')
      await addLegalTranslation(tx, { ...current, publishedAt: at, withdrawn: true })
      await record(tx, place, { ...entry, after: null })
      return { done: 'Undone. Shoppers read English.' }
    }
    if (current && isSame(current, former)) throw new Refusal('nothing_to_undo')
    const added = await addLegalTranslation(tx, { ...former, publishedAt: at, withdrawn: false })
    await record(tx, place, { ...entry, after: added })
    return { done: `Undone. It is the translation of version ${former.ofVersion}.` }
  })
}

async function change<Done>(shop: Needs<'db'>, work: (tx: Tx) => Promise<Done>): Promise<Done> {
  const done = await shop.db.transaction(async (tx) => {
    await lockLegalVersions(tx)
    return work(tx)
  })
  clearPageCache(shop.db)
  return done
}

type Entry = { by: Actor; what: string; before: number | null; after: number | null; at: Date }

function record(tx: Tx, place: Place, { by, what, before, after, at }: Entry): Promise<void> {
  const id = idOf(place)
  const about = { kind: LEGAL_TRANSLATION, id }
  return recordAction(tx, { by, what, about, before: { [id]: before }, after: { [id]: after }, at })
}
