import { parseArgs } from 'node:util'
import { formatOrderNumber } from '#shared/ids.ts'
import { formatUsd } from '#shared/money.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { bodyOfRefusal, Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import { listExceptions, readReconciliation } from './list.ts'
import { reconcile } from './reconciliation.ts'
import { repairException, type RepairNeeds } from './repairs.ts'

const USAGE =
  'Usage: npm run owner -- reconcile [--since 2026-11-01], or npm run owner -- reconcile --repair 12 with a number from the list.'

/**
 * The owner command `reconcile`: reads and compares the providers' books and lists exceptions, or repairs one of them.
 * @throws Error with one sentence
 */
export async function reconcileByOwner(shop: RepairNeeds & Needs<'config'>, args: readonly string[]): Promise<unknown> {
  const { since, repair } = parseArguments(args)
  if (repair !== undefined) return runRepair(shop, repair)
  const run = await reconcile(shop, 'owner', since)
  const { balances } = await readReconciliation(shop)
  const { exceptions, crowds, queues, open, atStake } = await listExceptions(shop, {})
  return {
    compared: { payments: run.payments, partnerOrders: run.partnerOrders, since: run.since },
    books: balances.map(({ provider, theirs, ours, readAt, failingSince }) => ({
      provider,
      theirs: formatUsd(theirs),
      ours: formatUsd(ours),
      readAt,
      ...(failingSince && { failingSince }),
    })),
    open,
    atStake: formatUsd(atStake),
    ...(queues.length > 0 && { waiting: queues }),
    ...(crowds.length > 0 && {
      many: crowds.map(({ title, count, amount, since, step }) => ({
        ...{ title, count, amount: formatUsd(amount), since, step },
      })),
    }),
    exceptions: exceptions.map(({ id, title, about, orderNumber, cause, amount, step, canRepair }) => ({
      id,
      title,
      about: orderNumber ? formatOrderNumber(orderNumber) : about,
      cause,
      amount: formatUsd(amount),
      step: canRepair ? `${step}: npm run owner -- reconcile --repair ${id}` : step,
    })),
  }
}

async function runRepair(shop: RepairNeeds, id: number): Promise<unknown> {
  try {
    return { exception: id, wasOpen: await repairException(shop, id, COMMAND) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Error(bodyOfRefusal(error).message, { cause: error })
  }
}

function parseArguments(args: readonly string[]): { since: Date | undefined; repair: number | undefined } {
  const text = { type: 'string' } as const
  let values: { since?: string | undefined; repair?: string | undefined }
  try {
    values = parseArgs({ args: [...args], options: { since: text, repair: text } }).values
  } catch (error) {
    throw new Error(USAGE, { cause: error })
  }
  const since = values.since === undefined ? undefined : new Date(`${values.since}T00:00:00Z`)
  const isWrongDay =
    since !== undefined && (Number.isNaN(since.getTime()) || !/^\d{4}-\d\d-\d\d$/.test(values.since ?? ''))
  if (isWrongDay || (values.repair !== undefined && !/^[1-9]\d{0,8}$/.test(values.repair))) throw new Error(USAGE)
  return { since, repair: values.repair === undefined ? undefined : Number(values.repair) }
}
