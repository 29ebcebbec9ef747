import { REVENUE_SHARE } from '#site/policies.ts'

/** A partner's default rate, in basis points. */
export const RATE_DEFAULT = REVENUE_SHARE.usual.basisPoints
export const RATE_MAX = REVENUE_SHARE.most.basisPoints

/** @property productId null: applies to every product without a rate of its own */
export type Rate = { id: number; productId: number | null; basisPoints: number; startsAt: Date }

/** A product's rate at a given time: its own before the partner's, the newest already valid. */
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
