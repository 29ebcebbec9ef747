import { COMMAND } from '#server/audit-log/audit-log.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import { applySync, listSyncSummaries, listUndecidedSyncs, revertSync, showSync } from './sync-decisions.ts'
import { syncCatalog, type SyncNeeds } from './sync.ts'

const SYNCS_LISTED = 20

const USAGE =
  'Usage: npm run owner -- sync [--list | --show ID | --apply ID [--change NUMBER] | --revert ID [--change NUMBER]]'

/**
 * The owner command `sync`; without options it syncs now.
 * @throws Error with one sentence when it failed
 */
export async function syncByOwner(shop: SyncNeeds, args: readonly string[]): Promise<unknown> {
  const [option, text, ...more] = args
  if (option === undefined) return syncNow(shop)
  if (option === '--list' && text === undefined) return listSyncSummaries(shop.db, SYNCS_LISTED)

  const id = numberIn(text)
  if (option === '--show' && more.length === 0) return showSync(shop.db, id)
  const only = more.length === 0 ? undefined : changeIn(more)
  if (option === '--apply') return applySync(shop, id, COMMAND, { only, accepted: true })
  if (option === '--revert') return revertSync(shop, id, COMMAND, { only })
  throw new Error(USAGE)
}

function changeIn([option, text, ...more]: readonly string[]): number {
  if (option !== '--change' || more.length > 0) throw new Error(USAGE)
  return numberIn(text)
}

function numberIn(text: string | undefined): number {
  if (text === undefined || !/^[1-9]\d{0,8}$/.test(text)) throw new Error(USAGE)
  return Number(text)
}

async function syncNow(shop: SyncNeeds): Promise<unknown> {
  try {
    const report = await syncCatalog(shop, 'owner')
    if (report.state === 'not_believed') throw new Error(report.remarks.join(' '))
    const { changes } = await showSync(shop.db, report.sync)
    return { ...report, changes, waitingInAll: await listUndecidedSyncs(shop.db) }
  } catch (error) {
    if (!(error instanceof ProviderUnavailable || error instanceof ProviderRefusal)) throw error
    throw new Error(`The sync did not finish, because the printer gave no usable answer: ${error.message}`, {
      cause: error,
    })
  }
}
