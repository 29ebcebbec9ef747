import { times, ZERO, type Cents } from '#shared/money.ts'
import type { VariantId } from '#shared/ids.ts'

type PrinterBill = {
  /** The partner's word. */
  status: string
  /** What the partner says that it takes; null while it does not. */
  costTotal: Cents | null
  /** Only how many there are. */
  shipments: readonly unknown[]
}

/**
 * What the partner takes for an order as it stands. A draft's costs may still change; what failed or was canceled before any of it
 * left is not paid for.
 * @returns null while that cannot be said
 */
export function chargeOf({ status, costTotal, shipments }: PrinterBill): Cents | null {
  if (status === 'draft') return null
  if ((status === 'canceled' || status === 'failed') && shipments.length === 0) return ZERO
  return costTotal !== null && costTotal >= ZERO ? costTotal : null
}

type PrinterBillLine = { variantId: VariantId; unitCost: Cents | null }

/** What the partner asks for the pieces of a line; null where it does not say, or says what cannot be. */
export function costOfLine(
  { variantId, quantity }: { variantId: VariantId; quantity: number },
  theirs: readonly PrinterBillLine[],
): Cents | null {
  const unitCost = theirs.find((one) => one.variantId === variantId)?.unitCost ?? null
  return unitCost !== null && unitCost >= ZERO ? times(unitCost, quantity) : null
}
