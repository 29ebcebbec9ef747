import { readAudit } from '#server/db/audit.ts'
import type { Database } from '#server/db/db.ts'

const UNKNOWN_VERB = 'Say what to do: npm run owner -- audit --json'

/** What the owner can ask of a shop's database, by the first word of the command. @throws Error with one sentence */
export const ownerVerbs =
  ({ pool }: Pick<Database, 'pool'>) =>
  async ([verb]: readonly string[]): Promise<unknown> => {
    if (verb === 'audit') return readAudit(pool)
    throw new Error(UNKNOWN_VERB)
  }
