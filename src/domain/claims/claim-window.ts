import { after, DAY_MS } from '#shared/time.ts'
import type { ShopperReason } from './claim.ts'

/**
 * Printful's return policy, https://www.printful.com/policies/returns: misprinted, damaged or defective items within 30 days after the
 * product was received, lost parcels within 30 days after the estimated delivery. As shops' copies of it said
 * in November 2026; some older copies say four weeks.
 */
export const PRINTER_CLAIM_DAYS = 30

/** Of a line's parcel; null before it shipped. */
export type ClaimedParcel = {
  deliveredAt: Date | null
  /** The last day on which it was to arrive. */
  expectedAt: Date
} | null

/** Until when the printer replaces or credits it. */
export const printerDeadline = ({ deliveredAt, expectedAt }: NonNullable<ClaimedParcel>): Date =>
  daysAfter(deliveredAt ?? expectedAt, PRINTER_CLAIM_DAYS)

export type ClaimObjection =
  | { why: 'not_shipped' }
  | { why: 'too_early'; from: Date }
  | { why: 'too_late'; since: Date }

/**
 * Why something can't be claimed now; undefined if it can.
 * @param promisedDays after delivery in which the shop itself promises to help
 */
export function objectionToClaim(
  reason: ShopperReason,
  parcel: ClaimedParcel,
  promisedDays: number,
  now: Date,
): ClaimObjection | undefined {
  if (!parcel) return { why: 'not_shipped' }
  const { deliveredAt, expectedAt } = parcel
  // What the carrier calls delivered may still never have arrived.
  if (reason === 'lost' && !deliveredAt && now < expectedAt) return { why: 'too_early', from: expectedAt }
  const until = daysAfter(deliveredAt ?? expectedAt, Math.max(promisedDays, PRINTER_CLAIM_DAYS))
  return now > until ? { why: 'too_late', since: until } : undefined
}

const daysAfter = (moment: Date, days: number): Date => after(moment, days * DAY_MS)
