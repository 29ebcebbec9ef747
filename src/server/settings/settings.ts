import { eq, inArray } from 'drizzle-orm'
import type { Reader, Tx } from '#server/db/db.ts'
import { setting } from './schema.ts'

export async function findSetting(db: Reader, name: string): Promise<string | undefined> {
  const [found] = await db.select().from(setting).where(eq(setting.name, name))
  return found?.value
}

/** @returns the values of those that are saved, by name */
export async function findSettings(db: Reader, names: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .select()
    .from(setting)
    .where(inArray(setting.name, [...names]))
  return new Map(rows.map(({ name, value }) => [name, value]))
}

export async function saveSetting(tx: Tx, name: string, value: string): Promise<void> {
  await tx.insert(setting).values({ name, value }).onConflictDoUpdate({ target: setting.name, set: { value } })
}

/** Locks a setting until the transaction ends. @param initial is saved if the setting is missing @returns its value */
export async function lockSetting(tx: Tx, name: string, initial: string): Promise<string> {
  await tx.insert(setting).values({ name, value: initial }).onConflictDoNothing()
  const [locked] = await tx.select().from(setting).where(eq(setting.name, name)).for('update')
  return locked?.value ?? initial
}

export async function deleteSetting(tx: Tx, name: string): Promise<void> {
  await tx.delete(setting).where(eq(setting.name, name))
}
