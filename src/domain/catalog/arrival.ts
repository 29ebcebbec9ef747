/** Days since 1 January 1970, which was a Thursday. */
export type EpochDay = number

/** Business days, both ends included. */
type Span = { readonly from: number; readonly to: number }

const DAYS_IN_WEEK = 7
const THURSDAY = 4

/** @returns 0 for Sunday to 6 for Saturday */
const weekday = (day: EpochDay): number => (day + THURSDAY) % DAYS_IN_WEEK
const isBusinessDay = (day: EpochDay): boolean => weekday(day) >= 1 && weekday(day) <= 5

/** The day `count` business days later, not counting `day` itself. Ignores public holidays. */
export function afterBusinessDays(day: EpochDay, count: number): EpochDay {
  let reached = day
  for (let left = count; left > 0;) {
    reached += 1
    if (isBusinessDay(reached)) left -= 1
  }
  return reached
}

/** The days an order placed today should arrive: production, then shipping. */
export const arrivalWindow = (today: EpochDay, making: Span, traveling: Span): { from: EpochDay; to: EpochDay } => ({
  from: afterBusinessDays(today, making.from + traveling.from),
  to: afterBusinessDays(today, making.to + traveling.to),
})
