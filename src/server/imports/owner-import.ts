import { readFile, stat } from 'node:fs/promises'
import { IMPORT_MAX_BYTES, type ImportReport } from '#contract/admin-imports.ts'
import { formerShops } from '#domain/imports/former-shop.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { bodyOfRefusal, Refusal } from '#server/http/refusal.ts'
import { importExport } from './imports.ts'

const USAGE = `Usage: npm run owner -- import-from ${formerShops.join('|')} FILE [--dry-run]`

/** The owner command `import-from`. @throws Error with one sentence when nothing was imported */
export async function importByOwner(
  shop: Parameters<typeof importExport>[0],
  args: readonly string[],
): Promise<ImportReport> {
  const [name, file, option, ...more] = args
  const from = formerShops.find((known) => known === name)
  if (!from || file === undefined || more.length > 0 || (option !== undefined && option !== '--dry-run'))
    throw new Error(USAGE)
  try {
    const { size } = await stat(file)
    if (size > IMPORT_MAX_BYTES) throw new Refusal('import_too_large')
    return await importExport(shop, {
      ...{ from, by: COMMAND, isDryRun: option !== undefined },
      bytes: await readFile(file),
    })
  } catch (error) {
    if (error instanceof Refusal) throw new Error(bodyOfRefusal(error).message, { cause: error })
    if (error instanceof Error && 'code' in error) throw new Error(`${file} can’t be read.`, { cause: error })
    throw error
  }
}
