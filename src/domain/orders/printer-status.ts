import type { FulfillmentStatus } from './status.ts'

/** Printful's order status. */
export type PrinterStatus =
  | 'draft'
  | 'pending'
  | 'failed'
  | 'canceled'
  | 'inprocess'
  | 'onhold'
  | 'partial'
  | 'fulfilled'

/** A parcel's tracking state. */
export type ParcelOutcome = {
  deliveredAt: Date | null
  returnedAt: Date | null
  /** A replacement for a lost or returned parcel. */
  reshipment: boolean
}

const statusByPrinterStatus: Record<PrinterStatus, FulfillmentStatus> = {
  draft: 'waiting',
  pending: 'submitted',
  inprocess: 'in_production',
  partial: 'partially_shipped',
  fulfilled: 'shipped',
  onhold: 'on_hold',
  failed: 'needs_attention',
  canceled: 'cancelled',
}

export const isPrinterStatus = (word: string): word is PrinterStatus => Object.hasOwn(statusByPrinterStatus, word)

/**
 * Combines Printful's status and every parcel into our status. A partly shipped order counts as shipped, despite
 * trouble with the rest.
 */
export function fulfillmentStatusFrom(word: PrinterStatus, parcels: readonly ParcelOutcome[]): FulfillmentStatus {
  if (parcels.length === 0) return statusByPrinterStatus[word]
  if (word !== 'fulfilled') return 'partially_shipped'

  const notReturned = parcels.filter(({ returnedAt }) => returnedAt === null)
  if (notReturned.length === 0) return 'returned'
  const isMissingOne = notReturned.length < parcels.length && !notReturned.some(({ reshipment }) => reshipment)
  return !isMissingOne && notReturned.every(({ deliveredAt }) => deliveredAt !== null) ? 'delivered' : 'shipped'
}
