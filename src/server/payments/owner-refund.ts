import { parseArgs } from 'node:util'
import { formatOrderNumber, readOrderNumber } from '#shared/ids.ts'
import { centsFromDecimal, formatUsd } from '#shared/money.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { bodyOfRefusal, Refusal } from '#server/http/refusal.ts'
import { ProviderUnavailable } from '#server/providers/provider-errors.ts'
import { refundOrder, refundPayment, type RefundRequest } from './refunds.ts'
import { findRefund } from './store.ts'

type RefundNeeds = Parameters<typeof refundOrder>[0]

const USAGE =
  'Say it so: npm run owner -- refund K7QM-4T2X --reason "why" [--amount 12.34 | --line 1 [--quantity 1]]. Without amount and line all that is left goes back.'

/**
 * The owner's command `refund`. Lines count from 1, as the confirmation lists them.
 * @returns what went back
 * @throws Error with one sentence when it did not, or not yet
 */
export async function refundByOwner(shop: RefundNeeds, args: readonly string[]): Promise<unknown> {
  const { orderNumber, wanted, reason } = refundRequestIn(args)
  const { id, amountCents } = await withReadableRefusal(() => refundOrder(shop, orderNumber, wanted, reason, COMMAND))
  try {
    // The job does the same; whichever comes first makes it, the other finds it done.
    await refundPayment(shop, id)
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    throw new Error(
      `Refund ${id} of ${formatUsd(amountCents)} is decided and will be made as soon as the payment provider answers; it does not now.`,
      { cause: error },
    )
  }
  const made = await findRefund(shop.db, id)
  if (made?.status === 'failed')
    throw new Error(`The payment provider refuses refund ${id} of ${formatUsd(amountCents)}: nothing went back.`)
  return {
    order: formatOrderNumber(orderNumber),
    refund: id,
    amount: formatUsd(amountCents),
    status: made?.status,
    reason,
  }
}

async function withReadableRefusal<T>(decide: () => Promise<T>): Promise<T> {
  try {
    return await decide()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Error(
      error.code === 'unknown_order' ? 'There is no order with this number.' : bodyOfRefusal(error).message,
      { cause: error },
    )
  }
}

function refundRequestIn(args: readonly string[]) {
  const { values, positionals } = parseArguments(args)
  const orderNumber = readOrderNumber(positionals[0] ?? '')
  const reason = values.reason?.trim()
  if (!orderNumber || positionals.length !== 1 || !reason) throw new Error(USAGE)
  return { orderNumber, reason, wanted: portionIn(values) }
}

function parseArguments(args: readonly string[]) {
  const text = { type: 'string' } as const
  try {
    const options = { reason: text, amount: text, line: text, quantity: text }
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new Error(USAGE, { cause: error })
  }
}

function portionIn({ amount, line, quantity = '1' }: ReturnType<typeof parseArguments>['values']): RefundRequest {
  if (amount !== undefined && line !== undefined) throw new Error(USAGE)
  if (amount !== undefined) {
    const wanted = centsFromDecimal(amount)
    if (wanted === undefined || wanted <= 0) throw new Error(`'${amount}' is no amount: write it like 12.34.`)
    return { kind: 'amount', amount: wanted }
  }
  if (line === undefined) return { kind: 'rest' }
  if (!/^[1-9]\d?$/.test(line) || !/^[1-9]\d?$/.test(quantity)) throw new Error(USAGE)
  return { kind: 'pieces', pieces: [{ position: Number(line) - 1, quantity: Number(quantity) }] }
}
