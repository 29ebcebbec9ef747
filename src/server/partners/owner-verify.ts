import { parseArgs } from 'node:util'
import type { Db } from '#server/db/db.ts'
import { verifySeals } from '#server/ledger/seals.ts'
import { listCommissionLines } from './sealed-lines.ts'

const USAGE =
  'Usage: npm run owner -- verify [--seal 12 --hash 9f86d081…] with a number and hash from the log or a partner’s file.'

/**
 * The owner command `verify`: computes the hashes of all sealed postings and commission lines again.
 * @throws Error that names the first one that was changed
 */
export async function verifyByOwner(db: Db, args: readonly string[]): Promise<unknown> {
  const { problem, ...verified } = await verifySeals(db, listCommissionLines, notedSeal(args))
  if (problem) throw new Error(problem)
  return { intact: true, ...verified }
}

/** @throws Error with the usage */
function notedSeal(args: readonly string[]): { number: number; hash: string } | undefined {
  try {
    const options = { seal: { type: 'string' }, hash: { type: 'string' } } as const
    const { seal, hash } = parseArgs({ args: [...args], options }).values
    if (seal === undefined && hash === undefined) return undefined
    if (/^[1-9]\d{0,8}$/.test(seal ?? '') && /^[0-9a-f]{64}$/.test(hash ?? ''))
      return { number: Number(seal), hash: hash ?? '' }
  } catch {
    // An unknown option.
  }
  throw new Error(USAGE)
}
