import type { FulfilmentStatus } from './status.ts'

/** The partner's word for where an order stands. */
export type PartnerWord = 'draft' | 'pending' | 'failed' | 'canceled' | 'inprocess' | 'onhold' | 'partial' | 'fulfilled'

/** What is known of a parcel's way. */
export type ParcelFate = {
  deliveredAt: Date | null
  returnedAt: Date | null
  /** Sent in place of one that was lost or came back. */
  reshipment: boolean
}

const words: Record<PartnerWord, FulfilmentStatus> = {
  draft: 'waiting',
  pending: 'submitted',
  inprocess: 'in_production',
  partial: 'partially_shipped',
  fulfilled: 'shipped',
  onhold: 'on_hold',
  failed: 'needs_attention',
  canceled: 'cancelled',
}

export const isPartnerWord = (word: string): word is PartnerWord => Object.hasOwn(words, word)

/** The partner's word and the fate of every parcel in our one word. Some of an order that has left outweighs trouble with the rest. */
export function standingOf(word: PartnerWord, parcels: readonly ParcelFate[]): FulfilmentStatus {
  if (parcels.length === 0) return words[word]
  if (word !== 'fulfilled') return 'partially_shipped'

  const kept = parcels.filter(({ returnedAt }) => returnedAt === null)
  if (kept.length === 0) return 'returned'
  const isMissingOne = kept.length < parcels.length && !kept.some(({ reshipment }) => reshipment)
  return !isMissingOne && kept.every(({ deliveredAt }) => deliveredAt !== null) ? 'delivered' : 'shipped'
}
