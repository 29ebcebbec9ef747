import { isDeepStrictEqual } from 'node:util'
import type * as z from 'zod/mini'
import { type Logo } from '#site/settings.ts'
import { defaultSettings, type SiteSettings } from '#site/shop-rules.ts'
import { textsOf } from '#contract/admin-mails.ts'
import { settingList, type SettingChange, type SettingChanges } from '#contract/settings.ts'
import { partnersRule } from '#domain/codes/code.ts'
import { mailNames, mailTextList, type MailName, type MailTexts } from '#domain/messages/mail-texts.ts'
import { findAction, recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import { requireFloorOfDiscount, requireFloorOfTerms } from '#server/catalog/margin-guard.ts'
import { requirePicture } from '#server/catalog/pictures.ts'
import { readMarginTerms } from '#server/catalog/margin-terms.ts'
import { listDiscounts } from '#server/checkout/codes.ts'
import type { Config } from '#server/config/config.ts'
import type { Db, Tx } from '#server/db/db.ts'
import { clearPageCache } from '#server/http/page-cache.ts'
import { Refusal } from '#server/http/refusal.ts'
import { findPictures, logoOf } from '#server/pictures/pictures.ts'
import {
  CONTENT,
  clearSiteSettingsCache,
  lockChanged,
  MAIL_TEXTS,
  readChangedSettings,
  readMailSettings,
  saveChanged,
} from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import { latestChanges, staleRefusal } from './changes.ts'
import { LEGAL_PAGE, restoreLegalPage } from './legal.ts'
import { LEGAL_TRANSLATION, restoreLegalTranslation } from './legal-translations.ts'

export const CHANGE_IS_LIVE = 'Shoppers see it now.'

type SettingNeeds = Needs<'db' | 'clock' | 'config'>

/** Values that the owner changes in one way: with a history, undo, and a refusal of stale changes. */
type Group = {
  /** The row that stores those that differ from their defaults. */
  row: string
  list: Readonly<Record<string, { label: string; schema: z.ZodMiniType }>>
  defaults: Readonly<Record<string, unknown>>
}

/** By the kind of the audit log's entries about them. */
const groups = {
  setting: { row: CONTENT, list: settingList, defaults: defaultSettings },
  'mail text': {
    row: MAIL_TEXTS,
    list: Object.fromEntries(
      mailNames.map((name) => [name, { label: mailTextList[name].label, schema: textsOf(name) }]),
    ),
    defaults: Object.fromEntries(mailNames.map((name) => [name, mailTextList[name].texts])),
  },
} satisfies Record<string, Group>

type Kind = keyof typeof groups

/** Some defaults are of the environment. */
const defaultsOf = (kind: Kind, { changeWindowMinutes }: Config): Group['defaults'] =>
  kind === 'setting' ? { ...groups.setting.defaults, changeWindowMinutes } : groups[kind].defaults

export async function readSettings({ db, config: { changeWindowMinutes } }: Needs<'db' | 'config'>) {
  const [changed, changes] = await Promise.all([readChangedSettings(db), latestChanges(db, 'setting')])
  const defaults = { ...defaultSettings, changeWindowMinutes }
  return { values: { ...defaults, ...changed }, defaults, changes }
}

export async function readMailTexts(db: Db) {
  const [{ mailTexts }, changes] = await Promise.all([readMailSettings(db), latestChanges(db, 'mail text')])
  return { changed: mailTexts, changes }
}

/**
 * Saves the owner's settings; shoppers see them immediately.
 * @param accepted the owner has accepted sales below the floor
 * @throws Refusal `setting_changed` when another owner has changed one of them since; `below_floor`; nothing is saved then
 */
export async function saveSettings(
  shop: SettingNeeds,
  { changes, accepted }: { changes: SettingChanges; accepted: boolean },
  by: Actor,
) {
  await checkLogo(shop.db, changes.logo?.value ?? null)
  await requirePicture(shop.db, 'openingPicture.value', changes.openingPicture?.value ?? null)
  await save(shop, 'setting', { changes, accepted }, by)
  return { done: CHANGE_IS_LIVE }
}

/** @throws Refusal `invalid` unless it was uploaded */
async function checkLogo(db: Db, logo: Logo | null): Promise<void> {
  if (!logo) return
  const picture = (await findPictures(db, [logo.file])).get(logo.file)
  if (!picture || !isDeepStrictEqual(logoOf(picture), logo))
    throw new Refusal('invalid', {}, { 'logo.value': 'This logo does not exist. Please upload it again.' })
}

/** @throws Refusal as `saveSettings`; `invalid` for a placeholder that the email does not have */
export async function saveMailTexts(
  shop: SettingNeeds,
  name: MailName,
  { was, value }: { was: unknown; value: MailTexts | null },
  by: Actor,
) {
  if (value) requirePlaceholders(name, value, 'value')
  await save(shop, 'mail text', { changes: { [name]: { was, value } }, accepted: false }, by)
  return { done: value ? 'Saved. Emails have these texts from now on.' : 'The texts of the house are back.' }
}

/** @throws Refusal `invalid`, beside the field within `path` */
export function requirePlaceholders(name: MailName, texts: MailTexts, path: string): void {
  const { error } = textsOf(name).safeParse(texts)
  if (!error) return
  const fields = Object.fromEntries(
    error.issues.map(({ path: [slot], message }) => [`${path}.${String(slot)}`, message]),
  )
  throw new Refusal('invalid', {}, fields)
}

async function save(
  shop: SettingNeeds,
  kind: Kind,
  { changes, accepted }: { changes: Record<string, SettingChange>; accepted: boolean },
  by: Actor,
): Promise<void> {
  const defaults = defaultsOf(kind, shop.config)
  await change(shop, kind, { by, accepted }, async (tx, changed) => {
    const current = { ...defaults, ...changed }
    for (const [name, { was, value }] of Object.entries(changes)) {
      if (isDeepStrictEqual(was, value)) continue
      if (!isDeepStrictEqual(was, current[name]))
        throw await staleRefusal(tx, { kind, id: name }, (groups[kind] as Group).list[name]?.label ?? name)
      await setOne(tx, shop, kind, changed, name, value, { by, what: 'changed', at: shop.clock.now() })
    }
  })
}

/**
 * Restores the value that a setting, an email's texts or a legal page had before an entry of the log.
 * @throws Refusal `nothing_to_undo`; `below_floor`
 */
export async function undoSetting(
  shop: SettingNeeds,
  { action: actionId, accepted }: { action: number; accepted: boolean },
  by: Actor,
) {
  const action = await findAction(shop.db, actionId)
  const { aboutKind, aboutId: name, before } = action ?? {}
  if (aboutKind === LEGAL_PAGE && name !== undefined)
    return restoreLegalPage(shop, { actionId, page: name, before: before?.[name] }, by)
  if (aboutKind === LEGAL_TRANSLATION && name !== undefined)
    return restoreLegalTranslation(shop, { actionId, id: name, before: before?.[name] }, by)
  if (!isKind(aboutKind) || name === undefined || !before) throw new Refusal('nothing_to_undo')
  const { list }: Group = groups[aboutKind]
  const defaults = defaultsOf(aboutKind, shop.config)
  const setting = Object.hasOwn(list, name) ? list[name] : undefined
  if (!setting) throw new Refusal('nothing_to_undo')
  // An older release may have had other rules.
  const { success, data } = setting.schema.safeParse(valueOfFact(before[name] ?? null, defaults[name]))
  if (!success) throw new Refusal('nothing_to_undo')
  await change(shop, aboutKind, { by, accepted }, (tx, changed) =>
    setOne(tx, shop, aboutKind, changed, name, data, { by, what: `undid entry ${actionId} of`, at: shop.clock.now() }),
  )
  return { done: aboutKind === 'setting' ? 'Undone. Shoppers see it now.' : 'Undone.' }
}

const isKind = (kind: string | null | undefined): kind is Kind =>
  typeof kind === 'string' && Object.hasOwn(groups, kind)

type Changed = Record<string, unknown>

/** Those that change what a sale leaves. A higher floor changes nothing that was decided before. */
const marginSettings = ['shipping', 'commission'] as const satisfies (keyof SiteSettings)[]

/** Locks a group, applies a change to its values that differ from their defaults, and saves them. */
async function change(
  shop: SettingNeeds,
  kind: Kind,
  { by, accepted }: { by: Actor; accepted: boolean },
  apply: (tx: Tx, changed: Changed) => Promise<void>,
): Promise<void> {
  const { db } = shop
  const { row } = groups[kind]
  await db.transaction(async (tx) => {
    const changed = await lockChanged(tx, row)
    const before = { ...changed }
    await apply(tx, changed)
    const isOfMargins = marginSettings.some((name) => !isDeepStrictEqual(before[name], changed[name]))
    if (kind === 'setting' && isOfMargins) {
      const termsWith = (some: Changed) => readMarginTerms(tx, shop, { ...defaultSettings, ...some })
      const decision = { by, accepted, about: { kind, id: 'shipping' }, at: shop.clock.now() }
      const terms = { before: await termsWith(before), after: await termsWith(changed) }
      await requireFloorOfTerms(tx, { ...terms, discounts: await listDiscounts(tx, shop) }, decision)
    }
    await saveChanged(tx, row, changed)
    const percentOf = (some: Changed) => ({ ...defaultSettings, ...some }).partnerCodes.percent
    const percent = percentOf(changed)
    if (kind === 'setting' && percent > percentOf(before)) {
      const decision = { by, accepted, about: { kind, id: 'partnerCodes' }, at: shop.clock.now() }
      await requireFloorOfDiscount(tx, shop, { rule: partnersRule(percent) }, decision)
    }
  })
  clearSiteSettingsCache(db)
  clearPageCache(db)
}

async function setOne(
  tx: Tx,
  { config }: Needs<'config'>,
  kind: Kind,
  changed: Changed,
  name: string,
  value: unknown,
  { by, what, at }: { by: Actor; what: string; at: Date },
): Promise<void> {
  const usual = defaultsOf(kind, config)[name]
  const before = changed[name] ?? usual
  const after = value ?? usual
  if (isDeepStrictEqual(before, after)) return
  if (isDeepStrictEqual(after, usual)) Reflect.deleteProperty(changed, name)
  else changed[name] = after
  const about = { kind, id: name }
  await recordAction(tx, { by, what, about, before: { [name]: factOf(before) }, after: { [name]: factOf(after) }, at })
}

/** Lists and groups of values are stored as JSON, since facts are plain values. */
const factOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value)

const valueOfFact = (fact: unknown, usual: unknown): unknown =>
  typeof fact === 'string' && typeof usual !== 'string' ? JSON.parse(fact) : fact
