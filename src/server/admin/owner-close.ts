import { parseArgs } from 'node:util'
import { formatUsd, plus } from '#shared/money.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { bodyOfRefusal, Refusal } from '#server/http/refusal.ts'
import { closeMonth, reopenMonth, showMonth } from './months.ts'

const USAGE =
  'Usage: npm run owner -- close 2026-11 [--preview | --accept-open], or npm run owner -- close 2026-11 --reopen "why"'

/**
 * The owner command `close`: closes a month, shows what would be closed, or reopens the last closed one.
 * @throws Error with one sentence when nothing was done
 */
export async function closeByOwner(shop: Parameters<typeof closeMonth>[0], args: readonly string[]): Promise<unknown> {
  const { month, preview, acceptOpen, reason } = requestIn(args)
  try {
    if (preview) return await previewOf(shop, month)
    const { number, kind, hash, root, seal, files } =
      reason === undefined
        ? await closeMonth(shop, month, acceptOpen, COMMAND)
        : await reopenMonth(shop, { month, reason }, COMMAND)
    return {
      month,
      [kind]: number,
      hash,
      root,
      seal: seal.number,
      files: files.map(({ name, hash: sha256 }) => ({ name, sha256 })),
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Error(bodyOfRefusal(error).message, { cause: error })
  }
}

async function previewOf(shop: Parameters<typeof closeMonth>[0], month: string): Promise<unknown> {
  const { figures, corrections, openItems, objection, isClosed } = await showMonth(shop, month)
  return {
    ...{ month, isClosed, objection, openItems, corrections: corrections.count },
    accounts: figures.map(({ account, opening, change }) => ({
      account,
      opening: formatUsd(opening),
      change: formatUsd(change),
      closing: formatUsd(plus(opening, change)),
    })),
  }
}

function requestIn(args: readonly string[]) {
  try {
    const flag = { type: 'boolean' } as const
    const options = { preview: flag, 'accept-open': flag, reopen: { type: 'string' } } as const
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    const { preview = false, 'accept-open': acceptOpen = false, reopen } = values
    const [month] = positionals
    const reason = reopen?.trim()
    const isOneRequest = [preview, acceptOpen, reopen !== undefined].filter(Boolean).length <= 1
    if (month !== undefined && positionals.length === 1 && isOneRequest && reason !== '')
      return { month, preview, acceptOpen, reason }
  } catch {
    // An unknown option.
  }
  throw new Error(USAGE)
}
