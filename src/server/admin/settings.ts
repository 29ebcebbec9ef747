import { isDeepStrictEqual } from 'node:util'
import { defaultSettings, type SiteSettings } from '#site/settings.ts'
import { settingList, type SettingChange, type SettingChanges, type SettingName } from '#contract/settings.ts'
import { findAction, listActions, recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { Db, Tx } from '#server/db/db.ts'
import { clearPageCache } from '#server/http/page-cache.ts'
import { Refusal } from '#server/http/refusal.ts'
import {
  clearSiteSettingsCache,
  lockChangedSettings,
  readSiteSettings,
  saveChangedSettings,
} from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import { toAuditLogEntry } from './log-view.ts'

export const CHANGE_IS_LIVE = 'Shoppers see it now.'

/** Of the audit log's entries: what they are about. */
const ABOUT = 'setting'

const CHANGES_SHOWN = 20

export async function readSettings(db: Db) {
  const [values, actions] = await Promise.all([
    readSiteSettings(db),
    listActions(db, { about: { kind: ABOUT }, limit: CHANGES_SHOWN }),
  ])
  return { values, defaults: defaultSettings, changes: actions.map(toAuditLogEntry) }
}

/**
 * Saves the owner's settings; shoppers see them immediately.
 * @throws Refusal `setting_changed` when another owner has changed one of them since; nothing is saved then
 */
export async function saveSettings(shop: Needs<'db' | 'clock'>, changes: SettingChanges, by: Actor) {
  await change(shop, async (tx, changed) => {
    const current = { ...defaultSettings, ...changed }
    for (const [name, { was, value }] of entriesOf(changes)) {
      if (isDeepStrictEqual(was, value)) continue
      if (!isDeepStrictEqual(was, current[name])) throw await staleRefusal(tx, name)
      await setOne(tx, changed, name, value, { by, what: 'changed', at: shop.clock.now() })
    }
  })
  return { done: CHANGE_IS_LIVE }
}

/**
 * Restores the value that a setting had before an entry of the log.
 * @throws Refusal `nothing_to_undo`
 */
export async function undoSetting(shop: Needs<'db' | 'clock'>, actionId: number, by: Actor) {
  await change(shop, async (tx, changed) => {
    const action = await findAction(tx, actionId)
    const name = action?.aboutId
    if (action?.aboutKind !== ABOUT || !action.before || !isSettingName(name)) throw new Refusal('nothing_to_undo')
    const before = valueOfFact(name, action.before[name] ?? null)
    // An older release may have had other rules.
    const { success, data } = settingList[name].schema.safeParse(before)
    if (!success) throw new Refusal('nothing_to_undo')
    await setOne(tx, changed, name, data, { by, what: `undid entry ${actionId} of`, at: shop.clock.now() })
  })
  return { done: 'Undone. Shoppers see it now.' }
}

/** Locks the settings, applies a change to `changed`, and saves them. */
async function change(
  { db }: Needs<'db'>,
  apply: (tx: Tx, changed: Partial<SiteSettings>) => Promise<void>,
): Promise<void> {
  await db.transaction(async (tx) => {
    const changed = await lockChangedSettings(tx)
    await apply(tx, changed)
    await saveChangedSettings(tx, changed)
  })
  clearSiteSettingsCache(db)
  clearPageCache(db)
}

async function setOne(
  tx: Tx,
  changed: Partial<SiteSettings>,
  name: SettingName,
  value: unknown,
  { by, what, at }: { by: Actor; what: string; at: Date },
): Promise<void> {
  const before = changed[name] ?? defaultSettings[name]
  const after = value ?? defaultSettings[name]
  if (isDeepStrictEqual(before, after)) return
  if (isDeepStrictEqual(after, defaultSettings[name])) Reflect.deleteProperty(changed, name)
  else Object.assign(changed, { [name]: after })
  const about = { kind: ABOUT, id: name }
  await recordAction(tx, { by, what, about, before: factOf(name, before), after: factOf(name, after), at })
}

/** Lists and groups of values are stored as JSON, since facts are plain values. */
const factOf = (name: SettingName, value: unknown) => ({
  [name]: typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value),
})

const valueOfFact = (name: SettingName, fact: unknown): unknown =>
  typeof fact === 'string' && typeof defaultSettings[name] !== 'string' ? JSON.parse(fact) : fact

async function staleRefusal(tx: Tx, name: SettingName): Promise<Refusal> {
  const [last] = await listActions(tx, { about: { kind: ABOUT, id: name }, limit: 1 })
  const { label } = settingList[name]
  return new Refusal('setting_changed', {
    changes: last ? `${last.userName} changed ‘${label}’` : `‘${label}’ was changed`,
  })
}

const isSettingName = (name: string | undefined): name is SettingName => name !== undefined && name in settingList

const entriesOf = (changes: SettingChanges) => Object.entries(changes) as [SettingName, SettingChange][]
