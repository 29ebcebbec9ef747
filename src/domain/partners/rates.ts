import { REVENUE_SHARE } from '#site/policies.ts'

/** What a partner earns unless something else was agreed, in hundredths of a percent. */
export const RATE_DEFAULT = REVENUE_SHARE.usual.basisPoints
export const RATE_MAX = REVENUE_SHARE.most.basisPoints

/** @property productId null: of everything that has no rate of its own */
export type Rate = { id: number; productId: number | null; basisPoints: number; startsAt: Date }

/** The rate of a product at a moment: its own before the partner's, the newest that has begun before older ones. */
export function rateAt(rates: readonly Rate[], productId: number, at: Date): number {
  const begun = rates.filter(({ startsAt }) => startsAt <= at)
  const newest = (of: number | null) =>
    begun
      .filter((rate) => rate.productId === of)
      .toSorted((a, b) => b.startsAt.getTime() - a.startsAt.getTime() || b.id - a.id)[0]
  return (newest(productId) ?? newest(null))?.basisPoints ?? RATE_DEFAULT
}

/** `12%`, `12.5%`. */
export function formatRate(basisPoints: number): string {
  const digits = String(basisPoints).padStart(3, '0')
  const fraction = digits.slice(-2).replace(/0+$/, '')
  return `${digits.slice(0, -2)}${fraction && `.${fraction}`}%`
}
