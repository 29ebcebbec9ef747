import { syncByOwner } from '#server/catalogue/owner-sync.ts'
import { readAudit } from '#server/db/audit.ts'
import type { Database } from '#server/db/db.ts'
import { refundByOwner } from '#server/settlement/owner-refund.ts'
import type { Shop } from '#server/shop.ts'

const UNKNOWN_VERB = 'Say what to do: npm run owner -- audit --json, npm run owner -- sync, or npm run owner -- refund'

/**
 * What the owner can ask of a shop, by the first word of the command. @throws Error with one sentence
 * @param parts of a shop, for what needs more than its database
 */
export const ownerVerbs =
  ({ pool }: Pick<Database, 'pool'>, parts: () => Promise<Shop>) =>
  async ([verb, ...args]: readonly string[]): Promise<unknown> => {
    if (verb === 'audit') return readAudit(pool)
    if (verb === 'sync') return syncByOwner(await parts(), args)
    if (verb === 'refund') return refundByOwner(await parts(), args)
    throw new Error(UNKNOWN_VERB)
  }
