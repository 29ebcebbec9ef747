import { after, DAY_MS } from '#shared/time.ts'
import { dateFormat } from '#shared/language.ts'
import { dayFromIso } from '#shared/calendar-day.ts'
import { say } from '#words/say.ts'
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

/** `taken`: in another claim, or refunded. */
export const claimObjections = ['taken', 'not_shipped', 'too_early', 'too_late'] as const

export type ClaimObjection = {
  why: (typeof claimObjections)[number]
  /** Until it is too early, or since it is too late: `2026-12-01`. */
  day?: string | undefined
  /** How long claims are possible. */
  days?: number | undefined
}

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
  if (reason === 'lost' && !deliveredAt && now < expectedAt) return { why: 'too_early', day: isoDayOf(expectedAt) }
  const days = Math.max(promisedDays, PRINTER_CLAIM_DAYS)
  const until = daysAfter(deliveredAt ?? expectedAt, days)
  return now > until ? { why: 'too_late', day: isoDayOf(until), days } : undefined
}

/** Says why something can't be claimed, and what to do instead, to the shopper. */
export function claimSentence({ why, day: iso = '', days = 0 }: ClaimObjection): string {
  const day = dateFormat({ month: 'long', day: 'numeric', year: 'numeric', timeZone: 'UTC' }).format(
    (dayFromIso(iso) ?? 0) * DAY_MS,
  )
  switch (why) {
    case 'taken':
      return say('This is already in a report, or refunded.')
    case 'not_shipped':
      return say('This hasn’t shipped yet. You can report a problem once it has; until then, please write to us.')
    case 'too_early':
      return say(
        'This is still on its way: it should arrive by {day}. If it hasn’t by then, report it here. Does the carrier say it is lost? Then please write to us now.',
        { day },
      )
    case 'too_late':
      return say(
        'Reports were possible for {days} days, until {day}. Your legal rights may go further: please write to us, and we’ll look at it.',
        { days, day },
      )
  }
}

const isoDayOf = (moment: Date): string => moment.toISOString().slice(0, 10)

const daysAfter = (moment: Date, days: number): Date => after(moment, days * DAY_MS)
