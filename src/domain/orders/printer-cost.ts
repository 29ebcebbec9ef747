import { times, ZERO, type Cents } from '#shared/money.ts'
import type { VariantId } from '#shared/ids.ts'

type PrinterBill = {
  /** As Printful spells it. */
  status: string
  /** Printful's cost; null if it reports none. */
  costTotal: Cents | null
  /** Only their number matters. */
  shipments: readonly unknown[]
}

/**
 * Printful's charge for an order. A draft's costs may still change; an order that failed or was canceled before
 * anything shipped costs nothing.
 * @returns null while it is unknown
 */
export function chargeOf({ status, costTotal, shipments }: PrinterBill): Cents | null {
  if (status === 'draft') return null
  if ((status === 'canceled' || status === 'failed') && shipments.length === 0) return ZERO
  return costTotal !== null && costTotal >= ZERO ? costTotal : null
}

type PrinterBillLine = { variantId: VariantId; unitCost: Cents | null }

/** Printful's charge for a line's pieces; null if missing or implausible. */
export function costOfLine(
  { variantId, quantity }: { variantId: VariantId; quantity: number },
  theirs: readonly PrinterBillLine[],
): Cents | null {
  const unitCost = theirs.find((one) => one.variantId === variantId)?.unitCost ?? null
  return unitCost !== null && unitCost >= ZERO ? times(unitCost, quantity) : null
}
