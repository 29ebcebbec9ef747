import { parseArgs } from 'node:util'
import { formatOrderNumber, readOrderNumber } from '#shared/ids.ts'
import { centsFromDecimal, formatUsd } from '#shared/money.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { ownerSentenceOf, Refusal } from '#server/http/refusal.ts'
import { ProviderUnavailable } from '#server/providers/provider-errors.ts'
import { idsOf, previewRefund, refundOrder, refundPayment, type RefundRequest } from './refunds.ts'
import { findRefund } from '#server/orders/refunds.ts'

type RefundNeeds = Parameters<typeof refundOrder>[0]

const USAGE =
  'Usage: npm run owner -- refund K7QM-4T2X --reason "why" [--amount 12.34 | --line 1 [--quantity 1]]. Without --amount or --line, everything not yet refunded is refunded.'

/**
 * The owner command `refund`. Lines count from 1, in the order of the confirmation.
 * @returns what was refunded
 * @throws Error with one sentence when nothing was refunded, or not yet
 */
export async function refundByOwner(shop: RefundNeeds, args: readonly string[]): Promise<unknown> {
  const { orderNumber, request, reason } = refundRequestIn(args)
  const { goods, amount, refunds } = await withReadableRefusal(async () => {
    const preview = await previewRefund(shop, orderNumber, request)
    return { goods: preview.goods, ...(await refundOrder(shop, orderNumber, request, reason, COMMAND)) }
  })
  let status
  for (const { id, amountCents } of refunds) {
    try {
      // The job does the same; whichever comes second finds it done.
      await refundPayment(shop, id)
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error
      throw new Error(
        `Refund ${id} of ${formatUsd(amountCents)} is queued: the payment provider is not responding, and the shop keeps trying.`,
        { cause: error },
      )
    }
    status = (await findRefund(shop.db, id))?.status
    if (status === 'failed')
      throw new Error(`The payment provider refused refund ${id} of ${formatUsd(amountCents)}. It was not refunded.`)
  }
  return {
    order: formatOrderNumber(orderNumber),
    refund: idsOf(refunds),
    amount: formatUsd(amount),
    status,
    reason,
    goods,
  }
}

async function withReadableRefusal<T>(decide: () => Promise<T>): Promise<T> {
  try {
    return await decide()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Error(ownerSentenceOf(error), { cause: error })
  }
}

function refundRequestIn(args: readonly string[]) {
  const { values, positionals } = parseArguments(args)
  const orderNumber = readOrderNumber(positionals[0] ?? '')
  const reason = values.reason?.trim()
  if (!orderNumber || positionals.length !== 1 || !reason) throw new Error(USAGE)
  return { orderNumber, reason, request: portionIn(values) }
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
    const requested = centsFromDecimal(amount)
    if (requested === undefined || requested <= 0) throw new Error(`'${amount}' is not an amount. Write it like 12.34.`)
    return { kind: 'amount', amount: requested }
  }
  if (line === undefined) return { kind: 'rest' }
  if (!/^[1-9]\d?$/.test(line) || !/^[1-9]\d?$/.test(quantity)) throw new Error(USAGE)
  return { kind: 'pieces', pieces: [{ position: Number(line) - 1, quantity: Number(quantity) }] }
}
