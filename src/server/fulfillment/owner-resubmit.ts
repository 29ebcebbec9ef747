import { readOrderNumber } from '#shared/ids.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { ownerSentenceOf, Refusal } from '#server/http/refusal.ts'
import { findOrder } from '#server/orders/orders.ts'
import { ProviderUnavailable } from '#server/providers/provider-errors.ts'
import { PRINTER_DOWN, resubmitOrder } from './owner-actions.ts'
import { submitOrder } from './fulfillment.ts'

const USAGE = 'Usage: npm run owner -- resubmit K7QM-4T2X'

/**
 * The owner command `resubmit`.
 * @throws Error with one sentence when the order was not submitted, or not yet
 */
export async function resubmitByOwner(
  shop: Parameters<typeof resubmitOrder>[0],
  args: readonly string[],
): Promise<unknown> {
  const number = readOrderNumber(args[0] ?? '')
  if (!number || args.length !== 1) throw new Error(USAGE)
  try {
    const { id } = await resubmitOrder(shop, number, COMMAND)
    // The job does the same; whichever is first submits it.
    await submitOrder(shop, id)
    const order = await findOrder(shop.db, id)
    return {
      order: number,
      externalId: order?.externalId,
      status: order?.fulfillmentStatus,
      reason: order?.attentionReason,
    }
  } catch (error) {
    throw new Error(sentenceOf(error), { cause: error })
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof ProviderUnavailable) return PRINTER_DOWN
  if (!(error instanceof Refusal)) throw error
  return ownerSentenceOf(error)
}
