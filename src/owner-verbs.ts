import { syncByOwner } from '#server/catalogue/owner-sync.ts'
import type { Syncing } from '#server/catalogue/sync.ts'
import { readAudit } from '#server/db/audit.ts'
import type { Database } from '#server/db/db.ts'

const UNKNOWN_VERB = 'Say what to do: npm run owner -- audit --json, or npm run owner -- sync'

/**
 * What the owner can ask of a shop, by the first word of the command. @throws Error with one sentence
 * @param parts of a shop, for what needs more than its database
 */
export const ownerVerbs =
  ({ pool }: Pick<Database, 'pool'>, parts: () => Promise<Syncing>) =>
  async ([verb, ...args]: readonly string[]): Promise<unknown> => {
    if (verb === 'audit') return readAudit(pool)
    if (verb === 'sync') return syncByOwner(await parts(), args)
    throw new Error(UNKNOWN_VERB)
  }
