import { backupFinding, type Finding } from '#domain/doctor/findings.ts'
import { autocommitWrite } from '#server/db/db.ts'
import { findSetting, saveSetting } from '#server/settings/settings.ts'
import type { Needs } from '#server/shop.ts'

const USAGE = 'Usage: npm run owner -- backed-up'
/** The setting with the moment of the last backup that could be restored. */
const NOTED_AT = 'backed_up_at'

/** Notes that a backup was made and restored, so that the doctor misses the next one. @throws Error with one sentence for other words */
export async function noteBackup(
  { db, clock }: Needs<'db' | 'clock'>,
  args: readonly string[],
): Promise<{ at: string }> {
  if (args.length > 0) throw new Error(USAGE)
  const at = clock.now().toISOString()
  await autocommitWrite(db, (tx) => saveSetting(tx, NOTED_AT, at))
  return { at }
}

export async function examineBackup({ db, clock, config }: Needs<'db' | 'clock' | 'config'>): Promise<Finding> {
  const noted = await findSetting(db, NOTED_AT)
  return backupFinding(noted === undefined ? undefined : new Date(noted), clock.now(), config.mode === 'live')
}
