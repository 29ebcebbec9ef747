import { MINUTE_MS } from '#shared/time.ts'
import { defaultSettings, type SiteSettings } from '#site/shop-rules.ts'
import type { ChangedMailTexts } from '#domain/messages/mail-texts.ts'
import type { Config } from '#server/config/config.ts'
import type { Db, Reader, Tx } from '#server/db/db.ts'
import { cachedAnswer, createDbCache } from '#server/limits/db-cache.ts'
import { findSetting, findSettings, lockSetting, saveSetting } from './settings.ts'

/** Where the shop remembers the owner's settings. A trigger tells every instance about its changes. */
export const CONTENT = 'content'

/** The owner's settings that differ from the defaults. */
export async function readChangedSettings(db: Reader): Promise<Partial<SiteSettings>> {
  return parsed(await findSetting(db, CONTENT))
}

/** Every setting. Inside a transaction; pages use the cached ones. */
export const readSiteSettings = async (db: Reader): Promise<SiteSettings> => ({
  ...defaultSettings,
  ...(await readChangedSettings(db)),
})

/** The owner's texts of emails that differ from the house's. */
export const MAIL_TEXTS = 'mail-texts'

/** What writing an email needs, in one statement. */
export async function readMailSettings(db: Reader): Promise<{ site: SiteSettings; mailTexts: ChangedMailTexts }> {
  const saved = await findSettings(db, [CONTENT, MAIL_TEXTS])
  return {
    site: { ...defaultSettings, ...parsed(saved.get(CONTENT)) },
    mailTexts: parsed(saved.get(MAIL_TEXTS)),
  }
}

/** The values stored in a row, while no other transaction can change them. */
export const lockChanged = async (tx: Tx, row: string): Promise<Record<string, unknown>> =>
  parsed(await lockSetting(tx, row, '{}'))

export const saveChanged = (tx: Tx, row: string, changed: Readonly<Record<string, unknown>>): Promise<void> =>
  saveSetting(tx, row, JSON.stringify(changed))

/** Null is how a text without a change was saved before. */
const parsed = (saved: string | undefined): Record<string, unknown> =>
  Object.fromEntries(Object.entries(JSON.parse(saved ?? '{}') as object).filter(([, value]) => value !== null))

const lastNames = new WeakMap<Db, string>()
const settings = createDbCache<string, Promise<Partial<SiteSettings>>>(1)

/** Cached, because every page needs it. While the database does not answer, every setting has its default. */
export const readChangedSettingsCached = (db: Db): Promise<Partial<SiteSettings>> =>
  cachedAnswer(settings.of(db), CONTENT, async () => {
    const changed = await readChangedSettings(db)
    lastNames.set(db, changed.name ?? defaultSettings.name)
    return changed
  }).catch(() => ({}))

/** The shop's name as last read, for pages that must not wait for the database. */
export const lastSiteName = (db: Db): string => lastNames.get(db) ?? defaultSettings.name

export const readSiteSettingsCached = async (db: Db): Promise<SiteSettings> => ({
  ...defaultSettings,
  ...(await readChangedSettingsCached(db)),
})

/** Call after committing a change. */
export const clearSiteSettingsCache = settings.clear

/** The owner's setting, or else the variable `SHIPPING`. */
export const whoPaysShipping = (
  config: Pick<Config, 'shipping'>,
  { shipping = 'environment' }: Partial<SiteSettings>,
): Config['shipping'] => (shipping === 'environment' ? config.shipping : shipping)

/** How long a paid order can be changed: the owner's setting, or else the variable `CHANGE_WINDOW_S`. In milliseconds. */
export const changeWindowOf = (
  config: Pick<Config, 'changeWindowMinutes'>,
  { changeWindowMinutes = config.changeWindowMinutes }: Partial<SiteSettings>,
): number => changeWindowMinutes * MINUTE_MS
