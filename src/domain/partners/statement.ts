import { cents, minus, plus, sum, type Cents } from '#shared/money.ts'
import type { CalendarDay } from '#shared/calendar-day.ts'

/** A month's totals. None is negative, except `takenBack` and the balances. */
export type StatementSums = {
  opening: Cents
  earned: Cents
  takenBack: Cents
  paidOut: Cents
  /** Payouts that the bank returned this month. */
  paidBack: Cents
  closing: Cents
}

/** The closing balance: opening balance plus changes minus payouts. */
export const closingBalanceOf = ({
  opening,
  earned,
  takenBack,
  paidOut,
  paidBack,
}: Omit<StatementSums, 'closing'>): Cents => plus(minus(sum([opening, earned, takenBack]), paidOut), paidBack)

/** Every day of a range with its figures; zeros for days without any. */
export function fillMissingDays<Figures extends Record<string, number>>(
  from: CalendarDay,
  to: CalendarDay,
  known: ReadonlyMap<CalendarDay, Figures>,
  nothing: Figures,
): (Figures & { day: CalendarDay })[] {
  return Array.from({ length: to - from + 1 }, (_, at) => ({ ...nothing, ...known.get(from + at), day: from + at }))
}

/** The payable amount of what is approved, never below zero. Deductions after a payout carry over. */
export const payableOf = (approved: Cents): Cents => cents(Math.max(0, approved))
