import type { CalendarDay } from '#shared/calendar-day.ts'
import type { PaymentProvider } from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'

/** A line of the bank that waits for its payout. */
export type OpenLine = { id: number; day: CalendarDay; amount: Cents; currency: string; text: string }

/** A payout of a provider that waits for its line. @property day on which it left the provider */
export type OpenPayout = { provider: PaymentProvider; payoutId: string; day: CalendarDay; amount: Cents }

/** How many days after it left a payout arrives: a weekend, a holiday, and the bank's own days. */
export const ARRIVAL_DAYS = 10
/** The bank may book it with an earlier day: of another time zone. */
const EARLY_DAYS = 1

const names: Readonly<Record<PaymentProvider, RegExp>> = { stripe: /stripe/i, paypal: /pay\s?pal/i }

/** The provider that a line names; undefined if it names none. */
const providerNamedBy = (text: string): PaymentProvider | undefined =>
  (Object.keys(names) as PaymentProvider[]).find((provider) => names[provider].test(text))

/** Whether a line may be a deposit of a provider: others, such as rent, are not kept. */
export const mayBeDeposit = ({ amount, text }: Pick<OpenLine, 'amount' | 'text'>): boolean =>
  amount > 0 || providerNamedBy(text) !== undefined

/** Whether a line may be a payout: its amount in dollars, its days, and no other provider's name. */
export function fits(line: OpenLine, payout: OpenPayout): boolean {
  const named = providerNamedBy(line.text)
  return (
    line.currency === 'usd' &&
    line.amount === payout.amount &&
    line.day >= payout.day - EARLY_DAYS &&
    line.day <= payout.day + ARRIVAL_DAYS &&
    (named === undefined || named === payout.provider)
  )
}

export type Pair = { line: OpenLine; payout: OpenPayout }

/**
 * Pairs that are beyond doubt: the line has the payout's id, or each fits the other alone. What fits several waits for the owner.
 * @param isUndone pairs that the owner took apart
 */
export function matchDeposits(
  lines: readonly OpenLine[],
  payouts: readonly OpenPayout[],
  isUndone: (pair: Pair) => boolean = () => false,
): Pair[] {
  const pairs = lines.flatMap((line) =>
    payouts.filter((payout) => fits(line, payout) && !isUndone({ line, payout })).map((payout) => ({ line, payout })),
  )
  const named = pairs.filter(({ line, payout }) => line.text.includes(payout.payoutId))
  const taken = new Set<unknown>(named.flatMap(({ line, payout }) => [line, payout]))
  const left = pairs.filter(({ line, payout }) => !taken.has(line) && !taken.has(payout))
  const alone = left.filter(
    (pair) => left.filter(({ line, payout }) => line === pair.line || payout === pair.payout).length === 1,
  )
  return [...named, ...alone]
}

/** The first and the last day of all statements. */
export type CoveredDays = { from: CalendarDay; until: CalendarDay }

/**
 * What a payout without a line is: on its way, missing once the statements go beyond the days in which it arrives, or too old for any
 * of them to show it.
 */
export function standingOfPayout(
  { day }: Pick<OpenPayout, 'day'>,
  covered: CoveredDays | undefined,
): 'expected' | 'missing' | 'before' {
  if (!covered) return 'expected'
  if (day - EARLY_DAYS < covered.from) return 'before'
  return day + ARRIVAL_DAYS < covered.until ? 'missing' : 'expected'
}
