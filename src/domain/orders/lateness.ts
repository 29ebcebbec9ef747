import { afterBusinessDays, type EpochDay } from '#domain/catalog/arrival.ts'

type Window = { from: EpochDay; to: EpochDay }

/**
 * What a shopper is told about an arrival, which is never a day in the past. Once the promised window is over, a second one follows it,
 * as long as the longest transit; once that is over too, no date is named.
 * @param transit the longest, in business days
 */
export function arrivalToTell(
  promised: Window,
  today: EpochDay,
  transit: number,
): { isLate: boolean; window?: Window } {
  if (today <= promised.to) return { isLate: false, window: promised }
  const second = { from: afterBusinessDays(promised.to, 1), to: afterBusinessDays(promised.to, transit) }
  return today <= second.to ? { isLate: true, window: second } : { isLate: true }
}
