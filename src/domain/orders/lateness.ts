import { afterBusinessDays, type EpochDay } from '#domain/catalog/arrival.ts'

type Window = { from: EpochDay; to: EpochDay }

export type Journey = {
  /** As promised at the purchase. */
  promised: Window
  /** Business days on the way, both ends included. */
  traveling: { readonly from: number; readonly to: number }
  /** Null before it has shipped. */
  parcel: {
    sent: EpochDay
    /** The carrier's; null if it names none. */
    estimate: Window | null
    isOutForDelivery: boolean
  } | null
}

/** `isLate`: it will miss its window, or has. Without a `window` no day can be named: a parcel is then counted as lost. */
export type ToldArrival = { isLate: boolean; window?: Window }

/**
 * What a shopper is told about an arrival, which is never a day in the past. It is late as soon as it cannot be in time anymore, at the
 * latest on the last day of its window. A second window follows: the carrier's own, or one as long as the longest transit. Once that is
 * over too, no date is named.
 */
export function arrivalToTell({ promised, traveling, parcel }: Journey, today: EpochDay): ToldArrival {
  const sent = parcel && {
    from: afterBusinessDays(parcel.sent, traveling.from),
    to: afterBusinessDays(parcel.sent, traveling.to),
  }
  const shown = sent ?? promised
  const due = Math.min(promised.to, shown.to)
  const estimate = parcel?.estimate ?? null
  const isHopeless =
    (estimate !== null && estimate.to > due) ||
    (sent ? sent.from : afterBusinessDays(today, traveling.from)) > promised.to
  if (!isHopeless && (today < due || (today === due && parcel?.isOutForDelivery)))
    return { isLate: false, window: shown }

  const second = { from: afterBusinessDays(shown.to, 1), to: afterBusinessDays(shown.to, traveling.to) }
  const later = [estimate, shown.to > due ? shown : null, second].find(
    (window) => window !== null && window.to >= today && window.to > due,
  )
  return later ? { isLate: true, window: { from: Math.max(later.from, today), to: later.to } } : { isLate: true }
}
