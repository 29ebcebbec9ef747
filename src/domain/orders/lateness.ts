import { afterBusinessDays, type EpochDay, type Window } from '#domain/catalog/arrival.ts'
import type { MailedStep } from './tracking.ts'

export type Journey = {
  /** As promised at the purchase. */
  promised: Window
  /** Business days on the way, both ends included. */
  traveling: { readonly from: number; readonly to: number }
  /** Business days of the second window. */
  giveUpAfter: number
  /** Null before it has shipped. */
  parcel: {
    sent: EpochDay
    /** The carrier's; null if it names none. */
    estimate: Window | null
  } | null
}

/** `isLate`: it will miss its window, or has. Without a `window` no day can be named: a parcel is then counted as lost. */
export type ToldArrival = { isLate: boolean; window?: Window }

/**
 * What a shopper is told about an arrival, which is never a day in the past. It is late as soon as it cannot be in time anymore, at the
 * latest when its window is over. A second window follows: the carrier's own, or one as long as `giveUpAfter`. Once that is over too, no
 * date is named.
 */
export function arrivalToTell({ promised, traveling, giveUpAfter, parcel }: Journey, today: EpochDay): ToldArrival {
  const sent = parcel && {
    from: afterBusinessDays(parcel.sent, traveling.from),
    to: afterBusinessDays(parcel.sent, traveling.to),
  }
  const due = promised.to
  // Slower than its transit, it may still be in time.
  const shown = sent === null ? promised : sent.to < today && today <= due ? { from: today, to: due } : sent
  const estimate = parcel?.estimate ?? null
  const isHopeless =
    (estimate !== null && estimate.to > due) ||
    (sent ? sent.from : afterBusinessDays(today, traveling.from)) > promised.to
  if (!isHopeless && today <= due) return { isLate: false, window: shown }

  const end = Math.max(shown.to, due)
  const second = { from: afterBusinessDays(end, 1), to: afterBusinessDays(end, giveUpAfter) }
  const later = [estimate, shown.to > due ? shown : null, second].find(
    (window) => window !== null && window.to >= today && window.to > due,
  )
  return later ? { isLate: true, window: { from: Math.max(later.from, today), to: later.to } } : { isLate: true }
}

/**
 * The days that an email about the way of a parcel names, by the carrier's estimate alone: out for delivery, today and no other; after a
 * failed attempt, those after today. What was promised says nothing of either.
 * @returns null where it names no such day
 */
export function deliveryToTell(step: MailedStep, estimate: Window | null, today: EpochDay): Window | null {
  if (estimate === null) return null
  const { from, to } = estimate
  if (step === 'out_for_delivery') return from === today && to === today ? estimate : null
  return to > today ? { from: Math.max(from, today + 1), to } : null
}
