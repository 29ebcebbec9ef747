import { parseArgs } from 'node:util'
import type { Db } from '#server/db/db.ts'
import { verifyClosings } from '#server/ledger/month-closings.ts'
import { verifySeals } from '#server/ledger/seals.ts'
import { listCommissionLines } from './sealed-lines.ts'

const USAGE =
  'Usage: npm run owner -- verify [--seal 12 --hash 9f86d081…] with a number and hash from the log or a partner’s file.'

/**
 * The owner command `verify`: computes the hashes of all sealed postings, commission lines and closed months again.
 * @throws Error that names the first one that was changed
 */
export async function verifyByOwner(db: Db, args: readonly string[]): Promise<unknown> {
  const { problem, ...verified } = await verifySeals(db, listCommissionLines, notedSeal(args))
  if (problem) throw new Error(problem)
  const closings = await verifyClosings(db)
  if (closings.problem) throw new Error(closings.problem)
  return { intact: true, ...verified, closings: closings.count, lastClosing: closings.last }
}

/** @throws Error with the usage */
function notedSeal(args: readonly string[]): { number: number; hash: string } | undefined {
  try {
    // The answer is JSON with and without `--json`.
    const options = { seal: { type: 'string' }, hash: { type: 'string' }, json: { type: 'boolean' } } as const
    const { seal, hash } = parseArgs({ args: [...args], options }).values
    if (seal === undefined && hash === undefined) return undefined
    if (/^[1-9]\d{0,8}$/.test(seal ?? '') && /^[0-9a-f]{64}$/.test(hash ?? ''))
      return { number: Number(seal), hash: hash ?? '' }
  } catch {
    // An unknown option.
  }
  throw new Error(USAGE)
}
