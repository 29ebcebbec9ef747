import { createPerson, renewPassword } from '#server/accounts/owner-people.ts'
import { catalogByOwner } from '#server/catalog/owner-catalog.ts'
import { syncByOwner } from '#server/catalog/owner-sync.ts'
import { checkoutsByOwner } from '#server/checkout/owner-checkouts.ts'
import { readAudit } from '#server/db/audit.ts'
import type { Database } from '#server/db/db.ts'
import { backupByOwner, moveToPostgres, restoreByOwner } from '#server/db/owner-backup.ts'
import { noteBackup } from '#server/admin/backup-note.ts'
import { doctorByOwner } from '#server/admin/doctor.ts'
import { closeByOwner } from '#server/admin/owner-close.ts'
import { resubmitByOwner } from '#server/fulfillment/owner-resubmit.ts'
import { importByOwner } from '#server/imports/owner-import.ts'
import { goLive } from '#server/admin/go-live.ts'
import { listBalances } from '#server/ledger/ledger.ts'
import { verifyByOwner } from '#server/partners/owner-verify.ts'
import { eraseByOwner } from '#server/privacy/owner-erase.ts'
import { reconcileByOwner } from '#server/reconciliation/owner-reconcile.ts'
import { refundByOwner } from '#server/payments/owner-refund.ts'
import type { Shop } from '#server/shop.ts'

const verbs = [
  'audit --json',
  'backed-up',
  'backup',
  'balances',
  'catalog',
  'checkouts',
  'close',
  'create',
  'doctor [--json]',
  'erase',
  'go-live',
  'import-from',
  'move-to-postgres',
  'password',
  'reconcile',
  'refund',
  'restore',
  'resubmit',
  'sync',
  'verify',
]
const UNKNOWN_VERB = `Usage: npm run owner -- ${verbs.join(' | ')}`

/**
 * Runs the owner's commands. @throws Error with one sentence
 * @param parts of a shop, for verbs that need more than the database
 */
export const ownerVerbs =
  (database: Database, parts: () => Promise<Shop>) =>
  async ([verb, ...args]: readonly string[]): Promise<unknown> => {
    if (verb === 'audit') return readAudit(database.pool)
    if (verb === 'backup') return backupByOwner(database, args)
    if (verb === 'backed-up') return noteBackup(await parts(), args)
    if (verb === 'restore') return restoreByOwner(database, args)
    if (verb === 'move-to-postgres') return moveToPostgres(database, args)
    if (verb === 'checkouts') return checkoutsByOwner(database, args)
    if (verb === 'create') return createPerson(await parts(), args)
    if (verb === 'password') return renewPassword(await parts(), args)
    if (verb === 'doctor') return doctorByOwner(await parts())
    if (verb === 'go-live') return goLive(await parts(), args)
    if (verb === 'import-from') return importByOwner(await parts(), args)
    if (verb === 'sync') return syncByOwner(await parts(), args)
    if (verb === 'catalog') return catalogByOwner(await parts(), args)
    if (verb === 'balances') return listBalances((await parts()).db)
    if (verb === 'resubmit') return resubmitByOwner(await parts(), args)
    if (verb === 'erase') return eraseByOwner(await parts(), args)
    if (verb === 'refund') return refundByOwner(await parts(), args)
    if (verb === 'reconcile') return reconcileByOwner(await parts(), args)
    if (verb === 'close') return closeByOwner(await parts(), args)
    if (verb === 'verify') return verifyByOwner((await parts()).db, args)
    throw new Error(UNKNOWN_VERB)
  }
