import type { FulfillmentStatus } from './status.ts'

/** The partner's word for where an order stands. */
export type PrinterStatus =
  | 'draft'
  | 'pending'
  | 'failed'
  | 'canceled'
  | 'inprocess'
  | 'onhold'
  | 'partial'
  | 'fulfilled'

/** What is known of a parcel's way. */
export type ParcelOutcome = {
  deliveredAt: Date | null
  returnedAt: Date | null
  /** Sent in place of one that was lost or came back. */
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

/** The partner's word and the fate of every parcel in our one word. Some of an order that has left outweighs trouble with the rest. */
export function fulfillmentStatusFrom(word: PrinterStatus, parcels: readonly ParcelOutcome[]): FulfillmentStatus {
  if (parcels.length === 0) return statusByPrinterStatus[word]
  if (word !== 'fulfilled') return 'partially_shipped'

  const notReturned = parcels.filter(({ returnedAt }) => returnedAt === null)
  if (notReturned.length === 0) return 'returned'
  const isMissingOne = notReturned.length < parcels.length && !notReturned.some(({ reshipment }) => reshipment)
  return !isMissingOne && notReturned.every(({ deliveredAt }) => deliveredAt !== null) ? 'delivered' : 'shipped'
}
